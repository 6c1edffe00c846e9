//! `opendyn generate`.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use command::{argument, command, documents, folder, opendyn, opendyn_with, root};
use opendyn_codegen::Builder;

#[test]
fn the_text_is_the_one_that_a_build_script_writes() {
    let folder = folder("generate-same");
    for document in documents() {
        let by_builder = folder.join("builder.rs");
        Builder::new(&document).write_to(&by_builder).expect("no errors");
        let by_command = opendyn(&["generate", argument(&document)]);
        assert_eq!(by_command.status, 0, "{}", by_command.stderr);
        let expected = std::fs::read_to_string(by_builder).expect("it was written");
        assert!(expected == by_command.stdout, "{}", document.display());
    }
}

#[test]
fn options_are_those_of_a_build_script() {
    let document = root().join("tests/fixtures/names/tool.json");
    let expected = Builder::new(&document)
        .name("Named")
        .strip_prefix("gfx_")
        .rename("old_name", "new_name")
        .optional("get-x")
        .unchecked(opendyn_codegen::Unchecked::Allow)
        .generate()
        .expect("no errors")
        .to_file()
        .expect("Rust");
    let options =
        "--name Named --strip-prefix gfx_ --rename old_name=new_name --optional get-x --unchecked allow";
    let mut arguments = vec!["generate", argument(&document)];
    arguments.extend(options.split(' '));
    let run = opendyn(&arguments);
    assert!(run.stdout == expected, "{}", run.stderr);
}

#[test]
fn check_tells_a_stale_file_and_the_command_that_renews_it() {
    let file = folder("generate-check").join("calc.rs");
    let path = argument(&file);
    let document = "examples/quickstart/calc.json";
    let check = ["generate", document, "-o", path, "--name", "Calc", "--check"];
    let missing = opendyn(&check);
    assert_eq!(missing.status, 1);
    assert!(missing.stderr.contains("does not exist"), "{}", missing.stderr);

    assert_eq!(opendyn(&check[..6]).status, 0);
    let fresh = opendyn(&check);
    assert_eq!((fresh.status, fresh.stdout.as_str()), (0, ""), "{}", fresh.stderr);

    let text = std::fs::read_to_string(&file).expect("it was written");
    std::fs::write(&file, text.replace("\n", "\r\n")).expect("it can be written");
    assert_eq!(opendyn(&check).status, 0, "line ends do not matter");

    std::fs::write(&file, text.replacen("c_int", "c_long", 1)).expect("it can be written");
    let stale = opendyn(&check);
    assert_eq!(stale.status, 1);
    let renewal = format!("help: update it with `opendyn generate {document} -o {path} --name Calc`");
    for part in ["calc.rs is out of date:\n@@ line ", "\n- ", "\n+ ", &renewal] {
        assert!(stale.stderr.contains(part), "{part}: {}", stale.stderr);
    }
    assert_eq!(opendyn(&["generate", document, "--check"]).status, 2, "there is nothing to compare with");
}

#[test]
fn errors_of_the_document_are_shown_with_their_place() {
    let run = opendyn(&["generate", "tests/invalid/output-not-pointer.json"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let expected = std::fs::read_to_string(root().join("tests/invalid/output-not-pointer.stderr"))
        .expect("it is there")
        .replace("output-not-pointer.json", "tests/invalid/output-not-pointer.json");
    assert_eq!(run.stderr, expected);
}

#[test]
fn warnings_go_to_stderr_and_do_not_stop_it() {
    let source =
        std::fs::read_to_string(root().join("tests/invalid/missing-boolean.json")).expect("it is there");
    let run = opendyn_with(&["generate", "-"], &source);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("stdin:") && run.stderr.contains("warning[W003]"), "{}", run.stderr);
    assert!(run.stdout.contains("pub struct"), "{}", run.stdout);
}

#[test]
fn of_many_warnings_of_one_rule_ten_are_shown_and_all_are_counted() {
    let function = |index: usize| {
        format!(
            r#"{{ "name": "f{index}", "description": "Does.", "parameters": [], "return": null, "x-todo": "Why?" }}"#
        )
    };
    let functions: Vec<String> = (0..25).map(function).collect();
    let document = format!(
        r#"{{ "opendyn": "1.0.0", "info": {{ "title": "Many", "version": "1.0.0", "callingConvention": "cdecl" }}, "functions": [{}] }}"#,
        functions.join(", ")
    );
    let run = opendyn_with(&["generate", "-"], &document);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stderr.matches("has an open question").count(), 10, "{}", run.stderr);
    assert!(run.stderr.contains("warning[W010]: 15 more; `opendyn check` shows all"), "{}", run.stderr);
    assert!(run.stderr.contains("0 errors, 25 warnings"), "{}", run.stderr);
}

#[test]
fn colours_are_for_terminals_unless_they_are_asked_for() {
    let document = "tests/invalid/output-not-pointer.json";
    let stderr = |arguments: &[&str]| {
        let output = command(arguments).env_remove("NO_COLOR").output().expect("it starts");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(!stderr(&["generate", document]).contains('\u{1b}'));
    assert!(stderr(&["--color", "always", "generate", document]).contains("\u{1b}[31m"));
    assert!(stderr(&["generate", "--color=always", document]).contains("\u{1b}["));
    assert!(!stderr(&["generate", "--color", "never", document]).contains('\u{1b}'));
}

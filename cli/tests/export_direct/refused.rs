//! Functions without a script, and the messages for them; where the library is found; the text of a script.

use serde_json::json;

use crate::answers;
use crate::command::{argument, assert_golden, folder, opendyn};

const STRUCTS: &str = "tests/fixtures/keys-structs/tool.json";
const CALC: &str = "examples/quickstart/calc.json";

fn export(document: &str, more: &[&str]) -> crate::command::Run {
    opendyn(&[&["export", document, "--format", "python", "--direct"], more].concat())
}

#[test]
fn a_script_is_as_it_was_read() {
    let run = export(CALC, &["--library", "libcalc.so", "--function", "greet"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_golden("export/direct/greet.py", &run.stdout);
    let run = export(
        "tests/fixtures/keys-arrays/tool.json",
        &["--library", "libx.so", "--function", "weighted_sum"],
    );
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_golden("export/direct/weighted_sum.py", &run.stdout);
}

#[test]
fn what_lives_from_call_to_call_is_refused_with_its_place_and_the_others_are_written() {
    let folder = folder("direct-refused");
    let run = export(STRUCTS, &["--library", "libx.so", "-o", argument(&folder)]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let lines: Vec<&str> = run.stderr.lines().filter(|line| !line.starts_with("note: ")).collect();
    assert!(
        lines[0].starts_with("tests/fixtures/keys-structs/tool.json:286:15: `state_init` cannot be a script that calls C: `state` is a state of `State`"),
        "{}",
        run.stderr
    );
    assert_eq!(lines.len(), 5, "{}", run.stderr);
    assert!(!folder.join("state_init.py").exists() && folder.read_dir().expect("a folder").count() > 20);
}

#[test]
fn one_function_that_cannot_be_a_script_is_status_1_and_no_script() {
    let run =
        export("tests/fixtures/keys-handles/tool.json", &["--library", "libx.so", "--function", "bank_open"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(
        run.stderr.contains("`bank_open` cannot be a script that calls C: ")
            && run.stderr.contains("handle of"),
        "{}",
        run.stderr
    );
    let run =
        export("tests/fixtures/keys-values/tool.json", &["--library", "libx.so", "--function", "sum_two"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("a variable number of arguments"), "{}", run.stderr);
}

#[test]
fn a_library_has_to_be_named_somewhere() {
    let run = export(CALC, &["--function", "add"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("names no library") && run.stderr.contains("--library"), "{}", run.stderr);
    let run = export(CALC, &["--function", "add", "--library", "nowhere/libcalc.so"]);
    assert!(run.status == 2 && run.stderr.contains("does not exist"), "{}", run.stderr);
    let run = opendyn(&["export", CALC, "--format", "openai", "--direct"]);
    assert!(run.status == 2 && run.stderr.contains("needs the format `python`"), "{}", run.stderr);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_library_that_is_not_there_is_an_answer_that_names_the_variable() {
    let path = folder("direct-absent").join("add.py");
    let run = export(CALC, &["--function", "add", "--library", "libnowhere.so"]);
    std::fs::write(&path, run.stdout).expect("it can be written");
    let answer = &answers(&[(path, "add".to_owned(), json!({"a": 1, "b": 2}))])[0];
    let message = answer["message"].as_str().expect("a message");
    assert!(message.starts_with("cannot load `libnowhere.so`"), "{message}");
    assert!(message.contains("CALC_LIBRARY can name another file"), "{message}");
}

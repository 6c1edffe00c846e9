//! `opendyn init`: what it writes, asks and calls, and that the commands which it prints work.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{at, foo, read, run};

const INIT: [&str; 3] = ["init", "libfoo.so", "foo.h"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&INIT[..], more].concat()
}

#[test]
fn without_a_terminal_it_asks_and_calls_nothing_and_says_how_to_go_on() {
    let folder = foo("alone");
    let run = run(&mut at(&folder, &INIT), "");
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    for said in [
        "libfoo.so: 3 functions imported, ",
        "open; JSON callers are refused where one is:",
        "to answer them, in a terminal: opendyn init libfoo.so foo.h --force\n",
        "foo.json: written; 2 functions callable with JSON\n",
    ] {
        assert!(run.stderr.contains(said), "{said}\nis not in\n{}", run.stderr);
    }
    let document: Value = serde_json::from_str(&read(&folder.join("foo.json"))).expect("JSON");
    assert_eq!(document["functions"].as_array().map(Vec::len), Some(3));
    assert!(!folder.join("loaded").exists(), "the library is not even loaded");
    assert!(!folder.join("foo-answers.json").exists(), "nobody has answered");
}

/// The commands that it prints, each without what is said of it.
fn printed(stderr: &str) -> Vec<String> {
    let next = stderr.split("\nNext:\n").nth(1).expect("what comes next");
    next.lines().map(|line| line.split("  # ").next().expect("a command").trim().to_owned()).collect()
}

#[test]
fn the_commands_that_come_next_work_as_they_are_printed() {
    let folder = foo("next");
    let commands = printed(&run(&mut at(&folder, &INIT), "").stderr);
    let starting = |start: &str| {
        let found = commands.iter().find(|command| command.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} is not in {commands:#?}"))
    };
    let shell = |line: &str| {
        let opendyn = Path::new(env!("CARGO_BIN_EXE_opendyn")).parent().expect("a folder");
        let path = std::env::join_paths([opendyn, Path::new("/usr/bin"), Path::new("/bin")]).expect("a PATH");
        let mut command = Command::new("sh");
        run(command.args(["-c", line]).current_dir(&folder).env("PATH", path).env("HOME", &folder), "")
    };
    let call = shell(starting("opendyn call foo.json foo_count"));
    assert_eq!((call.status, call.stdout.as_str()), (0, "{\"result\":3}\n"), "{}", call.stderr);
    let list = shell(starting("opendyn call foo.json --list"));
    assert!(list.status == 0 && list.stdout.contains("foo_add"), "{}{}", list.stdout, list.stderr);
    let check = shell(starting("opendyn check foo.json"));
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    let crate_ = shell(starting("opendyn new foo-tools foo.json"));
    assert!(crate_.status == 0 && folder.join("foo-tools/Cargo.toml").is_file(), "{}", crate_.stderr);
    let install = shell(&format!("{} --yes", starting("opendyn mcp foo.json")));
    assert!(install.status == 0 && folder.join(".mcp.json").is_file(), "{}", install.stderr);
    let serve = format!("{} --port 0 & sleep 2; kill $!", starting("opendyn serve foo.json"));
    let serve = shell(&serve);
    assert!(serve.stderr.contains("2 functions at http://127.0.0.1:"), "{}", serve.stderr);
}

#[test]
fn answers_open_functions_and_a_call_is_made_only_if_it_is_agreed_to() {
    for (answer, result) in [("y", "{\n  \"result\": 3\n}\n"), ("n", ""), ("", "")] {
        let folder = foo("agreed");
        let run = run(&mut at(&folder, &with(&["--ask"])), &format!("1\n{answer}\n"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stderr.contains("Is `len` the length of `buf`?"), "{}", run.stderr);
        assert!(run.stderr.contains("foo.json: written; 3 functions callable with JSON\n"), "{}", run.stderr);
        let suggested = "A first call: opendyn call foo.json foo_count --library ./libfoo.so\n";
        assert!(run.stderr.contains(suggested), "{}", run.stderr);
        assert!(run.stderr.contains("Make it? [y/N]"), "{}", run.stderr);
        let shown: String = run.stdout.split_whitespace().collect();
        assert_eq!(shown, result.split_whitespace().collect::<String>());
        assert!(read(&folder.join("foo-answers.json")).contains("foo_sum.buf"));
    }
}

#[test]
fn the_first_call_can_write_no_files() {
    let folder = foo("confined");
    let run = run(&mut at(&folder, &with(&["--yes"])), "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("\"result\""), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("opendyn: sandbox: no network, no writing, "), "{}", run.stderr);
    assert!(!folder.join("counted").exists() && !folder.join("loaded").exists());
}

#[test]
fn nothing_is_overwritten_unless_it_is_told_and_answers_are_kept() {
    let folder = foo("again");
    assert_eq!(run(&mut at(&folder, &with(&["--ask"])), "1\n").status, 0);
    let document = folder.join("foo.json");
    let answered = read(&document);
    std::fs::write(&document, "mine").expect("it is ours");
    let refused = run(&mut at(&folder, &INIT), "");
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("`foo.json` already exists"), "{}", refused.stderr);
    assert_eq!(read(&document), "mine");
    let forced = run(&mut at(&folder, &with(&["--force"])), "");
    assert_eq!(forced.status, 0, "{}", forced.stderr);
    assert!(forced.stderr.contains("foo-answers.json: 1 answer applied, 0 not"), "{}", forced.stderr);
    assert_eq!(read(&document), answered);
    let other = run(&mut at(&folder, &with(&["-o", "other.json"])), "");
    assert!(other.status == 0 && folder.join("other.json").is_file(), "{}", other.stderr);
}

#[test]
fn a_header_in_the_place_of_the_library_is_answered_with_the_order() {
    let folder = foo("order");
    let run = run(&mut at(&folder, &["init", "foo.h", "libfoo.so"]), "");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("the library comes first: opendyn init ./libfoo.so foo.h"), "{}", run.stderr);
    let missing = super::run(&mut at(&folder, &["init", "libgone.so", "foo.h"]), "");
    assert_eq!(missing.status, 2, "{}", missing.stderr);
    assert!(!folder.join("foo.json").exists());
}

#[test]
fn without_a_header_the_debug_info_of_the_library_is_read() {
    let folder = foo("no-header");
    let none = run(&mut at(&folder, &["init", "libfoo.so"]), "");
    assert!(
        none.status == 2 && none.stderr.contains("name the header: opendyn init libfoo.so HEADER"),
        "{}",
        none.stderr
    );
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/start/foo.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut compile = Command::new(compiler);
    compile.args(["-shared", "-fPIC", "-g", "-o", "libbar.so"]).arg(source).current_dir(&folder);
    assert!(compile.status().expect("these tests need a C compiler").success());
    let bar = run(&mut at(&folder, &["init", "libbar.so"]), "");
    assert_eq!(bar.status, 0, "{}", bar.stderr);
    assert!(read(&folder.join("bar.json")).contains("foo_add"));
}

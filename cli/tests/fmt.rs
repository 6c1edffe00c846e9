//! `opendyn fmt`.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use command::{argument, command, documents, folder, opendyn, opendyn_with, root};
use serde_json::Value;

#[test]
fn every_document_keeps_its_meaning_and_is_then_a_fixed_point() {
    let folder = folder("fmt-meaning");
    for document in documents() {
        let source = std::fs::read_to_string(&document).expect("it is there");
        let first = opendyn_with(&["fmt", "-"], &source);
        assert_eq!((first.status, first.stderr.as_str()), (0, ""), "{}", document.display());
        let parse = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(parse(&first.stdout), parse(&source), "{}", document.display());
        let copy = folder.join("copy.json");
        std::fs::write(&copy, &first.stdout).expect("it can be written");
        assert_eq!(opendyn(&["fmt", "--check", argument(&copy)]).status, 0, "{}", document.display());
    }
}

#[test]
fn the_bindings_of_a_document_are_the_same_after_it() {
    let options = opendyn_codegen::Options::default();
    for document in documents() {
        let source = std::fs::read_to_string(&document).expect("it is there");
        let laid_out = opendyn_with(&["fmt", "-"], &source).stdout;
        let [before, after] = [source, laid_out].map(|source| {
            opendyn_codegen::generate("tool.json", &source, &options).expect("no errors").tokens().to_string()
        });
        assert!(before == after, "{}", document.display());
    }
}

#[test]
fn the_quickstart_is_laid_out() {
    let run = opendyn(&["fmt", "--check", "examples/quickstart/calc.json"]);
    assert_eq!((run.stdout.as_str(), run.status), ("", 0));
}

#[test]
fn a_file_is_rewritten_and_check_only_names_it() {
    let file = folder("fmt-file").join("tool.json");
    std::fs::write(&file, r#"{"info":{"version":"1","title":"t"}}"#).expect("it can be written");
    let path = argument(&file);
    let check = opendyn(&["fmt", "--check", path]);
    assert_eq!((check.stdout.as_str(), check.status), (format!("{path}\n").as_str(), 1));
    let written = opendyn(&["fmt", path]);
    assert_eq!((written.stdout.as_str(), written.status), ("", 0));
    assert_eq!(
        std::fs::read_to_string(&file).expect("it is there"),
        "{\n  \"info\": {\n    \"title\": \"t\",\n    \"version\": \"1\"\n  }\n}\n"
    );
    assert_eq!(opendyn(&["fmt", path]).stderr, "", "there is nothing left to do");
}

#[test]
fn what_is_not_json_is_left_alone_and_shown_with_its_place() {
    let file = folder("fmt-broken").join("tool.json");
    std::fs::write(&file, "{\n  \"a\": ,\n}").expect("it can be written");
    let run = opendyn(&["fmt", argument(&file)]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("tool.json:2:8: error[E001]"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "{\n  \"a\": ,\n}");
}

#[test]
fn a_key_that_stands_twice_is_shown_with_its_place() {
    let known = opendyn_with(&["fmt", "-"], "{\"opendyn\": \"1.0.0\",\n \"opendyn\": \"1.0.0\"}");
    assert!(known.stderr.contains("stdin:2:2: error[E021]"), "{}", known.stderr);
    let unknown = opendyn_with(&["fmt", "-"], "{\"x-a\": {\"b\": 1,\n \"b\": 2}}");
    assert!(unknown.stderr.contains("stdin:2:2: error[E021]"), "{}", unknown.stderr);
    assert_eq!((known.status, unknown.status), (1, 1));
}

#[test]
fn a_document_that_is_not_there_is_a_failure() {
    let run = opendyn(&["fmt", "nowhere.json"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read the document `nowhere.json`"), "{}", run.stderr);
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_command_quietly() {
    for arguments in [["fmt", "-"], ["check", "-"], ["generate", "-"]] {
        let document = std::fs::File::open(root().join("examples/sqlite/sqlite.json")).expect("it is there");
        let mut child = command(&arguments)
            .stdin(document)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}

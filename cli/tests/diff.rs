//! `opendyn diff`.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use std::path::PathBuf;

use command::{argument, assert_golden, folder, opendyn, opendyn_with, root};
use serde_json::Value;

const CALC: &str = "examples/quickstart/calc.json";

/// The document of the quickstart, with `edits` made to its text.
fn edited(test: &str, edits: &[(&str, &str)]) -> PathBuf {
    let mut source = std::fs::read_to_string(root().join(CALC)).expect("it is there");
    for (old, new) in edits {
        assert!(source.contains(old), "{old}");
        source = source.replacen(old, new, 1);
    }
    let path = folder(test).join("new.json");
    std::fs::write(&path, source).expect("it can be written");
    path
}

fn breaking(test: &str) -> PathBuf {
    edited(
        test,
        &[
            (r#""type": "int", "isPointer": false"#, r#""type": "short", "isPointer": false"#),
            (r#""version": "1.0.0""#, r#""version": "2.0.0""#),
            (r#""1": "division by zero""#, r#""1": "division by zero", "2": "overflow""#),
            ("A greeting.", "A friendly greeting."),
        ],
    )
}

#[test]
fn changes_are_shown_by_what_they_break() {
    let run = opendyn(&["diff", CALC, argument(&breaking("diff-text"))]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert_golden("diff/calc.txt", &run.stdout);
}

#[test]
fn the_same_in_json() {
    let new = breaking("diff-json");
    let run = opendyn(&["diff", CALC, argument(&new), "--format", "json"]);
    assert_eq!(run.status, 1);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(found["breaks"], serde_json::json!(["c", "rust", "json"]));
    let first = &found["changes"][0];
    assert_eq!((&first["of"], &first["text"]), (&"document".into(), &true.into()));
}

#[test]
fn the_exit_status_tells_whether_something_breaks() {
    let same = opendyn(&["diff", CALC, CALC]);
    assert_eq!((same.status, same.stdout.as_str()), (0, "no changes\n"));

    let compatible = edited("diff-status", &[("A greeting.", "Hello.")]);
    let compatible = argument(&compatible);
    assert_eq!(opendyn(&["diff", CALC, compatible]).status, 0);
    assert_eq!(opendyn(&["diff", CALC, compatible, "--fail-on", "any"]).status, 1);

    let broken = breaking("diff-status-breaking");
    assert_eq!(opendyn(&["diff", CALC, argument(&broken), "--fail-on", "never"]).status, 0);
    assert_eq!(opendyn(&["diff", CALC, "nowhere.json"]).status, 2);
    let faulty = opendyn(&["diff", CALC, "tests/invalid/output-not-pointer.json"]);
    assert_eq!(faulty.status, 2);
    assert!(faulty.stderr.contains("error[E012]"), "{}", faulty.stderr);
}

#[test]
fn only_the_audience_that_is_asked_for_counts() {
    let symbol = edited("diff-audience", &[(r#""name": "add","#, r#""name": "add", "x-symbol": "add2","#)]);
    let symbol = argument(&symbol);
    assert_eq!(opendyn(&["diff", CALC, symbol]).status, 1);
    assert_eq!(opendyn(&["diff", CALC, symbol, "--audience", "json"]).status, 0);
    assert_eq!(opendyn(&["diff", CALC, symbol, "--audience", "json", "--audience", "c"]).status, 1);
}

#[test]
fn one_of_the_two_can_come_from_stdin() {
    let source = std::fs::read_to_string(root().join(CALC)).expect("it is there");
    assert_eq!(opendyn_with(&["diff", "-", CALC], &source).status, 0);
    assert_eq!(opendyn_with(&["diff", "-", "-"], &source).status, 2);
}

#[test]
fn a_name_of_a_code_can_be_added_but_not_changed() {
    let named = |test: &str, name: &str| {
        let names = format!(
            "\"code\": {{\n    \"0\": \"success\",\n    \"1\": \"division by zero\"\n  }},\n  \"x-codeNames\": {{ \"1\": \"{name}\" }}\n}}"
        );
        let code = "\"code\": {\n    \"0\": \"success\",\n    \"1\": \"division by zero\"\n  }\n}";
        edited(test, &[(code, names.as_str())])
    };
    let (without, first) = (root().join(CALC), named("diff-named", "DIVISION_BY_ZERO"));
    let added = opendyn(&["diff", argument(&without), argument(&first)]);
    assert!(added.stdout.contains("the name is `DIVISION_BY_ZERO`, was none\n"), "{}", added.stdout);
    assert_eq!(added.status, 0, "{}", added.stdout);
    let changed = opendyn(&["diff", argument(&first), argument(&named("diff-renamed", "DIVIDED"))]);
    let expected = "the name is `DIVIDED`, was `DIVISION_BY_ZERO`  [JSON]\n";
    assert!(changed.stdout.contains(expected), "{}", changed.stdout);
    assert_eq!(changed.status, 1);
}

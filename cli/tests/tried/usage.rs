//! What can be tried, and how it is shown.

use serde_json::Value;

use crate::command::opendyn;
use crate::{DOCUMENT, library, run};

#[test]
fn everything_that_changes_nothing_is_tried() {
    let run = run(&[], &["--try-all"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    for (call, then) in [
        (r#"tried sum {"buf":""}"#, "  no fault seen with these arguments"),
        (r#"tried measure {"text":""}"#, "  no fault seen with these arguments"),
        (r#"tried measure_past {"text":""}"#, "(1 byte with its NUL)"),
        ("tried through_null {}", "NULL pointer"),
    ] {
        let mut lines = run.stdout.lines().skip_while(|line| *line != call).skip(1);
        assert!(lines.next().is_some_and(|line| line.contains(then)), "{call}\n{}", run.stdout);
    }
    assert!(
        run.stdout.contains("`use_after_free`: `x-annotations` does not say `readOnly`"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("not tried: `box_first`: no value for `box` can be made up"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("2 errors, 0 warnings\n"), "{}", run.stdout);
}

#[test]
fn programs_get_an_object() {
    let run = run(&[("half", r#"{"capacity": 2}"#)], &["--format", "json"]);
    let object: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.status, &object["errors"]), (1, &Value::from(1)));
    let tried = &object["tried"][0];
    assert_eq!(tried["calls"][0]["function"], "half");
    assert!(tried["faults"][0]["line"].is_u64());
    let message = tried["faults"][0]["message"].as_str().expect("text");
    assert!(message.starts_with("`half` left 1 byte of `out` unwritten, of 2"), "{message}");
}

#[test]
fn github_gets_annotations() {
    let run = run(&[("wide", "{}")], &["--format", "github"]);
    let expected = format!("::error file={DOCUMENT},line=");
    assert!(run.stdout.lines().any(|line| line.starts_with(&expected)), "{}", run.stdout);
}

#[test]
fn a_call_that_cannot_be_made_is_refused() {
    for (calls, message) in [
        (&[("fil", "{}")][..], "error: `fil`: unknown function `fil`; did you mean `fill`?"),
        (&[("fill", "{")], "error: the arguments of `fill` are not JSON"),
        (&[("fill", "{}")], "error: `fill`: invalid arguments: /capacity: missing"),
        (
            &[("box_first", r#"{"box": "$1.box"}"#)],
            "error: `box_first` was not called: invalid arguments: call 1 has no result `box`",
        ),
    ] {
        let run = run(calls, &[]);
        assert_eq!(run.status, 1, "{}", run.stdout);
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
}

#[test]
fn a_library_that_cannot_be_loaded_is_an_error_of_its_own() {
    let run = opendyn(&["check", DOCUMENT, "--try", "sum", r#"{"buf": ""}"#]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("names no library"), "{}", run.stderr);
}

#[test]
fn nothing_is_tried_with_a_document_that_has_errors() {
    let text = std::fs::read_to_string(crate::command::root().join(DOCUMENT)).expect("a file");
    let folder = crate::command::folder("tried_with_errors");
    let path = folder.join("wrong.json");
    std::fs::write(&path, text.replace(r#""unsigned char""#, r#""unsigned chat""#)).expect("written");
    let path = crate::command::argument(&path);
    let run = opendyn(&["check", path, "--library", library(), "--try", "stop", "{}"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("not tried: nothing is tried with a document that has errors"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("aborted"), "{}", run.stdout);
}

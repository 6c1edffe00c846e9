//! Errors whose condition, code and text are behind two calls: of the line its file, of the file the text.

use opendyn::CallError;
use opendyn_tests::Twin;
use serde_json::{Value, json};

use crate::KeysErrors;

opendyn_tests::twin!(KeysErrors = "fixtures/keys-errors/tool.json");

fn twin() -> Twin<KeysErrors> {
    // SAFETY: fixtures/keys-errors/tool.json describes c/keys_errors.c correctly.
    unsafe { Twin::open("keys_errors", &[]) }.expect("every function is there")
}

fn told(error: &CallError) -> (Option<i64>, Option<&str>) {
    (error.code(), error.text())
}

#[test]
fn the_handle_that_a_call_returns_is_an_argument_of_another() {
    let tool = twin();
    let line = tool.line_open(false).expect("a line");
    assert_eq!(line.read(0), Ok(()));
    assert_eq!(tool.line_asked(), 0, "nothing is asked if the call succeeded");
    assert_eq!(told(&line.read(5).expect_err("a code")), (Some(5), Some("the file is busy")));
    assert_eq!(tool.line_asked(), 1, "once");
    assert_eq!(told(&line.write(6).expect_err("a code")), (Some(6), Some("the file is gone")));
    assert_eq!(line.write(0), Ok(()));
}

#[test]
fn nothing_is_called_with_a_null_that_a_call_returned() {
    let tool = twin();
    let lost = tool.line_open(true).expect("a line");
    assert_eq!(told(&lost.read(5).expect_err("a code")), (Some(5), Some("late")), "of the document");
    assert_eq!(lost.write(5), Ok(()), "there is no file that could tell");
}

#[test]
fn the_code_that_a_call_returns_is_an_argument_of_another() {
    let tool = twin();
    let line = tool.line_open(false).expect("a line");
    assert!(line.make(0).expect("no code").is_some());
    assert_eq!(told(&line.make(5).expect_err("a code")), (Some(5), Some("five")));
    assert_eq!(told(&line.make(6).expect_err("a code")), (Some(6), Some("another")));
    let lost = tool.line_open(true).expect("a line");
    assert!(lost.make(5).expect("there is no file that could tell").is_none());
}

#[test]
fn json_callers_get_the_same_texts() {
    let tool = twin();
    let call = |function: &str, arguments: Value| -> Result<Value, String> {
        let reply = tool.call_json(function, &arguments.to_string()).map_err(|error| error.to_string())?;
        Ok(serde_json::from_str(&reply).expect("JSON"))
    };
    let line = call("line_open", json!({"lost": false})).expect("a line")["line"].clone();
    let lost = call("line_open", json!({"lost": true})).expect("a line")["line"].clone();
    for (function, line, code, reply) in [
        ("line_read", &line, 0, Ok(json!({}))),
        ("line_read", &line, 5, Err("the call failed with code 5 (LATE): the file is busy".to_owned())),
        ("line_read", &lost, 5, Err("the call failed with code 5 (LATE): late".to_owned())),
        ("line_write", &line, 0, Ok(json!({}))),
        ("line_write", &line, 7, Err("the call failed with code 7: the file is gone".to_owned())),
        ("line_write", &lost, 7, Ok(json!({}))),
        ("line_make", &line, 5, Err("the call failed with code 5 (LATE): five".to_owned())),
        ("line_make", &line, 6, Err("the call failed with code 6 (LOCKED): another".to_owned())),
        ("line_make", &lost, 6, Ok(json!({"file": null}))),
    ] {
        assert_eq!(call(function, json!({"line": line, "code": code})), reply, "{function} {code}");
    }
}

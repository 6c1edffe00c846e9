//! Failures of calls with JSON: the compiled binding and the interpreter give the same replies and errors, and those
//! are what typed calls say.

use opendyn::{Tool, ToolError};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_tests::shared_library;
use serde_json::{Value, json};

use crate::{Errors, errors};

/// The same library, loaded twice.
struct Both {
    compiled: Errors,
    interpreted: Interpreted,
}

impl Both {
    fn new() -> Self {
        let source = include_str!("../../fixtures/keys-errors/tool.json");
        let document = Document::read("tool.json", source, &Options::default()).expect("no errors");
        // SAFETY: the document describes c/keys_errors.c correctly.
        let interpreted = unsafe { Interpreted::open(document, shared_library("keys_errors", &[]).path()) };
        Self { compiled: errors(), interpreted: interpreted.expect("every function is there") }
    }

    /// The reply or the error of both as JSON text, which must be the same bytes.
    #[track_caller]
    fn call(&self, function: &str, arguments: &Value) -> Result<Value, Value> {
        let arguments = arguments.to_string();
        let shown = |reply: Result<String, ToolError>| match reply {
            Ok(reply) => Ok(reply),
            Err(error) => Err((Value::Object(error.to_json()).to_string(), error)),
        };
        let compiled = shown(self.compiled.call_json(function, &arguments));
        let interpreted = shown(self.interpreted.call_json(function, &arguments));
        assert_eq!(compiled, interpreted, "{function}({arguments})");
        let parsed = |text: &str| serde_json::from_str(text).expect("JSON");
        compiled.map(|reply| parsed(&reply)).map_err(|(error, _)| parsed(&error))
    }

    /// The error of a call that fails, without the `code` of the protocol, which is always that of a failed call.
    #[track_caller]
    fn failure(&self, function: &str, arguments: &Value) -> Value {
        let mut error = self.call(function, arguments).expect_err(function);
        assert_eq!(error["code"], json!(500), "{error}");
        let object = error.as_object_mut().expect("an object");
        object.remove("code");
        object["message"] = object["message"].as_str().map_or(Value::Null, |message| {
            json!(message.strip_prefix("the call failed").expect("it says so"))
        });
        error
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let count = |function| self.interpreted.call_json(function, "{}").expect("a count");
            assert_eq!(count("errors_allocated"), r#"{"count":0}"#);
            assert_eq!(count("errors_faults"), r#"{"count":0}"#);
        }
    }
}

#[test]
fn each_source_of_code_and_text_is_in_the_error() {
    let both = Both::new();
    for (function, arguments, error) in [
        (
            "when_negative",
            json!({ "value": -5 }),
            json!({ "message": " with code -5 (TOO_SMALL): too small", "functionCode": -5, "codeName": "TOO_SMALL" }),
        ),
        ("when_null", json!({ "code": 1 }), json!({ "message": ": the last error" })),
        ("when_null", json!({ "code": 8 }), json!({ "message": ": the function reported a failure" })),
        ("when_null", json!({ "code": 9 }), json!({ "message": ": the function reported a failure" })),
        (
            "when_zero",
            json!({ "value": 0 }),
            json!({ "message": " with code 5 (LATE): the library is busy", "functionCode": 5, "codeName": "LATE" }),
        ),
        (
            "when_nonzero",
            json!({ "code": 6 }),
            json!({ "message": " with code 6 (LOCKED): zürich is locked", "functionCode": 6, "codeName": "LOCKED" }),
        ),
        ("when_false", json!({ "value": false }), json!({ "message": ": the function reported a failure" })),
        (
            "when_value",
            json!({ "value": -1 }),
            json!({ "message": " with code 13: Permission denied", "functionCode": 13 }),
        ),
        (
            "when_called",
            json!({ "code": 5 }),
            json!({ "message": " with code 5 (LATE): the library is busy", "functionCode": 5, "codeName": "LATE" }),
        ),
        (
            "when_asked",
            json!({ "code": 11 }),
            json!({ "message": " with code 11 (GONE): gone", "functionCode": 11, "codeName": "GONE" }),
        ),
        (
            "change_folder",
            json!({ "path": "/no/such/folder" }),
            json!({ "message": " with code 2: No such file or directory", "functionCode": 2 }),
        ),
        (
            "folder_error",
            json!({ "path": "/no/such/folder" }),
            json!({ "message": " with code 2: No such file or directory", "functionCode": 2 }),
        ),
        (
            "negated_error",
            json!({ "path": "/no/such/folder" }),
            json!({ "message": " with code -2: No such file or directory", "functionCode": -2 }),
        ),
        (
            "keeps_errno",
            json!({ "code": 2 }),
            json!({
                "message": " with code 2: No such file or directory",
                "functionCode": 2,
                "outputs": { "note": "noted", "count": 7 }
            }),
        ),
        (
            "write_text",
            json!({ "length": 9, "room": 8 }),
            json!({ "message": " with code 28: No space left on device", "functionCode": 28 }),
        ),
        (
            "run",
            json!({ "code": 5 }),
            json!({
                "message": " with code 5 (LATE): near \"selekt\": syntax error",
                "functionCode": 5,
                "codeName": "LATE",
                "outputs": { "errmsg": "near \"selekt\": syntax error" }
            }),
        ),
        (
            "run",
            json!({ "code": 11 }),
            json!({ "message": " with code 11 (GONE): gone", "functionCode": 11, "codeName": "GONE" }),
        ),
        (
            "run_buffer",
            json!({ "code": 7 }),
            json!({
                "message": " with code 7: no such device",
                "functionCode": 7,
                "outputs": { "message": "no such device" }
            }),
        ),
        (
            "sum",
            json!({ "values": [] }),
            json!({
                "message": " with code 0 (FINE): the library is busy",
                "functionCode": 0,
                "codeName": "FINE",
                "outputs": { "total": 0, "mean": 0.0, "is_odd": false, "sign": "+", "code": 5 }
            }),
        ),
        (
            "find",
            json!({ "code": 1 }),
            json!({ "message": " with code 1: object not found", "functionCode": 1 }),
        ),
        (
            "find",
            json!({ "code": 3 }),
            json!({ "message": " with code 3: the document has no text for it", "functionCode": 3 }),
        ),
        (
            "find",
            json!({ "code": 4 }),
            json!({ "message": " with code 4: the document has no text for it", "functionCode": 4 }),
        ),
        (
            "find_in_place",
            json!({ "code": 1 }),
            json!({ "message": " with code 1: in place", "functionCode": 1 }),
        ),
        (
            "db_open",
            json!({ "code": 5 }),
            json!({ "message": " with code 5 (LATE): the database is locked", "functionCode": 5, "codeName": "LATE" }),
        ),
        (
            "db_open",
            json!({ "code": 7 }),
            json!({ "message": " with code 7: the document has no text for it", "functionCode": 7 }),
        ),
        (
            "db_make",
            json!({ "code": 2 }),
            json!({ "message": " with code 2: No such file or directory", "functionCode": 2 }),
        ),
        (
            "db_connect",
            json!({ "code": 5 }),
            json!({ "message": " with code 5 (LATE): the database is locked", "functionCode": 5, "codeName": "LATE" }),
        ),
        ("db_connect", json!({ "code": 7 }), json!({ "message": ": `db` is a NULL pointer" })),
        (
            "db_use_maybe",
            json!({ "code": 11 }),
            json!({ "message": " with code 11 (GONE): gone", "functionCode": 11, "codeName": "GONE" }),
        ),
        (
            "state",
            json!({ "code": 5 }),
            json!({ "message": " with code 5 (LATE): late", "functionCode": 5, "codeName": "LATE" }),
        ),
    ] {
        assert_eq!(both.failure(function, &arguments), error, "{function}");
    }
}

#[test]
fn a_call_that_succeeds_replies_as_without_the_key() {
    let both = Both::new();
    for (function, arguments, reply) in [
        ("when_negative", json!({ "value": 3 }), json!({ "value": 3 })),
        ("when_null", json!({ "code": 0 }), json!({ "text": "fine" })),
        ("when_zero", json!({ "value": 3 }), json!({ "value": 3 })),
        ("when_nonzero", json!({ "code": 0 }), json!({})),
        ("when_false", json!({ "value": true }), json!({ "value": true })),
        ("when_value", json!({ "value": 1 }), json!({ "value": 1 })),
        ("when_called", json!({ "code": 0 }), json!({ "size": 42 })),
        ("when_asked", json!({ "code": 0 }), json!({})),
        ("change_folder", json!({ "path": "." }), json!({ "result": 0 })),
        ("keeps_errno", json!({ "code": 0 }), json!({ "result": 0, "note": "noted", "count": 7 })),
        ("write_text", json!({ "length": 3, "room": 8 }), json!({ "text": "xxx" })),
        ("run", json!({ "code": 0 }), json!({ "errmsg": null })),
        ("find", json!({ "code": 0 }), json!({})),
        ("state", json!({ "code": 0 }), json!({})),
    ] {
        assert_eq!(both.call(function, &arguments), Ok(reply), "{function}");
    }
}

/// Tokens are random, so each of the two is asked with its own.
#[test]
fn a_token_tells_the_text_of_its_handle() {
    let both = Both::new();
    let tools: [&dyn Tool; 2] = [&both.compiled.0, &both.interpreted];
    let replies = tools.map(|tool| {
        let opened: Value =
            serde_json::from_str(&tool.call_json("db_open", r#"{"code":0}"#).expect("it opens"))
                .expect("JSON");
        let call = |function: &str, code: Value| {
            let mut arguments = opened.clone();
            if !code.is_null() {
                arguments["code"] = code;
            }
            tool.call_json(function, &arguments.to_string())
        };
        let replies = [
            call("db_use", json!(5)),
            call("db_use_maybe", json!(5)),
            call("db_use", json!(0)),
            call("db_close", Value::Null),
        ];
        // The handle is gone.
        assert!(matches!(call("db_use", json!(0)), Err(ToolError::InvalidArguments(_))));
        replies
    });
    let [compiled, interpreted] = replies;
    assert_eq!(compiled, interpreted);
    let error = compiled[0].as_ref().expect_err("it fails");
    assert_eq!(error.to_string(), "the call failed with code 5 (LATE): the database is locked");
    assert_eq!(compiled[3].as_deref(), Ok(r#"{"result":0}"#));
}

#[test]
fn a_document_that_is_read_for_one_function_has_those_that_tell_its_error() {
    let source = include_str!("../../fixtures/keys-errors/tool.json");
    for function in ["when_null", "when_called", "find"] {
        let document =
            Document::read_for("tool.json", source, &Options::default(), function).expect("no errors");
        // SAFETY: the document describes c/keys_errors.c correctly.
        let tool = unsafe { Interpreted::open(document, shared_library("keys_errors", &[]).path()) };
        let error = tool.expect("it loads").call_json(function, r#"{"code":5}"#).expect_err("it fails");
        assert!(matches!(error, ToolError::CallFailed { .. }), "{error}");
    }
}

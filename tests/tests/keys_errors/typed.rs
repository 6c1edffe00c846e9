//! Failures of typed calls.

use std::error::Error;
use std::ffi::CStr;

use opendyn::{CallError, CodeError, Refused};
use serde_json::{Value, json};

use crate::{KeysErrorsCode, errors};

const MISSING: &CStr = c"/no/such/folder";
const NO_ENTRY: (Option<i64>, Option<&str>) = (Some(2), Some("No such file or directory"));

fn told(error: &CallError) -> (Option<i64>, Option<&str>) {
    (error.code(), error.text())
}

fn outputs(error: &CallError) -> Value {
    match error {
        CallError::Failed(failed) => Value::Object(failed.outputs().clone()),
        other => json!(other.to_string()),
    }
}

#[test]
fn each_condition_fails_for_its_values_alone() {
    let tool = errors();
    assert_eq!(tool.when_negative(0), Ok(0));
    assert_eq!(tool.when_negative(3), Ok(3));
    assert_eq!(told(&tool.when_negative(-5).expect_err("negative")), (Some(-5), Some("too small")));
    assert_eq!(told(&tool.when_negative(-6).expect_err("negative")), (Some(-6), None));

    assert_eq!(tool.when_null(0).as_deref(), Ok(c"fine"));
    assert_eq!(told(&tool.when_null(1).expect_err("NULL")), (None, Some("the last error")));

    assert_eq!(tool.when_zero(3), Ok(3));
    assert_eq!(told(&tool.when_zero(0).expect_err("zero")), (Some(5), Some("the library is busy")));

    assert_eq!(tool.when_nonzero(0), Ok(()));
    assert_eq!(told(&tool.when_nonzero(5).expect_err("not zero")), (Some(5), Some("the library is busy")));

    assert_eq!(tool.when_false(true), Ok(true));
    let error = tool.when_false(false).expect_err("false");
    assert_eq!(told(&error), (None, None));
    assert_eq!(error.to_string(), "the function reported a failure");

    assert_eq!(tool.when_value(-2), Ok(-2));
    assert_eq!(tool.when_value(-1).expect_err("the value").code(), Some(13));

    assert_eq!(tool.when_called(0), Ok(42));
    assert_eq!(told(&tool.when_called(5).expect_err("an error")), (Some(5), Some("the library is busy")));

    assert_eq!(tool.when_asked(0), Ok(()));
    assert_eq!(tool.when_asked(11).expect_err("an error").code(), Some(11));
}

#[test]
fn errno_is_that_of_the_call() {
    let tool = errors();
    assert_eq!(told(&tool.change_folder(MISSING).expect_err("missing")), NO_ENTRY);
    assert_eq!(told(&tool.folder_error(MISSING).expect_err("missing")), NO_ENTRY);
    let negated = tool.negated_error(MISSING).expect_err("missing");
    assert_eq!(told(&negated), (Some(-2), NO_ENTRY.1));
    assert_eq!(tool.change_folder(c"."), Ok(0));
    assert_eq!(tool.folder_error(c"."), Ok(()));
}

/// What is freed after the call sets errno to another value.
#[test]
fn nothing_overwrites_errno() {
    let tool = errors();
    for code in 1..=33 {
        let error = tool.keeps_errno(code).expect_err("it fails");
        assert_eq!(error.code(), Some(code.into()));
        assert_eq!(outputs(&error), json!({ "note": "noted", "count": 7 }));
    }
    let outputs = tool.keeps_errno(0).expect("it succeeds");
    assert_eq!((outputs.note.as_c_str(), outputs.count), (c"noted", 7));
}

/// 5 and 11 are codes of the document, and other errors of the system.
#[test]
fn an_error_of_the_system_has_no_text_of_the_document() {
    let tool = errors();
    let error = tool.keeps_errno(11).expect_err("it fails");
    assert_ne!(error.text(), Some("gone"));
    assert!(!error.to_string().contains("GONE"), "{error}");
}

#[test]
fn the_number_of_elements_is_read_only_if_the_call_succeeded() {
    let tool = errors();
    assert_eq!(tool.write_text(3, 8).as_deref(), Ok(c"xxx"));
    assert_eq!(tool.write_text(9, 8).expect_err("no room").code(), Some(28));
}

#[test]
fn the_text_of_an_output_is_copied_before_it_is_freed() {
    let tool = errors();
    assert_eq!(tool.run(0), Ok(None));
    let error = tool.run(5).expect_err("a code");
    assert_eq!(told(&error), (Some(5), Some("near \"selekt\": syntax error")));
    assert_eq!(outputs(&error), json!({ "errmsg": "near \"selekt\": syntax error" }));
    // C left NULL: the text is that of the document.
    let error = tool.run(11).expect_err("a code");
    assert_eq!((told(&error), outputs(&error)), ((Some(11), Some("gone")), json!({})));

    assert_eq!(tool.run_buffer(0).as_deref(), Ok(c""));
    assert_eq!(tool.run_buffer(6).expect_err("a code").text(), Some("no such device"));
}

#[test]
fn scalars_and_strings_that_c_left_are_in_the_error() {
    let tool = errors();
    assert_eq!(tool.sum(&[1, 2]).map(|outputs| outputs.total), Ok(3));
    let error = tool.sum(&[]).expect_err("nothing to add");
    assert_eq!(told(&error), (Some(0), Some("the library is busy")));
    assert_eq!(outputs(&error), json!({ "total": 0, "mean": 0.0, "is_odd": false, "sign": "+", "code": 5 }));
}

#[test]
fn the_text_is_a_member_of_a_struct() {
    let tool = errors();
    assert_eq!(tool.find(0), Ok(()));
    assert_eq!(tool.find(1).expect_err("a code").text(), Some("object not found"));
    assert_eq!(tool.find(3).expect_err("a code").text(), None, "the struct is NULL");
    assert_eq!(tool.find(4).expect_err("a code").text(), None, "the member is NULL");
    assert_eq!(tool.find_in_place(4).expect_err("a code").text(), Some("in place"));
}

#[test]
fn an_empty_text_is_none() {
    let tool = errors();
    assert_eq!(told(&tool.when_null(8).expect_err("NULL")), (None, None));
    assert_eq!(told(&tool.when_null(9).expect_err("NULL")), (None, None));
}

#[test]
fn text_is_decoded_as_its_function_says() {
    let tool = errors();
    assert_eq!(tool.when_nonzero(6).expect_err("a code").text(), Some("z\u{fc}rich is locked"));
    assert_eq!(tool.when_called(6).expect_err("a code").text(), Some("z\u{fffd}rich is locked"));
}

#[test]
fn a_handle_tells_its_text_before_it_is_freed() {
    let tool = errors();
    let locked = (Some(5), Some("the database is locked"));
    assert_eq!(told(&tool.db_open(5).expect_err("a code")), locked);
    // There is no handle to ask.
    assert_eq!(told(&tool.db_open(7).expect_err("a code")), (Some(7), None));
    assert_eq!(told(&tool.db_connect(5).expect_err("it is broken")), locked);
    assert_eq!(tool.db_connect(7).expect_err("NULL"), CallError::Null { value: "db" });
    assert_eq!(told(&tool.db_make(2).expect_err("NULL")), NO_ENTRY);
    assert_eq!(tool.errors_allocated(), 0);

    let db = tool.db_open(0).expect("it opens");
    assert_eq!(db.r#use(0), Ok(()));
    assert_eq!(told(&db.r#use(5).expect_err("a code")), locked);
    assert_eq!(told(&tool.db_use_maybe(Some(&db), 5).expect_err("a code")), locked);
    assert_eq!(told(&tool.db_use_maybe(None, 11).expect_err("a code")), (Some(11), Some("gone")));
    assert_eq!(db.r#use(0), Ok(()));
    assert_eq!(db.close().map_err(Refused::into_error), Ok(0));
    drop(tool.db_make(0).expect("a handle"));
    drop(tool.db_connect(0).expect("a handle"));
}

#[test]
fn a_code_has_the_name_of_the_document_or_of_its_enum() {
    let tool = errors();
    let error = tool.when_nonzero(6).expect_err("a code");
    assert!(error.is(KeysErrorsCode::LOCKED) && !error.is(KeysErrorsCode::LATE));
    assert_eq!(error.to_string(), "code 6 (LOCKED): z\u{fc}rich is locked");
    assert_eq!(tool.when_negative(-5).expect_err("negative").to_string(), "code -5 (TOO_SMALL): too small");

    assert_eq!(tool.state(0), Ok(()));
    let error: CodeError = tool.state(5).expect_err("a code");
    assert!(error.is(KeysErrorsCode::LATE));
    assert_eq!((error.name(), error.to_string().as_str()), (Some("LATE"), "5 (LATE): late"));
    assert_eq!(tool.state(7).expect_err("a code").to_string(), "7");
    assert_eq!(KeysErrorsCode::GONE.to_string(), "11 (GONE): gone");
}

#[test]
fn a_failure_is_an_error_of_rust() {
    let tool = errors();
    let error: Box<dyn Error> = tool.when_nonzero(5).expect_err("a code").into();
    assert_eq!(error.to_string(), "code 5 (LATE): the library is busy");
}

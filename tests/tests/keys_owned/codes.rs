//! Codes: errors, success, and what a caller gets for each.

use opendyn::{CallError, CodeError, ToolError};
use serde_json::json;

use super::{CodeDivideOutputs, KeysOwned, KeysOwnedCode, owned};

const NO_TEXT: &str = "the document has no text for it";

fn failed(code: i64, message: &str) -> ToolError {
    ToolError::call_failed_with(code, message)
}

#[test]
fn a_single_success_code_is_not_a_result() {
    let owned = owned();
    assert_eq!(owned.code_one(0), Ok(()));
    assert_eq!(owned.call("code_one", &json!({"code": 0})), Ok(json!({})));
    let error = owned.code_one(2).expect_err("no success");
    assert_eq!((error.code(), error.text()), (2, Some("division by zero")));
    assert_eq!(error.to_string(), "2: division by zero");
    assert_eq!(owned.call("code_one", &json!({"code": 2})), Err(failed(2, "division by zero")));
    // The document lists 1 as success; the function's own list takes precedence.
    assert_eq!(owned.code_one(1).map_err(|error| error.code()), Err(1));
    assert_eq!(owned.code_other(7), Ok(()));
    assert_eq!(owned.call("code_other", &json!({"code": 7})), Ok(json!({})));
    assert_eq!(owned.code_other(0).map_err(|error| error.to_string()), Err("0: ok".to_owned()));
    assert_eq!(owned.call("code_other", &json!({"code": 0})), Err(failed(0, "ok")));
}

#[test]
fn where_several_codes_are_success_the_result_says_which() {
    let owned = owned();
    for code in [0, 1] {
        assert_eq!(owned.code_int(code), Ok(KeysOwnedCode(code.into())));
        assert_eq!(owned.call("code_int", &json!({"code": code})), Ok(json!({"result": code})));
    }
    assert_eq!(owned.code_int(1), Ok(KeysOwnedCode::CODE_1));
    assert_eq!(
        owned.code_int(1).map(|code| code.to_string()),
        Ok("1: ok, with nothing left over".to_owned())
    );
    assert_eq!(owned.code_int(2).map_err(|error| error.code()), Err(2));
    for code in [-1, 0] {
        assert_eq!(owned.code_negative(code), Ok(KeysOwnedCode(code.into())));
        assert_eq!(owned.call("code_negative", &json!({"code": code})), Ok(json!({"result": code})));
    }
    assert_eq!(owned.code_negative(1).map_err(|error| error.code()), Err(1));
    assert_eq!(
        owned.call("code_negative", &json!({"code": 1})),
        Err(failed(1, "ok, with nothing left over"))
    );
}

#[test]
fn a_code_without_text_is_an_error_without() {
    let owned = owned();
    let error = owned.code_int(i32::MIN).expect_err("no success");
    assert_eq!((error.code(), error.text()), (i64::from(i32::MIN), None));
    assert_eq!(error.to_string(), "-2147483648");
    assert_eq!(owned.call("code_int", &json!({"code": i32::MIN})), Err(failed(i32::MIN.into(), NO_TEXT)));
}

#[test]
fn a_number_that_is_not_a_code_is_a_result() {
    let owned = owned();
    assert_eq!(owned.code_plain(2), 2);
    assert_eq!(owned.call("code_plain", &json!({"code": 2})), Ok(json!({"result": 2})));
}

#[test]
fn codes_have_the_width_and_the_sign_of_their_type() {
    let owned = owned();
    let code = |result: Result<(), CodeError>| result.map_err(|error| error.code());
    assert_eq!(code(owned.code_short(i16::MIN)), Err(-32768));
    assert_eq!(code(owned.code_small(255)), Err(255));
    assert_eq!(code(owned.code_wide(i64::MIN)), Err(i64::MIN));
    assert_eq!(code(owned.code_unsigned(u32::MAX)), Err(4_294_967_295));
    assert_eq!(owned.code_unsigned(u32::MAX).err().and_then(|error| error.text()), Some("the largest"));
    assert_eq!(owned.code_short(-1).err().and_then(|error| error.text()), Some("not yet"));
    for function in ["code_short", "code_small", "code_wide", "code_unsigned"] {
        assert_eq!(owned.call(function, &json!({"code": 0})), Ok(json!({})), "{function}");
    }
    assert_eq!((owned.code_short(0), owned.code_small(0)), (Ok(()), Ok(())));
    assert_eq!((owned.code_wide(0), owned.code_unsigned(0)), (Ok(()), Ok(())));
    for (function, argument, code, message) in [
        ("code_short", json!(-1), -1, "not yet"),
        ("code_small", json!(255), 255, NO_TEXT),
        ("code_wide", json!(i64::MIN.to_string()), i64::MIN, NO_TEXT),
        ("code_unsigned", json!(u32::MAX), 4_294_967_295, "the largest"),
    ] {
        assert_eq!(
            owned.call(function, &json!({"code": argument})),
            Err(failed(code, message)),
            "{function}"
        );
    }
}

#[test]
fn results_come_with_a_code() {
    let owned = owned();
    let divided = |a, b| owned.code_divide(a, b).map_err(|error| error.code());
    let outputs =
        |code, quotient, remainder| CodeDivideOutputs { result: KeysOwnedCode(code), quotient, remainder };
    assert_eq!(divided(7, 2), Ok(outputs(0, 3, 1)));
    assert_eq!(divided(6, 2), Ok(outputs(1, 3, 0)));
    assert_eq!(divided(6, 0), Err(2));
    let reply = owned.call("code_divide", &json!({"a": 6, "b": 2}));
    assert_eq!(reply, Ok(json!({"result": 1, "quotient": 3, "remainder": 0})));
    assert_eq!(owned.call("code_divide", &json!({"a": 6, "b": 0})), Err(failed(2, "division by zero")));
}

#[test]
fn a_method_that_can_fail_in_another_way_has_another_error() {
    // That this compiles proves the types.
    let code_alone: fn(&KeysOwned, i32) -> Result<(), CodeError> = KeysOwned::code_one;
    let code_or_else: fn(&KeysOwned, i32, i32) -> Result<Vec<i32>, CallError> = KeysOwned::code_fill;
    let owned = owned();
    let code = code_alone(&owned, 2).expect_err("no success");
    assert_eq!(code_or_else(&owned, 2, 3), Err(CallError::Code(code)));
    assert_eq!(code_or_else(&owned, 0, 3), Ok(vec![0; 3]));
    assert_eq!(code_or_else(&owned, 0, -3), Err(CallError::Capacity { value: "xs", capacity: -3 }));
    assert_eq!(owned.call("code_fill", &json!({"code": 0, "n": 2})), Ok(json!({"xs": [0, 0]})));
    assert_eq!(
        owned.call("code_fill", &json!({"code": 1, "n": 2})),
        Err(failed(1, "ok, with nothing left over"))
    );
}

//! Strings, arrays and structs that C allocated: copied, then freed once, whether the call succeeds or fails.

use opendyn::CallError;
use serde_json::json;

use super::{OwnedTextLateOutputs, OwnedTwoOutOutputs, Point, owned};

#[test]
fn a_string_is_copied_and_freed() {
    let owned = owned();
    assert_eq!(owned.owned_text(c"copied").as_deref(), Ok(c"copied"));
    owned.assert_freed("typed");
    assert_eq!(owned.call("owned_text", &json!({"text": "copied"})), Ok(json!({"copy": "copied"})));
    assert_eq!(owned.owned_text_nullable(c"copied").as_deref(), Some(c"copied"));
    assert_eq!(owned.call("owned_text_nullable", &json!({"text": "é"})), Ok(json!({"copy": "é"})));
}

#[test]
fn null_is_not_freed() {
    let owned = owned();
    assert_eq!(owned.owned_text(c""), Err(CallError::Null { value: "copy" }));
    assert_eq!(owned.owned_text_nullable(c""), None);
    let failure = owned.failure("owned_text", &json!({"text": ""}));
    assert_eq!(failure, "the call failed: `copy` is a NULL pointer");
    assert_eq!(owned.call("owned_text_nullable", &json!({"text": ""})), Ok(json!({"copy": null})));
}

#[test]
fn text_that_is_not_utf_8_is_freed_though_json_refuses_it() {
    let owned = owned();
    assert_eq!(owned.owned_broken().as_deref(), Ok(c"ab\xFF"));
    owned.assert_freed("typed");
    let failure = owned.failure("owned_broken", &json!({}));
    assert_eq!(failure, "the call failed: `text` is not UTF-8: byte 0xff at index 2");
}

#[test]
fn text_of_16_bits_is_freed() {
    let owned = owned();
    assert_eq!(owned.owned_utf16().map(|text| text.to_string().ok()), Ok(Some("ok".to_owned())));
    owned.assert_freed("typed");
    assert_eq!(owned.call("owned_utf16", &json!({})), Ok(json!({"text": "ok"})));
}

#[test]
fn an_output_is_freed_also_where_the_code_is_an_error() {
    let owned = owned();
    assert_eq!(owned.owned_text_out(0).as_deref(), Ok(c"left behind"));
    assert_eq!(owned.owned_ints_out(0).as_deref(), Ok(&[0, 1, 4][..]));
    assert_eq!(owned.owned_point_out(0), Ok(Point { x: 1.0, y: 2.0 }));
    owned.assert_freed("typed");
    for code in [1, 2, -5] {
        let errors = [
            owned.owned_text_out(code).err(),
            owned.owned_ints_out(code).err(),
            owned.owned_point_out(code).err(),
        ];
        owned.assert_freed("typed, with a code");
        for error in errors {
            assert!(matches!(error, Some(CallError::Code(error)) if error.code() == i64::from(code)));
        }
    }
    for (function, reply) in [
        ("owned_text_out", json!({"text": "left behind"})),
        ("owned_ints_out", json!({"xs": [0, 1, 4]})),
        ("owned_point_out", json!({"point": {"x": 1.0, "y": 2.0}})),
    ] {
        assert_eq!(owned.call(function, &json!({"code": 0})), Ok(reply));
        let error = owned.call(function, &json!({"code": 2})).expect_err(function);
        assert_eq!(error.to_string(), "the call failed with code 2: division by zero");
    }
}

#[test]
fn an_output_that_c_left_alone_is_not_freed() {
    let owned = owned();
    assert_eq!(owned.owned_text_late(0), Ok(OwnedTextLateOutputs { text: c"late".to_owned(), length: 4 }));
    let error = owned.owned_text_late(2).expect_err("a code");
    assert_eq!(error.to_string(), "2: division by zero");
    owned.assert_freed("typed");
    assert_eq!(owned.call("owned_text_late", &json!({"code": 0})), Ok(json!({"text": "late", "length": 4})));
    let error = owned.call("owned_text_late", &json!({"code": 9})).expect_err("a code");
    assert_eq!(error.to_string(), "the call failed with code 9: the document has no text for it");
}

#[test]
fn one_output_is_freed_where_another_is_null() {
    let owned = owned();
    let outputs = OwnedTwoOutOutputs { first: c"first".to_owned(), second: None };
    assert_eq!(owned.owned_two_out(), Ok(outputs));
    owned.assert_freed("typed");
    assert_eq!(owned.owned_two_sure(), Err(CallError::Null { value: "second" }));
    owned.assert_freed("typed, with an error");
    assert_eq!(owned.call("owned_two_out", &json!({})), Ok(json!({"first": "first", "second": null})));
    assert_eq!(owned.failure("owned_two_sure", &json!({})), "the call failed: `second` is a NULL pointer");
}

#[test]
fn arrays_are_copied_and_freed() {
    let owned = owned();
    for (n, squares) in [(0, &[][..]), (1, &[0]), (4, &[0, 1, 4, 9])] {
        assert_eq!(owned.owned_ints(n).as_deref(), Ok(squares));
        owned.assert_freed("typed");
        assert_eq!(owned.call("owned_ints", &json!({"n": n})), Ok(json!({"xs": squares})));
    }
    assert_eq!(owned.owned_bytes(3).as_deref(), Ok(&[0xEE; 3][..]));
    assert_eq!(owned.owned_bytes(0).as_deref(), Ok(&[][..]));
    assert_eq!(owned.call("owned_bytes", &json!({"n": 3})), Ok(json!({"bytes": "7u7u"})));
    assert_eq!(owned.call("owned_bytes", &json!({"n": 0})), Ok(json!({"bytes": ""})));
    assert_eq!(owned.owned_names(), Ok(vec![c"ada".to_owned(), c"bob".to_owned()]));
    assert_eq!(owned.call("owned_names", &json!({})), Ok(json!({"names": ["ada", "bob"]})));
}

#[test]
fn an_array_with_a_count_below_0_is_freed() {
    let owned = owned();
    let error = owned.owned_ints(-1).expect_err("no count");
    owned.assert_freed("typed");
    assert!(matches!(error, CallError::Written { count: -1, .. }), "{error:?}");
    let failure = owned.failure("owned_ints", &json!({"n": -1}));
    assert_eq!(failure, format!("the call failed: {error}"));
}

/// The caller knows the array; its length parameter does not exist in JSON.
#[test]
fn a_count_that_cannot_be_names_the_array() {
    let error = owned().owned_ints(-1).expect_err("no count");
    assert_eq!(error.to_string(), "C says that `xs` has -1 elements");
}

#[test]
fn what_json_cannot_hold_is_freed() {
    let owned = owned();
    let xs = owned.owned_nan().expect("one element");
    assert!(xs.len() == 1 && xs[0].is_nan());
    owned.assert_freed("typed");
    let failure = owned.failure("owned_nan", &json!({}));
    assert_eq!(failure, "the call failed: `xs`/0 is NaN, which JSON cannot hold");
}

#[test]
fn a_struct_is_copied_and_freed() {
    let owned = owned();
    assert_eq!(owned.owned_point(0.5, -1.5), Ok(Point { x: 0.5, y: -1.5 }));
    owned.assert_freed("typed");
    let reply = owned.call("owned_point", &json!({"x": 0.5, "y": -1.5}));
    assert_eq!(reply, Ok(json!({"point": {"x": 0.5, "y": -1.5}})));
}

#[test]
fn an_owned_result_is_freed_if_another_result_is_wrong() {
    let owned = owned();
    let lie = CallError::Written { value: "xs", count: 3, capacity: 2 };
    assert_eq!(owned.owned_and_claim(2), Err(lie));
    owned.assert_freed("typed");
    let failure = owned.failure("owned_and_claim", &json!({"n": 2}));
    assert_eq!(failure, "the call failed: C says that `xs` has 3 elements; there is room for 2");
    assert_eq!(owned.owned_and_claim(-1), Err(CallError::Capacity { value: "xs", capacity: -1 }));
    assert!(owned.call("owned_and_claim", &json!({"n": -1})).is_err_and(|error| error.code() == 400));
}

#[test]
fn null_is_a_value_where_the_document_says_so() {
    let owned = owned();
    assert_eq!(owned.maybe_text(true).as_deref(), Some(c"there"));
    assert_eq!(owned.maybe_text(false), None);
    assert_eq!(owned.maybe_int(true), Some(42));
    assert_eq!(owned.maybe_int(false), None);
    assert_eq!(owned.maybe_text_out(true).as_deref(), Some(c"there"));
    assert_eq!(owned.maybe_text_out(false), None);
    assert_eq!(owned.maybe_ints(true), Ok(Some(vec![42])));
    assert_eq!(owned.maybe_ints(false), Ok(None));
    assert_eq!(owned.sure_text(true).as_deref(), Ok(c"there"));
    assert_eq!(owned.sure_text(false), Err(CallError::Null { value: "text" }));
    for (function, name, there) in [
        ("maybe_text", "text", json!("there")),
        ("maybe_int", "number", json!(42)),
        ("maybe_text_out", "text", json!("there")),
        ("maybe_ints", "xs", json!([42])),
    ] {
        assert_eq!(owned.call(function, &json!({"there": true})), Ok(json!({name: there})));
        assert_eq!(owned.call(function, &json!({"there": false})), Ok(json!({name: null})));
    }
    assert_eq!(owned.call("sure_text", &json!({"there": true})), Ok(json!({"text": "there"})));
    let failure = owned.failure("sure_text", &json!({"there": false}));
    assert_eq!(failure, "the call failed: `text` is a NULL pointer");
}

//! `required: false`: arguments, and functions, that may be absent.
//!
//! An absent value is zero and an absent pointer is NULL, whether the caller passes `None`, omits the
//! key or writes null. A missing function is an error of the call, not of loading.

use std::ffi::{CStr, c_int};

use opendyn::{CallError, ToolError};
use serde_json::{Value, json};

use super::{Shapes, Twin, answer, shapes};

/// Asserts that `function` saw `expected`.
fn assert_seen(shapes: &Twin<Shapes>, function: &str, arguments: &Value, expected: &CStr) {
    let expected = expected.to_str().expect("ASCII");
    assert_eq!(answer(shapes, function, arguments), Ok(json!({"seen": expected})), "{function} {arguments}");
}

#[test]
fn absent_values_are_zero() {
    let shapes = shapes(&[]);
    let nothing = shapes.see_values(None, None, None, None, None);
    assert_eq!(nothing.as_deref(), Ok(c"0 0 0 0 0"));
    assert_seen(&shapes, "see_values", &json!({}), c"0 0 0 0 0");
    let nulls = json!({"number": null, "flag": null, "truth": null, "ratio": null, "letter": null});
    assert_seen(&shapes, "see_values", &nulls, c"0 0 0 0 0");
}

#[test]
fn present_values_are_passed() {
    let shapes = shapes(&[]);
    let letter = b'A'.try_into().expect("an ASCII letter");
    let all = shapes.see_values(Some(-7), Some(true), Some(true), Some(0.5), Some(letter));
    assert_eq!(all.as_deref(), Ok(c"-7 1 1 0.5 65"));
    let arguments = json!({"number": -7, "flag": true, "truth": true, "ratio": 0.5, "letter": "A"});
    assert_seen(&shapes, "see_values", &arguments, c"-7 1 1 0.5 65");
    // Only one argument, and not the first: the others must stay in their places.
    assert_eq!(shapes.see_values(None, None, None, Some(2.5), None).as_deref(), Ok(c"0 0 0 2.5 0"));
    assert_seen(&shapes, "see_values", &json!({"ratio": 2.5}), c"0 0 0 2.5 0");
}

#[test]
fn absent_strings_are_null_and_empty_ones_are_not() {
    let shapes = shapes(&[]);
    for (text, bytes, expected) in [
        (None, None, c"NULL NULL"),
        (Some(c""), None, c" NULL"),
        (None, Some(c"b"), c"NULL b"),
        (Some(c"a"), Some(c""), c"a "),
    ] {
        assert_eq!(shapes.see_texts(text, bytes).as_deref(), Ok(expected), "{text:?} {bytes:?}");
        let as_json = |text: Option<&CStr>| json!(text.map(|text| text.to_str().expect("ASCII")));
        let mut arguments = json!({"text": as_json(text), "bytes": as_json(bytes)});
        assert_seen(&shapes, "see_texts", &arguments, expected);
        arguments.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        assert_seen(&shapes, "see_texts", &arguments, expected);
    }
}

#[test]
fn absent_pointers_are_null() {
    let shapes = shapes(&[]);
    let nothing = shapes.see_pointers(None, None, None, None);
    assert_eq!(nothing.as_deref(), Ok(c"NULL NULL NULL NULL"));
    assert_seen(&shapes, "see_pointers", &json!({}), c"NULL NULL NULL NULL");
    let nulls = json!({"number": null, "ratio": null, "flag": null, "truth": null});
    assert_seen(&shapes, "see_pointers", &nulls, c"NULL NULL NULL NULL");
}

#[test]
fn present_pointers_are_lent_and_written() {
    let shapes = shapes(&[]);
    let (mut number, mut ratio, mut flag, mut truth) = (5, 0.25, true, false);
    let seen = shapes.see_pointers(Some(&mut number), Some(&mut ratio), Some(&mut flag), Some(&mut truth));
    assert_eq!(seen.as_deref(), Ok(c"5 0.25 1 0"));
    assert_eq!((number, ratio, flag, truth), (6, 0.25, false, true), "what C left there");
    // Zero and false are present values, not NULL.
    let arguments = json!({"number": 0, "ratio": -0.0, "flag": false, "truth": true});
    assert_seen(&shapes, "see_pointers", &arguments, c"0 -0 0 1");
    assert_seen(&shapes, "see_pointers", &json!({"truth": false}), c"NULL NULL NULL 0");
}

#[test]
fn an_optional_void_pointer_is_null_in_json_and_nothing_else() {
    let shapes = shapes(&[]);
    let mut number: c_int = 9;
    // SAFETY: see_object accepts NULL or a pointer to an int.
    unsafe {
        assert_eq!(shapes.see_object((&raw mut number).cast()), 9);
        assert_eq!(shapes.see_object(std::ptr::null_mut()), -1);
    }
    for arguments in [json!({}), json!({"object": null})] {
        assert_eq!(answer(&shapes, "see_object", &arguments), Ok(json!({"number": -1})), "{arguments}");
    }
    for value in [json!(0), json!("0x7fff0000"), json!({}), json!(true)] {
        let error = answer(&shapes, "see_object", &json!({"object": value})).expect_err("an address");
        assert!(error.starts_with("invalid arguments: /object: "), "{value}: {error}");
    }
}

#[test]
fn null_is_not_accepted_for_a_required_value() {
    let shapes = shapes(&[]);
    for (function, arguments) in [
        ("shape_set", json!({"x": null})),
        ("shape_divide", json!({"a": 1, "b": null})),
        ("echo", json!({"text": null})),
    ] {
        let error = answer(&shapes, function, &arguments).expect_err(function);
        assert!(error.contains(": null is null; expected "), "{function}: {error}");
    }
}

#[test]
fn the_tool_document_says_what_is_optional() {
    let document = shapes(&[]).load().expect("a binding describes itself");
    let required = |name: &str| -> Vec<bool> {
        let function = document.functions.iter().find(|function| function.name == name);
        function.expect(name).parameters.iter().map(|parameter| parameter.required).collect()
    };
    assert_eq!(required("see_texts"), [false, false]);
    assert_eq!(required("shape_divide"), [true, true], "outputs are not asked for");
}

#[test]
fn an_absent_optional_function_is_an_error_of_the_call() {
    let shapes = shapes(&[]);
    assert!(!shapes.has_extra());
    assert_eq!(shapes.extra(1), Err(CallError::Missing { symbol: "extra" }));
    let error = shapes.call_json("extra", r#"{"x":1}"#).expect_err("it is not there");
    assert_eq!(error, ToolError::call_failed("the loaded library has no function `extra`"));
}

#[test]
fn a_present_optional_function_is_called() {
    let shapes = shapes(&["-DWITH_EXTRA"]);
    assert!(shapes.has_extra());
    assert_eq!(shapes.extra(1), Ok(2));
    assert_eq!(answer(&shapes, "extra", &json!({"x": 1})), Ok(json!({"more": 2})));
}

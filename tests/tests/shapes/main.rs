//! The shapes of functions: several results and none, NULL, text and numbers that JSON cannot
//! hold, many arguments, codes, and another calling convention.
//!
//! Optional arguments, pointers without a length, and names that are taken have their own files.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod names;
mod optional;
mod unchecked;

use std::ffi::CString;

use opendyn::{CallError, ToolError};
use opendyn_tests::{Twin, answer};
use serde_json::json;

opendyn::opendyn!("fixtures/shapes/tool.json");
opendyn_tests::twin!(Shapes = "fixtures/shapes/tool.json");

/// A separate library for each test, compiled with `flags`.
fn shapes(flags: &[&str]) -> Twin<Shapes> {
    // SAFETY: fixtures/shapes/tool.json describes c/shapes.c correctly.
    unsafe { Twin::open("shapes", flags) }.expect("every function that is not optional is there")
}

#[test]
fn a_return_value_and_outputs_come_back_together() {
    let shapes = shapes(&[]);
    assert_eq!(shapes.shape_divide(17, 5), ShapeDivideOutputs { code: 0, quotient: 3, remainder: 2 });
    let reply = shapes.call_json("shape_divide", r#"{"a":17,"b":5}"#);
    assert_eq!(reply.as_deref(), Ok(r#"{"code":0,"quotient":3,"remainder":2}"#), "in that order");
}

#[test]
fn outputs_that_c_leaves_alone_are_zero() {
    let shapes = shapes(&[]);
    let outputs = shapes.shape_divide(17, 0);
    assert_eq!(outputs, ShapeDivideOutputs { code: 7, quotient: 0, remainder: 0 });
    let reply = answer(&shapes, "shape_divide", &json!({"a": 17, "b": 0}));
    assert_eq!(reply, Ok(json!({"code": 7, "quotient": 0, "remainder": 0})));
}

#[test]
fn outputs_alone_come_back_as_a_struct() {
    let shapes = shapes(&[]);
    let measured = shapes.shape_measure(c"h\xc3\xa9");
    let expected =
        ShapeMeasureOutputs { length: 3, ascii: false, first: b'h'.try_into().expect("an ASCII letter") };
    assert_eq!(measured, expected);
    let reply = shapes.call_json("shape_measure", r#"{"s":"hé"}"#);
    assert_eq!(reply.as_deref(), Ok(r#"{"length":3,"ascii":false,"first":104}"#));
}

#[test]
fn a_function_without_results_answers_an_empty_object() {
    let shapes = shapes(&[]);
    shapes.shape_set(5);
    assert_eq!(shapes.shape_get(), 5);
    assert_eq!(shapes.call_json("shape_set", r#"{"x":6}"#).as_deref(), Ok("{}"));
    assert_eq!(shapes.call_json("shape_get", "{}").as_deref(), Ok(r#"{"x":6}"#), "without parameters");
    let error = answer(&shapes, "shape_get", &json!({"x": 1})).expect_err("an argument too many");
    assert_eq!(error, "invalid arguments: /x: unknown argument; this function takes none");
}

#[test]
fn null_is_an_error_that_names_the_value() {
    let shapes = shapes(&[]);
    assert_eq!(shapes.null_text(), Err(CallError::Null { value: "text" }));
    assert_eq!(shapes.null_number(), Err(CallError::Null { value: "number" }));
    assert_eq!(shapes.null_flag(), Err(CallError::Null { value: "flag" }));
    for (function, value) in [("null_text", "text"), ("null_number", "number"), ("null_flag", "flag")] {
        let error = shapes.call_json(function, "{}").expect_err(function);
        assert_eq!(error, ToolError::call_failed(format!("`{value}` is a NULL pointer")), "{function}");
        assert_eq!(error.code(), 500, "{function}");
    }
}

#[test]
fn null_next_to_outputs_is_an_error_too() {
    let shapes = shapes(&[]);
    let named = shapes.shape_name(2);
    assert_eq!(named, Ok(ShapeNameOutputs { name: c"two".to_owned(), length: 3 }));
    assert_eq!(shapes.shape_name(3), Err(CallError::Null { value: "name" }));
    assert_eq!(answer(&shapes, "shape_name", &json!({"number": 2})), Ok(json!({"name": "two", "length": 3})));
    let error = answer(&shapes, "shape_name", &json!({"number": 3})).expect_err("NULL");
    assert_eq!(error, "the call failed: `name` is a NULL pointer");
}

#[test]
fn text_that_is_not_utf_8_is_whole_in_rust_and_an_error_in_json() {
    let shapes = shapes(&[]);
    assert_eq!(shapes.latin_text(), Ok(c"caf\xe9 au lait".to_owned()));
    let error = answer(&shapes, "latin_text", &json!({})).expect_err("Latin-1");
    assert_eq!(error, "the call failed: `text` is not UTF-8: byte 0xe9 at index 3");
    let error = answer(&shapes, "latin_letter", &json!({})).expect_err("Latin-1");
    assert_eq!(error, "the call failed: `letter` is not UTF-8: byte 0xe9 at index 0");
}

#[test]
fn text_of_every_kind_and_length_comes_back_unchanged() {
    let shapes = shapes(&[]);
    let controls: String = (1..0x20_u8).map(char::from).collect();
    let long = "0123456789abcdé".repeat(1 << 16);
    assert_eq!(long.len(), 1 << 20, "a MiB");
    for text in ["", "plain", "\"quoted\" \\ / \u{7f}", &controls, "é 你好 🦀 \u{feff}", &long] {
        let typed = CString::new(text).expect("no NUL");
        assert_eq!(shapes.echo(&typed), Ok(typed), "{text:.20}");
        let reply = answer(&shapes, "echo", &json!({"text": text})).expect("UTF-8");
        assert!(reply == json!({"text": text}), "{text:.20}");
    }
    let escaped = r#"{"text":"\u00e9\ud83e\udd80\/\b\u0041"}"#;
    assert_eq!(shapes.call_json("echo", escaped).as_deref(), Ok(r#"{"text":"é🦀/\bA"}"#));
}

#[test]
fn numbers_that_json_cannot_hold_are_named() {
    let shapes = shapes(&[]);
    assert!(shapes.special(0).is_nan());
    assert_eq!(shapes.special(1), f64::INFINITY);
    assert_eq!(shapes.special_out(-1).value, f64::NEG_INFINITY);
    for (sign, name) in [(0, "NaN"), (1, "infinity"), (-1, "-infinity")] {
        for function in ["special", "special_float", "special_out"] {
            let error = answer(&shapes, function, &json!({"sign": sign})).expect_err(function);
            let expected = format!("the call failed: `value` is {name}, which JSON cannot hold");
            assert_eq!(error, expected, "{function}");
        }
    }
}

#[test]
fn twelve_arguments_arrive_in_their_places() {
    let shapes = shapes(&[]);
    let seen = shapes.twelve(1, 255, -32768, 65535, -5, 6, -7, 8, i64::MIN, 0.5, -1e300, c"end");
    let expected = c"1 255 -32768 65535 -5 6 -7 8 -9223372036854775808 0.5 -1e+300 end";
    assert_eq!(seen.as_deref(), Ok(expected));
    let arguments = json!({
        "a": 1, "b": 255, "c": -32768, "d": 65535, "e": -5, "f": 6, "g": -7, "h": 8,
        "i": "-9223372036854775808", "j": 0.5, "k": -1e300, "l": "end",
    });
    let reply = answer(&shapes, "twelve", &arguments).expect("in range");
    assert_eq!(reply["seen"], json!(expected.to_str().expect("ASCII")));

    // In the other order, and with one argument missing.
    let mut reversed: Vec<_> = arguments.as_object().expect("an object").clone().into_iter().collect();
    reversed.reverse();
    let reply = answer(&shapes, "twelve", &reversed.iter().cloned().collect()).expect("in any order");
    assert_eq!(reply["seen"], json!(expected.to_str().expect("ASCII")));
    reversed.retain(|(key, _)| key != "k");
    let error = answer(&shapes, "twelve", &reversed.into_iter().collect()).expect_err("k is missing");
    assert_eq!(error, "invalid arguments: /k: missing; expected a number (double)");
}

#[test]
fn codes_have_constants_texts_and_a_display() {
    assert_eq!(ShapesCode::SUCCESS, ShapesCode(0));
    assert_eq!(ShapesCode::OUT_OF_MEMORY.0, -2);
    assert_eq!(ShapesCode::CODE_11.0, 11, "a sentence is not a name");
    assert_eq!(ShapesCode::CODE_12.to_string(), "12: 库未加载");
    assert_eq!(ShapesCode::describe(7), Some("division by zero"));
    assert_eq!(ShapesCode::describe(8), None);
    assert_eq!(ShapesCode(8).to_string(), "8");
    let code = shapes(&[]).shape_divide(1, 0).code;
    assert_eq!(ShapesCode(code.into()), ShapesCode::DIVISION_BY_ZERO);
    assert_eq!(ShapesCode::ALL.iter().map(|(code, _)| code).collect::<Vec<_>>(), [-2, 0, 7, 11, 12]);
}

mod stdcall {
    opendyn::opendyn!("fixtures/shapes/stdcall.json");
    opendyn_tests::twin!(Stdcall = "fixtures/shapes/stdcall.json");
}

#[test]
fn a_stdcall_document_calls_on_every_target() {
    // SAFETY: fixtures/shapes/stdcall.json describes `subtract` of c/shapes.c.
    let stdcall: Twin<stdcall::Stdcall> = unsafe { Twin::open("shapes", &[]) }.expect("`subtract` is there");
    assert_eq!(stdcall.subtract(10, -3, 4.0), 9);
    assert_eq!(answer(&stdcall, "subtract", &json!({"a": 10, "b": -3, "c": 4})), Ok(json!({"left": 9})));
}

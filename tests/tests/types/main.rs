//! Every C type of the specification, in every place where a document can put it.
//!
//! `c/types.c` returns its arguments, so a changed value shows a wrong width, a wrong sign or a wrong
//! conversion. Truth values and `void*` are here; numbers and text have their own files.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod numbers;
mod text;

use std::ffi::c_int;

use opendyn::{Tool, ToolError};
use opendyn_tests::Twin;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/types/tool.json");
opendyn_tests::twin!(Types = "fixtures/types/tool.json");

/// A separate library for each test, so that tests do not share its variables.
fn types() -> Twin<Types> {
    // SAFETY: fixtures/types/tool.json describes c/types.c correctly.
    unsafe { Twin::open("types", &[]) }.expect("every function of the document is there")
}

/// The replies of every untyped way to call: text, a map, a tree of values, MessagePack.
fn every_way(
    types: &Twin<Types>,
    function: &str,
    arguments: &Value,
) -> [(&'static str, Result<Value, ToolError>); 5] {
    let parsed = |text: &[u8]| serde_json::from_slice(text).expect("a reply is JSON");
    let mut out = Vec::new();
    let map = arguments.as_object().expect("arguments are an object");
    [
        (
            "call_json",
            types.call_json(function, &arguments.to_string()).map(|reply| parsed(reply.as_bytes())),
        ),
        (
            "call_into",
            types.call_into(function, arguments.to_string().as_bytes(), &mut out).map(|()| parsed(&out)),
        ),
        ("call", types.call(function, map).map(Value::Object)),
        ("call_serde of a Value", types.call_serde(function, arguments, serde_json::value::Serializer)),
        ("call_serde of MessagePack", types.call_packed(function, arguments)),
    ]
}

/// Asserts that `function` returns `{"value": expected}` in every way.
fn assert_value(types: &Twin<Types>, function: &str, arguments: &Value, expected: &Value) {
    for (way, reply) in every_way(types, function, arguments) {
        assert_eq!(reply, Ok(json!({"value": expected})), "{function} {arguments} through {way}");
    }
}

/// Asserts that `function` fails in every way with an error that contains `expected`.
fn assert_refused(types: &Twin<Types>, function: &str, arguments: &Value, expected: &str) {
    for (way, reply) in every_way(types, function, arguments) {
        match reply {
            Ok(reply) => panic!("{function} {arguments} through {way} answered {reply}"),
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains(expected), "{function} {arguments} through {way}: {error}");
            }
        }
    }
}

/// One row per C type of truth values.
macro_rules! truths {
    ($types:ident, $truth:ident: $($value:ident $in:ident $out:ident $return:ident;)*) => {$(
        let mut lent = $truth;
        assert_eq!($types.$value($truth), $truth, "{}", stringify!($value));
        assert_eq!($types.$in(&mut lent), $truth, "{}", stringify!($in));
        assert_eq!(lent, !$truth, "{} writes back", stringify!($in));
        assert_eq!($types.$out($truth), $truth, "{}", stringify!($out));
        assert_eq!($types.$return($truth), Ok($truth), "{}", stringify!($return));
        for (function, key) in [
            (stringify!($value), "x"),
            (stringify!($in), "p"),
            (stringify!($out), "x"),
            (stringify!($return), "x"),
        ] {
            assert_value(&$types, function, &json!({key: $truth}), &json!($truth));
            for other in [json!(0), json!(1), json!("true"), json!(null), json!([true])] {
                let place = format!("/{key}: ");
                assert_refused(&$types, function, &json!({key: other}), &place);
                assert_refused(&$types, function, &json!({key: other}), "expected true or false");
            }
        }
    )*};
}

#[test]
fn truth_values_survive_in_bool_int_and_unsigned_char() {
    let types = types();
    for truth in [true, false] {
        truths! { types, truth:
            value_bool in_bool out_bool return_bool;
            value_int_flag in_int_flag out_int_flag return_int_flag;
            value_unsigned_char_flag in_unsigned_char_flag out_unsigned_char_flag return_unsigned_char_flag;
        }
    }
}

#[test]
fn a_bool_in_which_c_left_two_is_true() {
    let types = types();
    // As numbers: comparing a `bool` that holds 2 is undefined.
    assert_eq!(u8::from(types.two_value()), 1, "two_value");
    assert_eq!(u8::from(types.two_out()), 1, "two_out");
    assert_eq!(types.two_return().map(u8::from), Ok(1), "two_return");
    let mut lent = false;
    types.two_in(&mut lent);
    assert_eq!(u8::from(lent), 1, "two_in");
    for function in ["two_value", "two_out", "two_return"] {
        assert_value(&types, function, &json!({}), &json!(true));
    }
}

#[test]
fn an_int_whose_low_byte_is_zero_is_true() {
    let types = types();
    assert!(types.high_bit_flag(), "256 cut to a byte would be false");
    assert_value(&types, "high_bit_flag", &json!({}), &json!(true));
}

#[test]
fn void_pointers_are_passed_filled_and_returned() {
    let types = types();
    let mut number: c_int = 7;
    let pointer = (&raw mut number).cast();
    // SAFETY: in_void accepts NULL or a pointer to an int.
    unsafe {
        assert_eq!(types.in_void(pointer), 7, "in_void");
        assert_eq!(types.in_void(std::ptr::null_mut()), -1, "in_void of NULL");
    }
    // SAFETY: out_void writes an int.
    unsafe { types.out_void(pointer) };
    assert_eq!(number, 42, "out_void");
    let returned = types.return_void().cast::<c_int>();
    // SAFETY: return_void returns the address of an int that lives as long as the library.
    assert_eq!(unsafe { returned.read() }, 42, "return_void");
}

#[test]
fn void_pointers_are_refused_in_every_format() {
    let types = types();
    for (function, key) in [("in_void", "p"), ("out_void", "value"), ("return_void", "value")] {
        let reason = format!(
            "`{function}` cannot be called with JSON: the document does not say what `{key}` points to (`x-handle`)"
        );
        assert_refused(&types, function, &json!({}), &reason);
    }
}

mod allowed {
    use opendyn_model::Unchecked;

    // Without this, JSON callers cannot pass arrays whose length is not in the document.
    opendyn::opendyn!("fixtures/types/tool.json", unchecked = allow);
    opendyn_tests::twin!(Types = "fixtures/types/tool.json", |options| options.unchecked = Unchecked::Allow);
}

/// One row per element type: an array of different elements.
macro_rules! arrays {
    ($types:ident, $allowed:ident: $($last:ident $values:expr;)*) => {$(
        let mut values = $values;
        for count in 1..=values.len() {
            let last = values[count - 1];
            let length = c_int::try_from(count).expect("short");
            // SAFETY: the array has at least that many elements.
            let found = unsafe { $types.$last(&mut values, length) };
            assert_eq!(found, last, "{} of {count}", stringify!($last));
            let arguments = json!({"values": values, "count": count}).to_string();
            let reply = $allowed.call_json(stringify!($last), &arguments);
            let expected = json!({"value": last}).to_string();
            assert_eq!(reply, Ok(expected), "{} {arguments}", stringify!($last));
        }
    )*};
}

#[test]
fn elements_of_arrays_have_the_width_of_their_type() {
    let types = types();
    // SAFETY: fixtures/types/tool.json describes c/types.c correctly.
    let allowed: Twin<allowed::Types> = unsafe { Twin::open("types", &[]) }.expect("every function is there");
    arrays! { types, allowed:
        last_bool [true, false, false, true, false];
        last_char [1, 127, 3, 0, 5, 6, 7, 8, 9];
        last_unsigned_char [1, 255, 3, 0, 5, 6, 7, 8, 9];
        last_short [-1, 32_767, -32_768, 4, 5];
        last_unsigned_short [1, 65_535, 0, 4, 5];
        last_int [-1, 2_147_483_647, -2_147_483_648];
        last_unsigned_int [1, 4_294_967_295, 0];
        last_long [-1, 2_147_483_647, -2_147_483_648];
        last_unsigned_long [1, 4_294_967_295, 0];
        last_long_long [-1, 1 << 53, -(1 << 53)];
        last_unsigned_long_long [1, 1 << 53, 0];
        last_float [0.5, -1.5, 1024.25];
        last_double [0.5, -1.5, 1e300];
    }
}

#[test]
fn the_tool_lists_every_function_of_the_document_that_json_can_call() {
    let source = include_str!("../../fixtures/types/tool.json");
    let document: Value = serde_json::from_str(source).expect("the document is JSON");
    let described = document["functions"].as_array().expect("functions are an array").iter();
    let described: Vec<&str> = described.filter_map(|function| function["name"].as_str()).collect();
    let types = types();
    let refused = |name: &&&str| matches!(types.call_json(name, "{}"), Err(ToolError::NotCallable { .. }));
    let described: Vec<&str> = described.iter().filter(|name| !refused(name)).copied().collect();
    let tool = types.load().expect("a binding describes itself");
    let listed: Vec<&str> = tool.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(listed, described);
}

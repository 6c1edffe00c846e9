//! The extension keys `x-cType`, `x-symbol` and `x-annotations`, on a library that has a function for each.
//!
//! Widths are asserted through values that only the right width returns, typed and through JSON.

#![expect(clippy::expect_used, reason = "test code may panic")]

use opendyn::opentool::Annotations;
use opendyn_model::Unchecked;
use opendyn_tests::Twin;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/extensions/tool.json", unchecked = allow);
opendyn_tests::twin!(Extensions = "fixtures/extensions/tool.json", |options| options.unchecked =
    Unchecked::Allow);

fn library() -> Twin<Extensions> {
    // SAFETY: the document describes extensions.c correctly.
    unsafe { Twin::open("extensions", &[]) }.expect("it loads")
}

fn call(library: &Twin<Extensions>, function: &str, arguments: &Value) -> Result<Value, String> {
    let reply = library.call_json(function, &arguments.to_string()).map_err(|error| error.to_string())?;
    Ok(serde_json::from_str(&reply).expect("JSON"))
}

/// A number as in the reply: a string beyond 2^53.
fn shown(value: i128) -> Value {
    if value.unsigned_abs() > 1 << 53 {
        json!(value.to_string())
    } else {
        json!(i64::try_from(value).expect("small"))
    }
}

macro_rules! spellings {
    ($($method:ident $function:literal $type:ident;)*) => {
        #[test]
        fn every_spelling_has_the_width_of_its_type() {
            let library = library();
            $(for value in [$type::MIN, $type::MAX, 0, 1] {
                let outputs = library.$method(value);
                assert_eq!((outputs.value_back, outputs.next), (value, value.wrapping_add(1)), $function);
                let reply = call(&library, $function, &json!({"value": shown(value as i128)}));
                let expected =
                    json!({"value_back": shown(value as i128), "next": shown(value.wrapping_add(1) as i128)});
                assert_eq!(reply, Ok(expected), $function);
            })*
        }

        #[test]
        fn one_beyond_either_end_is_refused() {
            let library = library();
            $(for value in [$type::MIN as i128 - 1, $type::MAX as i128 + 1] {
                let error = library
                    .call_json($function, &format!("{{\"value\":{value}}}"))
                    .expect_err($function)
                    .to_string();
                let range = format!("{value} does not fit {} ({} to {})", &$function[5..], $type::MIN, $type::MAX);
                assert_eq!(error, format!("invalid arguments: /value: {range}"));
            })*
        }
    };
}

spellings! {
    echo_size_t "echo_size_t" usize;
    echo_ssize_t "echo_ssize_t" isize;
    echo_ptrdiff_t "echo_ptrdiff_t" isize;
    echo_intptr_t "echo_intptr_t" isize;
    echo_uintptr_t "echo_uintptr_t" usize;
    echo_int8_t "echo_int8_t" i8;
    echo_uint8_t "echo_uint8_t" u8;
    echo_int16_t "echo_int16_t" i16;
    echo_uint16_t "echo_uint16_t" u16;
    echo_int32_t "echo_int32_t" i32;
    echo_uint32_t "echo_uint32_t" u32;
    echo_int64_t "echo_int64_t" i64;
    echo_uint64_t "echo_uint64_t" u64;
}

#[test]
fn bytes_are_strings_characters_and_truth_as_well() {
    let library = library();
    assert_eq!(library.text_length(c"four"), 4);
    assert_eq!(call(&library, "text_length", &json!({"text": "fünf"})), Ok(json!({"length": 5})));
    assert!(library.is_even(6) && !library.is_even(7));
    assert_eq!(call(&library, "is_even", &json!({"value": 6})), Ok(json!({"even": true})));
    assert_eq!(call(&library, "initial", &json!({"text": "xyz"})), Ok(json!({"letter": "x"})));
}

#[test]
fn elements_have_the_width_of_their_spelling() {
    let library = library();
    let mut sizes = [1, 2, usize::MAX - 3];
    // SAFETY: the slice has three elements.
    assert_eq!(unsafe { library.sum_sizes(&mut sizes, 3) }, usize::MAX);
    let reply = call(&library, "sum_sizes", &json!({"sizes": [1, 2, 3, 4], "count": 4}));
    assert_eq!(reply, Ok(json!({"sum": 10})));
}

#[test]
fn a_symbol_is_looked_up_by_its_own_name_and_called_by_the_functions() {
    let library = library();
    assert_eq!((library.version(), library.with_dash()), (65535, 42));
    assert_eq!(call(&library, "version", &json!({})), Ok(json!({"version": 65535})));
    assert_eq!(call(&library, "with-dash", &json!({})), Ok(json!({"answer": 42})));
    assert!(
        call(&library, "ext_with_dash", &json!({})).is_err_and(|error| error.contains("unknown function"))
    );
}

#[test]
fn the_hints_are_in_the_document_for_models() {
    let functions = library().load().expect("a document").functions;
    let hints = |name| functions.iter().find(|function| function.name == name).expect("it").annotations;
    assert_eq!(
        hints("echo_size_t"),
        Some(Annotations { read_only: Some(true), destructive: Some(false), idempotent: Some(true) })
    );
    assert_eq!(hints("echo_ssize_t"), None);
}

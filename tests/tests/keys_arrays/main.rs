//! Arrays whose length is in the document: `x-length`, `x-written` and `x-inout`.
//!
//! Every function is called typed and through JSON. Inputs, output buffers, returned arrays, and arrays
//! that are changed in place have a file each.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod changed;
mod given;
mod returned;
mod written;

use opendyn_tests::{Twin, assert_all_tested, described, packed};
use serde_json::json;

opendyn::opendyn!("fixtures/keys-arrays/tool.json");
opendyn_tests::twin!(KeysArrays = "fixtures/keys-arrays/tool.json");

fn arrays() -> Twin<KeysArrays> {
    // SAFETY: the document describes keys_arrays.c correctly, except the functions that overrun a
    // buffer, within the guard after it.
    unsafe { Twin::open("keys_arrays", &[]) }.expect("every function is there")
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&arrays(), &[
        // given
        "sum_ints", "sum_doubles", "count_true", "sum_chars", "sum_bytes", "sum_byte_array", "sum_by_pointer",
        "dot", "sum_four", "sum_told", "cells", "sum_cells", "sum_six", "sum_cells_told", "sum_optional",
        "total_length", "weighted_sum", "sum_weighted",
        // written
        "fill_ints", "fill_doubles", "fill_flags", "fill_bytes", "fill_four", "doubled", "fill_cells",
        "fill_cells_told", "fill_capacity_pointer", "fill_capacity_beyond", "fill_capacity_negative",
        "fill_written", "claim_written", "fill_written_param", "claim_written_param", "fill_const_told",
        "fill_bytes_past_end", "fill_ints_past_end", "fill_written_past_end",
        // returned
        "all_primes", "prime_count", "first_primes", "primes_below", "three_primes", "four_flags", "magic",
        "names", "names_with_null", "names_in_latin", "negative_count", "null_and_none", "null_and_two", "nullable_and_two",
        "primes_out", "magic_out", "four_out", "given_out",
        // changed
        "increment", "halve", "flip", "flip_all", "double_all", "double_four", "reverse_bytes", "swap_halves",
    ]);
}

#[test]
fn the_document_has_arrays_and_not_their_lengths() {
    let document = arrays().load().expect("a binding describes itself");
    let names = |function: &str| -> Vec<String> {
        let function = described(&document, function);
        let parameters = function["parameters"].as_array().expect("a list");
        parameters.iter().map(|parameter| parameter["name"].as_str().expect("a name").to_owned()).collect()
    };
    for (function, parameters) in [
        ("sum_ints", &["xs"][..]),
        ("dot", &["xs", "ys"]),
        ("sum_told", &["xs"]),
        ("sum_cells", &["xs", "rows", "columns"]),
        ("sum_cells_told", &["xs", "rows"]),
        ("fill_ints", &["n"]),
        ("fill_four", &[]),
        ("doubled", &["xs"]),
        ("fill_cells_told", &["rows"]),
        ("fill_capacity_pointer", &["n"]),
        ("fill_written_param", &["n"]),
        ("fill_const_told", &[]),
        ("all_primes", &[]),
        ("first_primes", &["n"]),
        ("primes_out", &[]),
        ("given_out", &["n"]),
        ("double_all", &["xs"]),
    ] {
        assert_eq!(names(function), parameters, "{function}");
    }
    let schema = |function: &str| described(&document, function)["return"].clone();
    let integers = json!({"type": "array", "items": {"type": "integer"}});
    for function in ["fill_ints", "fill_written", "fill_capacity_pointer", "all_primes", "double_all"] {
        assert_eq!(schema(function), json!({"name": "xs", "schema": integers}), "{function}");
    }
    assert_eq!(schema("names")["schema"], json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(schema("four_flags")["schema"], json!({"type": "array", "items": {"type": "boolean"}}));
    assert_eq!(schema("magic")["schema"]["type"], "string");
    let both = schema("swap_halves")["schema"]["properties"].clone();
    assert_eq!(both, json!({"count": {"type": "integer"}, "left": integers, "right": integers}));
}

#[test]
fn other_formats_carry_arrays_as_well() {
    let arrays = arrays();
    for (function, arguments, reply) in [
        ("sum_ints", json!({"xs": [1, -2, 3]}), json!({"sum": 2})),
        ("dot", json!({"xs": [1.5, 2], "ys": [2, 4]}), json!({"sum": 11.0})),
        ("sum_bytes", json!({"xs": "/wE="}), json!({"sum": 256})),
        ("sum_optional", json!({}), json!({"sum": -1})),
        ("fill_bytes", json!({"n": 3}), json!({"bytes": "//79"})),
        ("fill_flags", json!({"n": 2}), json!({"flags": [false, true]})),
        ("names", json!({}), json!({"all": ["ada", "", "grace"]})),
        ("nullable_and_two", json!({}), json!({"xs": null})),
        ("swap_halves", json!({"left": [1], "right": [2]}), json!({"count": 1, "left": [2], "right": [1]})),
    ] {
        assert_eq!(packed(&arrays, function, &arguments), Ok(reply), "{function}");
    }
    for (function, arguments, error) in [
        ("dot", json!({"xs": [1], "ys": []}), "/ys: 0 elements; `xs` has 1, and both must be equally long"),
        ("sum_four", json!({"xs": [1, 2, 3]}), "/xs: 3 elements are too few"),
        ("sum_ints", json!({"xs": [1, true]}), "/xs/1: true is a boolean"),
        ("sum_bytes", json!({"xs": "/wE"}), "/xs: 3 characters are not complete base64"),
        ("fill_ints", json!({"n": -1}), "/n: -1 does not fit int as a capacity"),
    ] {
        let found = packed(&arrays, function, &arguments).expect_err(function);
        assert!(found.starts_with(&format!("invalid arguments: {error}")), "{function}: {found}");
    }
}

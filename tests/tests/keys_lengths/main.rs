//! Lengths that no single parameter holds: products, capacities that C is not told, elements up to a zero, and what
//! another function leaves in its output.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod asked;
mod chosen;
mod products;
mod terminated;

use opendyn_tests::{Twin, assert_all_tested, described};
use serde_json::json;

opendyn::opendyn!("fixtures/keys-lengths/tool.json");
opendyn_tests::twin!(KeysLengths = "fixtures/keys-lengths/tool.json");

fn lengths() -> Twin<KeysLengths> {
    // SAFETY: the document describes keys_lengths.c correctly. Functions that are not told a capacity exceed it by
    // less than the guard after the buffer.
    unsafe { Twin::open("keys_lengths", &[]) }.expect("every function is there")
}

/// Asserts that everything that C allocated is freed.
fn assert_freed(lengths: &Twin<KeysLengths>) {
    assert_eq!(lengths.keys_allocated(), 0);
    assert_eq!(opendyn_tests::answer(lengths, "keys_allocated", &json!({})), Ok(json!({"count": 0})));
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&lengths(), &[
        "keys_allocated", "keys_free",
        // products
        "sum_pixels", "sum_weighted_rows", "sum_optional_grid", "fill_grid", "fill_lines", "fill_wide", "double_grid",
        "seal", "unseal", "sum_around",
        "picture", "negative_picture", "grid_out",
        // terminated
        "sum_until_zero", "sum_bytes_until_zero", "sum_doubles_until_zero", "count_flags", "total_until_null",
        "total_or_none", "divisors", "halves", "halves_or_none", "flags_before_false", "divisors_out", "words",
        "split_words", "split_some_words",
        // asked
        "disk_size", "disk", "disk_told", "sum_disk", "disk_of", "ring_size", "ring_error", "ring", "bag_new", "bag_free",
        "bag_count", "bag_numbers",
    ]);
}

#[test]
fn a_factor_stays_an_argument() {
    let document = lengths().load().expect("a binding describes itself");
    let names = |function: &str| -> Vec<String> {
        let function = described(&document, function);
        let parameters = function["parameters"].as_array().expect("a list");
        parameters.iter().map(|parameter| parameter["name"].as_str().expect("a name").to_owned()).collect()
    };
    for (function, parameters) in [
        ("sum_pixels", &["pixels", "width", "height"][..]),
        ("sum_weighted_rows", &["xs", "rows", "weights"]),
        ("fill_grid", &["rows", "columns"]),
        ("picture", &[]),
        ("sum_until_zero", &["xs"]),
    ] {
        assert_eq!(names(function), parameters, "{function}");
    }
}

//! Input arrays: each C type for their length, and each form of `x-length`.

use std::ffi::{c_char, c_int};

use opendyn::{CallError, ExpectedLength};
use opendyn_tests::{assert_answers, assert_refused};
use serde_json::json;

use super::arrays;

fn wrong_length(value: &'static str, length: usize, expected: ExpectedLength) -> Result<c_int, CallError> {
    Err(CallError::Length { value, length, expected })
}

#[test]
fn every_element_arrives_whatever_counts_them() {
    let arrays = arrays();
    assert_eq!(arrays.sum_ints(&[1, c_int::MIN, c_int::MIN]), Ok(1 - (1 << 32)));
    assert_eq!(arrays.sum_doubles(&[0.5, 0.25, -1.0]), -0.25);
    assert_eq!(arrays.count_true(&[true, false, true]), Ok(2));
    assert_eq!(arrays.sum_chars(&[100 as c_char, 27 as c_char]), Ok(127));
    assert_eq!(arrays.sum_bytes(b"\xff\x01"), Ok(256));
    assert_eq!(arrays.sum_byte_array(&[255, 1]), Ok(256));
    assert_eq!(arrays.sum_by_pointer(&[3, 4]), Ok(7));
    assert_answers(
        &arrays,
        [
            ("sum_ints", json!({"xs": [1, c_int::MIN, c_int::MIN]}), json!({"sum": 1_i64 - (1 << 32)})),
            ("sum_doubles", json!({"xs": [0.5, 0.25, -1]}), json!({"sum": -0.25})),
            ("count_true", json!({"flags": [true, false, true]}), json!({"count": 2})),
            ("sum_chars", json!({"xs": [100, 27]}), json!({"sum": 127})),
            ("sum_bytes", json!({"xs": "/wE="}), json!({"sum": 256})),
            ("sum_byte_array", json!({"xs": [255, 1]}), json!({"sum": 256})),
            ("sum_by_pointer", json!({"xs": [3, 4]}), json!({"sum": 7})),
        ],
    );
}

#[test]
fn an_empty_array_is_one() {
    let arrays = arrays();
    assert_eq!((arrays.sum_ints(&[]), arrays.sum_doubles(&[])), (Ok(0), 0.0));
    assert_eq!((arrays.sum_bytes(&[]), arrays.dot(&[], &[])), (Ok(0), Ok(0.0)));
    assert_answers(
        &arrays,
        [
            ("sum_ints", json!({"xs": []}), json!({"sum": 0})),
            ("sum_doubles", json!({"xs": []}), json!({"sum": 0.0})),
            ("sum_bytes", json!({"xs": ""}), json!({"sum": 0})),
            ("dot", json!({"xs": [], "ys": []}), json!({"sum": 0.0})),
        ],
    );
}

#[test]
fn a_length_is_not_an_argument() {
    assert_refused(
        &arrays(),
        [
            ("sum_ints", json!({"xs": [1], "n": 1}), "/n: unknown argument; this function takes xs"),
            ("sum_told", json!({"xs": [1, 2, 3], "n": 3}), "/n: unknown argument; this function takes xs"),
            ("doubled", json!({"xs": [1], "n": 1}), "/n: unknown argument; this function takes xs"),
        ],
    );
}

#[test]
fn more_elements_than_the_c_type_counts_are_refused() {
    let arrays = arrays();
    assert_eq!(arrays.sum_chars(&[1; 255]), Ok(255));
    assert_eq!(arrays.sum_chars(&[1; 256]), wrong_length("xs", 256, ExpectedLength::Countable));
    let bytes = vec![1; 65536];
    assert_eq!(arrays.sum_bytes(&bytes[1..]), Ok(65535));
    let refused = arrays.sum_bytes(&bytes).expect_err("beyond unsigned short");
    assert_eq!(
        refused,
        CallError::Length { value: "xs", length: 65536, expected: ExpectedLength::Countable }
    );
    assert_answers(&arrays, [("sum_chars", json!({"xs": vec![1; 255]}), json!({"sum": 255}))]);
    let message = "/xs: 256 elements, more than its length parameter can count";
    assert_refused(&arrays, [("sum_chars", json!({"xs": vec![1; 256]}), message)]);
    let message = "/xs: 65536 elements, more than its length parameter can count";
    assert_refused(&arrays, [("sum_byte_array", json!({"xs": bytes}), message)]);
}

#[test]
fn an_element_that_does_not_fit_is_refused_with_its_place() {
    let arrays = arrays();
    let int = "int (-2147483648 to 2147483647)";
    let expected = "an integer (int, -2147483648 to 2147483647)";
    assert_refused(
        &arrays,
        [
            (
                "sum_ints",
                json!({"xs": [1, 2_147_483_648_i64]}),
                &format!("/xs/1: 2147483648 does not fit {int}"),
            ),
            ("sum_ints", json!({"xs": [1, "a"]}), &format!("/xs/1: \"a\" is a string; expected {expected}")),
            ("sum_ints", json!({"xs": [null]}), &format!("/xs/0: null is null; expected {expected}")),
            (
                "sum_ints",
                json!({}),
                &format!("/xs: missing; expected an array whose elements are each {expected}"),
            ),
            ("count_true", json!({"flags": [1]}), "/flags/0: 1 is a number; expected true or false"),
            ("sum_byte_array", json!({"xs": [0, 256]}), "/xs/1: 256 does not fit unsigned char (0 to 255)"),
            (
                "sum_bytes",
                json!({"xs": "/w=E"}),
                "/xs: byte 2 is not base64: wrong padding; give plain text as {\"text\": …}",
            ),
            (
                "sum_bytes",
                json!({"xs": "/w E"}),
                "/xs: byte 2 is not base64: ' '; give plain text as {\"text\": …}",
            ),
            ("sum_bytes", json!({"xs": [1]}), "/xs: [1] is an array; expected a string of base64"),
        ],
    );
}

#[test]
fn arrays_of_one_length_must_be_equally_long() {
    let arrays = arrays();
    assert_eq!(arrays.dot(&[1.0, 2.0], &[3.0, 4.0]), Ok(11.0));
    let expected = ExpectedLength::SameAs { value: "xs", length: 2 };
    assert_eq!(arrays.dot(&[1.0, 2.0], &[3.0]), Err(CallError::Length { value: "ys", length: 1, expected }));
    assert_answers(&arrays, [("dot", json!({"xs": [1, 2], "ys": [3, 4]}), json!({"sum": 11.0}))]);
    assert_refused(
        &arrays,
        [
            (
                "dot",
                json!({"xs": [1, 2], "ys": [3]}),
                "/ys: 1 element; `xs` has 2, and both must be equally long",
            ),
            (
                "dot",
                json!({"ys": [1, 2], "xs": []}),
                "/ys: 2 elements; `xs` has 0, and both must be equally long",
            ),
        ],
    );
}

#[test]
fn a_constant_length_is_an_array_of_that_length() {
    let arrays = arrays();
    assert_eq!(arrays.sum_four(&[1, 2, 3, 4]), 10);
    assert_eq!(arrays.sum_told(&[1, 2, 3]), 6);
    assert_answers(
        &arrays,
        [
            ("sum_four", json!({"xs": [1, 2, 3, 4]}), json!({"sum": 10})),
            ("sum_told", json!({"xs": [1, 2, 3]}), json!({"sum": 6})),
        ],
    );
    let expected = |count: u8| {
        format!(
            "expected an array of exactly {count} elements, each an integer (int, -2147483648 to 2147483647)"
        )
    };
    assert_refused(
        &arrays,
        [
            ("sum_four", json!({"xs": [1, 2, 3]}), &format!("/xs: 3 elements are too few; {}", expected(4))),
            ("sum_four", json!({"xs": []}), &format!("/xs: 0 elements are too few; {}", expected(4))),
            (
                "sum_four",
                json!({"xs": [1, 2, 3, 4, 5]}),
                &format!("/xs/4: one element too many; {}", expected(4)),
            ),
            ("sum_told", json!({"xs": [1, 2]}), &format!("/xs: 2 elements are too few; {}", expected(3))),
            (
                "sum_told",
                json!({"xs": [1, 2, 3, 4]}),
                &format!("/xs/3: one element too many; {}", expected(3)),
            ),
        ],
    );
}

#[test]
fn a_length_that_a_function_tells_is_the_only_one() {
    let arrays = arrays();
    assert_eq!(arrays.cells(2, 3), 6);
    assert_eq!(arrays.sum_cells(&[1, 2, 3, 4, 5, 6], 2, 3), Ok(21));
    assert_eq!(arrays.sum_six(&[1, 2, 3, 4, 5, 6]), Ok(21));
    assert_eq!(arrays.sum_cells_told(&[1, 2, 3, 4], 2), Ok(10));
    assert_eq!(arrays.sum_cells(&[1], 2, 3), wrong_length("xs", 1, ExpectedLength::Exactly(6)));
    assert_eq!(arrays.sum_cells(&[], -1, 3), wrong_length("xs", 0, ExpectedLength::Exactly(-3)));
    assert_eq!(arrays.sum_six(&[1; 7]), wrong_length("xs", 7, ExpectedLength::Exactly(6)));
    assert_eq!(arrays.sum_cells_told(&[1; 2], 2), wrong_length("xs", 2, ExpectedLength::Exactly(4)));
    assert_answers(
        &arrays,
        [
            ("cells", json!({"rows": 2, "columns": 3}), json!({"count": 6})),
            ("sum_cells", json!({"xs": [1, 2, 3, 4, 5, 6], "rows": 2, "columns": 3}), json!({"sum": 21})),
            ("sum_cells", json!({"xs": [], "rows": 0, "columns": 3}), json!({"sum": 0})),
            ("sum_six", json!({"xs": [1, 2, 3, 4, 5, 6]}), json!({"sum": 21})),
            ("sum_cells_told", json!({"xs": [1, 2, 3, 4], "rows": 2}), json!({"sum": 10})),
        ],
    );
    assert_refused(
        &arrays,
        [
            ("sum_cells", json!({"xs": [1], "rows": 2, "columns": 3}), "/xs: 1 element instead of 6"),
            ("sum_cells", json!({"xs": [], "rows": -1, "columns": 3}), "/xs: 0 elements instead of -3"),
            ("sum_six", json!({"xs": [1, 2]}), "/xs: 2 elements instead of 6"),
            ("sum_cells_told", json!({"xs": [1, 2], "rows": 2}), "/xs: 2 elements instead of 4"),
        ],
    );
}

#[test]
fn an_absent_array_is_null_and_an_empty_one_is_not() {
    let arrays = arrays();
    assert_eq!(arrays.sum_optional(None), Ok(-1));
    assert_eq!(arrays.sum_optional(Some(&[])), Ok(0));
    assert_eq!(arrays.sum_optional(Some(&[1, 2])), Ok(3));
    assert_answers(
        &arrays,
        [
            ("sum_optional", json!({}), json!({"sum": -1})),
            ("sum_optional", json!({"xs": null}), json!({"sum": -1})),
            ("sum_optional", json!({"xs": []}), json!({"sum": 0})),
            ("sum_optional", json!({"xs": [1, 2]}), json!({"sum": 3})),
        ],
    );
}

#[test]
fn an_array_of_strings_is_one_of_pointers() {
    let arrays = arrays();
    assert_eq!(arrays.total_length(&[c"ab", c"", c"h\xc3\xa9"]), Ok(5));
    assert_eq!(arrays.total_length(&[]), Ok(0));
    assert_answers(
        &arrays,
        [
            ("total_length", json!({"texts": ["ab", "", "hé"]}), json!({"length": 5})),
            ("total_length", json!({"texts": []}), json!({"length": 0})),
        ],
    );
    assert_refused(
        &arrays,
        [
            (
                "total_length",
                json!({"texts": ["ab", "c\0d"]}),
                "/texts/1: the string has a NUL at byte 1, where C would end it; expected a string without NUL",
            ),
            (
                "total_length",
                json!({"texts": ["ab", 5]}),
                "/texts/1: 5 is a number; expected a string without NUL",
            ),
            (
                "total_length",
                json!({"texts": [null]}),
                "/texts/0: null is null; expected a string without NUL",
            ),
        ],
    );
}

#[test]
fn an_absent_array_leaves_the_length_to_the_others() {
    let arrays = arrays();
    let xs = [1.0, 2.0];
    assert_eq!(arrays.weighted_sum(&xs, Some(&[3.0, 4.0])), Ok(11.0));
    assert_eq!(arrays.sum_weighted(Some(&[3.0, 4.0]), &xs), Ok(11.0));
    assert_eq!(arrays.weighted_sum(&xs, None), Ok(3.0));
    assert_eq!(arrays.sum_weighted(None, &xs), Ok(3.0));
    for function in ["weighted_sum", "sum_weighted"] {
        assert_answers(
            &arrays,
            [
                (function, json!({"xs": xs, "weights": [3, 4]}), json!({"sum": 11.0})),
                (function, json!({"xs": xs}), json!({"sum": 3.0})),
                (function, json!({"xs": xs, "weights": null}), json!({"sum": 3.0})),
            ],
        );
    }
}

#[test]
fn an_optional_array_that_is_there_must_be_equally_long() {
    let arrays = arrays();
    for weights in [&[][..], &[1.0], &[1.0, 2.0, 3.0]] {
        assert!(arrays.weighted_sum(&[1.0, 2.0], Some(weights)).is_err(), "{weights:?}");
        assert!(arrays.sum_weighted(Some(weights), &[1.0, 2.0]).is_err(), "{weights:?}");
    }
    assert_refused(
        &arrays,
        [(
            "weighted_sum",
            json!({"xs": [1, 2], "weights": []}),
            "/weights: 0 elements; `xs` has 2, and both must be equally long",
        )],
    );
}

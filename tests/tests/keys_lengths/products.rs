//! Products and sums of parameters and integers.

use opendyn::{CallError, ExpectedLength};
use opendyn_tests::{assert_answers, assert_failed, assert_refused};
use serde_json::json;

use super::{PictureOutputs, assert_freed, lengths};

#[test]
fn an_input_must_have_as_many_elements_as_the_product() {
    let lengths = lengths();
    assert_eq!(lengths.sum_pixels(&[1, 2, 3, 4, 5, 6], 2, 1), Ok(21));
    assert_eq!(lengths.sum_pixels(&[], 0, 7), Ok(0));
    assert_eq!(lengths.sum_weighted_rows(&[1.0, 2.0, 3.0, 4.0], 2, &[10.0, 1.0]), Ok(46.0));
    assert_eq!(lengths.sum_optional_grid(Some(&[1, 2, 3, 4]), 2, 2), Ok(10));
    assert_eq!(lengths.sum_optional_grid(None, 2, 2), Ok(-1));
    let misfit = |value, length, expected| {
        Err(CallError::Length { value, length, expected: ExpectedLength::Exactly(expected) })
    };
    assert_eq!(lengths.sum_pixels(&[1, 2, 3], 2, 1), misfit("pixels", 3, 6));
    assert_eq!(lengths.sum_pixels(&[1; 6], -1, -2), misfit("pixels", 6, -6), "two negative factors");
    assert_answers(
        &lengths,
        [
            ("sum_pixels", json!({"pixels": "AQIDBAUG", "width": 2, "height": 1}), json!({"sum": 21})),
            (
                "sum_weighted_rows",
                json!({"xs": [1, 2, 3, 4], "rows": 2, "weights": [10, 1]}),
                json!({"sum": 46.0}),
            ),
            ("sum_optional_grid", json!({"xs": [1, 2, 3, 4], "rows": 2, "columns": 2}), json!({"sum": 10})),
            ("sum_optional_grid", json!({"rows": 2, "columns": 2}), json!({"sum": -1})),
        ],
    );
    assert_refused(
        &lengths,
        [
            (
                "sum_pixels",
                json!({"pixels": "AQID", "width": 2, "height": 1}),
                "/pixels: 3 elements instead of 6",
            ),
            (
                "sum_pixels",
                json!({"pixels": "AQIDBAUG", "width": -1, "height": -2}),
                "/pixels: 6 elements instead of -6",
            ),
            (
                "sum_weighted_rows",
                json!({"xs": [1, 2, 3], "rows": 2, "weights": [10, 1]}),
                "/xs: 3 elements instead of 4",
            ),
        ],
    );
}

#[test]
fn what_c_changes_in_place_has_the_product_too() {
    let lengths = lengths();
    let mut xs = [1, 2, 3, 4];
    assert_eq!(lengths.double_grid(&mut xs, 2), Ok(()));
    assert_eq!(xs, [2, 4, 6, 8]);
    assert!(lengths.double_grid(&mut xs, 3).is_err());
    assert_answers(&lengths, [("double_grid", json!({"xs": [1, 2], "rows": 1}), json!({"xs": [2, 4]}))]);
}

#[test]
fn a_buffer_has_room_for_the_product() {
    let lengths = lengths();
    assert_eq!(lengths.fill_grid(2, 3), Ok(vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(lengths.fill_grid(0, 3), Ok(vec![]));
    assert_eq!(lengths.fill_lines(2), Ok(c"line...\nline...\n".to_owned()));
    assert_answers(
        &lengths,
        [
            ("fill_grid", json!({"rows": 2, "columns": 3}), json!({"cells": [0, 1, 2, 3, 4, 5]})),
            ("fill_lines", json!({"lines": 1}), json!({"text": "line...\n"})),
        ],
    );
}

#[test]
fn a_product_that_no_memory_holds_is_an_error() {
    let lengths = lengths();
    let large = u64::MAX;
    for (factors, capacity) in
        [((large, large, large), i128::MAX), ((1 << 32, 1 << 32, 1), 1 << 64), ((0, large, large), 0)]
    {
        let (a, b, c) = factors;
        match lengths.fill_wide(a, b, c) {
            Ok(none) => assert!(capacity == 0 && none.is_empty()),
            Err(error) => assert_eq!(error, CallError::Capacity { value: "out", capacity }),
        }
    }
    assert_eq!(lengths.fill_grid(-1, 2), Err(CallError::Capacity { value: "cells", capacity: -2 }));
    assert_eq!(lengths.fill_grid(-1, -2), Err(CallError::Capacity { value: "cells", capacity: -2 }));
    assert_failed(
        &lengths,
        [
            (
                "fill_wide",
                json!({"a": 4294967296_u64, "b": 4294967296_u64, "c": 1}),
                "`out` cannot have room for 18446744073709551616 elements",
            ),
            // Each factor is small, but not the product.
            (
                "fill_grid",
                json!({"rows": 30_000, "columns": 30_000}),
                "`cells` cannot have room for 900000000 elements",
            ),
            ("fill_grid", json!({"rows": -1, "columns": -2}), "`cells` cannot have room for -2 elements"),
        ],
    );
}

#[test]
fn factors_that_c_writes_are_results() {
    let lengths = lengths();
    let pixels: Vec<u8> = (1..=18).collect();
    assert_eq!(lengths.picture(), Ok(PictureOutputs { pixels, width: 3, height: 2 }));
    assert_eq!(
        lengths.grid_out(2, 2).map(|outputs| (outputs.ok, outputs.cells)),
        Ok((true, vec![0, 1, 2, 3]))
    );
    assert!(lengths.grid_out(101, 1).is_err(), "NULL");
    assert_answers(
        &lengths,
        [
            ("picture", json!({}), json!({"pixels": "AQIDBAUGBwgJCgsMDQ4PEBES", "width": 3, "height": 2})),
            ("grid_out", json!({"rows": 2, "columns": 2}), json!({"ok": true, "cells": [0, 1, 2, 3]})),
        ],
    );
    let written = CallError::Written { value: "xs", count: -2, capacity: isize::MAX.cast_unsigned() };
    assert_eq!(lengths.negative_picture().map(|outputs| outputs.xs), Err(written));
    assert_failed(&lengths, [("negative_picture", json!({}), "C says that `xs` has -2 elements")]);
    assert_freed(&lengths);
}

#[test]
fn a_sum_is_a_length_and_a_capacity() {
    let lengths = lengths();
    assert_eq!(lengths.seal(b"abc").as_deref(), Ok(&b"s\x03abc"[..]));
    assert_eq!(lengths.unseal(b"s\x03abc").as_deref(), Ok(&b"abc"[..]));
    assert_eq!(lengths.unseal(b"s\x00").as_deref(), Ok(&b""[..]));
    assert_eq!(lengths.sum_around(&[1, 2, 3], 1, 1), Ok(6));
    assert_answers(
        &lengths,
        [
            ("seal", json!({"text": "YWJj"}), json!({"out": "cwNhYmM="})),
            ("unseal", json!({"sealed": "cwNhYmM="}), json!({"text": "YWJj"})),
            ("sum_around", json!({"xs": [1, 2, 3], "before": 2, "after": 0}), json!({"sum": 6})),
        ],
    );
    let misfit = CallError::Length { value: "xs", length: 3, expected: ExpectedLength::Exactly(4) };
    assert_eq!(lengths.sum_around(&[1, 2, 3], 1, 2), Err(misfit));
    let wrong = json!({"xs": [1, 2, 3], "before": 1, "after": 2});
    assert_refused(&lengths, [("sum_around", wrong, "/xs: 3 elements instead of 4")]);
}

#[test]
fn a_sum_below_zero_is_refused_before_c_is_called() {
    let lengths = lengths();
    let capacity = lengths.unseal(b"s").expect_err("there is no room for less than nothing");
    assert_eq!(capacity.to_string(), "`text` cannot have room for -1 elements");
    let xs = lengths.sum_around(&[], -3, 1).expect_err("there are not fewer than no elements");
    assert_eq!(xs, CallError::Length { value: "xs", length: 0, expected: ExpectedLength::Exactly(-1) });
    assert_failed(
        &lengths,
        [("unseal", json!({"sealed": "cw=="}), "`text` cannot have room for -1 elements")],
    );
}

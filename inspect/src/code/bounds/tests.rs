//! How far functions that a compiler makes of C reach behind an argument.

use crate::code::tests::{LEVELS, with_code};
use crate::code::value::Set;

/// What has to be 1 at least, at each level, so that it fits.
#[track_caller]
fn fits(function: &str, place: usize, size: u64, factors: &[usize]) -> Vec<Option<Set>> {
    with_code(|code| code.fits(function, place, size, factors))
}

#[test]
fn a_loop_reaches_as_far_as_its_condition_says() {
    for (function, place, size, factors, least) in [
        ("sum_all", 0, 8, &[1][..], 0),
        ("sum_strided", 0, 8, &[1, 2], 0b10),
        ("variance_strided", 0, 8, &[1, 2], 0b10),
        ("product_strided", 0, 8, &[1, 4], 0b10),
        ("product_strided", 2, 8, &[3, 4], 0b1000),
        ("largest_strided", 0, 2, &[1, 2], 0b110),
    ] {
        for (found, level) in fits(function, place, size, factors).iter().zip(LEVELS).skip(1).take(2) {
            assert_eq!(*found, Some(least), "{function} {level}");
        }
    }
}

#[test]
fn what_reaches_further_is_not_proven() {
    for function in [
        "sum_and_one_more",
        "sum_of_pairs",
        "sum_from_before",
        "sum_until_zero",
        "sum_of_variable",
        "sum_in_steps",
        "sum_of_rows",
        "sum_of_squares_of_places",
        "sum_where_it_is_told",
        "sum_by_another_library",
        "sum_by_a_variable",
        "sum_by_a_helper_of_more",
        "sum_of_a_stored_array",
        "sum_with_a_longer_step",
        "sum_twice",
        "sum_from",
    ] {
        for (found, level) in fits(function, 0, 8, &[1, 2]).iter().zip(LEVELS) {
            assert_eq!(*found, None, "{function} {level}");
        }
    }
    // Smaller elements make a shorter array.
    assert!(fits("sum_strided", 0, 4, &[1, 2]).iter().all(Option::is_none));
    assert!(fits("sum_all", 0, 4, &[1]).iter().all(Option::is_none));
    assert!(fits("sum_strided", 0, 8, &[1]).iter().all(Option::is_none));
}

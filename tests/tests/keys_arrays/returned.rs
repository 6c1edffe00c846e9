//! Arrays that C returns, or that it leaves a pointer to.

use opendyn::CallError;
use opendyn_tests::{answer, assert_answers, assert_failed};
use serde_json::json;

use super::{PrimesOutOutputs, arrays};

#[test]
fn each_form_of_a_length_says_how_many_are_copied() {
    let arrays = arrays();
    assert_eq!(arrays.all_primes(), Ok(vec![2, 3, 5, 7, 11, 13, 17, 19]));
    assert_eq!(arrays.first_primes(3), Ok(vec![2, 3, 5]));
    assert_eq!(arrays.first_primes(0), Ok(vec![]));
    assert_eq!(arrays.prime_count(6), 3);
    assert_eq!(arrays.primes_below(6), Ok(vec![2, 3, 5]));
    assert_eq!(arrays.three_primes(), Ok(vec![2, 3, 5]));
    assert_answers(
        &arrays,
        [
            ("all_primes", json!({}), json!({"xs": [2, 3, 5, 7, 11, 13, 17, 19]})),
            ("first_primes", json!({"n": 3}), json!({"xs": [2, 3, 5]})),
            ("prime_count", json!({"below": 6}), json!({"count": 3})),
            ("primes_below", json!({"below": 6}), json!({"xs": [2, 3, 5]})),
            ("three_primes", json!({}), json!({"xs": [2, 3, 5]})),
        ],
    );
}

#[test]
fn elements_of_every_type_are_copied() {
    let arrays = arrays();
    assert_eq!(arrays.four_flags(), Ok(vec![false, true, true, true]), "anything but 0 is true");
    assert_eq!(arrays.magic(), Ok(b"\x89P\x00\xff".to_vec()));
    assert_eq!(arrays.names(), Ok(vec![c"ada".to_owned(), c"".to_owned(), c"grace".to_owned()]));
    assert_answers(
        &arrays,
        [
            ("four_flags", json!({}), json!({"flags": [false, true, true, true]})),
            ("magic", json!({}), json!({"bytes": "iVAA/w=="})),
            ("names", json!({}), json!({"all": ["ada", "", "grace"]})),
        ],
    );
}

#[test]
fn a_pointer_that_c_leaves_is_followed() {
    let arrays = arrays();
    assert_eq!(arrays.primes_out(), Ok(PrimesOutOutputs { found: true, xs: vec![2, 3] }));
    assert_eq!(arrays.magic_out(), Ok(b"\x89P\x00\xff".to_vec()));
    assert_eq!(arrays.four_out(), Ok(vec![2, 3, 5, 7]));
    assert_eq!(arrays.given_out(3), Ok(Some(vec![2, 3, 5])));
    assert_answers(
        &arrays,
        [
            ("primes_out", json!({}), json!({"found": true, "xs": [2, 3]})),
            ("magic_out", json!({}), json!({"bytes": "iVAA/w=="})),
            ("four_out", json!({}), json!({"xs": [2, 3, 5, 7]})),
            ("given_out", json!({"n": 3}), json!({"xs": [2, 3, 5]})),
        ],
    );
}

#[test]
fn null_with_a_count_of_zero_is_an_empty_array() {
    let arrays = arrays();
    assert_eq!(arrays.null_and_none(), Ok(vec![]));
    assert_eq!(arrays.primes_below(2), Ok(vec![]));
    assert_answers(
        &arrays,
        [
            ("null_and_none", json!({}), json!({"xs": []})),
            ("primes_below", json!({"below": 2}), json!({"xs": []})),
        ],
    );
}

#[test]
fn null_is_an_error_unless_the_document_allows_it() {
    let arrays = arrays();
    assert_eq!(arrays.null_and_two(), Err(CallError::Null { value: "xs" }));
    assert_eq!(arrays.first_primes(9), Err(CallError::Null { value: "xs" }));
    assert_eq!(arrays.nullable_and_two(), Ok(None));
    assert_eq!(arrays.given_out(9), Ok(None));
    assert_eq!(arrays.names_with_null(), Err(CallError::Null { value: "all" }), "in the array");
    assert_answers(
        &arrays,
        [
            ("nullable_and_two", json!({}), json!({"xs": null})),
            ("given_out", json!({"n": 9}), json!({"xs": null})),
        ],
    );
    assert_failed(
        &arrays,
        [
            ("null_and_two", json!({}), "`xs` is a NULL pointer"),
            ("first_primes", json!({"n": 9}), "`xs` is a NULL pointer"),
            ("names_with_null", json!({}), "`all` is a NULL pointer"),
        ],
    );
}

#[test]
fn a_count_below_zero_is_an_error() {
    let arrays = arrays();
    let typed = arrays.negative_count().expect_err("less than none");
    assert!(matches!(typed, CallError::Written { count: -1, .. }), "{typed:?}");
    let typed = arrays.given_out(-1).expect_err("less than none");
    assert!(matches!(typed, CallError::Written { count: -1, .. }), "{typed:?}");
    for (function, arguments) in [("negative_count", json!({})), ("given_out", json!({"n": -1}))] {
        let error = answer(&arrays, function, &arguments).expect_err(function);
        assert!(error.contains("-1 elements"), "{function}: {error}");
    }
}

#[test]
fn strings_that_are_not_utf_8_are_whole_in_rust_and_an_error_in_json() {
    let arrays = arrays();
    assert_eq!(arrays.names_in_latin(), Ok(vec![c"ada".to_owned(), c"gr\xfcn".to_owned()]));
    let message = "`all`/1 is not UTF-8: byte 0xfc at index 2";
    assert_failed(&arrays, [("names_in_latin", json!({}), message)]);
}

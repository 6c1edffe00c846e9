//! Elements up to a zero, and strings up to NULL.

use opendyn::CallError;
use opendyn_tests::{assert_answers, assert_failed, assert_refused};
use serde_json::json;

use super::{assert_freed, lengths};

#[test]
fn an_input_gets_its_end() {
    let lengths = lengths();
    assert_eq!(lengths.sum_until_zero(&[3, -1]), Ok(2));
    assert_eq!(lengths.sum_until_zero(&[]), Ok(0));
    assert_eq!(lengths.sum_bytes_until_zero(&[200, 100]), Ok(300));
    assert_eq!(lengths.sum_doubles_until_zero(Some(&[0.5, 0.25])), Ok(0.75));
    assert_eq!(lengths.sum_doubles_until_zero(None), Ok(-1.0));
    assert_eq!(lengths.count_flags(&[true, true]), Ok(2));
    assert_eq!(lengths.total_until_null(&[c"ab", c"", c"c"]), 3);
    assert_eq!(lengths.total_until_null(&[]), 0);
    assert_eq!(lengths.total_or_none(None), -1);
    assert_eq!(lengths.total_or_none(Some(&[c"ab"])), 2);
    assert_answers(
        &lengths,
        [
            ("sum_until_zero", json!({"xs": [3, -1]}), json!({"sum": 2})),
            ("sum_until_zero", json!({"xs": []}), json!({"sum": 0})),
            ("sum_bytes_until_zero", json!({"xs": [200, 100]}), json!({"sum": 300})),
            ("sum_doubles_until_zero", json!({"xs": [0.5, 0.25]}), json!({"sum": 0.75})),
            ("sum_doubles_until_zero", json!({}), json!({"sum": -1.0})),
            ("count_flags", json!({"flags": [true, true]}), json!({"count": 2})),
            ("total_until_null", json!({"names": ["ab", "", "c"]}), json!({"total": 3})),
            ("total_until_null", json!({"names": []}), json!({"total": 0})),
            ("total_or_none", json!({}), json!({"total": -1})),
            ("total_or_none", json!({"names": ["ab"]}), json!({"total": 2})),
        ],
    );
}

#[test]
fn a_zero_inside_would_hide_the_rest() {
    let lengths = lengths();
    let zero = |value, index| Err(CallError::Terminator { value, index });
    assert_eq!(lengths.sum_until_zero(&[3, 0, 1]), zero("xs", 1));
    assert_eq!(lengths.sum_doubles_until_zero(Some(&[-0.0])).map(|_| 0), zero("xs", 0));
    assert_eq!(lengths.count_flags(&[true, false]).map(i64::from), zero("flags", 1));
    assert_refused(
        &lengths,
        [
            ("sum_until_zero", json!({"xs": [3, 0, 1]}), "/xs/1: a zero would end the array"),
            ("sum_bytes_until_zero", json!({"xs": [0]}), "/xs/0: a zero would end the array"),
            ("sum_doubles_until_zero", json!({"xs": [1, -0.0]}), "/xs/1: a zero would end the array"),
            ("count_flags", json!({"flags": [true, false]}), "/flags/1: a zero would end the array"),
        ],
    );
}

#[test]
fn what_c_returns_is_copied_up_to_its_end() {
    let lengths = lengths();
    assert_eq!(lengths.divisors(6), Ok(vec![1, 2, 3, 6]));
    assert_eq!(lengths.divisors(0), Ok(vec![]));
    assert_eq!(lengths.halves(5.0), Ok(vec![5.0, 2.5, 1.25]));
    assert_eq!(lengths.halves_or_none(2.0), Some(vec![2.0, 1.0]));
    assert_eq!(lengths.flags_before_false(2), Ok(vec![true, true]));
    assert_eq!(lengths.divisors_out(4).map(|outputs| (outputs.ok, outputs.xs)), Ok((true, vec![1, 2, 4])));
    assert_eq!(lengths.words(), Ok(vec![c"to".to_owned(), c"".to_owned(), c"be".to_owned()]));
    assert_eq!(lengths.split_words(c"to be"), Some(vec![c"to".to_owned(), c"be".to_owned()]));
    assert_eq!(lengths.split_words(c" "), Some(vec![]));
    assert_answers(
        &lengths,
        [
            ("divisors", json!({"n": 6}), json!({"xs": [1, 2, 3, 6]})),
            ("divisors", json!({"n": 0}), json!({"xs": []})),
            ("halves", json!({"x": 5}), json!({"xs": [5.0, 2.5, 1.25]})),
            ("halves_or_none", json!({"x": 2}), json!({"xs": [2.0, 1.0]})),
            ("flags_before_false", json!({"n": 2}), json!({"flags": [true, true]})),
            ("divisors_out", json!({"n": 4}), json!({"ok": true, "xs": [1, 2, 4]})),
            ("words", json!({}), json!({"words": ["to", "", "be"]})),
            ("split_words", json!({"text": "to be"}), json!({"words": ["to", "be"]})),
            ("split_words", json!({"text": " "}), json!({"words": []})),
            ("split_some_words", json!({"text": "a"}), json!({"words": ["a"]})),
        ],
    );
    assert_freed(&lengths);
}

#[test]
fn null_is_not_an_empty_array() {
    let lengths = lengths();
    assert_eq!(lengths.halves(-1.0), Err(CallError::Null { value: "xs" }));
    assert_eq!(lengths.halves_or_none(-1.0), None);
    assert_eq!(lengths.split_words(c""), None);
    assert_eq!(lengths.split_some_words(c""), Err(CallError::Null { value: "words" }));
    assert_failed(
        &lengths,
        [
            ("halves", json!({"x": -1}), "`xs` is a NULL pointer"),
            ("split_some_words", json!({"text": ""}), "`words` is a NULL pointer"),
        ],
    );
    assert_answers(
        &lengths,
        [
            ("halves_or_none", json!({"x": -1}), json!({"xs": null})),
            ("split_words", json!({"text": ""}), json!({"words": null})),
        ],
    );
    assert_freed(&lengths);
}

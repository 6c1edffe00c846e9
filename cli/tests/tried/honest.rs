//! Functions that keep to their document are not accused.

use crate::{no_fault, run};

#[test]
fn functions_that_keep_to_their_document() {
    for (function, arguments) in [
        ("fill", r#"{"capacity": 5}"#),
        ("fill", r#"{"capacity": 0}"#),
        ("fill", r#"{"capacity": 10000}"#),
        ("sum", r#"{"buf": "010203"}"#),
        ("measure", r#"{"text": "abc"}"#),
        ("add_one", r#"{"values": [1, 2, 3]}"#),
        ("refuse", r#"{"code": 0}"#),
    ] {
        no_fault(&[(function, arguments)]);
    }
}

#[test]
fn what_the_document_lets_c_keep_may_be_used() {
    no_fault(&[("set_name", r#"{"name": "abc"}"#), ("name_starts_with", "{}")]);
}

#[test]
fn later_calls_use_the_handles_of_earlier_ones() {
    no_fault(&[
        ("box_new", r#"{"label": "abc"}"#),
        ("box_first", r#"{"box": "$1.box"}"#),
        ("box_free", r#"{"box": "$1.box"}"#),
    ]);
}

#[test]
fn an_error_of_the_function_is_not_a_fault() {
    let run = run(&[("refuse", r#"{"code": 4}"#)], &[]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("`refuse` failed: the call failed with code 4"), "{}", run.stdout);
    assert!(run.stdout.contains("no fault seen with these arguments"), "{}", run.stdout);
}

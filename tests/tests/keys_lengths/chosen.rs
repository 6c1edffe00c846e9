//! Capacities that the caller chooses and C is not told.

use opendyn::{CallError, ToolError};
use opendyn_tests::{Twin, assert_all_tested, assert_answers, assert_refused, described};
use serde_json::json;

opendyn::opendyn!("fixtures/keys-lengths/chosen.json", unchecked = allow);
opendyn_tests::twin!(KeysChosen = "fixtures/keys-lengths/chosen.json", |options| {
    options.unchecked = opendyn_model::Unchecked::Allow;
});

mod refused {
    opendyn::opendyn!("fixtures/keys-lengths/chosen.json");
}

fn chosen() -> Twin<KeysChosen> {
    // SAFETY: the document describes keys_lengths.c correctly. Where a capacity is too small, C exceeds it by less
    // than the guard after the buffer.
    unsafe { Twin::open("keys_lengths", &[]) }.expect("every function is there")
}

#[test]
fn every_function_is_tested_and_describes_its_capacity() {
    let chosen = chosen();
    assert_all_tested(&chosen, &["format_number", "divisors_into", "split_sign"]);
    let document = chosen.load().expect("a binding describes itself");
    let capacity = described(&document, "format_number")["parameters"][1].clone();
    let schema = json!({"type": "integer", "description": "How many elements `text` has room for."});
    assert_eq!(capacity, json!({"name": "capacity", "schema": schema, "required": true}));
}

#[test]
fn json_callers_are_refused_unless_they_are_trusted() {
    let library = opendyn_tests::shared_library("keys_lengths", &[]);
    // SAFETY: the document describes keys_lengths.c correctly.
    let binding = unsafe { refused::KeysChosen::open(library.path()) }.expect("every function is there");
    let error = binding.call_json("format_number", r#"{"value": 1, "capacity": 16}"#).expect_err("refused");
    assert!(matches!(error, ToolError::NotCallable { .. }));
    assert!(error.to_string().contains("`capacity` (`argument` of `x-length`)"), "{error}");
}

#[test]
fn the_capacity_is_an_argument_behind_the_others() {
    let chosen = chosen();
    // SAFETY: the capacities are large enough.
    assert_eq!(unsafe { chosen.format_number(-1234, 16) }, Ok(c"-1234".to_owned()));
    // SAFETY: the capacities are large enough.
    assert_eq!(unsafe { chosen.divisors_into(6, 4) }, Ok(vec![1, 2, 3, 6]));
    let both = SplitSignOutputs { positive: vec![3, 5], negative: vec![-4] };
    // SAFETY: the capacities are large enough.
    assert_eq!(unsafe { chosen.split_sign(&[3, -4, 5], 3) }, Ok(both));
    assert_answers(
        &chosen,
        [
            ("format_number", json!({"value": -1234, "capacity": 16}), json!({"text": "-1234"})),
            ("divisors_into", json!({"n": 6, "room": 4}), json!({"xs": [1, 2, 3, 6]})),
            (
                "split_sign",
                json!({"xs": [3, -4, 5], "room": 3}),
                json!({"positive": [3, 5], "negative": [-4]}),
            ),
        ],
    );
}

#[test]
fn it_is_bounded_as_every_capacity_is() {
    let chosen = chosen();
    let capacity = usize::MAX as i128;
    // SAFETY: the capacity is refused before C is called.
    let refused = unsafe { chosen.format_number(1, usize::MAX) };
    assert_eq!(refused, Err(CallError::Capacity { value: "text", capacity }));
    assert_refused(
        &chosen,
        [
            (
                "format_number",
                json!({"value": 1}),
                "/capacity: missing; expected an integer (size_t as a capacity, 0 to 67108864)",
            ),
            (
                "format_number",
                json!({"value": 1, "capacity": -1}),
                "/capacity: -1 does not fit size_t as a capacity (0 to 67108864)",
            ),
            (
                "divisors_into",
                json!({"n": 1, "room": 20_000_000}),
                "/room: 20000000 does not fit size_t as a capacity (0 to 16777216)",
            ),
        ],
    );
}

#[test]
#[cfg(not(opendyn_exact_buffers))]
fn a_capacity_that_is_too_small_is_an_error() {
    let chosen = chosen();
    // SAFETY: what C writes beyond it is within the guard.
    assert_eq!(unsafe { chosen.format_number(123, 2) }, Err(CallError::Overrun { value: "text" }));
    let written = CallError::Overrun { value: "xs" };
    // SAFETY: what C writes beyond it is within the guard.
    assert_eq!(unsafe { chosen.divisors_into(6, 2) }, Err(written));
    opendyn_tests::assert_failed(
        &chosen,
        [
            ("format_number", json!({"value": 123, "capacity": 2}), "C wrote past the end of `text`"),
            ("divisors_into", json!({"n": 6, "room": 2}), "C wrote past the end of `xs`"),
        ],
    );
}

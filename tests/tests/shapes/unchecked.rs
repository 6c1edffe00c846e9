//! Pointers whose length is not in the document.
//!
//! The typed methods are `unsafe` and take slices. JSON calls are refused with the name of the missing
//! key, unless the binding was generated with `unchecked = allow`: then arrays are passed unchecked, and
//! strings are written to a buffer of 64 KiB.

use opendyn::ToolError;
use serde_json::json;

use super::{Twin, answer, shapes};

mod allowed {
    use opendyn_model::Unchecked;

    opendyn::opendyn!("fixtures/shapes/tool.json", unchecked = allow);
    opendyn_tests::twin!(Shapes = "fixtures/shapes/tool.json", |options| options.unchecked =
        Unchecked::Allow);
}

fn allowed() -> Twin<allowed::Shapes> {
    // SAFETY: fixtures/shapes/tool.json describes c/shapes.c correctly.
    unsafe { Twin::open("shapes", &[]) }.expect("every function that is not optional is there")
}

#[test]
fn arrays_are_slices_in_unsafe_methods() {
    let shapes = shapes(&[]);
    // SAFETY: every count is the length of its array, and `sum` accepts NULL.
    unsafe {
        assert_eq!(shapes.sum(Some(&mut [1, 2, -4]), 3), -1);
        assert_eq!(shapes.sum(None, 3), 0, "NULL");
        assert_eq!(shapes.count_true(&mut [true, false, true], 3), 2);
        assert_eq!(shapes.mean(&mut [1.0, 2.0], 2), 1.5);
    }
}

#[test]
fn buffers_are_slices_in_unsafe_methods() {
    let shapes = shapes(&[]);
    let mut values = [-1; 5];
    // SAFETY: the count is less than the length of the array.
    unsafe { shapes.squares(&mut values, 4) };
    assert_eq!(values, [0, 1, 4, 9, -1]);
    let mut text = [0; 32];
    // SAFETY: "number ", an int of at most 11 characters and a NUL fit the buffer.
    let written = unsafe { shapes.describe(42, &mut text) };
    let text: Vec<u8> = text.iter().take_while(|unit| **unit != 0).map(|unit| *unit as u8).collect();
    assert_eq!((written, &text[..]), (9, &b"number 42"[..]));
}

#[test]
fn a_returned_array_is_its_address() {
    let shapes = shapes(&[]);
    let primes = shapes.primes();
    // SAFETY: `primes` returns four numbers that live as long as the library.
    assert_eq!(unsafe { std::slice::from_raw_parts(primes, 4) }, [2, 3, 5, 7]);
}

#[test]
fn json_is_refused_with_the_key_that_is_missing() {
    let shapes = shapes(&[]);
    for (function, reason) in [
        ("sum", "the document does not say how long the array `values` is (`x-length`)"),
        ("count_true", "the document does not say how long the array `flags` is (`x-length`)"),
        ("squares", "the document does not say how large the buffer `values` must be (`x-length`)"),
        ("describe", "the document does not say how large the buffer `text` must be (`x-length`)"),
        ("primes", "the document does not say how long the array `primes` is (`x-length`)"),
    ] {
        // Refused before the arguments are read: no arguments would be valid.
        let error = shapes.call_json(function, r#"{"values":[1],"count":1}"#).expect_err(function);
        let expected = ToolError::NotCallable { name: function.to_owned(), reason: reason.to_owned() };
        assert_eq!(error, expected, "{function}");
        assert_eq!(error.to_string(), format!("`{function}` cannot be called with JSON: {reason}"));
        assert_eq!(answer(&shapes, function, &json!({})), Err(error.to_string()), "{function}");
    }
}

#[test]
fn allowed_arrays_are_passed_as_they_come() {
    let shapes = allowed();
    for (function, arguments, reply) in [
        ("sum", json!({"values": [1, 2, -4], "count": 3}), json!({"sum": -1})),
        ("sum", json!({"values": [], "count": 0}), json!({"sum": 0})),
        ("sum", json!({"values": null, "count": 3}), json!({"sum": 0})),
        ("sum", json!({"count": 3}), json!({"sum": 0})),
        ("count_true", json!({"flags": [true, false, true], "count": 3}), json!({"found": 2})),
        ("mean", json!({"values": [1, 2.0, 6e0], "count": 3}), json!({"mean": 3.0})),
    ] {
        assert_eq!(answer(&shapes, function, &arguments), Ok(reply), "{function} {arguments}");
    }
    let many: Vec<i32> = (0..10_000).collect();
    let reply = answer(&shapes, "sum", &json!({"values": many, "count": many.len()}));
    assert_eq!(reply, Ok(json!({"sum": 49_995_000})));
}

#[test]
fn every_element_of_an_allowed_array_is_checked() {
    let shapes = allowed();
    for (function, arguments, expected) in [
        (
            "sum",
            json!({"values": [1, 2, 3_000_000_000_u32], "count": 3}),
            "/values/2: 3000000000 does not fit int (-2147483648 to 2147483647)",
        ),
        ("sum", json!({"values": [1, "2"], "count": 2}), "/values/1: \"2\" is a string; expected an integer"),
        ("sum", json!({"values": [null], "count": 1}), "/values/0: null is null; expected an integer"),
        ("count_true", json!({"flags": [true, 1], "count": 2}), "/flags/1: 1 is a number; expected true or"),
        ("mean", json!({"values": [[1]], "count": 1}), "/values/0: "),
        (
            "mean",
            json!({"values": 1, "count": 1}),
            "/values: 1 is a number; expected an array whose elements",
        ),
        ("mean", json!({"count": 1}), "/values: missing; expected an array whose elements"),
    ] {
        let error = answer(&shapes, function, &arguments).expect_err(function);
        assert!(error.contains(expected), "{function} {arguments}: {error}");
    }
}

#[test]
fn an_allowed_text_buffer_is_returned_under_its_name() {
    let shapes = allowed();
    let reply = shapes.call_json("describe", r#"{"number":-42}"#);
    assert_eq!(reply.as_deref(), Ok(r#"{"written":10,"text":"number -42"}"#));
    assert_eq!(
        answer(&shapes, "describe", &json!({"number": 7})),
        Ok(json!({"written": 8, "text": "number 7"})),
        "each call has a buffer of its own"
    );
}

#[test]
fn a_buffer_that_no_caller_can_size_stays_refused() {
    let shapes = allowed();
    for function in ["squares", "primes"] {
        let error = shapes.call_json(function, r#"{"count":1}"#).expect_err(function);
        assert!(matches!(error, ToolError::NotCallable { .. }), "{function}: {error}");
        assert!(error.to_string().contains("(`x-length`)"), "{function}: {error}");
    }
}

//! Buffers with their lengths beside them, in and out.

use opendyn::CallError;
use serde_json::json;

use super::{InBuffer, OutBuffer, Tail, deep, error, reply};

#[test]
fn bytes_go_in_with_their_length_and_come_out_as_far_as_c_wrote() {
    let deep = deep();
    let mut input = InBuffer { src: b"hello".to_vec(), pos: 0 };
    let mut output = OutBuffer { size: 3, ..OutBuffer::default() };
    assert_eq!(deep.pump(&mut output, &mut input), Ok(2));
    assert_eq!((output.dst.as_slice(), output.size, output.pos), (&b"hel"[..], 3, 3));
    assert_eq!((input.src.as_slice(), input.pos), (&b"hello"[..], 3));

    let pumped =
        reply(&deep, "pump", &json!({"out": {"size": 3, "pos": 0}, "in": {"src": "aGVsbG8=", "pos": 0}}));
    assert_eq!(
        pumped,
        json!({"left": 2, "out": {"dst": "aGVs", "size": 3, "pos": 3}, "in": {"src": "aGVsbG8=", "pos": 3}})
    );
}

#[test]
fn empty_buffers_are_not_null() {
    let deep = deep();
    let mut output = OutBuffer::default();
    assert_eq!(deep.pump(&mut output, &mut InBuffer::default()), Ok(0));
    assert_eq!(output, OutBuffer::default());
    let pumped = reply(&deep, "pump", &json!({"out": {"size": 0, "pos": 0}, "in": {"src": "", "pos": 0}}));
    assert_eq!(pumped["out"]["dst"], json!(""));
}

#[test]
fn a_buffer_in_a_struct_is_not_given_and_its_capacity_is_checked() {
    let deep = deep();
    let input = json!({"src": "", "pos": 0});
    let given = error(&deep, "pump", &json!({"out": {"dst": "", "size": 1, "pos": 0}, "in": input}));
    assert!(given.contains("/out/dst: unknown member"), "{given}");
    let large =
        error(&deep, "pump", &json!({"out": {"size": 9_007_199_254_740_991_u64, "pos": 0}, "in": input}));
    assert!(large.contains("`dst`"), "{large}");
    let mut output = OutBuffer { size: usize::MAX, ..OutBuffer::default() };
    let error = deep.pump(&mut output, &mut InBuffer::default()).expect_err("too large");
    assert!(matches!(error, CallError::Capacity { value: "dst", .. }), "{error:?}");
}

#[cfg(not(opendyn_exact_buffers))]
#[test]
fn a_write_past_the_end_of_a_buffer_is_an_error() {
    let deep = deep();
    let mut output = OutBuffer { size: 4, ..OutBuffer::default() };
    assert_eq!(deep.overfill(&mut output), Err(CallError::Overrun { value: "dst" }));
    let message = error(&deep, "overfill", &json!({"out": {"size": 4, "pos": 0}}));
    assert!(message.contains("past the end of `dst`"), "{message}");
}

#[test]
fn more_than_the_capacity_is_not_believed() {
    let deep = deep();
    let mut output = OutBuffer { size: 4, ..OutBuffer::default() };
    let typed = deep.overstate(&mut output).expect_err("five of four");
    assert!(matches!(typed, CallError::Written { value: "dst", count: 5, .. }), "{typed:?}");
    assert!(error(&deep, "overstate", &json!({"out": {"size": 4, "pos": 0}})).contains("`dst`"));
}

#[test]
fn a_buffer_that_c_moves_and_counts_down_has_what_was_written() {
    let deep = deep();
    let mut tail = Tail { left: 5, ..Tail::default() };
    deep.append(&mut tail, c"abc").expect("room");
    assert_eq!((tail.next.as_c_str(), tail.left), (c"abc", 2));
    let appended = reply(&deep, "append", &json!({"out": {"left": 2}, "text": "abc"}));
    assert_eq!(appended, json!({"out": {"next": "ab", "left": 0}}));
}

//! Members of a state that are arguments and results of one call.

use serde_json::json;

use crate::{call, counted, states, token};

#[test]
fn a_call_is_lent_input_and_room() {
    let states = states();
    let mut stream = states.stream_begin();
    let step = stream.run(10, b"hello", 3).expect("room");
    assert_eq!((step.code.0, step.avail_in, step.next_out.as_slice()), (0, 2, &b"HEL"[..]));
    let step = stream.run(10, b"lo", 3).expect("room");
    assert_eq!((step.code.0, step.avail_in, step.next_out.as_slice()), (1, 0, &b"LO"[..]));
    assert_eq!(stream.total(), 5);
    let step = stream.run(10, b"", 0).expect("nothing to do");
    assert_eq!((step.avail_in, step.next_out.len()), (0, 0));
}

#[test]
fn no_memory_of_a_call_is_left_in_the_state() {
    let states = states();
    let mut stream = states.stream_begin();
    assert!(stream.is_clear());
    let _ = stream.run(1, b"hello", 3).expect("room");
    assert!(stream.is_clear(), "after a call");
    stream.run(9, b"!", 3).expect_err("a forbidden byte");
    assert!(stream.is_clear(), "after one that failed");
    let _ = stream.sum(Some(&[1, 2, 3]), 2).expect("room");
    assert!(stream.is_clear(), "after one with a count of its own");
}

#[test]
fn a_failure_has_the_text_in_a_member() {
    let states = states();
    let mut stream = states.stream_begin();
    assert_eq!(stream.msg(), None);
    let error = stream.run(9, b"ab!", 9).expect_err("a forbidden byte");
    assert_eq!((error.code(), error.text()), (Some(-1), Some("an exclamation mark")));
    assert_eq!(stream.msg().as_deref(), Some(c"an exclamation mark"));
    assert_eq!(stream.total(), 2);
}

#[test]
fn the_state_stays_in_its_place_when_it_is_moved() {
    let states = states();
    let mut moved = Box::new(states.stream_begin());
    let _ = moved.run(1, b"a", 1).expect("C finds it where it was");
    let mut again = *moved;
    let _ = again.run(1, b"a", 1).expect("C finds it where it was");
    drop(again);
    assert_eq!((states.keys_living(), states.keys_faults()), (0, 0));
}

#[test]
fn a_count_that_cannot_be_is_an_error() {
    let states = states();
    let mut stream = states.stream_begin();
    let error = stream.lie(10).expect_err("more room is left than there was");
    assert!(error.to_string().contains("next_out"), "{error}");
    assert!(stream.is_clear());
}

#[test]
fn numbers_may_be_absent_and_counts_may_be_their_own() {
    let states = states();
    let mut stream = states.stream_begin();
    let sum = stream.sum(Some(&[3, 4, 5]), 2).expect("room");
    assert_eq!((sum.sum, sum.count, sum.halves), (12, 3, vec![1.5, 2.0]));
    let sum = stream.sum(None, 2).expect("room");
    assert_eq!((sum.sum, sum.count, sum.halves), (-1, 0, Vec::new()));
}

#[test]
fn two_states_of_one_call_differ() {
    let states = states();
    let (mut one, mut other) = (states.stream_begin(), states.stream_begin());
    let _ = one.run(9, b"abc", 9).expect("room");
    other.copy(&mut one).expect("they differ");
    assert_eq!(other.total(), 3);
    let one = token(&states, "stream_begin", &json!({}), "s");
    let error = call(&states, "stream_copy", &json!({"into": one, "from": one})).expect_err("the same");
    assert!(error.to_string().contains("/from"), "{error}");
    assert_eq!(states.keys_faults(), 0);
}

#[test]
fn json_callers_give_and_get_the_same() {
    let states = states();
    let stream = token(&states, "stream_begin", &json!({}), "s");
    let run = |bytes: &str, room: u32| {
        call(&states, "stream_run", &json!({"s": stream, "most": 10, "next_in": bytes, "avail_out": room}))
    };
    let reply = run("aGVsbG8=", 3).expect("room");
    assert_eq!(reply, json!({"code": 0, "avail_in": 2, "next_out": "SEVM"}));
    assert_eq!(run("bG8=", 3).expect("room"), json!({"code": 1, "avail_in": 0, "next_out": "TE8="}));
    assert_eq!(call(&states, "stream_is_clear", &json!({"s": stream})), Ok(json!({"clear": true})));
    assert_eq!(call(&states, "stream_total", &json!({"s": stream})), Ok(json!({"total": 5})));
    assert_eq!(call(&states, "stream_msg", &json!({"s": stream})), Ok(json!({"msg": null})));
    let error = run("YWIh", 9).expect_err("a forbidden byte");
    assert!(error.to_string().contains("an exclamation mark"), "{error}");
    assert_eq!(call(&states, "stream_is_clear", &json!({"s": stream})), Ok(json!({"clear": true})));
    call(&states, "stream_lie", &json!({"s": stream, "avail_out": 10})).expect_err("it cannot be");
    let reply = call(&states, "stream_sum", &json!({"s": stream, "numbers": [3, 4, 5], "room": 2}));
    assert_eq!(reply, Ok(json!({"sum": 12, "count": 3, "halves": [1.5, 2.0]})));
    let reply = call(&states, "stream_sum", &json!({"s": stream, "room": 2}));
    assert_eq!(reply, Ok(json!({"sum": -1, "count": 0, "halves": []})));
    run("!!", u32::MAX).expect_err("too much room");
    call(&states, "stream_end", &json!({"s": stream})).expect("it ends");
    assert_eq!(counted(&states), (json!(0), json!(0)));
}

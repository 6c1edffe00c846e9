//! Calls beyond the limits, values that a reply cannot hold, and functions that fail.

use opendyn::ToolError;
use serde_json::{Value, json};

use super::{call, collect};

#[test]
fn calls_beyond_the_limit_are_counted_and_answered_with_stop() {
    let collect = collect();
    let reply = call(&collect, "rows_each", &json!({"rows": 5, "visit": true})).expect("a reply");
    assert_eq!((&reply["calls"], reply.get("visitOmitted")), (&json!(5), None));
    let reply = call(&collect, "rows_each", &json!({"rows": 100, "visit": true})).expect("a reply");
    assert_eq!(reply["visit"].as_array().map(Vec::len), Some(5));
    assert_eq!((&reply["calls"], &reply["visitOmitted"]), (&json!(6), &json!(1)), "`stop` ended it");
    let reply = call(&collect, "points_each", &json!({"n": 5, "missing": -1})).expect("a reply");
    assert_eq!((&reply["yes"], &reply["visitOmitted"]), (&json!(3), &json!(2)), "`stop` was false");
    let reply =
        call(&collect, "calls_fail", &json!({"n": 1200, "fail": false, "visit": true})).expect("a reply");
    assert_eq!(reply["visit"].as_array().map(Vec::len), Some(1000), "the default");
    assert_eq!(reply["visitOmitted"], 200);
}

#[test]
fn calls_that_take_too_much_memory_are_left_out() {
    let collect = collect();
    let reply = call(&collect, "flood", &json!({"n": 20, "length": 1 << 20})).expect("a reply");
    let calls = reply["visit"].as_array().expect("calls");
    assert_eq!(calls.len(), 15, "16 MiB hold 15 texts of 1 MiB and what belongs to them");
    assert_eq!((&reply["on"], &reply["visitOmitted"]), (&json!(15), &json!(5)));
    let reply = call(&collect, "flood", &json!({"n": 2, "length": 17 << 20})).expect("a reply");
    assert_eq!(reply, json!({"on": 0, "visit": [], "visitOmitted": 2}));
    let reply = call(&collect, "flood", &json!({"n": 100_001, "length": 0})).expect("a reply");
    assert_eq!((&reply["on"], &reply["visitOmitted"]), (&json!(100_000), &json!(1)));
}

#[test]
fn a_value_that_json_cannot_hold_is_the_error_of_the_call() {
    let collect = collect();
    let error = call(&collect, "texts_stop", &json!({"n": 5, "bad": 3})).expect_err("not UTF-8");
    assert_eq!(error.to_string(), "the call failed: `visit`/3/text is not UTF-8: byte 0xff at index 1");
    assert_eq!(
        call(&collect, "texts_stop", &json!({"n": 2, "bad": -1})),
        Ok(json!({"visit": [{"text": "good"}, {"text": "good"}]}))
    );
    assert_eq!(
        call(&collect, "texts_stop", &json!({"n": 5, "bad": 3, "visit": false})),
        Ok(json!({"visit": null})),
        "nothing is copied that is not wanted"
    );
}

#[test]
fn beyond_the_limit_stop_is_what_c_makes_of_it() {
    let error =
        call(&collect(), "texts_stop", &json!({"n": 1001, "bad": -1})).expect_err("stop is an error here");
    let ToolError::CallFailed { code, details, .. } = error else { panic!("{error}") };
    assert_eq!(code, Some(7));
    let outputs = details.expect("the calls").outputs;
    assert_eq!(outputs["visit"].as_array().map(Vec::len), Some(1000));
}

#[test]
fn the_calls_before_a_failure_are_outputs_of_the_error() {
    let collect = collect();
    let error =
        call(&collect, "calls_fail", &json!({"n": 2, "fail": true, "visit": true})).expect_err("it fails");
    assert_eq!(error.to_string(), "the call failed with code 3: it failed");
    let ToolError::CallFailed { details, .. } = error else { panic!("{error}") };
    let outputs = Value::Object(details.expect("outputs").outputs);
    assert_eq!(outputs, json!({"message": "it failed", "visit": [{"i": 0}, {"i": 1}]}));
    let error = call(&collect, "calls_fail", &json!({"n": 2, "fail": true})).expect_err("it fails");
    let ToolError::CallFailed { details, .. } = error else { panic!("{error}") };
    assert_eq!(Value::Object(details.expect("outputs").outputs), json!({"message": "it failed"}));
}

#[test]
fn a_callback_that_must_compute_is_for_rust_callers() {
    let error = call(&collect(), "sort_ints", &json!({"xs": [2, 1]})).expect_err("refused");
    let ToolError::NotCallable { reason, .. } = error else { panic!("{error}") };
    assert_eq!(
        reason,
        "`compare` is a callback without `collect`: it computes, so only Rust code can pass it"
    );
}

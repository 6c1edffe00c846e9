//! Callbacks whose calls a JSON caller gets.
//!
//! What the calls hold is in `values`, limits and failures are in `limits`, callbacks that a handle keeps in
//! `kept`; typed callers have closures, in `typed`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod kept;
mod limits;
mod typed;
mod values;

use opendyn::{Tool, ToolError};
use opendyn_tests::Twin;
use serde_json::Value;

opendyn::opendyn!("fixtures/keys-collect/tool.json");
opendyn_tests::twin!(KeysCollect = "fixtures/keys-collect/tool.json");

/// A separate library for each test.
fn collect() -> Twin<KeysCollect> {
    // SAFETY: fixtures/keys-collect/tool.json describes c/keys_collect.c correctly.
    unsafe { Twin::open("keys_collect", &[]) }.expect("every function is there")
}

fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

/// Every function of the document. Each is called typed and through JSON.
const TESTED: [&str; 30] = [
    "answer_byte",
    "answer_float",
    "answer_level",
    "answer_short",
    "answer_truth",
    "answer_wide",
    "calls_fail",
    "emitter_close",
    "emitter_detach",
    "emitter_feed",
    "emitter_keep_busy",
    "emitter_new",
    "emitter_on_end",
    "emitter_on_start",
    "emitter_on_text",
    "emitter_sum",
    "emitter_tick",
    "emitter_why",
    "emitters_living",
    "flood",
    "kinds_pass",
    "numbers_pass",
    "pairs_each",
    "points_each",
    "rows_each",
    "rows_listed",
    "sort_ints",
    "texts_each",
    "texts_stop",
    "texts_unlisted",
];

#[test]
fn every_function_is_tested() {
    opendyn_tests::assert_all_tested(&collect(), &TESTED);
}

//! Memory of the caller that C uses between calls: members that a call lends (`streams`), and states that are linked to
//! others and end later (`alarms`).

#![expect(clippy::expect_used, reason = "test code may panic")]

mod alarms;
mod streams;

use opendyn::{Tool, ToolError};
use opendyn_tests::Twin;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-states/tool.json");
opendyn_tests::twin!(KeysStates = "fixtures/keys-states/tool.json");

/// A separate library for each test.
fn states() -> Twin<KeysStates> {
    // SAFETY: fixtures/keys-states/tool.json describes c/keys_states.c correctly.
    unsafe { Twin::open("keys_states", &[]) }.expect("every function is there")
}

/// The reply of a call with JSON.
fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

/// The token that a call gives as `name`.
fn token(tool: &impl Tool, function: &str, arguments: &Value, name: &str) -> String {
    call(tool, function, arguments).expect(function)[name].as_str().expect("a token").to_owned()
}

/// How many states live, and how many mistakes were made, among those of JSON callers.
fn counted(tool: &impl Tool) -> (Value, Value) {
    let count = |function: &str| call(tool, function, &json!({})).expect(function)["count"].take();
    (count("keys_living"), count("keys_faults"))
}

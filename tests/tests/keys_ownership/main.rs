//! Who owns, who keeps and who frees: `x-free` in all its forms, refusals, states that end, `x-keeps`, several parents,
//! `x-validUntil`, `x-retain`.
//!
//! `c/keys_ownership.c` counts live objects and every use of a freed one, and reads memory that it keeps where that
//! lies: without the mechanism, tests of `kept` and `states` are uses after free, which a sanitizer reports. Typed calls
//! are in `typed`, those with JSON in `json`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod counted;
mod json;
mod kept;
mod states;
mod typed;

use opendyn::{Tool, ToolError};
use opendyn_tests::{Twin, TwinLibrary};
use serde_json::Value;

opendyn::opendyn!("fixtures/keys-ownership/tool.json");
opendyn_tests::twin!(KeysOwnership = "fixtures/keys-ownership/tool.json");

/// A separate library for each test.
fn tool() -> Twin<KeysOwnership> {
    // SAFETY: fixtures/keys-ownership/tool.json describes c/keys_ownership.c correctly.
    unsafe { Twin::open_in(&TwinLibrary::new("keys_ownership", &[])) }
        .expect("every function of the document is there")
}

/// The reply of a call with JSON.
fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

/// The token that a call returns as `name`.
fn token(tool: &impl Tool, function: &str, arguments: &Value, name: &str) -> String {
    let reply = call(tool, function, arguments).expect(function);
    reply[name].as_str().expect("a token is a string").to_owned()
}

/// How many objects are alive, and how many faults there were, in both libraries.
fn counted(tool: &impl Tool) -> (i64, i64) {
    let count = |function| {
        call(tool, function, &serde_json::json!({})).expect("a count")["count"].as_i64().expect("a number")
    };
    (count("keys_living"), count("keys_faults"))
}

/// Typed calls reach only the library of the binding.
fn alive(tool: &KeysOwnership) -> (i32, i32) {
    (tool.keys_living(), tool.keys_faults())
}

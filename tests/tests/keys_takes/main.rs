//! Ownership that passes to C: `x-takes`, for good and into another handle, always and on success only; and the arguments
//! of a function that frees, which must be those that the handle was made with. `memory` is about memory that passes to C.
//!
//! `c/keys_takes.c` counts live objects and every misuse of one, and reads what it keeps where that lies. Typed calls are
//! in `typed`, those with JSON in `json`, where the compiled binding and the interpreter must agree.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod arrays;
mod json;
mod memory;
mod typed;

use opendyn::{Tool, ToolError};
use opendyn_tests::{Twin, TwinLibrary};
use serde_json::Value;

opendyn::opendyn!("fixtures/keys-takes/tool.json");
opendyn_tests::twin!(KeysTakes = "fixtures/keys-takes/tool.json");

/// A separate library for each test.
fn tool() -> Twin<KeysTakes> {
    // SAFETY: fixtures/keys-takes/tool.json describes c/keys_takes.c correctly.
    unsafe { Twin::open_in(&TwinLibrary::new("keys_takes", &[])) }
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
fn alive(tool: &KeysTakes) -> (i32, i32) {
    (tool.keys_living(), tool.keys_faults())
}

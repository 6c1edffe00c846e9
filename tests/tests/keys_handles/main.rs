//! Handles, on banks and the accounts in them: who frees what, and when.
//!
//! `c/keys_handles.c` counts live objects, and every use of a freed one. Handles in Rust are in `typed`,
//! those of JSON callers in `tokens`, which type has a method in `receivers`, isolated callers in `sessions`, and functions that free one handle
//! of several in `several`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod receivers;
mod sessions;
mod several;
mod tokens;
mod typed;

use opendyn::{Tool, ToolError};
use opendyn_tests::{Twin, TwinLibrary};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-handles/tool.json");
opendyn_tests::twin!(KeysHandles = "fixtures/keys-handles/tool.json");

/// A separate library for each test.
fn banks() -> Twin<KeysHandles> {
    open(&TwinLibrary::new("keys_handles", &[]))
}

/// Two bindings of one library: one can count what the other leaves behind.
fn banks_and_observer() -> (Twin<KeysHandles>, Twin<KeysHandles>) {
    let library = TwinLibrary::new("keys_handles", &[]);
    // SAFETY: as for `open`; one thread uses both.
    (open(&library), unsafe { Twin::beside(&library) })
}

fn open(library: &TwinLibrary) -> Twin<KeysHandles> {
    // SAFETY: fixtures/keys-handles/tool.json describes c/keys_handles.c correctly.
    unsafe { Twin::open_in(library) }.expect("every function of the document is there")
}

/// How many objects are alive, and how many faults there were, in both libraries.
fn counted(tool: &impl Tool) -> (i64, i64) {
    let count = |function| call(tool, function, &json!({})).expect("a count")["count"].as_i64();
    (count("keys_living").expect("a number"), count("keys_faults").expect("a number"))
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

fn open_bank(tool: &impl Tool) -> String {
    token(tool, "bank_open", &json!({"name": "ours"}), "bank")
}

fn open_account(tool: &impl Tool, bank: &str, balance: i32) -> String {
    token(tool, "account_open", &json!({"bank": bank, "balance": balance}), "account")
}

/// The error of `function` with `token` as its argument `name`.
fn refusal(tool: &impl Tool, function: &str, name: &str, token: &str) -> String {
    let error = call(tool, function, &json!({name: token})).expect_err("it is refused");
    assert_eq!(error.code(), 400, "{error}");
    error.to_string()
}

/// Every function of the document. Each is called typed and through JSON.
const TESTED: [&str; 26] = [
    "account_balance",
    "account_bank",
    "account_bank_out",
    "account_close",
    "account_deposit",
    "account_drop",
    "account_end",
    "account_find_out",
    "account_open",
    "account_open_out",
    "balance_or",
    "bank_close",
    "bank_find",
    "bank_find_out",
    "bank_name",
    "bank_open",
    "bank_open_out",
    "bank_plate",
    "bank_rename",
    "bank_richest",
    "bank_shut",
    "central_bank",
    "keys_faults",
    "keys_living",
    "plate_length",
    "transfer",
];

#[test]
fn every_function_is_tested() {
    opendyn_tests::assert_all_tested(&banks(), &TESTED);
}

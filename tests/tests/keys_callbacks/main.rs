//! Closures that C calls.
//!
//! Those that C may call while a function runs are in `during`, those that a handle keeps in `kept`,
//! their panics in `panics`, and calls from JSON, which has no closures, in `absent`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod absent;
mod copies;
mod during;
mod kept;
mod panics;

use opendyn_tests::Twin;

opendyn::opendyn!("fixtures/keys-callbacks/tool.json");
opendyn_tests::twin!(KeysCallbacks = "fixtures/keys-callbacks/tool.json");

/// A separate library for each test.
fn callbacks() -> Twin<KeysCallbacks> {
    // SAFETY: fixtures/keys-callbacks/tool.json describes c/keys_callbacks.c correctly.
    unsafe { Twin::open("keys_callbacks", &[]) }.expect("every function is there")
}

/// Every function of the document. Each is called typed and through JSON.
const TESTED: [&str; 25] = [
    "all_kinds",
    "apply",
    "apply_optional",
    "call_until_negative",
    "choose",
    "count_down",
    "each_bytes",
    "each_color",
    "each_int",
    "each_maybe_text",
    "each_point",
    "each_raw",
    "each_row",
    "each_slice",
    "each_text",
    "find",
    "hub_close",
    "hub_fire",
    "hub_free",
    "hub_listen",
    "hub_log",
    "hub_new",
    "hub_try_close",
    "integrate",
    "keys_living",
];

#[test]
fn every_function_is_tested() {
    opendyn_tests::assert_all_tested(&callbacks(), &TESTED);
}

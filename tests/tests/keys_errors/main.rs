//! How functions report a failure: `x-error`, `x-errors`, `x-codeNames`, and enums as codes.
//!
//! `c/keys_errors.c` has one function per condition, source of the code and source of the text, and counts what it
//! allocates. Typed calls are in `typed`; `json` compares calls with JSON, compiled and interpreted;
//! `nested` has errors that are behind two calls.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod json;
mod nested;
mod typed;

use std::ops::Deref;

use opendyn_tests::shared_library;

opendyn::opendyn!("fixtures/keys-errors/tool.json");

/// A separate library for each test. At the end of a test, everything that C allocated must have been freed exactly
/// once.
struct Errors(KeysErrors);

impl Deref for Errors {
    type Target = KeysErrors;

    fn deref(&self) -> &KeysErrors {
        &self.0
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!((self.errors_allocated(), self.errors_faults()), (0, 0), "at the end");
        }
    }
}

fn errors() -> Errors {
    // SAFETY: fixtures/keys-errors/tool.json describes c/keys_errors.c correctly.
    Errors(unsafe { KeysErrors::open(shared_library("keys_errors", &[])) }.expect("every function is there"))
}

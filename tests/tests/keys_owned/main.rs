//! Memory that C allocates and that has to be freed, results that may be NULL, and codes.
//!
//! `c/keys_owned.c` counts allocations and invalid frees. Memory is in `memory`, codes are in `codes`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod codes;
mod memory;

use std::ops::Deref;
use std::ptr;

use opendyn::ToolError;
use opendyn_tests::Twin;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-owned/tool.json");
opendyn_tests::twin!(KeysOwned = "fixtures/keys-owned/tool.json");

/// A separate library for each test. At the end of a test, everything that C allocated must have been
/// freed exactly once.
struct Owned(Twin<KeysOwned>);

impl Deref for Owned {
    type Target = Twin<KeysOwned>;

    fn deref(&self) -> &Twin<KeysOwned> {
        &self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.assert_freed("at the end");
        }
    }
}

impl Owned {
    #[track_caller]
    fn assert_freed(&self, when: &str) {
        assert_eq!((self.keys_allocated(), self.keys_faults()), (0, 0), "{when}");
        for function in ["keys_allocated", "keys_faults"] {
            assert_eq!(self.call_json(function, "{}").as_deref(), Ok(r#"{"count":0}"#), "{when}");
        }
    }

    /// The reply of a call with JSON, which must leave nothing allocated.
    #[track_caller]
    fn call(&self, function: &str, arguments: &Value) -> Result<Value, ToolError> {
        let reply = self.call_json(function, &arguments.to_string());
        self.assert_freed(function);
        Ok(serde_json::from_str(&reply?).expect("a reply is JSON"))
    }

    /// The error of a call that fails without a code, which must leave nothing allocated.
    #[track_caller]
    fn failure(&self, function: &str, arguments: &Value) -> String {
        let error = self.call(function, arguments).expect_err(function);
        assert!(matches!(error, ToolError::CallFailed { code: None, .. }), "{error:?}");
        error.to_string()
    }
}

fn owned() -> Owned {
    // SAFETY: fixtures/keys-owned/tool.json describes c/keys_owned.c correctly.
    Owned(unsafe { Twin::open("keys_owned", &[]) }.expect("every function is there"))
}

/// Every function of the document. Each is called typed and through JSON.
const TESTED: [&str; 35] = [
    "code_divide",
    "code_fill",
    "code_int",
    "code_negative",
    "code_one",
    "code_other",
    "code_plain",
    "code_short",
    "code_small",
    "code_unsigned",
    "code_wide",
    "keys_allocated",
    "keys_faults",
    "keys_free",
    "maybe_int",
    "maybe_ints",
    "maybe_text",
    "maybe_text_out",
    "owned_and_claim",
    "owned_broken",
    "owned_bytes",
    "owned_ints",
    "owned_ints_out",
    "owned_names",
    "owned_nan",
    "owned_point",
    "owned_point_out",
    "owned_text",
    "owned_text_late",
    "owned_text_nullable",
    "owned_text_out",
    "owned_two_out",
    "owned_two_sure",
    "owned_utf16",
    "sure_text",
];

#[test]
fn every_function_is_tested() {
    opendyn_tests::assert_all_tested(&*owned(), &TESTED);
}

#[test]
fn the_function_that_frees_takes_null_alone_from_json() {
    let owned = owned();
    // SAFETY: NULL is allowed.
    unsafe { owned.keys_free(ptr::null_mut()) };
    assert_eq!(owned.call("keys_free", &json!({})), Ok(json!({})));
    assert_eq!(owned.call("keys_free", &json!({"pointer": null})), Ok(json!({})));
    let error = owned.call("keys_free", &json!({"pointer": 4096})).expect_err("no address comes from JSON");
    assert!(matches!(&error, ToolError::InvalidArguments(error) if error.pointer == "/pointer"), "{error}");
    assert_eq!(owned.call("keys_allocated", &json!({})), Ok(json!({"count": 0})));
    assert_eq!(owned.call("keys_faults", &json!({})), Ok(json!({"count": 0})));
}

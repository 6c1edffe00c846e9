//! Calls of a binding through JSON in tests, and its description of its functions.

use std::collections::BTreeSet;

use opendyn::{OpenTool, Tool, ToolError};
use serde_json::Value;

use crate::{Compiled, Twin};

/// The reply of a call with JSON text, or the text of its error. A call with a map must have the same
/// result; only the way an error quotes a nested value may differ.
///
/// The function is called twice, so its reply must not depend on earlier calls.
///
/// # Errors
///
/// The binding refused the call, or it failed.
///
/// # Panics
///
/// `arguments` is not an object, or text and map have different results.
#[expect(clippy::expect_used, reason = "test code may panic")]
pub fn answer(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, String> {
    let mut out = b"before".to_vec();
    let text = tool.call_into(function, arguments.to_string().as_bytes(), &mut out);
    let map = tool.call(function, arguments.as_object().expect("arguments are an object"));
    let place = |error: &ToolError| (error.code(), error.to_json().get("pointer").cloned());
    if let Err(error) = text {
        assert_eq!(out, b"before", "{function}: an error leaves the buffer unchanged");
        let other = map.expect_err("an error of the text is an error of the map");
        assert_eq!(place(&error), place(&other), "{function} {arguments}");
        return Err(error.to_string());
    }
    let reply: Value = serde_json::from_slice(&out[b"before".len()..]).expect("a reply is JSON");
    assert_eq!(map.map(Value::Object).as_ref(), Ok(&reply), "{function} {arguments}");
    Ok(reply)
}

/// Asserts the reply of each call.
///
/// # Panics
///
/// A reply differs.
pub fn assert_answers<const N: usize>(tool: &impl Tool, calls: [(&str, Value, Value); N]) {
    for (function, arguments, expected) in calls {
        assert_eq!(answer(tool, function, &arguments), Ok(expected), "{function} {arguments}");
    }
}

/// Asserts that each call is refused with this text, before C is called.
///
/// # Panics
///
/// A call is not refused, or with another text.
pub fn assert_refused<const N: usize>(tool: &impl Tool, calls: [(&str, Value, &str); N]) {
    for (function, arguments, expected) in calls {
        let expected = format!("invalid arguments: {expected}");
        assert_eq!(answer(tool, function, &arguments), Err(expected), "{function} {arguments}");
    }
}

/// Asserts that each call fails with this text, after C was called.
///
/// # Panics
///
/// A call does not fail, or with another text.
pub fn assert_failed<const N: usize>(tool: &impl Tool, calls: [(&str, Value, &str); N]) {
    for (function, arguments, expected) in calls {
        let expected = format!("the call failed: {expected}");
        assert_eq!(answer(tool, function, &arguments), Err(expected), "{function} {arguments}");
    }
}

/// Asserts that the functions of the document are those that are tested: a function that is added
/// without a test fails here.
///
/// # Panics
///
/// They differ.
#[expect(clippy::expect_used, reason = "test code may panic")]
pub fn assert_all_tested(tool: &impl Tool, tested: &[&str]) {
    let document = tool.load().expect("a binding describes itself");
    let functions: BTreeSet<&str> =
        document.functions.iter().map(|function| function.name.as_str()).collect();
    let tested: BTreeSet<&str> = tested.iter().copied().collect();
    assert_eq!(functions.difference(&tested).next(), None, "not tested");
    // Functions that JSON cannot call are not in the document.
    for refused in tested.difference(&functions) {
        assert!(matches!(tool.call_json(refused, "{}"), Err(ToolError::NotCallable { .. })), "{refused}");
    }
}

/// The description of one function in the document of a binding, as JSON.
///
/// # Panics
///
/// The function does not exist.
#[must_use]
#[expect(clippy::expect_used, reason = "test code may panic")]
pub fn described(document: &OpenTool, function: &str) -> Value {
    let function = document.functions.iter().find(|described| described.name == function);
    serde_json::to_value(function.expect("the document has the function")).expect("it is JSON")
}

/// The reply of a call of a twin with MessagePack, or the text of its error.
///
/// # Errors
///
/// The call was refused, or it failed.
pub fn packed<T: Compiled>(twin: &Twin<T>, function: &str, arguments: &Value) -> Result<Value, String> {
    twin.call_packed(function, arguments).map_err(|error| error.to_string())
}

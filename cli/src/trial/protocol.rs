//! What the process that makes the calls is told on standard input, and what it reports: one line of JSON per event.
//! A fault is a line of its own, written by the signal handler.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the process does.
#[derive(Serialize, Deserialize)]
pub(crate) struct Script {
    /// The document, as the user gave it.
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) library: Option<PathBuf>,
    /// Whether memory begins at a page, instead of ending there.
    pub(crate) at_start: bool,
    /// What is in buffers before a call.
    pub(crate) fill: u8,
    /// How often all calls are made.
    pub(crate) rounds: usize,
    pub(crate) calls: Vec<Call>,
}

/// One call.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) function: String,
    pub(crate) arguments: Value,
}

/// What the process reports.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// The document or the library cannot be used.
    Refused { message: String },
    /// A call cannot be made: its arguments are wrong.
    NotCalled { call: usize, message: String },
    /// The library is open: where code is.
    Open { code: Vec<Code> },
    /// A call begins.
    Begin { call: usize },
    /// The memory that C is lent.
    Lent(Vec<Lent>),
    /// The buffers that C filled, after the call. Nothing can access what C was lent any more.
    Left(Vec<Left>),
    /// The call ended, with this error if it failed.
    End { failed: Option<String> },
    /// Handles are freed, and the library is closed.
    Closing,
    /// The process ends.
    Done,
}

/// The addresses of the code of a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Code {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Where the code is in the file.
    pub(crate) offset: usize,
    pub(crate) file: String,
}

/// A piece of memory that C is lent.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Lent {
    pub(crate) name: String,
    pub(crate) what: What,
    pub(crate) start: usize,
    pub(crate) bytes: usize,
    /// The addresses that belong to it; none if it could not be guarded.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) is_written: bool,
    pub(crate) stays: bool,
    pub(crate) says: String,
}

/// What a piece of memory is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Capacity,
    Length,
    Text,
    Scalar,
    Struct,
    State,
}

/// What C left in a buffer.
#[derive(Serialize, Deserialize)]
pub(crate) struct Left {
    pub(crate) name: String,
    /// `None` if it is too large to be compared.
    pub(crate) bytes: Option<Vec<u8>>,
    pub(crate) unit: usize,
    pub(crate) ends_at_nul: bool,
    pub(crate) written: Option<usize>,
}

/// The number of a call and the name of a result, if a string refers to one: `$1.result`.
pub(crate) fn reference(text: &str) -> Option<(usize, &str)> {
    let (call, name) = text.strip_prefix('$')?.split_once('.')?;
    Some((call.parse().ok().filter(|call| *call > 0)?, name))
}

/// Whether there is a reference in the arguments.
pub(crate) fn refers(arguments: &Value) -> bool {
    match arguments {
        Value::String(text) => reference(text).is_some(),
        Value::Array(items) => items.iter().any(refers),
        Value::Object(members) => members.values().any(refers),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_a_call_and_a_result() {
        assert_eq!(reference("$1.shelf"), Some((1, "shelf")));
        for text in ["$0.x", "$.x", "$1", "1.x", "$a.x", ""] {
            assert_eq!(reference(text), None, "{text}");
        }
        assert!(refers(&serde_json::json!({"a": [{"b": "$12.result"}]})));
        assert!(!refers(&serde_json::json!({"a": "$5 and more"})));
    }
}

//! The messages between the host and `worker.py`, one line of JSON each.
//!
//! Every message has the id of its call, which a script cannot guess. A line with another id does not come from the
//! worker.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::pool::Settings;

/// The loaded version of each script of a process, by the number of the script.
pub(super) type Loaded = HashMap<u64, u64>;

/// Generates the ids of calls.
pub(super) struct Nonces {
    /// A hasher with random keys.
    keys: [RandomState; 2],
    count: u64,
}

impl Nonces {
    pub(super) fn new() -> Self {
        Self { keys: [RandomState::new(), RandomState::new()], count: 0 }
    }

    pub(super) fn next(&mut self) -> String {
        self.count += 1;
        format!("{:016x}{:016x}", self.keys[0].hash_one(self.count), self.keys[1].hash_one(self.count))
    }
}

/// A script for a worker to load.
#[derive(Serialize)]
pub(super) struct Load<'l> {
    pub(super) path: &'l str,
    pub(super) name: &'l str,
    pub(super) module: &'l str,
    pub(super) source: &'l str,
    pub(super) globals: &'l Map<String, Value>,
}

/// A call, with the script if the worker has not loaded it.
#[derive(Serialize)]
pub(super) struct Call<'c> {
    pub(super) id: &'c str,
    pub(super) script: u64,
    pub(super) entry: &'c str,
    pub(super) arguments: &'c RawValue,
    pub(super) load: Option<Load<'c>>,
}

/// A message of a worker: the result of a call, or a request to call another tool.
#[derive(Deserialize)]
pub(super) struct Answer<'a> {
    id: &'a str,
    /// Whether the worker has loaded the script.
    #[serde(default)]
    pub(super) loaded: bool,
    /// The value of `success`.
    #[serde(default)]
    pub(super) ok: bool,
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) error: Option<String>,
    /// Whether the worker must not be used again.
    #[serde(default)]
    pub(super) retire: bool,
    /// The names of the requested tool; the first that exists is called.
    #[serde(default)]
    pub(super) tools: Option<Vec<String>>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
}

/// The first message to a process.
pub(super) fn settings(program: &str, id: &str, settings: &Settings) -> Vec<u8> {
    let folders: Vec<_> = settings.module_folders.iter().map(|folder| folder.to_string_lossy()).collect();
    line(&serde_json::json!({
        "program": program,
        "id": id,
        "output_limit": settings.output_limit,
        "memory_limit": settings.memory_limit,
        "is_limited": settings.confined.is_some(),
        "module_folders": folders,
    }))
}

pub(super) fn is_ready(line: &[u8], id: &str) -> bool {
    #[derive(Deserialize)]
    struct Ready<'r> {
        id: &'r str,
        ready: bool,
    }
    serde_json::from_slice::<Ready<'_>>(line).is_ok_and(|ready| ready.id == id && ready.ready)
}

/// Reads a reply to the call with this id; any other line is invalid.
pub(super) fn answer<'a>(line: &'a [u8], id: &str) -> Option<Answer<'a>> {
    let answer: Answer<'a> = serde_json::from_str(std::str::from_utf8(line).ok()?).ok()?;
    (answer.id == id).then_some(answer)
}

/// The result of `tool_exe`.
#[derive(Serialize)]
pub(super) struct Outcome<'o> {
    pub(super) success: bool,
    pub(super) message: &'o str,
    pub(super) data: Option<&'o RawValue>,
}

/// The reply to a request of the worker.
pub(super) fn reply(outcome: &Outcome<'_>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Reply<'r> {
        reply: &'r Outcome<'r>,
    }
    line(&Reply { reply: outcome })
}

/// A message as a line. Line ends between the tokens of raw JSON are replaced.
pub(super) fn line(message: &impl Serialize) -> Vec<u8> {
    // Every key is a string, so this cannot fail.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    for byte in &mut line {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_another_id_is_not_a_reply() {
        let line = br#"{"id":"a","ok":true,"result":{"data":[1]}}"#;
        let read = answer(line, "a").expect("its own");
        assert_eq!(read.result.map(RawValue::get), Some(r#"{"data":[1]}"#));
        assert!(answer(line, "b").is_none());
        assert!(answer(b"x{\"id\":\"a\"}", "a").is_none());
        assert!(answer(b"{\"id\":\"a\",\"result\":\"\xff\"}", "a").is_none());
    }

    #[test]
    fn a_message_is_one_line() {
        let raw: Box<RawValue> = serde_json::from_str("{\n\"a\": \"x\\n\"\r\n}").expect("JSON");
        let outcome = Outcome { success: true, message: "", data: Some(&raw) };
        let written = String::from_utf8(reply(&outcome)).expect("text");
        assert_eq!(written.find('\n'), Some(written.len() - 1));
        assert!(written.contains(r#""x\n""#), "{written}");
    }

    #[test]
    fn every_id_is_different() {
        let (mut one, mut other) = (Nonces::new(), Nonces::new());
        let ids: std::collections::HashSet<_> = (0..100).flat_map(|_| [one.next(), other.next()]).collect();
        assert_eq!(ids.len(), 200);
    }
}

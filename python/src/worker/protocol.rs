//! What the host and `worker.py` say to each other: a line of JSON each.
//!
//! Every message carries the id of a call, which nobody can guess who has not been told. A line
//! with another id is not the worker's.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::pool::Settings;

/// Which version of each script a process has loaded, by the number of the script.
pub(super) type Loaded = HashMap<u64, u64>;

/// Makes the ids of calls.
pub(super) struct Nonces {
    /// Keyed by the system's randomness.
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

/// A script as a worker loads it.
#[derive(Serialize)]
pub(super) struct Load<'l> {
    pub(super) path: &'l str,
    pub(super) name: &'l str,
    pub(super) module: &'l str,
    pub(super) source: &'l str,
    pub(super) globals: &'l Map<String, Value>,
}

/// A call, with the script where the worker does not have it yet.
#[derive(Serialize)]
pub(super) struct Call<'c> {
    pub(super) id: &'c str,
    pub(super) script: u64,
    pub(super) entry: &'c str,
    pub(super) arguments: &'c RawValue,
    pub(super) load: Option<Load<'c>>,
}

/// What a worker answers: the end of a call, or the wish for a call of another tool.
#[derive(Deserialize)]
pub(super) struct Answer<'a> {
    id: &'a str,
    /// Whether the worker has the script now.
    #[serde(default)]
    pub(super) loaded: bool,
    /// What `success` says.
    #[serde(default)]
    pub(super) ok: bool,
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) error: Option<String>,
    /// Whether the worker should not be used again.
    #[serde(default)]
    pub(super) retire: bool,
    /// The names of the tool that is wished for, of which the first that there is counts.
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

/// Reads an answer to the call of that id; nothing else is one.
pub(super) fn answer<'a>(line: &'a [u8], id: &str) -> Option<Answer<'a>> {
    let answer: Answer<'a> = serde_json::from_str(std::str::from_utf8(line).ok()?).ok()?;
    (answer.id == id).then_some(answer)
}

/// What `tool_exe` returns.
#[derive(Serialize)]
pub(super) struct Outcome<'o> {
    pub(super) success: bool,
    pub(super) message: &'o str,
    pub(super) data: Option<&'o RawValue>,
}

/// The reply to a wish.
pub(super) fn reply(outcome: &Outcome<'_>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Reply<'r> {
        reply: &'r Outcome<'r>,
    }
    line(&Reply { reply: outcome })
}

/// A message as a line. Raw JSON may hold ends of lines, as space between its parts.
pub(super) fn line(message: &impl Serialize) -> Vec<u8> {
    // Every key is a string, so that there is nothing that could fail.
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
    fn a_line_with_another_id_is_no_answer() {
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
    fn no_two_ids_are_alike() {
        let (mut one, mut other) = (Nonces::new(), Nonces::new());
        let ids: std::collections::HashSet<_> = (0..100).flat_map(|_| [one.next(), other.next()]).collect();
        assert_eq!(ids.len(), 200);
    }
}

//! Checks scripts with Python, in one process for any number of them.

use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::rule::Rule;
use crate::describe::Entry;
use crate::interpreter::Interpreter;
use crate::once::{self, Unfinished};

/// The program is too long for the command line of some systems, so it is sent on standard input.
const START: &str =
    "import sys; i = sys.stdin.buffer; exec(compile(i.read(int(i.readline())), '<opentool>', 'exec'))";
const PROGRAM: &str = concat!(
    include_str!("read.py"),
    include_str!("validate.py"),
    include_str!("results.py"),
    include_str!("../describe/describe.py"),
    include_str!("../describe/reads.py"),
    include_str!("answer.py"),
);

/// The reply of Python for a script.
#[derive(Debug, Deserialize)]
pub(super) struct Reply {
    pub(super) findings: Vec<Found>,
    /// The public function, if there is one.
    pub(super) entry: Option<Entry>,
    /// The text of the script, if it differs from its bytes.
    #[serde(default)]
    pub(super) text: Option<String>,
}

/// A finding, with its place as offsets in the text.
#[derive(Debug, Deserialize)]
pub(super) struct Found {
    #[serde(deserialize_with = "rule")]
    pub(super) rule: Rule,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) message: String,
    pub(super) help: String,
}

fn rule<'de, D: Deserializer<'de>>(from: D) -> Result<Rule, D::Error> {
    let code = String::deserialize(from)?;
    Rule::of_code(&code).ok_or_else(|| D::Error::custom(format!("there is no rule {code}")))
}

impl Found {
    /// The finding for a name that Python allows but OpenTool does not.
    pub(super) fn bad_name(entry: &Entry) -> Self {
        let (start, end) = entry.place;
        let message = format!("`{}` is not a valid name for a tool", entry.name);
        let help = "use 1 to 64 of A to Z, a to z, 0 to 9 and `_`, or give the tool another name".to_owned();
        Self { rule: Rule::ToolName, start, end, message, help }
    }
}

impl Reply {
    /// The reply for a script that Python cannot read.
    pub(super) fn unreadable(message: String, help: &str) -> Self {
        let found = Found { rule: Rule::Unreadable, start: 0, end: 0, message, help: help.to_owned() };
        Self { findings: vec![found], entry: None, text: None }
    }
}

/// A reply for each script, in order. `Err` is a failure of Python itself.
pub(super) fn ask(scripts: &[&[u8]], python: &Interpreter, limit: Duration) -> Result<Vec<Reply>, String> {
    let mut replies: Vec<Reply> = Vec::with_capacity(scripts.len());
    while replies.len() < scripts.len() {
        let waiting = &scripts[replies.len()..];
        let (output, end) = match once::run(python.command(START), input(waiting), limit) {
            Ok(ended) if ended.is_success => (ended.output, None),
            Ok(ended) => {
                let how = ended.to_string();
                (ended.output, Some(format!("Python crashed while it read the script ({how})")))
            }
            Err(Unfinished::TimedOut { output }) => {
                (output, Some(format!("Python did not read the script within {limit:?}")))
            }
            Err(Unfinished::NotStarted(error)) => return Err(format!("it could not be started ({error})")),
        };
        let answered = output.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        for line in answered.take(waiting.len()) {
            let reply = serde_json::from_slice(line);
            replies.push(reply.map_err(|error| format!("its reply is not valid: {error}"))?);
        }
        match end {
            // The first script without a reply ended the process; the others are sent again.
            Some(end) if replies.len() < scripts.len() => replies.push(Reply::unreadable(
                end,
                "simplify the script; Python cannot run it if it cannot read it",
            )),
            None if replies.len() < scripts.len() => return Err("it ended without a reply".to_owned()),
            _ => {}
        }
    }
    Ok(replies)
}

fn input(scripts: &[&[u8]]) -> Vec<u8> {
    let mut input = Vec::new();
    for part in std::iter::once(&PROGRAM.as_bytes()).chain(scripts) {
        input.extend(format!("{}\n", part.len()).as_bytes());
        input.extend(*part);
    }
    input
}

//! Checks scripts against the rules with Python's own parser. No script is run.
//!
//! `validate.py` finds the violations; line, column and excerpt are added here. `PythonTool` and the command call this
//! before they load a script.

mod ask;
mod finding;
mod rule;

use std::fmt;
use std::time::Duration;

use opendyn_source::Findings;

pub use finding::{Finding, InvalidScript};
pub use rule::Rule;

use super::describe::Entry;
use super::interpreter::Interpreter;
use opentool::Function;

/// The maximum size of a script, in bytes.
const MAX_LENGTH: usize = 4 << 20;
/// The time limit of Python, which takes 40 ms for a typical script.
const LIMIT: Duration = Duration::from_secs(30);

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Errors and warnings, in the order of the script.
    pub findings: Vec<Finding>,
    script: Option<Script>,
}

/// A script that follows the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    file: String,
    pub(super) entry: Entry,
}

impl Script {
    /// The name of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The name of the public function, which takes one dict.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.entry.name
    }
}

impl Report {
    fn new(file: &str, source: &[u8], reply: ask::Reply) -> Self {
        let ask::Reply { findings, entry, text } = reply;
        let text = text.map_or_else(|| String::from_utf8_lossy(source), Into::into);
        let named =
            entry.as_ref().filter(|entry| !Function::is_valid_name(&entry.name)).map(ask::Found::bad_name);
        let collected = Findings::new();
        for found in findings.into_iter().chain(named) {
            finding::report(found, &text, &collected);
        }
        let has_errors = collected.has_errors();
        let InvalidScript { findings } = collected.finish(file, &text);
        let script = entry.filter(|_| !has_errors).map(|entry| Script { file: file.to_owned(), entry });
        Self { findings, script }
    }

    /// The script.
    ///
    /// # Errors
    ///
    /// All findings, including warnings, if there is an error.
    pub fn into_script(self) -> Result<Script, InvalidScript> {
        let Self { findings, script } = self;
        script.ok_or(InvalidScript { findings })
    }

    /// The script, if there are no errors.
    #[must_use]
    pub fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }
}

/// Python could not check a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonFailed {
    /// The path of Python, and what went wrong.
    pub message: String,
}

impl fmt::Display for PythonFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PythonFailed {}

/// Checks a script against every rule. `file` is its name in the findings.
///
/// The source is bytes, because a script may declare its own encoding.
///
/// # Errors
///
/// Python does not work. Problems of the script are in the report.
pub fn check(file: &str, source: impl AsRef<[u8]>, python: &Interpreter) -> Result<Report, PythonFailed> {
    let mut reports = check_all(&[(file, source)], python, LIMIT)?;
    // There is one report per script.
    reports.pop().ok_or_else(|| PythonFailed { message: "Python sent no reply".to_owned() })
}

/// Checks several scripts, given by file name and source, in one process of Python. The reports are in the same order.
///
/// A script that Python does not read within `limit` violates the rule [`Rule::Unreadable`].
///
/// # Errors
///
/// The same as for [`check`].
pub fn check_all<S: AsRef<[u8]>>(
    scripts: &[(&str, S)],
    python: &Interpreter,
    limit: Duration,
) -> Result<Vec<Report>, PythonFailed> {
    let is_short = |source: &&[u8]| source.len() <= MAX_LENGTH;
    let sources: Vec<&[u8]> = scripts.iter().map(|(_, source)| source.as_ref()).filter(is_short).collect();
    let asked = ask::ask(&sources, python, limit)
        .map_err(|what| PythonFailed { message: format!("`{}`: {what}", python.path().display()) })?;
    let mut replies = asked.into_iter();
    let reports = scripts.iter().map(|(file, source)| {
        let source = source.as_ref();
        let reply = if is_short(&source) { replies.next() } else { None };
        let too_long = || {
            let message = format!("the script has {} bytes; at most {MAX_LENGTH} are allowed", source.len());
            ask::Reply::unreadable(message, "move data into another file, and read that")
        };
        Report::new(file, source, reply.unwrap_or_else(too_long))
    });
    Ok(reports.collect())
}

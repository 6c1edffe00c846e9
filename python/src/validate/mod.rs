//! Whether scripts keep the rules, as Python's own parser sees them. No script is run.
//!
//! `validate.py` finds what breaks a rule; here it gets its line, column and excerpt. `PythonTool` and
//! the command come here, before a script is loaded.

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

/// The longest script that is looked at, in bytes.
const MAX_LENGTH: usize = 4 << 20;
/// How long Python may take. It needs 40 ms for a usual script.
const LIMIT: Duration = Duration::from_secs(30);

/// What was found in a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Errors and warnings, in the order of the script.
    pub findings: Vec<Finding>,
    script: Option<Script>,
}

/// A script that keeps the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    file: String,
    pub(super) entry: Entry,
}

impl Script {
    /// The file, as it was named.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The name of the one public function, which is called with one dict.
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
    /// It breaks a rule: everything that was found, warnings too.
    pub fn into_script(self) -> Result<Script, InvalidScript> {
        let Self { findings, script } = self;
        script.ok_or(InvalidScript { findings })
    }

    /// The script, if it keeps the rules.
    #[must_use]
    pub fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }
}

/// Python could not be asked about a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonFailed {
    /// Which Python, and what went wrong.
    pub message: String,
}

impl fmt::Display for PythonFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PythonFailed {}

/// Checks a script: every rule, all findings at once. `file` is how it is named in the findings.
///
/// The source is bytes, because a script may declare an encoding of its own.
///
/// # Errors
///
/// Python does not work. What is wrong with the script is in the report.
pub fn check(file: &str, source: impl AsRef<[u8]>, python: &Interpreter) -> Result<Report, PythonFailed> {
    let mut reports = check_all(&[(file, source)], python, LIMIT)?;
    // There is one for each script.
    reports.pop().ok_or_else(|| PythonFailed { message: "Python gave no answer".to_owned() })
}

/// Checks scripts in one process of Python, which saves its start for each: the file name and source of
/// each in, a report for each out, in that order.
///
/// A script that Python does not read within `limit` breaks the rule [`Rule::Unreadable`].
///
/// # Errors
///
/// As for [`check`].
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
            let message = format!("the script has {} bytes, and may have {MAX_LENGTH}", source.len());
            ask::Reply::unreadable(message, "keep data in a file of its own, and read that")
        };
        Report::new(file, source, reply.unwrap_or_else(too_long))
    });
    Ok(reports.collect())
}

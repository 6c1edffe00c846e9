//! What `opendyn check` compares documents with, what it finds in scripts, and the forms in which it shows what
//! came of it.

pub(crate) mod github;
pub(crate) mod json;
mod scripts;
mod sources;
pub(crate) mod text;

use opendyn_codegen::contract::Report;
use opendyn_codegen::{Diagnostic, Severity};
use opentool::python;

pub(crate) use scripts::check_scripts;
pub(crate) use sources::{Sources, Wanted};

/// What came of one document.
pub(crate) struct Checked {
    pub(crate) file: String,
    pub(crate) report: Report,
    /// Where the library comes from, if nobody named it.
    pub(crate) note: Option<String>,
}

/// What came of all files.
pub(crate) struct Results {
    pub(crate) documents: Vec<Checked>,
    pub(crate) findings: Vec<Found>,
}

/// A finding, in a document or in a script.
pub(crate) struct Found {
    /// The code of the rule.
    pub(crate) code: &'static str,
    /// `error` or `warning`
    pub(crate) severity: &'static str,
    pub(crate) is_error: bool,
    pub(crate) file: String,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
    pub(crate) help: String,
    /// Where it is, as people write it.
    place: String,
    /// All of it, as people read it.
    text: String,
}

impl Results {
    pub(crate) fn new(documents: Vec<Checked>, scripts: Vec<python::Report>) -> Self {
        let diagnostics = documents.iter().flat_map(|checked| &checked.report.diagnostics).map(Found::from);
        let of_scripts = scripts.iter().flat_map(|report| &report.findings).map(Found::from);
        let findings = diagnostics.chain(of_scripts).collect();
        Self { documents, findings }
    }

    /// `2 errors, 1 warning`
    fn counts(&self) -> (usize, usize) {
        let errors = self.findings.iter().filter(|found| found.is_error).count();
        (errors, self.findings.len() - errors)
    }
}

impl From<&Diagnostic> for Found {
    fn from(found: &Diagnostic) -> Self {
        Self {
            code: found.rule.code(),
            severity: found.severity().name(),
            is_error: found.severity() == Severity::Error,
            file: found.file.clone(),
            line: found.line,
            column: found.column,
            message: found.message.clone(),
            help: found.help.clone(),
            place: found.place().to_string(),
            text: found.to_string(),
        }
    }
}

impl From<&python::Finding> for Found {
    fn from(found: &python::Finding) -> Self {
        Self {
            code: found.rule.code(),
            severity: found.severity().name(),
            is_error: found.severity() == opentool::Severity::Error,
            file: found.file.clone(),
            line: Some(found.line),
            column: Some(found.column),
            message: found.message.clone(),
            help: found.help.clone(),
            place: format!("{}:{}:{}", found.file, found.line, found.column),
            text: found.to_string(),
        }
    }
}

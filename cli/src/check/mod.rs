//! What `opendyn check` compares documents with, what it finds in scripts, and its output formats.

mod evidence;
pub(crate) mod github;
pub(crate) mod json;
mod scripts;
pub(crate) mod text;

use opendyn_inspect::contract::ContractReport;
use opendyn_source::{Finding, Rule, Severity};
use opentool_python as python;

use crate::trial::Tried;

pub(crate) use evidence::evidence;
pub(crate) use scripts::check_scripts;

/// The result for one document.
pub(crate) struct CheckedDocument {
    pub(crate) file: String,
    pub(crate) report: ContractReport,
    /// Where the library comes from, if the document names it.
    pub(crate) note: Option<String>,
}

/// The results for all files.
pub(crate) struct Results {
    pub(crate) documents: Vec<CheckedDocument>,
    pub(crate) findings: Vec<Found>,
    /// The calls that were tried.
    pub(crate) tried: Vec<Tried>,
    /// The functions that were not tried, with the reason.
    pub(crate) not_tried: Vec<String>,
}

/// A finding, in a document or in a script.
pub(crate) struct Found {
    /// The code of the rule.
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) file: String,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
    pub(crate) help: String,
    /// Its place, as text.
    place: String,
    /// The whole finding, as text.
    text: String,
}

impl Found {
    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Results {
    pub(crate) fn new(documents: Vec<CheckedDocument>, scripts: Vec<python::Report>) -> Self {
        let diagnostics = documents.iter().flat_map(|checked| &checked.report.diagnostics).map(Found::from);
        let of_scripts = scripts.iter().flat_map(|report| &report.findings).map(Found::from);
        let findings = diagnostics.chain(of_scripts).collect();
        Self { documents, findings, tried: Vec::new(), not_tried: Vec::new() }
    }

    /// The number of errors and warnings.
    fn counts(&self) -> (usize, usize) {
        let errors = self.findings.iter().filter(|found| found.is_error()).count();
        let seen: usize = self.tried.iter().map(|tried| tried.seen.len()).sum();
        (errors + seen, self.findings.len() - errors)
    }
}

impl<R: Rule> From<&Finding<R>> for Found {
    fn from(found: &Finding<R>) -> Self {
        Self {
            code: found.rule.code(),
            severity: found.severity(),
            file: found.file.clone(),
            line: found.line,
            column: found.column,
            message: found.message.clone(),
            help: found.help.clone(),
            place: found.place(),
            text: found.to_string(),
        }
    }
}

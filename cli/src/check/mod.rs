//! What `opendyn check` compares documents with, and the forms in which it shows what came of it.

pub(crate) mod github;
pub(crate) mod json;
mod sources;
pub(crate) mod text;

use opendyn_codegen::contract::Report;

pub(crate) use sources::{Sources, Wanted};

/// What came of one document.
pub(crate) struct Checked {
    pub(crate) file: String,
    pub(crate) report: Report,
    /// Where the library comes from, if nobody named it.
    pub(crate) note: Option<String>,
}

/// `2 errors, 1 warning`
pub(crate) fn counts(checked: &[Checked]) -> (usize, usize) {
    let diagnostics = || checked.iter().map(|checked| &checked.report.diagnostics);
    (diagnostics().map(|of| of.errors().count()).sum(), diagnostics().map(|of| of.warnings().count()).sum())
}

//! What is wrong with a document, as `opendyn-source` collects and shows it for the rules of this crate.

use crate::rule::Rule;

/// One finding.
pub type Diagnostic = opendyn_source::Finding<Rule>;

/// The findings of one run, in the order of the document.
pub type Diagnostics = opendyn_source::Report<Rule>;

/// Collects findings while a document is read and lowered.
pub type Findings = opendyn_source::Findings<Rule>;

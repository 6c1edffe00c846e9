//! What is wrong with a script, and where.

use opendyn_source::Findings;
use opendyn_source::span::Span;

use super::ask;
use super::rule::Rule;

/// Something that is wrong with a script.
pub type Finding = opendyn_source::Finding<Rule>;

/// A script that cannot be used, and everything that is wrong with it.
pub type InvalidScript = opendyn_source::Report<Rule>;

/// Reports what Python found in a text.
pub(super) fn report(found: ask::Found, text: &str, findings: &Findings<Rule>) {
    let ask::Found { rule, start, end, message, help } = found;
    // The offsets come from another process.
    let start = boundary(text, start.min(text.len()));
    let end = boundary(text, end.clamp(start, text.len()));
    findings.report(rule, Span { start, end }, message, help);
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

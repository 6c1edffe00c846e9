//! The findings of a script.

use opendyn_source::Findings;
use opendyn_source::span::Span;

use super::ask;
use super::rule::Rule;

/// A violation of a rule.
pub type Finding = opendyn_source::Finding<Rule>;

/// All findings of a script that cannot be used.
pub type InvalidScript = opendyn_source::Report<Rule>;

/// Converts the findings of Python.
pub(super) fn report(found: ask::Found, text: &str, findings: &Findings<Rule>) {
    let ask::Found { rule, start, end, message, help } = found;
    // The offsets come from another process and are not trusted.
    let start = boundary(text, start.min(text.len()));
    let end = boundary(text, end.clamp(start, text.len()));
    findings.report(rule, Span { start, end }, message, help);
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

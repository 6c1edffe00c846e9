//! What is wrong with a script, and where.

use std::fmt;

use super::ask;
use super::rule::Rule;
use crate::Severity;
use crate::source::excerpt::Excerpt;
use crate::source::shown::{Shown, with_counts};
use crate::source::span::{Lines, Span};

/// Something that is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The source line with the place marked.
    excerpt: Excerpt,
}

impl Finding {
    pub(super) fn new(file: &str, lines: &Lines<'_>, found: ask::Found) -> Self {
        let ask::Found { rule, start, end, message, help } = found;
        let length = lines.source.len();
        // The offsets come from another process.
        let start = boundary(lines.source, start.min(length));
        let end = boundary(lines.source, end.clamp(start, length));
        let (line, column) = lines.locate(start);
        let excerpt = Excerpt::new(lines, Span { start, end });
        Self { rule, file: file.to_owned(), line, column, message, help, excerpt }
    }

    /// Whether the script cannot be used.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Place, severity, code and message on the first line; then the excerpt and the help.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = Shown {
            place: &format_args!("{}:{}:{}", self.file, self.line, self.column),
            severity: self.severity().name(),
            code: Some(self.rule.code()),
            message: &self.message,
            excerpt: Some(&self.excerpt),
            help: &self.help,
        };
        shown.fmt(f)
    }
}

/// A script that cannot be used, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidScript {
    /// Errors and warnings, in the order of the script.
    pub findings: Vec<Finding>,
}

/// Every finding, and how many there are.
impl fmt::Display for InvalidScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_counts(&self.findings, |finding| finding.severity() == Severity::Error, f)
    }
}

impl std::error::Error for InvalidScript {}

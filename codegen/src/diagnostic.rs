//! What is wrong with a document: found, collected, sorted and shown.

use std::cell::RefCell;
use std::fmt;

use opentool::source::excerpt::Excerpt;
use opentool::source::short::{self, shortened};
use opentool::source::shown::{Shown, with_counts};

use crate::rule::{Rule, Severity};
use crate::span::{Lines, Span};

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: Rule,
    /// The file, as it was named to the generator.
    pub file: String,
    /// The line, from 1; `None` for what has no place in the document.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The source line with the place marked.
    excerpt: Option<Excerpt>,
}

impl Diagnostic {
    /// Whether it stops the generator.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// `file:line:column`, or what is known of it.
    #[must_use]
    pub fn place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.file),
            _ => self.file.clone(),
        }
    }
}

/// Place, severity, code and message on the first line; then the excerpt and the help.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = Shown {
            place: &self.place(),
            severity: self.severity().name(),
            code: Some(self.rule.code()),
            message: &self.message,
            excerpt: self.excerpt.as_ref().map(|excerpt| excerpt as _),
            help: &self.help,
        };
        shown.fmt(f)
    }
}

/// The findings of one run, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// All findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// The findings that stop the generator.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// The findings that do not.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter().filter(|diagnostic| diagnostic.severity() == Severity::Warning)
    }

    /// Whether the document is without fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many findings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Every finding, and how many there are.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_counts(&self.0, |diagnostic| diagnostic.severity() == Severity::Error, f)
    }
}

impl std::error::Error for Diagnostics {}

/// Collects findings while a document is read and lowered. Shared by reference, so that every
/// part can report what it finds without handing a `&mut` around.
pub(crate) struct Findings {
    found: RefCell<Vec<Finding>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    span: Option<Span>,
    rule: Rule,
    message: String,
    help: String,
    /// Where the first of two is, of which this is the second.
    first: Option<Span>,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self { found: RefCell::new(Vec::new()) }
    }

    pub(crate) fn report(&self, rule: Rule, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Some(span), rule, message.into(), help.into(), None);
    }

    /// Reports the second of two that must not both be there.
    pub(crate) fn report_second(&self, rule: Rule, [first, second]: [Span; 2], message: String, help: &str) {
        self.push(Some(second), rule, message, help.to_owned(), Some(first));
    }

    /// Reports what is wrong with the options, which have no place in the document.
    pub(crate) fn report_option(&self, rule: Rule, message: impl Into<String>, help: impl Into<String>) {
        self.push(None, rule, message.into(), help.into(), None);
    }

    fn push(&self, span: Option<Span>, rule: Rule, message: String, help: String, first: Option<Span>) {
        let (message, help) = (shortened(message, short::MESSAGE), shortened(help, short::MESSAGE));
        self.found.borrow_mut().push(Finding { span, rule, message, help, first });
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.found.borrow().iter().any(|finding| finding.rule.severity() == Severity::Error)
    }

    pub(crate) fn finish(self, file: &str, source: &str) -> Diagnostics {
        let mut found = self.found.into_inner();
        // A schema that several parameters refer to is looked at several times.
        found.sort();
        found.dedup();
        let lines = Lines::new(source);
        let diagnostics = found.into_iter().map(|finding| {
            let place = finding.span.map(|span| lines.locate(span.start));
            Diagnostic {
                rule: finding.rule,
                file: file.to_owned(),
                line: place.map(|(line, _)| line),
                column: place.map(|(_, column)| column),
                message: finding.message,
                help: match finding.first.map(|first| lines.locate(first.start)) {
                    Some((line, _)) => format!("{}; the first is in line {line}", finding.help),
                    None => finding.help,
                },
                excerpt: finding.span.map(|span| Excerpt::new(&lines, span)),
            }
        });
        Diagnostics(diagnostics.collect())
    }
}

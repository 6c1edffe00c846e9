//! Collects findings while a text is read.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::short::{self, shortened};
use crate::span::{Lines, Span};
use crate::{Excerpt, Finding, Form, Report, Rule, Severity};

/// Collects findings. Shared by reference, so that every part of a reader can report without passing a
/// `&mut`.
#[derive(Debug)]
pub struct Findings<R> {
    /// Sorted by place, rule and message. Each is kept once, because a schema with several references is
    /// visited several times.
    found: RefCell<BTreeSet<Found<R>>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found<R> {
    span: Option<Span>,
    rule: R,
    message: String,
    help: String,
    /// If this is the second of two conflicting items: the place of the first.
    first: Option<Span>,
}

impl<R: Rule> Default for Findings<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rule> Findings<R> {
    /// An empty collection.
    #[must_use]
    pub fn new() -> Self {
        Self { found: RefCell::new(BTreeSet::new()) }
    }

    /// Reports a problem at a place, and how to fix it.
    pub fn report(&self, rule: R, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Some(span), rule, message.into(), help.into(), None);
    }

    /// Reports a problem at a place, with a message that includes the fix.
    pub fn report_line(&self, rule: R, span: Span, message: impl Into<String>) {
        self.push(Some(span), rule, message.into(), String::new(), None);
    }

    /// Reports the second of two items that must not both be present.
    pub fn report_second(&self, rule: R, [first, second]: [Span; 2], message: String, help: &str) {
        self.push(Some(second), rule, message, help.to_owned(), Some(first));
    }

    /// Reports a problem with the options, which have no place in the document.
    pub fn report_option(&self, rule: R, message: impl Into<String>, help: impl Into<String>) {
        self.push(None, rule, message.into(), help.into(), None);
    }

    fn push(&self, span: Option<Span>, rule: R, message: String, help: String, first: Option<Span>) {
        let (message, help) = (shortened(message, short::MESSAGE), shortened(help, short::MESSAGE));
        self.found.borrow_mut().insert(Found { span, rule, message, help, first });
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.found.borrow().iter().any(|found| found.rule.severity() == Severity::Error)
    }

    /// The findings, in the order of the document. `file` is its name, which may be empty.
    pub fn finish(self, file: &str, source: &str) -> Report<R> {
        let lines = Lines::new(source);
        let findings = self.found.into_inner().into_iter().map(|found| {
            let place = found.span.map(|span| lines.locate(span.start));
            Finding {
                rule: found.rule,
                file: file.to_owned(),
                line: place.map(|(line, _)| line),
                column: place.map(|(_, column)| column),
                message: found.message,
                help: match found.first.map(|first| lines.locate(first.start)) {
                    Some((line, _)) => format!("{}; the first is in line {line}", found.help),
                    None => found.help,
                },
                excerpt: found.span.filter(|_| R::FORM == Form::Full).map(|span| Excerpt::new(&lines, span)),
            }
        });
        Report { findings: findings.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::rules! {
        /// A rule.
        pub enum Full shown Full {
            One "E001" Error "One."
            Two "W001" Warning "Two."
        }
    }
    crate::rules! {
        /// A rule.
        pub enum Brief shown Brief {
            One "one" Error "One."
            Two "two" Warning "Two."
        }
    }
    crate::rules! {
        /// A rule.
        pub enum Line shown Line {
            One "one" Error "One."
        }
    }

    const SOURCE: &str = "a\nbc\n";
    const A: Span = Span { start: 0, end: 1 };
    const BC: Span = Span { start: 2, end: 4 };

    #[test]
    fn a_line_of_the_table_is_all_that_a_rule_is() {
        let line =
            |code: &str, severity: Severity, summary: &str| format!("{code} {} {summary}", severity.name());
        let lines = |all: &[Full]| -> Vec<String> {
            all.iter().map(|rule| line(rule.code(), rule.severity(), rule.summary())).collect()
        };
        assert_eq!(lines(Full::ALL), ["E001 error One.", "W001 warning Two."]);
        assert_eq!(Brief::ALL.iter().map(|rule| rule.summary()).collect::<String>(), "One.Two.");
        assert_eq!(Line::ALL.iter().map(|rule| rule.summary()).collect::<String>(), "One.");
    }

    #[test]
    fn findings_are_in_the_order_of_the_document_and_each_is_there_once() {
        let findings = Findings::new();
        findings.report(Brief::One, BC, "last", "");
        findings.report(Brief::Two, A, "second", "");
        findings.report(Brief::One, A, "first", "");
        findings.report(Brief::One, A, "a bad one", "");
        findings.report(Brief::Two, A, "second", "");
        findings.report_option(Brief::Two, "before all", "");
        let shown: Vec<String> = findings.finish("", SOURCE).iter().map(Finding::to_string).collect();
        let expected = [
            "warning: before all",
            "1:1: error: a bad one",
            "1:1: error: first",
            "1:1: warning: second",
            "2:1: error: last",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_form_shows_as_much_as_its_readers_know() {
        let full = Findings::new();
        full.report(Full::One, BC, "bad", "do better");
        full.report_second(Full::Two, [A, BC], "twice".to_owned(), "keep one");
        assert_eq!(
            full.finish("f.json", SOURCE).to_string(),
            "f.json:2:1: error[E001]: bad\n   2 | bc\n     | ^^\n  help: do better\n\n\
             f.json:2:1: warning[W001]: twice\n   2 | bc\n     | ^^\n  help: keep one; the first is in line 1\n\n\
             1 error, 1 warning"
        );
        let brief = Findings::new();
        brief.report(Brief::One, BC, "bad", "do better");
        brief.report(Brief::Two, BC, "odd", "look again");
        assert_eq!(
            brief.finish("", SOURCE).to_string(),
            "2:1: error: bad\n  help: do better\n2:1: warning: odd\n  help: look again"
        );
        let line = Findings::new();
        line.report_line(Line::One, BC, "bad; do better");
        assert_eq!(line.finish("", SOURCE).to_string(), "2:1: bad; do better");
    }

    #[test]
    fn only_errors_make_a_document_unusable() {
        let findings = Findings::new();
        findings.report(Full::Two, A, "odd", "look again");
        assert!(!findings.has_errors());
        let warnings = findings.finish("f", SOURCE).into_warnings().expect("no errors");
        assert_eq!((warnings.len(), warnings.errors().count()), (1, 0));

        let findings = Findings::new();
        findings.report(Full::One, A, "bad", "do better");
        findings.report(Full::Two, A, "odd", "look again");
        assert!(findings.has_errors());
        let all = findings.finish("f", SOURCE).into_warnings().expect_err("an error");
        assert_eq!((all.len(), all.warnings().count()), (2, 1));
    }

    #[test]
    fn a_message_is_bounded() {
        let findings = Findings::new();
        findings.report_line(Line::One, A, "x".repeat(1 << 20));
        assert!(findings.finish("", SOURCE).findings[0].message.chars().count() <= short::MESSAGE + 1);
    }
}

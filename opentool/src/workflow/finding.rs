//! What is wrong with a workflow, and where.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::source::short::{self, shortened};
use crate::source::shown::below_each_other;
use crate::source::span::{Lines, Span};

/// Something that is wrong with a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// The rules that a workflow has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Rule {
    /// The text is JSON, and not deeper than 64 levels.
    Json,
    /// The version of OpenWorkflow is 1.
    Version,
    /// A field that is required is there.
    MissingField,
    /// A field has the JSON type that it should.
    FieldType,
    /// No key stands twice in an object.
    DuplicateKey,
    /// A number can be held as it is written.
    Number,
    /// There is a step `start`.
    NoStart,
    /// No step leads back to an earlier one.
    Loop,
    /// Every step can be reached from `start`.
    Unreachable,
    /// What begins with `#/` is `#/STEP/results` or a place below it.
    BadReference,
    /// A reference names a step that there is.
    UnknownStep,
    /// A reference names a step that has run by then.
    NotRunYet,
    /// The tool has the function.
    UnknownFunction,
    /// An argument that the function requires is there.
    MissingArgument,
    /// The function takes the argument.
    UnknownArgument,
    /// An argument is what the function's schema says.
    ArgumentType,
    /// A reference, or `results`, names what the function returns.
    UnknownResult,
    /// What a reference leads to fits the parameter.
    ReferenceType,
    /// The default in `results` is of the type that the function returns.
    ResultType,
}

/// A workflow that cannot run, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invalid {
    /// In the order of the document. Never empty.
    pub findings: Vec<Finding>,
}

/// Collects findings by the offset of their place.
#[derive(Default)]
pub(super) struct Findings(Vec<(usize, Rule, String)>);

impl Findings {
    pub(super) fn report(&mut self, rule: Rule, place: Span, message: impl Into<String>) {
        self.0.push((place.start, rule, shortened(message, short::MESSAGE)));
    }

    /// `Ok` if there are none.
    pub(super) fn in_source(mut self, source: &str) -> Result<(), Invalid> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_key(|(at, ..)| *at);
        let lines = Lines::new(source);
        let findings = self.0.into_iter().map(|(at, rule, message)| {
            let (line, column) = lines.locate(at);
            Finding { rule, line, column, message }
        });
        Err(Invalid { findings: findings.collect() })
    }
}

/// `line:column: message`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        below_each_other(&self.findings, f)
    }
}

impl std::error::Error for Invalid {}

/// "; did you mean `x`?", or nothing.
pub(super) fn did_you_mean<'c>(name: &str, known: impl IntoIterator<Item = &'c str>) -> String {
    crate::source::nearest::nearest(name, known)
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}

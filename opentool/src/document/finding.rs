//! What is wrong with a document, and where.

use std::fmt;

use crate::source::shown::{Shown, below_each_other};

/// Something that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Whether a finding stops the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The document works, yet its author may want to mend it.
    Warning,
    /// The document cannot be used.
    Error,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The rules that a document has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The text is JSON, and not deeper than 64 levels.
    Json,
    /// The version of OpenTool is 1.
    Version,
    /// A field that the specification requires is there.
    MissingField,
    /// A field has the JSON type that the specification says.
    WrongType,
    /// No key stands twice in an object.
    DuplicateKey,
    /// A function's name has 1 to 64 letters, digits, `-` and `_`; other names are not empty.
    Name,
    /// No two functions have one name.
    DuplicateFunction,
    /// No two parameters of a function have one name.
    DuplicateParameter,
    /// A schema has one of the six types.
    UnknownType,
    /// A `$ref` leads to one of the document's schemas.
    UnresolvedReference,
    /// No schema contains itself.
    CyclicReference,
    /// An `enum` has values, and each is of the schema's type.
    EnumValue,
    /// What `required` lists are properties.
    UnknownProperty,
    /// A result that is spread is an object.
    Spread,
    /// A parameter says whether it is required. A warning: without, it is.
    MissingRequired,
    /// An object says what its properties are. A warning: without, it may have any.
    MissingProperties,
    /// An array says what its elements are. A warning: without, they may be anything.
    MissingItems,
}

impl Rule {
    /// Whether breaking it stops the reader.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::MissingRequired | Self::MissingProperties | Self::MissingItems => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl Finding {
    /// Whether it stops the reader.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// What serde refuses although no rule does.
    pub(super) fn of_serde(error: &serde_json::Error) -> Self {
        let full = error.to_string();
        Self {
            rule: Rule::WrongType,
            line: error.line().max(1),
            column: error.column().max(1),
            message: full.split(" at line ").next().unwrap_or(&full).to_owned(),
            help: "write what the OpenTool specification says".to_owned(),
        }
    }
}

/// `line:column: severity: message`, and the help below.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, message, help, .. } = self;
        let (place, severity) = (format!("{line}:{column}"), self.severity().name());
        Shown { place: &place, severity, code: None, message, excerpt: None, help }.fmt(f)
    }
}

/// A document that cannot be used, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Errors and warnings, in the order of the document.
    pub findings: Vec<Finding>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        below_each_other(&self.findings, f)
    }
}

impl std::error::Error for Invalid {}

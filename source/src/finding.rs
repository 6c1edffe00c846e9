//! One problem in a text, and how it is shown.

use std::fmt;

use crate::{Excerpt, Form, Rule, Severity};

/// A problem in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Finding<R> {
    /// The rule that is broken.
    pub rule: R,
    /// The file name as given; empty for a text without a name.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub file: String,
    /// The line, from 1; `None` if the finding has no place in the document.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// What the problem is.
    pub message: String,
    /// How to fix it; empty if the message already says so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub help: String,
    /// The source line with the place marked.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) excerpt: Option<Excerpt>,
}

impl<R: Rule> Finding<R> {
    /// A finding with only a line and a column, in a text without a name.
    pub fn at(rule: R, (line, column): (usize, usize), message: &str, help: &str) -> Self {
        Self {
            rule,
            file: String::new(),
            line: Some(line),
            column: Some(column),
            message: message.to_owned(),
            help: help.to_owned(),
            excerpt: None,
        }
    }

    /// Error or warning, from the rule.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// Whether the document cannot be used.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// `file:line:column`, or the part of it that is known.
    #[must_use]
    pub fn place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) if self.file.is_empty() => format!("{line}:{column}"),
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.file),
            _ => self.file.clone(),
        }
    }

    /// The text between place and message: `error[E001]`, or less, depending on the [`Form`].
    #[must_use]
    pub fn label(&self) -> String {
        match R::FORM {
            Form::Full => format!("{}[{}]", self.severity().name(), self.rule.code()),
            Form::Brief => self.severity().name().to_owned(),
            Form::Line => String::new(),
        }
    }
}

/// Place, label and message on the first line; then the excerpt and the help, if there are any.
impl<R: Rule> fmt::Display for Finding<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [self.place(), self.label()].iter().filter(|part| !part.is_empty()) {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(excerpt) = &self.excerpt {
            write!(f, "\n{excerpt}")?;
        }
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", self.help)?;
        }
        Ok(())
    }
}

//! The error of a call that C reports as failed: `x-error`.
//!
//! Generated methods and the interpreter make one before anything that C gave is freed: every text is a copy.

use std::fmt;

use opentool::{Map, ToolError, Value};

use crate::codes::Codes;
use crate::system::System;

/// A call that C reports as failed: its code, the library's own text, and the outputs that C filled.
///
/// ```
/// use opendyn::CallError;
///
/// /// What went wrong, for a person: the text of the library, if it gave one.
/// fn reason(error: &CallError) -> String {
///     match error {
///         CallError::Failed(failed) => failed.text().unwrap_or("no text").to_owned(),
///         other => other.to_string(),
///     }
/// }
/// ```
#[derive(Clone)]
pub struct FailedCall(Box<Parts>);

#[derive(Clone)]
struct Parts {
    code: Option<i64>,
    codes: Codes,
    text: Option<String>,
    outputs: Map<String, Value>,
}

impl FailedCall {
    /// The code, if the function has one.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        self.0.code
    }

    /// Whether this is the code, which may be a value of the code type of the binding.
    #[must_use]
    pub fn is(&self, code: impl Into<i64>) -> bool {
        self.0.code == Some(code.into())
    }

    /// The name of the code, if the document has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.0.codes.name(self.0.code?)
    }

    /// The text of the library or of the system, or else the text of the code in the document.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.0.text.as_deref().or_else(|| self.0.codes.describe(self.0.code?))
    }

    /// The scalars and strings that C left in outputs, by their names in the document. Outputs that C did not touch are
    /// zero, and strings that are NULL are left out.
    #[must_use]
    pub fn outputs(&self) -> &Map<String, Value> {
        &self.0.outputs
    }
}

/// What generated code makes a failure with.
#[doc(hidden)]
impl FailedCall {
    #[cold]
    #[must_use]
    pub fn new(codes: Codes) -> Self {
        Self(Box::new(Parts { code: None, codes, text: None, outputs: Map::new() }))
    }

    #[must_use]
    pub fn with_code(mut self, code: impl Into<Option<i64>>) -> Self {
        self.0.code = code.into();
        self
    }

    /// A text of the library.
    #[must_use]
    pub fn with_text(mut self, text: Option<String>) -> Self {
        self.0.text = text;
        self
    }

    /// The text of the system for the code.
    #[must_use]
    pub fn with_system_text(mut self, system: System) -> Self {
        self.0.text = self.0.code.and_then(|code| system.text(code));
        self
    }

    /// A scalar that C left in an output.
    #[must_use]
    pub fn with_output(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.outputs.insert(name.to_owned(), value.into());
        self
    }

    /// A string that C left in an output.
    #[must_use]
    pub fn with_output_text(self, name: &str, text: Option<String>) -> Self {
        match text {
            Some(text) => self.with_output(name, text),
            None => self,
        }
    }

    /// A character that C left in an output.
    #[must_use]
    pub fn with_output_character(self, name: &str, byte: u8) -> Self {
        match byte.is_ascii() {
            true => self.with_output(name, char::from(byte).to_string()),
            false => self.with_output(name, byte),
        }
    }
}

/// Two failures are equal if they say the same; the table of codes is not compared.
impl PartialEq for FailedCall {
    fn eq(&self, other: &Self) -> bool {
        let parts = |of: &Self| (of.0.code, of.0.text.clone(), of.0.outputs.clone());
        parts(self) == parts(other)
    }
}

impl Eq for FailedCall {}

impl fmt::Debug for FailedCall {
    // Omits the table, which is the same for every error of a document.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FailedCall")
            .field("code", &self.code())
            .field("name", &self.name())
            .field("text", &self.text())
            .field("outputs", self.outputs())
            .finish()
    }
}

impl fmt::Display for FailedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(code) = self.code() {
            write!(f, "code {code}")?;
        }
        if let Some(name) = self.name() {
            write!(f, " ({name})")?;
        }
        match (self.code(), self.text()) {
            (Some(_), Some(text)) => write!(f, ": {text}"),
            (Some(_), None) => Ok(()),
            (None, Some(text)) => f.write_str(text),
            (None, None) => f.write_str(NO_TEXT),
        }
    }
}

/// What is said of a failure that has neither code nor text.
const NO_TEXT: &str = "the function reported a failure";

impl std::error::Error for FailedCall {}

impl From<FailedCall> for ToolError {
    #[cold]
    fn from(error: FailedCall) -> Self {
        let no_text = if error.code().is_some() { crate::codes::NO_TEXT } else { NO_TEXT };
        let message = error.text().unwrap_or(no_text).to_owned();
        let name = error.name().map(str::to_owned);
        Self::CallFailed { code: error.code(), message, details: None }.with_details(name, error.0.outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CallError;

    const NAMES: &[(i64, &str)] = &[(5, "BUSY"), (6, "LOCKED")];
    const CODES: Codes = Codes::named(&[(5, "the database is busy"), (7, "no memory")], &NAMES);

    fn failed(code: impl Into<Option<i64>>, text: Option<&str>) -> FailedCall {
        FailedCall::new(CODES).with_code(code).with_text(text.map(str::to_owned))
    }

    #[test]
    fn a_failure_shows_code_name_and_text() {
        for (error, sentence) in [
            (failed(5, Some("database is locked")), "code 5 (BUSY): database is locked"),
            (failed(5, None), "code 5 (BUSY): the database is busy"),
            (failed(6, None), "code 6 (LOCKED)"),
            (failed(7, None), "code 7: no memory"),
            (failed(8, None), "code 8"),
            (failed(None, Some("no such table")), "no such table"),
            (failed(None, None), "the function reported a failure"),
        ] {
            assert_eq!(error.to_string(), sentence);
            assert_eq!(CallError::from(error).to_string(), sentence);
        }
    }

    #[test]
    fn a_call_error_has_the_code_and_the_text_of_its_failure() {
        let error = CallError::from(failed(5, Some("locked")));
        assert_eq!((error.code(), error.text()), (Some(5), Some("locked")));
        assert!(error.is(5) && !error.is(6));
        let null = CallError::Null { value: "x" };
        assert_eq!((null.code(), null.text(), null.is(0)), (None, None, false));
    }

    #[test]
    fn a_tool_error_has_everything_that_the_failure_has() {
        let error = failed(5, Some("locked")).with_output("row", 3).with_output_text("none", None);
        let outputs = Map::from_iter([("row".to_owned(), Value::from(3))]);
        let expected =
            ToolError::call_failed_with(5, "locked").with_details(Some("BUSY".to_owned()), outputs);
        assert_eq!(ToolError::from(CallError::from(error)), expected);
        assert_eq!(
            ToolError::from(failed(8, None)),
            ToolError::call_failed_with(8, "the document has no text for it")
        );
        assert_eq!(
            ToolError::from(failed(None, None)),
            ToolError::call_failed("the function reported a failure")
        );
    }
}

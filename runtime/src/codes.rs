//! The codes of a document with their texts, and the error for a code.

use std::fmt;
use std::hash::{Hash, Hasher};

use opentool::ToolError;

/// Codes and texts, sorted by code.
#[derive(Clone, Copy, Debug)]
pub struct Codes(&'static [(i64, &'static str)]);

impl Codes {
    /// A table; `entries` must ascend by code, which is checked at compile time.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(entries: &'static [(i64, &'static str)]) -> Self {
        let mut i = 1;
        while i < entries.len() {
            assert!(entries[i - 1].0 < entries[i].0, "codes ascend");
            i += 1;
        }
        Self(entries)
    }

    /// The text of `code`.
    #[must_use]
    pub fn describe(&self, code: i64) -> Option<&'static str> {
        self.0.binary_search_by_key(&code, |entry| entry.0).ok().map(|index| self.0[index].1)
    }

    /// Writes `code` with its text, if it has one.
    #[doc(hidden)]
    pub fn fmt(&self, code: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.describe(code) {
            Some(text) => write!(f, "{code}: {text}"),
            None => write!(f, "{code}"),
        }
    }

    /// Every code with its text, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &'static str)> {
        self.0.iter().copied()
    }
}

/// The code that a function returned instead of success, with its text.
///
/// Two errors are equal if their codes are.
#[derive(Clone, Copy)]
pub struct CodeError {
    code: i64,
    codes: Codes,
}

impl CodeError {
    /// The code.
    #[must_use]
    pub fn code(&self) -> i64 {
        self.code
    }

    /// Its text, if the document has one.
    #[must_use]
    pub fn text(&self) -> Option<&'static str> {
        self.codes.describe(self.code)
    }
}

impl PartialEq for CodeError {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for CodeError {}

impl Hash for CodeError {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code.hash(state);
    }
}

impl fmt::Debug for CodeError {
    // Omits the table, which is the same for every error of a document.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeError").field("code", &self.code).field("text", &self.text()).finish()
    }
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.codes.fmt(self.code, f)
    }
}

impl std::error::Error for CodeError {}

impl From<CodeError> for ToolError {
    #[cold]
    fn from(error: CodeError) -> Self {
        let message = error.text().unwrap_or("the document has no text for it").to_owned();
        Self::CallFailed { code: Some(error.code), message }
    }
}

/// The code, if it is one of `successes`.
///
/// # Errors
///
/// It is not one of them.
#[inline]
pub fn success(code: i64, successes: &'static [i64], codes: Codes) -> Result<i64, CodeError> {
    if is_success(code, successes) { Ok(code) } else { Err(CodeError { code, codes }) }
}

/// Whether a code is one of `successes`.
#[inline]
#[must_use]
pub fn is_success(code: i64, successes: &[i64]) -> bool {
    // Most functions have one success code, which takes one comparison.
    match successes {
        [success] => code == *success,
        _ => successes.contains(&code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CallError;

    static CODES: Codes = Codes::new(&[(-2, "bad"), (0, "fine"), (7, "busy")]);

    #[test]
    fn a_code_has_its_text_and_others_have_none() {
        assert_eq!(CODES.describe(-2), Some("bad"));
        assert_eq!(CODES.describe(7), Some("busy"));
        assert_eq!(CODES.describe(1), None);
        assert_eq!(CODES.iter().count(), 3);
    }

    #[test]
    fn only_a_success_code_passes() {
        assert_eq!(success(0, &[0], CODES), Ok(0));
        assert_eq!(success(101, &[0, 100, 101], CODES), Ok(101));
        assert_eq!(success(7, &[0], CODES).map_err(|error| error.code()), Err(7));
        assert_eq!(success(0, &[1], CODES).map_err(|error| error.code()), Err(0));
        assert_eq!(success(0, &[], CODES).map_err(|error| error.code()), Err(0));
    }

    #[test]
    fn an_error_shows_code_and_text() {
        let busy = success(7, &[0], CODES).expect_err("no success");
        assert_eq!(busy.to_string(), "7: busy");
        assert_eq!(format!("{busy:?}"), r#"CodeError { code: 7, text: Some("busy") }"#);
        let unknown = success(8, &[0], CODES).expect_err("no success");
        assert_eq!((unknown.to_string().as_str(), unknown.text()), ("8", None));
        assert_ne!(busy, unknown);
        assert_eq!(CallError::from(busy).to_string(), "7: busy");
    }

    #[test]
    fn a_tool_error_has_code_and_text() {
        let [busy, unknown] = [7, 8].map(|code| success(code, &[0], CODES).expect_err("no success"));
        let told = ToolError::CallFailed { code: Some(7), message: "busy".to_owned() };
        assert_eq!(ToolError::from(busy), told);
        assert_eq!(ToolError::from(CallError::from(busy)), told);
        assert_eq!(
            ToolError::from(unknown).to_string(),
            "the call failed with code 8: the document has no text for it"
        );
    }
}

//! The codes of a document with their texts and names, and the error for a code.

use std::fmt;
use std::hash::{Hash, Hasher};

use opentool::ToolError;

/// Codes and texts, sorted by code; and the names of codes.
///
/// ```
/// use opendyn::Codes;
///
/// const CODES: Codes = Codes::new(&[(0, "success"), (1, "division by zero")]);
///
/// assert_eq!(CODES.describe(1), Some("division by zero"));
/// assert_eq!(CODES.describe(2), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    texts: &'static [(i64, &'static str)],
    /// Behind a thin pointer: few documents have names, and every error with a code holds the table.
    names: &'static &'static [(i64, &'static str)],
}

const NO_NAMES: &[(i64, &str)] = &[];

/// What is said of a code without a text.
pub(crate) const NO_TEXT: &str = "the document has no text for it";

impl Codes {
    /// A table; `entries` must ascend by code, which is checked at compile time.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(entries: &'static [(i64, &'static str)]) -> Self {
        Self::named(entries, &NO_NAMES)
    }

    /// As [`Codes::new`], for codes that have names; `names` must ascend, too.
    #[doc(hidden)]
    #[must_use]
    pub const fn named(
        texts: &'static [(i64, &'static str)],
        names: &'static &'static [(i64, &'static str)],
    ) -> Self {
        assert!(ascends(texts) && ascends(names), "codes ascend");
        Self { texts, names }
    }

    /// The text of `code`.
    #[must_use]
    pub fn describe(&self, code: i64) -> Option<&'static str> {
        find(self.texts, code)
    }

    /// The name of `code`.
    #[must_use]
    pub fn name(&self, code: i64) -> Option<&'static str> {
        find(self.names, code)
    }

    /// Writes `code` with its name and its text, if it has them.
    #[doc(hidden)]
    pub fn fmt(&self, code: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{code}")?;
        if let Some(name) = self.name(code) {
            write!(f, " ({name})")?;
        }
        match self.describe(code) {
            Some(text) => write!(f, ": {text}"),
            None => Ok(()),
        }
    }

    /// Every code with its text, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &'static str)> {
        self.texts.iter().copied()
    }
}

const fn ascends(entries: &[(i64, &str)]) -> bool {
    let mut i = 1;
    while i < entries.len() {
        if entries[i - 1].0 >= entries[i].0 {
            return false;
        }
        i += 1;
    }
    true
}

fn find(entries: &[(i64, &'static str)], code: i64) -> Option<&'static str> {
    entries.binary_search_by_key(&code, |entry| entry.0).ok().map(|index| entries[index].1)
}

/// The code that a function returned instead of success, with its text.
///
/// Two errors are equal if their codes are.
///
/// ```
/// use opendyn::CodeError;
///
/// /// The text of the document for the code, or the number.
/// fn reason(error: &CodeError) -> String {
///     error.text().map_or_else(|| error.code().to_string(), str::to_owned)
/// }
/// ```
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

    /// The name of the code, if the document has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.codes.name(self.code)
    }

    /// Whether this is the code, which may be a value of the code type of the binding.
    #[must_use]
    pub fn is(&self, code: impl Into<i64>) -> bool {
        self.code == code.into()
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
        Self::call_failed_with(error.code, error.text().unwrap_or(NO_TEXT))
            .with_details(error.name().map(str::to_owned), opentool::Map::new())
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
    fn a_named_code_is_shown_with_its_name() {
        const NAMES: &[(i64, &str)] = &[(7, "BUSY"), (8, "LATE")];
        let named = Codes::named(&[(7, "busy")], &NAMES);
        let error = |code| success(code, &[0], named).expect_err("no success");
        assert_eq!(error(7).to_string(), "7 (BUSY): busy");
        assert_eq!(error(8).to_string(), "8 (LATE)");
        assert_eq!((error(8).name(), error(9).name()), (Some("LATE"), None));
        assert!(error(7).is(7) && !error(7).is(8));
        assert_eq!(ToolError::from(error(7)).to_json()["codeName"], "BUSY");
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
        let told = ToolError::call_failed_with(7, "busy");
        assert_eq!(ToolError::from(busy), told);
        assert_eq!(ToolError::from(CallError::from(busy)), told);
        assert_eq!(
            ToolError::from(unknown).to_string(),
            "the call failed with code 8: the document has no text for it"
        );
    }
}

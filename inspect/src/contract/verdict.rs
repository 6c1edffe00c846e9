//! The result of comparing a declared type with one of the library.

use opendyn_model::rule::Rule;

/// Whether two types are the same for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Fits,
    /// They differ. `rule` is a warning if the call works nevertheless; if absent, the finding is an error
    /// under the rule for the position of the type.
    Differs {
        rule: Option<Rule>,
        note: String,
    },
    /// They cannot be compared, for this reason.
    Unknown(String),
}

impl Verdict {
    pub(super) fn error(note: impl Into<String>) -> Self {
        Self::Differs { rule: None, note: note.into() }
    }

    pub(super) fn warning(rule: Rule, note: impl Into<String>) -> Self {
        Self::Differs { rule: Some(rule), note: note.into() }
    }

    /// Two sizes in bytes that differ.
    pub(super) fn width(document: u64, library: u64) -> Self {
        Self::error(format!("{} against {library}", bytes(document)))
    }

    pub(super) fn is_error(&self) -> bool {
        matches!(self, Self::Differs { rule: None, .. })
    }
}

/// `1 byte`, `4 bytes`
pub(super) fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

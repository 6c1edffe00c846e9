//! The codes of a document and their texts.

/// Codes and texts, sorted by code.
#[derive(Clone, Copy, Debug)]
pub struct Codes(&'static [(i64, &'static str)]);

impl Codes {
    /// A table; `entries` must ascend by code, which is checked when the crate compiles.
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
    pub fn fmt(&self, code: i64, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

#[cfg(test)]
mod tests {
    use super::*;

    static CODES: Codes = Codes::new(&[(-2, "bad"), (0, "fine"), (7, "busy")]);

    #[test]
    fn a_code_has_its_text_and_others_have_none() {
        assert_eq!(CODES.describe(-2), Some("bad"));
        assert_eq!(CODES.describe(7), Some("busy"));
        assert_eq!(CODES.describe(1), None);
        assert_eq!(CODES.iter().count(), 3);
    }
}

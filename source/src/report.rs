//! Everything that was found in a text.

use std::fmt;

use crate::{Finding, Form, Rule};

/// What was found in a document, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report<R> {
    /// Errors and warnings.
    pub findings: Vec<Finding<R>>,
}

impl<R> Default for Report<R> {
    fn default() -> Self {
        Self { findings: Vec::new() }
    }
}

impl<R: Rule> Report<R> {
    /// All findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding<R>> {
        self.findings.iter()
    }

    /// The findings with which the document cannot be used.
    pub fn errors(&self) -> impl Iterator<Item = &Finding<R>> {
        self.findings.iter().filter(|finding| finding.is_error())
    }

    /// The findings with which it can.
    pub fn warnings(&self) -> impl Iterator<Item = &Finding<R>> {
        self.findings.iter().filter(|finding| !finding.is_error())
    }

    /// Whether the document is without fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// How many findings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// The warnings of a document that can be used.
    ///
    /// # Errors
    ///
    /// There are errors: all findings, warnings too.
    pub fn into_warnings(self) -> Result<Self, Self> {
        if self.errors().next().is_none() { Ok(self) } else { Err(self) }
    }
}

impl<'d, R> IntoIterator for &'d Report<R> {
    type Item = &'d Finding<R>;
    type IntoIter = std::slice::Iter<'d, Finding<R>>;

    fn into_iter(self) -> Self::IntoIter {
        self.findings.iter()
    }
}

/// Every finding, one below the other; in full, with an empty line below each and how many there are.
impl<R: Rule> fmt::Display for Report<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if R::FORM != Form::Full {
            return below_each_other(&self.findings, f);
        }
        for finding in &self.findings {
            writeln!(f, "{finding}\n")?;
        }
        f.write_str(&counts(self.errors().count(), self.warnings().count()))
    }
}

impl<R: Rule> std::error::Error for Report<R> {}

/// `2 errors, 1 warning`
#[must_use]
pub fn counts(errors: usize, warnings: usize) -> String {
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    format!("{}, {}", count(errors, "error"), count(warnings, "warning"))
}

/// Writes one below the other.
///
/// # Errors
///
/// Those of `f`.
pub fn below_each_other<T: fmt::Display>(items: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let newline = if index == 0 { "" } else { "\n" };
        write!(f, "{newline}{item}")?;
    }
    Ok(())
}

//! All findings in a text.

use std::fmt;

use crate::{Finding, Form, Rule};

/// The findings in a document, in its order.
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

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Finding<R>> {
        self.findings.iter().filter(|finding| finding.is_error())
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Finding<R>> {
        self.findings.iter().filter(|finding| !finding.is_error())
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The number of findings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// The warnings, if there are no errors.
    ///
    /// # Errors
    ///
    /// There are errors; all findings are returned, including warnings.
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

/// Every finding on its own line. [`Form::Full`] adds an empty line after each and the counts at the end.
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

/// Writes each item on its own line.
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

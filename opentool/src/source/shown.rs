//! How findings are shown, whatever they are findings of.

use std::fmt;

/// A finding that has a severity and a help.
pub struct Shown<'a> {
    /// `file:line:column`, or what is known of it.
    pub place: &'a dyn fmt::Display,
    /// `error` or `warning`.
    pub severity: &'a str,
    /// The code of the rule, if it has one.
    pub code: Option<&'a str>,
    /// What is wrong.
    pub message: &'a str,
    /// The source, with the place marked.
    pub excerpt: Option<&'a dyn fmt::Display>,
    /// What to do about it.
    pub help: &'a str,
}

/// Place, severity, code and message on the first line; then the excerpt and the help.
impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.severity)?;
        if let Some(code) = self.code {
            write!(f, "[{code}]")?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(excerpt) = self.excerpt {
            write!(f, "\n{excerpt}")?;
        }
        write!(f, "\n  help: {}", self.help)
    }
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

/// Writes every finding, an empty line below each, and how many there are.
///
/// # Errors
///
/// Those of `f`.
pub fn with_counts<T: fmt::Display>(
    items: &[T],
    is_error: impl Fn(&T) -> bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for item in items {
        writeln!(f, "{item}\n")?;
    }
    let errors = items.iter().filter(|item| is_error(item)).count();
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    write!(f, "{}, {}", count(errors, "error"), count(items.len() - errors, "warning"))
}

//! What a document was compared with, and the result.

use std::fmt;

use opendyn_model::diagnostic::Diagnostics;

/// All findings for a document, and what they are based on.
#[derive(Clone, Debug)]
pub struct ContractReport {
    /// The findings in the document itself and against the evidence.
    pub diagnostics: Diagnostics,
    /// The sources that it was compared with, and those that it was not.
    pub tiers: Vec<Tier>,
}

/// One source that a document can be compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The kind of source.
    pub against: Against,
    /// What was compared; or a readable reason why nothing was.
    pub result: Result<Coverage, String>,
    /// The name of the source; `None` if there is none.
    pub source: Option<String>,
}

/// A kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The symbols that the library exports.
    Exports,
    /// C headers.
    Header,
    /// The debug info of the library.
    DebugInfo,
}

impl Against {
    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exports => "exports",
            Self::Header => "header",
            Self::DebugInfo => "debug info",
        }
    }
}

/// How many functions were compared with a source, and which were not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many functions were compared.
    pub functions: usize,
    /// How many functions the document has.
    pub of: usize,
    /// The functions that were not compared.
    pub unchecked: Vec<Gap>,
    /// The functions that were compared only in part.
    pub partly: Vec<Gap>,
}

/// Functions that could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The reason.
    pub reason: String,
    /// Their names in the document.
    pub functions: Vec<String>,
}

/// One line, such as `debug info of libz.so.1: 12 of 14 functions checked; not checked: …`.
impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.against.name();
        match (&self.source, &self.result) {
            (Some(source), Ok(checked)) => write!(f, "{name} ({source}): {checked}"),
            (None, Ok(checked)) => write!(f, "{name}: {checked}"),
            (Some(source), Err(reason)) => write!(f, "{name} ({source}): not checked: {reason}"),
            (None, Err(reason)) => write!(f, "{name}: not checked: {reason}"),
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.of == 1 { "function" } else { "functions" };
        write!(f, "{} of {} {noun} checked", self.functions, self.of)?;
        for (word, groups) in [("not checked", &self.unchecked), ("checked in part", &self.partly)] {
            for group in groups {
                write!(f, "; {word}: {} ({})", names(&group.functions), group.reason)?;
            }
        }
        Ok(())
    }
}

/// The first few names, and the number of the others.
fn names(functions: &[String]) -> String {
    const SHOWN: usize = 5;
    if functions.len() <= SHOWN {
        return functions.join(", ");
    }
    format!("{} and {} more", functions[..SHOWN].join(", "), functions.len() - SHOWN)
}

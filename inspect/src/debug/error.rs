//! Why a library has no usable debug info.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::read_error::ReadError;

/// Why prototypes could not be read from debug info.
#[derive(Debug)]
#[non_exhaustive]
pub enum DebugError {
    /// The library itself could not be read.
    Library(ReadError),
    /// There is no debug info for it.
    Missing {
        /// The library.
        library: PathBuf,
        /// The places searched, in order.
        tried: Vec<Attempt>,
    },
    /// The file that was named is not the debug info of this library.
    Other {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The debug info is damaged.
    Malformed {
        /// The file.
        path: PathBuf,
        /// What the damage is.
        reason: String,
    },
}

/// One place that was searched for debug info.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The place.
    pub place: String,
    /// Why it was not used.
    pub outcome: String,
}

impl Attempt {
    pub(super) fn new(place: impl Into<String>, outcome: impl Into<String>) -> Self {
        Self { place: place.into(), outcome: outcome.into() }
    }

    pub(super) fn at(path: &Path, outcome: impl Into<String>) -> Self {
        Self::new(path.display().to_string(), outcome)
    }
}

impl DebugError {
    pub(super) fn malformed(path: &Path, reason: impl fmt::Display) -> Self {
        Self::Malformed { path: path.to_owned(), reason: reason.to_string() }
    }
}

impl From<ReadError> for DebugError {
    fn from(error: ReadError) -> Self {
        Self::Library(error)
    }
}

impl fmt::Display for DebugError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Missing { library, tried } => {
                write!(f, "{} has no debug info", library.display())?;
                for (index, attempt) in tried.iter().enumerate() {
                    let before = if index == 0 { ": " } else { "; " };
                    write!(f, "{before}{}: {}", attempt.place, attempt.outcome)?;
                }
                Ok(())
            }
            Self::Other { path, reason } => {
                write!(f, "{} is not the debug info of this library: {reason}", path.display())
            }
            Self::Malformed { path, reason } => {
                write!(f, "the debug info in {} is damaged: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for DebugError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Library(error) => Some(error),
            _ => None,
        }
    }
}

//! Why a script cannot be a tool.

use std::fmt;
use std::path::PathBuf;

use super::{BadSidecar, InvalidScript, PythonFailed, PythonMissing};

/// Why a script cannot be a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PythonError {
    /// There is no Python.
    Missing(PythonMissing),
    /// Python does not work.
    Failed(PythonFailed),
    /// The script breaks rules.
    Invalid(InvalidScript),
    /// The document that describes it does not.
    Document(BadSidecar),
    /// The document describes something else than the `data` of a result.
    Return {
        /// The document.
        file: String,
        /// What its `return` is called.
        name: String,
    },
    /// The file could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
}

impl fmt::Display for PythonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(missing) => missing.fmt(f),
            Self::Failed(failed) => failed.fmt(f),
            Self::Invalid(invalid) => invalid.fmt(f),
            Self::Document(document) => document.fmt(f),
            Self::Return { file, name } => write!(
                f,
                "{file}: the `return` is called `{name}`; call it `data`, for it describes the `data` of what \
                 the script returns"
            ),
            Self::Unreadable { path, message } => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for PythonError {}

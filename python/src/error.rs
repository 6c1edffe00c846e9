//! Why a script cannot be a tool.

use std::fmt;
use std::path::PathBuf;

use super::{BadSidecar, InvalidScript, PythonFailed, PythonMissing};

/// Why a script cannot be a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PythonError {
    /// No suitable Python was found.
    Missing(PythonMissing),
    /// Python does not work.
    Failed(PythonFailed),
    /// The script violates rules.
    Invalid(InvalidScript),
    /// The document beside the script is not valid, or describes another function.
    Document(BadSidecar),
    /// The `return` of the document does not describe `data`.
    Return {
        /// The document.
        file: String,
        /// The name of its `return`.
        name: String,
    },
    /// The file could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
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
                "{file}: the `return` is called `{name}`; call it `data`, because it describes the `data` of what \
                 the script returns"
            ),
            Self::Unreadable { path, message } => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for PythonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Missing(missing) => Some(missing),
            Self::Failed(failed) => Some(failed),
            Self::Invalid(invalid) => Some(invalid),
            Self::Document(document) => Some(document),
            Self::Return { .. } | Self::Unreadable { .. } => None,
        }
    }
}

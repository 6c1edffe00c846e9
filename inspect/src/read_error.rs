//! Why a library could not be read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why the symbols of a file cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A text file that tells a linker where the libraries are, such as `libc.so`.
    LinkerScript {
        /// The file.
        path: PathBuf,
        /// The libraries that it names.
        names: Vec<String>,
    },
    /// A static library: its functions are linked into programs and cannot be loaded.
    Archive {
        /// The file.
        path: PathBuf,
    },
    /// Another kind of file.
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What kind of file it is.
        reason: String,
    },
    /// A damaged library.
    Malformed {
        /// The file.
        path: PathBuf,
        /// What the damage is.
        reason: String,
    },
}

impl ReadError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn not_a_library(path: &Path, reason: impl Into<String>) -> Self {
        Self::NotALibrary { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn malformed(path: &Path, reason: impl fmt::Display) -> Self {
        Self::Malformed { path: path.to_owned(), reason: reason.to_string() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{} cannot be read: {source}", path.display()),
            Self::LinkerScript { path, names } => {
                write!(f, "{} is a linker script (a text file), not a library", path.display())?;
                match names.as_slice() {
                    [] => Ok(()),
                    [name, ..] => write!(f, "; name the library itself: {name}"),
                }
            }
            Self::Archive { path } => {
                write!(
                    f,
                    "{} is a static library, which cannot be loaded; name the shared library",
                    path.display()
                )
            }
            Self::NotALibrary { path, reason } => {
                write!(f, "{} is not a shared library: {reason}", path.display())
            }
            Self::Malformed { path, reason } => write!(f, "{} is damaged: {reason}", path.display()),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

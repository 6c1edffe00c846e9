//! Why nothing was imported.

use std::fmt;

use crate::debug::DebugError;
use crate::{LibraryError, NotFound, ReadError, header};

/// Why a document could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// Neither headers nor debug info were named.
    NoSource,
    /// The library cannot be read.
    Library(LibraryError),
    /// The headers cannot be read.
    Header(header::HeaderError),
    /// The file with debug info was not found.
    NoDebugInfo(NotFound),
    /// The debug info cannot be read.
    DebugInfo(DebugError),
    /// A GIR file cannot be read.
    Gir(ReadError),
    /// No function was found.
    NoFunctions {
        /// Whether the functions were limited to those of a library.
        library: bool,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSource => f.write_str("there is nothing to import from"),
            Self::Library(error) => error.fmt(f),
            Self::Header(error) => error.fmt(f),
            Self::NoDebugInfo(error) => error.fmt(f),
            Self::DebugInfo(error) => error.fmt(f),
            Self::Gir(error) => error.fmt(f),
            Self::NoFunctions { .. } => f.write_str("no function was found to import"),
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoSource | Self::NoFunctions { .. } => None,
            Self::Library(error) => Some(error),
            Self::Header(error) => Some(error),
            Self::NoDebugInfo(error) => Some(error),
            Self::DebugInfo(error) => Some(error),
            Self::Gir(error) => Some(error),
        }
    }
}

impl From<LibraryError> for ImportError {
    fn from(error: LibraryError) -> Self {
        Self::Library(error)
    }
}

impl From<header::HeaderError> for ImportError {
    fn from(error: header::HeaderError) -> Self {
        Self::Header(error)
    }
}

impl From<DebugError> for ImportError {
    fn from(error: DebugError) -> Self {
        Self::DebugInfo(error)
    }
}

//! Why a library that was named could not be found or read.

use std::fmt;
#[cfg(feature = "header")]
use std::path::Path;
use std::path::PathBuf;

use crate::{NotFound, ReadError};

/// Why a library could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LibraryError {
    /// The name is empty.
    NoName,
    /// The name is that of a folder.
    Folder(PathBuf),
    /// No file of that name was found.
    NotFound(NotFound),
    /// The file is not a library, or is damaged.
    Read(ReadError),
}

#[cfg(feature = "header")]
impl LibraryError {
    /// Refuses names that no library can have before a search for them.
    #[cfg(feature = "header")]
    pub(crate) fn check_name(name: &Path) -> Result<(), Self> {
        match name {
            name if name.as_os_str().is_empty() => Err(Self::NoName),
            name if name.is_dir() => Err(Self::Folder(name.to_owned())),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str("the name of the library is empty"),
            Self::Folder(path) => write!(f, "`{}` is a folder, not a library", path.display()),
            Self::NotFound(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LibraryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoName | Self::Folder(_) => None,
            Self::NotFound(error) => Some(error),
            Self::Read(error) => Some(error),
        }
    }
}

impl From<NotFound> for LibraryError {
    fn from(error: NotFound) -> Self {
        Self::NotFound(error)
    }
}

impl From<ReadError> for LibraryError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

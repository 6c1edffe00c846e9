//! Where the library is that a document names.

use std::path::{Path, PathBuf};

use crate::library::{Library, LoadError};

/// The places of a library.
#[derive(Debug)]
pub struct DefaultLibrary {
    /// The environment variable that names it.
    pub variable: &'static str,
    /// Its file name on Linux, and on other systems like it.
    pub linux: Option<&'static str>,
    /// Its file name on macOS.
    pub macos: Option<&'static str>,
    /// Its file name on Windows.
    pub windows: Option<&'static str>,
}

impl DefaultLibrary {
    fn file_name(&self) -> Option<&'static str> {
        if cfg!(windows) {
            self.windows
        } else if cfg!(target_vendor = "apple") {
            self.macos
        } else {
            self.linux
        }
    }

    /// The places to look, in order. What the environment says is not second-guessed.
    fn places(&self) -> Result<Vec<PathBuf>, LoadError> {
        if let Some(path) = std::env::var_os(self.variable).filter(|path| !path.is_empty()) {
            return Ok(vec![path.into()]);
        }
        let Some(name) = self.file_name() else {
            return Err(LoadError::NoDefault { variable: self.variable });
        };
        let executable = std::env::current_exe().ok();
        let beside = executable.as_deref().and_then(Path::parent).map(|folder| folder.join(name));
        Ok(beside.into_iter().chain([name.into()]).collect())
    }
}

impl<const N: usize> Library<N> {
    /// Loads the first library that is at one of `places`.
    ///
    /// # Errors
    ///
    /// There is none, or the first that there is lacks symbols or cannot be loaded.
    ///
    /// # Safety
    ///
    /// As for [`Library::open`], for whichever library it is.
    pub unsafe fn open_default(
        places: &DefaultLibrary,
        symbols: &[&'static str; N],
        optional: &[usize],
    ) -> Result<Self, LoadError> {
        let mut tried = Vec::new();
        for path in places.places()? {
            // SAFETY: the caller vouches for it.
            match unsafe { Self::open(&path, symbols, optional) } {
                // A file that is there and cannot be loaded is what the user wants to hear of.
                Err(error @ LoadError::Open { .. }) if !path.is_absolute() || !path.exists() => {
                    tried.push(error)
                }
                result => return result,
            }
        }
        Err(LoadError::NotFound { variable: places.variable, tried })
    }
}

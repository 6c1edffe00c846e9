//! Where to find the library that a document names.

use std::path::{Path, PathBuf};

use crate::in_use::Sharing;
use crate::library::Library;
use crate::load_error::LoadError;

/// The places where a library can be.
#[derive(Debug)]
pub struct DefaultLibrary<'d> {
    /// The environment variable that names it.
    pub variable: &'d str,
    /// Its file name on Linux and other Unix systems except macOS.
    pub linux: Option<&'d str>,
    /// Its file name on Apple systems.
    pub macos: Option<&'d str>,
    /// Its file name on Windows.
    pub windows: Option<&'d str>,
}

impl<'d> DefaultLibrary<'d> {
    fn file_name(&self) -> Option<&'d str> {
        if cfg!(windows) {
            self.windows
        } else if cfg!(target_vendor = "apple") {
            self.macos
        } else {
            self.linux
        }
    }

    /// The places to look, in order. If the environment variable is set, it is the only place.
    ///
    /// # Errors
    ///
    /// The document names no library for this system, and the variable is not set.
    pub fn places(&self) -> Result<Vec<PathBuf>, LoadError> {
        if let Some(path) = std::env::var_os(self.variable).filter(|path| !path.is_empty()) {
            return Ok(vec![path.into()]);
        }
        let Some(name) = self.file_name() else {
            return Err(LoadError::NoDefault { variable: self.variable.to_owned().into() });
        };
        let executable = std::env::current_exe().ok();
        let beside = executable.as_deref().and_then(Path::parent).map(|folder| folder.join(name));
        Ok(beside.into_iter().chain([name.into()]).collect())
    }
}

impl DefaultLibrary<'_> {
    /// Opens the first library that exists at one of the places.
    ///
    /// # Errors
    ///
    /// No library exists, or the first one cannot be opened.
    pub fn open_first<T>(&self, open: impl Fn(&Path) -> Result<T, LoadError>) -> Result<T, LoadError> {
        let mut tried = Vec::new();
        for path in self.places()? {
            match open(&path) {
                // A file that exists but cannot be loaded is the error to report.
                Err(error @ LoadError::Open { .. }) if !path.is_absolute() || !path.exists() => {
                    tried.push(error)
                }
                result => return result,
            }
        }
        Err(LoadError::NotFound { variable: self.variable.to_owned().into(), tried })
    }
}

impl<const N: usize> Library<N> {
    /// Loads the first library that exists at one of `places`.
    ///
    /// # Errors
    ///
    /// No library exists, or the first one lacks symbols or cannot be loaded.
    ///
    /// # Safety
    ///
    /// As for [`Library::open`], for every library at these places.
    pub unsafe fn open_default(
        places: &DefaultLibrary<'_>,
        symbols: &[&'static str; N],
        optional: &[usize],
        sharing: Sharing,
    ) -> Result<Self, LoadError> {
        #[cfg(feature = "server")]
        crate::sought::note(&places.places()?)?;
        // SAFETY: the caller guarantees that the initialisers are sound to run.
        places.open_first(|path| unsafe { Self::open(path, symbols, optional, sharing) })
    }
}

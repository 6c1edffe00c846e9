//! A loaded library whose functions are only known at run time, for `opendyn-interpreter`.

use std::fmt;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;

use crate::library::{LoadError, address, open};

/// As [`Library`](crate::library::Library), for functions whose number is only known at run time.
pub struct LoadedLibrary {
    symbols: Box<[*const ()]>,
    /// Never unloaded, as in `Library`.
    library: ManuallyDrop<libloading::Library>,
}

// SAFETY: as for `Library`.
unsafe impl Send for LoadedLibrary {}
// SAFETY: as for `Library`.
unsafe impl Sync for LoadedLibrary {}

impl LoadedLibrary {
    /// Loads the library at `path` and looks up `symbols`: their names, and whether the library must have them.
    ///
    /// # Errors
    ///
    /// As for [`Library::open`](crate::library::Library::open).
    ///
    /// # Safety
    ///
    /// As for [`Library::open`](crate::library::Library::open).
    pub unsafe fn open<'s>(
        path: &Path,
        symbols: impl Iterator<Item = (&'s str, bool)>,
    ) -> Result<Self, LoadError> {
        // SAFETY: the caller guarantees that the library's initialisers are sound to run.
        let library = unsafe { open(path)? };
        let mut missing = Vec::new();
        let symbols = symbols.map(|(name, is_required)| {
            let address = address(&library, name);
            if address.is_null() && is_required {
                missing.push(name.to_owned().into());
            }
            address
        });
        let symbols = symbols.collect();
        if missing.is_empty() {
            Ok(Self { symbols, library: ManuallyDrop::new(library) })
        } else {
            Err(LoadError::MissingSymbols { path: Some(path.to_owned()), symbols: missing, checked: None })
        }
    }

    /// The address of the symbol at `index`; NULL if the library lacks it.
    #[inline]
    #[must_use]
    pub fn address(&self, index: usize) -> *const () {
        self.symbols.get(index).copied().unwrap_or(ptr::null())
    }

    /// The loaded library, for symbols that the document does not describe.
    #[must_use]
    pub fn loaded(&self) -> &libloading::Library {
        &self.library
    }
}

impl fmt::Debug for LoadedLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedLibrary").field("symbols", &self.symbols.len()).finish_non_exhaustive()
    }
}

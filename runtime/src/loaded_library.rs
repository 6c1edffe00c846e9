//! A loaded library whose functions are only known at run time, for `opendyn-interpreter`.

use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;

use crate::CallError;
use crate::begun::{End, EndCall, Init};
use crate::in_use::{InUse, Sharing, Turn};
use crate::library::{address, handle, linked_address, open};
use crate::load_error::LoadError;

/// As [`Library`](crate::library::Library), for functions whose number is only known at run time.
pub struct LoadedLibrary {
    symbols: Box<[*const ()]>,
    /// Never unloaded, as in `Library`.
    library: ManuallyDrop<libloading::Library>,
    path: Option<PathBuf>,
    in_use: InUse,
}

// SAFETY: as for `Library`.
unsafe impl Send for LoadedLibrary {}
// SAFETY: as for `Library`.
unsafe impl Sync for LoadedLibrary {}

/// What a symbol is to a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The library has it, or else cannot be bound.
    Required,
    /// The library may lack it.
    Optional,
    /// The library, or one that it links, has it: the one that the library itself uses is meant.
    Linked,
}

impl LoadedLibrary {
    /// Loads the library at `path` and looks up `symbols`: their names, and what each is to the library.
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
        symbols: impl Iterator<Item = (&'s str, Wanted)>,
        sharing: Sharing,
    ) -> Result<Self, LoadError> {
        // SAFETY: the caller guarantees that the library's initialisers are sound to run.
        let (library, in_use) = unsafe { open(path, sharing)? };
        Self::resolve(library, Some(path), symbols, in_use)
    }

    /// Looks up `symbols` in a library that is already loaded. Other bindings of it are not looked for.
    ///
    /// # Errors
    ///
    /// The library lacks symbols. The error lists all of them.
    pub fn from_loaded<'s>(
        library: libloading::Library,
        symbols: impl Iterator<Item = (&'s str, Wanted)>,
        sharing: Sharing,
    ) -> Result<Self, LoadError> {
        Self::resolve(library, None, symbols, InUse::unseen(sharing))
    }

    fn resolve<'s>(
        library: libloading::Library,
        path: Option<&Path>,
        symbols: impl Iterator<Item = (&'s str, Wanted)>,
        in_use: InUse,
    ) -> Result<Self, LoadError> {
        let mut missing = Vec::new();
        let symbols = symbols.map(|(name, wanted)| {
            let address = address(&library, name);
            if address.is_null() && wanted != Wanted::Optional {
                missing.push(name.to_owned().into());
            }
            if wanted == Wanted::Linked { linked_address(name, address) } else { address }
        });
        let symbols = symbols.collect();
        if missing.is_empty() {
            let path = path.map(Path::to_owned);
            Ok(Self { symbols, library: ManuallyDrop::new(library), path, in_use })
        } else {
            Err(LoadError::MissingSymbols { path: path.map(Path::to_owned), symbols: missing, checked: None })
        }
    }

    /// The same, of a library that was already loaded, where it ends with the last of its bindings, among them this one.
    #[must_use]
    pub fn counted(self, sharing: Sharing) -> Self {
        let (library, handle) = handle(ManuallyDrop::into_inner(self.library));
        let in_use = InUse::counted(handle, sharing);
        Self { library: ManuallyDrop::new(library), in_use, ..self }
    }

    /// As [`Library::begin`](crate::library::Library::begin).
    ///
    /// # Errors
    ///
    /// `call` failed.
    pub fn begin(
        &self,
        (name, index): (&str, usize),
        args: &[i128],
        end: Option<(usize, EndCall)>,
        call: impl FnOnce() -> Result<(), CallError>,
    ) -> Result<(), LoadError> {
        let end = end.map(|(index, call)| End { address: self.address(index).addr(), call });
        let init = Init { address: self.address(index).addr(), args: args.to_vec(), end };
        let begun = self.in_use.begin(init, call);
        begun.map_err(|error| LoadError::init(self.path.as_deref(), name.to_owned(), error))
    }

    /// The address of the symbol at `index`; NULL if the library lacks it.
    #[inline]
    #[must_use]
    pub fn address(&self, index: usize) -> *const () {
        self.symbols.get(index).copied().unwrap_or(ptr::null())
    }

    /// Waits until the library may be called.
    #[inline]
    pub fn turn(&self) -> Turn<'_> {
        self.in_use.turn()
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

//! A document and the addresses of its functions.

use opendyn::Codes;
use opendyn::interpreted::{LoadedLibrary, Turn};

use crate::Document;
use crate::guard::Guard;
use crate::kinds::Kinds;
use crate::prepared::Prepared;

/// A document and the addresses of its functions.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) document: Document,
    library: LoadedLibrary,
    /// Watches what C does with the memory that it is lent.
    pub(crate) guard: Option<Guard>,
}

impl Bound {
    pub(crate) fn new(document: Document, library: LoadedLibrary) -> Self {
        Self { document, library, guard: None }
    }

    /// Waits until no other call of the library runs, of whichever document, if only one may.
    pub(crate) fn wait(&self) -> Turn<'_> {
        self.library.turn()
    }

    /// The address of a function; NULL if the library lacks it.
    pub(crate) fn address(&self, function: &Prepared) -> *const () {
        self.library.address(function.position)
    }

    pub(crate) fn library(&self) -> &LoadedLibrary {
        &self.library
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        self.document.kinds()
    }

    pub(crate) fn codes(&self) -> Codes {
        self.document.codes()
    }

    pub(crate) fn has_codes(&self) -> bool {
        self.document.has_codes()
    }

    /// The function at `index`, if libffi can call it.
    pub(crate) fn prepared(&self, index: usize) -> Option<&Prepared> {
        self.document.prepared(index).ok()
    }

    /// The names of functions.
    pub(crate) fn names_of(&self, functions: &[usize]) -> Vec<&str> {
        functions.iter().map(|index| self.document.name_of(*index)).collect()
    }

    /// The address of a symbol that frees or allocates and is not a function of the document.
    pub(crate) fn linked_symbol(&self, symbol: usize) -> *const () {
        self.library.address(self.document.position_of_symbol(symbol))
    }
}

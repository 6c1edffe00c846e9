//! A document and the addresses of its functions.

use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opendyn::Codes;
use opendyn::generated::State;
use opendyn::interpreted::LoadedLibrary;
use opendyn_model::plan::Operand;

use crate::Document;
use crate::kinds::Kinds;
use crate::prepared::Prepared;

/// A document and the addresses of its functions.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) document: Document,
    library: LoadedLibrary,
    /// One call at a time, unless the library is thread-safe.
    calls: Option<Mutex<()>>,
}

impl Bound {
    pub(crate) fn new(document: Document, library: LoadedLibrary) -> Self {
        let calls = (!document.is_thread_safe()).then(Mutex::default);
        Self { document, library, calls }
    }

    /// Waits until no other call runs, if only one may.
    pub(crate) fn wait(&self) -> Option<MutexGuard<'_, ()>> {
        // A panic in another call leaves nothing behind that this one could see.
        self.calls.as_ref().map(|calls| calls.lock().unwrap_or_else(PoisonError::into_inner))
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

    /// Frees `pointer` with the function at `index`.
    ///
    /// # Safety
    ///
    /// The document says that this function frees the pointer, which is not used afterwards. No other call runs, unless
    /// the library is thread-safe.
    pub(crate) unsafe fn free(&self, index: usize, pointer: *mut c_void) {
        let Some(function) = self.prepared(index) else { return };
        let address = self.address(function);
        if address.is_null() {
            return;
        }
        let mut pointer = pointer;
        let mut through: *mut c_void = ptr::from_mut(&mut pointer).cast();
        let is_through =
            function.plan.params.first().is_some_and(|param| param.operand == Operand::ReleasedThrough);
        let mut argument: *mut c_void = if is_through { ptr::from_mut(&mut through).cast() } else { through };
        let mut returned = [0_u64; 2];
        // SAFETY: `lower` has checked that the function takes one pointer, or the address of one; the caller guarantees
        // that it may be called with this one.
        unsafe { function.interface.call(address, &raw mut argument, returned.as_mut_ptr().cast()) };
    }
}

/// Frees a handle of a table.
///
/// # Safety
///
/// `binding` points to a [`Bound`], and otherwise as for [`Bound::free`].
pub(crate) unsafe fn free_handle(binding: *const (), function: usize, pointer: *mut c_void) {
    // SAFETY: as the caller guarantees.
    unsafe { (*binding.cast::<Bound>()).free(function, pointer) }
}

/// Frees the memory of a state of a table.
///
/// # Safety
///
/// `binding` points to a [`Bound`], and `pointer` is from `State::into_raw` of a state of the record at `index`.
pub(crate) unsafe fn free_state(binding: *const (), index: usize, pointer: *mut c_void) {
    // SAFETY: as the caller guarantees.
    let bound = unsafe { &*binding.cast::<Bound>() };
    let layout = &bound.kinds().layouts[index];
    if let Some(pointer) = ptr::NonNull::new(pointer) {
        // SAFETY: as the caller guarantees.
        drop(unsafe { State::from_raw(pointer, layout.size, layout.align) });
    }
}

//! How the runtime frees what C gave.

use std::ffi::c_void;

/// Calls the function of a document that an `x-free` names. Generated code has one such function
/// for each; [`Held`](crate::held::Held), [`Handle`](crate::handle::Handle) and
/// [`Handles`](crate::Handles) call it without knowing the binding's type.
///
/// # Safety
///
/// `binding` points to the binding that the function was generated for, and `pointer` is one that
/// the C function takes, which nobody uses afterwards.
pub type FreeFn = unsafe fn(binding: *const (), pointer: *mut c_void);

//! How the runtime frees memory from C.

use std::ffi::c_void;

/// Calls the function that an `x-free` names. Generated code has one such function for each;
/// [`Held`](crate::held::Held), [`Handle`](crate::handle::Handle) and
/// [`Handles`](crate::Handles) call it without knowing the type of the binding.
///
/// # Safety
///
/// `binding` points to the binding that the function was generated for, the C function accepts
/// `pointer`, and `pointer` is not used afterwards.
pub type FreeFn = unsafe fn(binding: *const (), pointer: *mut c_void);

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

/// As [`FreeFn`], for a binding that finds the C function by its number.
///
/// # Safety
///
/// As for [`FreeFn`]; the number is one of the binding.
pub type NumberedFreeFn = unsafe fn(binding: *const (), number: usize, pointer: *mut c_void);

/// How the handle of a JSON caller is freed.
#[derive(Clone, Copy, Debug)]
pub enum Free {
    /// By a function of generated code.
    By(FreeFn),
    /// By the function of the interpreter, which is told which C function.
    Numbered(NumberedFreeFn, usize),
}

impl Free {
    /// Frees `pointer`.
    ///
    /// # Safety
    ///
    /// As for [`FreeFn`].
    pub(crate) unsafe fn call(self, binding: *const (), pointer: *mut c_void) {
        // SAFETY: the caller guarantees what the function demands.
        unsafe {
            match self {
                Self::By(free) => free(binding, pointer),
                Self::Numbered(free, number) => free(binding, number, pointer),
            }
        }
    }
}

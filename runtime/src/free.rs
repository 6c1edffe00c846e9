//! How the runtime frees memory from C.

use std::ffi::c_void;

/// A function that frees a pointer: the one that an `x-free` names, or that of a state.
///
/// [`Held`](crate::held::Held), [`Handle`](crate::handle::Handle) and [`Handles`](crate::Handles) call it without
/// knowing the type of the binding.
#[derive(Clone, Copy, Debug)]
pub struct Free {
    function: FreeFn,
    which: usize,
}

/// The Rust function behind a [`Free`]. Generated code has one for each C function that frees, and ignores `which`; the
/// interpreter has one for all of them, and finds the C function by `which`.
///
/// # Safety
///
/// `binding` points to the binding that the function was made for, the C function accepts `pointer`, and `pointer` is
/// not used afterwards.
pub type FreeFn = unsafe fn(binding: *const (), which: usize, pointer: *mut c_void);

impl Free {
    /// Frees by calling `function`.
    #[must_use]
    pub const fn new(function: FreeFn) -> Self {
        Self::numbered(function, 0)
    }

    /// Frees by calling `function`, which is told `which`.
    #[must_use]
    pub const fn numbered(function: FreeFn, which: usize) -> Self {
        Self { function, which }
    }

    /// Frees `pointer`.
    ///
    /// # Safety
    ///
    /// As for [`FreeFn`].
    #[inline]
    pub unsafe fn call(self, binding: *const (), pointer: *mut c_void) {
        // SAFETY: the caller guarantees what the function demands.
        unsafe { (self.function)(binding, self.which, pointer) }
    }
}

//! Handles that a caller has given up, while C frees them.

use std::ffi::c_void;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use super::{Handle, Keep, Owner};

/// A handle that C is about to free, from [`Handle::release`]. [`Released::freed`] gives what it keeps; otherwise, also
/// after a panic, that is leaked, because C may still use it.
#[must_use = "what it keeps is leaked unless it is known to be freed"]
pub struct Released {
    pub(super) pointer: NonNull<c_void>,
    pub(super) kept: ManuallyDrop<Vec<Keep>>,
}

impl Released {
    /// The pointer for C.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// What the handle kept, to be dropped after C has freed it. A result of the call may point to it, so it is dropped
    /// when the results are copied.
    ///
    /// # Safety
    ///
    /// C has freed the handle and does not use again what it kept.
    #[inline]
    pub unsafe fn freed(self) -> Vec<Keep> {
        ManuallyDrop::into_inner(self.kept)
    }

    /// C owns the handle for good: what it keeps stays, too.
    pub fn taken(&mut self) {
        std::mem::forget(std::mem::take(&mut *self.kept));
    }

    /// C frees the handle with the one that it returns, which keeps for C what this keeps as soon as it is made.
    pub fn given_away(&mut self) {}

    /// The handle as one that C owns and frees with another handle.
    ///
    /// # Safety
    ///
    /// C does not free it as long as `'h`, and `binding` is its binding.
    #[must_use]
    pub unsafe fn lent<'h, B>(&self, binding: &'h B) -> Handle<'h, B> {
        Handle::at(binding, self.pointer, Owner::Other)
    }

    /// C frees the handle with `owner`, which keeps for C from now on what the handle kept.
    ///
    /// # Safety
    ///
    /// When `owner` is freed, C does not use again what the handle kept.
    pub unsafe fn taken_into<B>(&mut self, owner: &Handle<'_, B>) {
        owner.keep_all(std::mem::take(&mut *self.kept));
    }
}

impl fmt::Debug for Released {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Released").field(&self.pointer).finish()
    }
}

/// A handle that C may free or refuse to free, from [`Handle::releasing`]. Unless it is freed or given back, also after
/// a panic, it is leaked with what it keeps.
#[must_use = "the handle is leaked unless it is freed or given back"]
pub struct Releasing<'l, B> {
    handle: ManuallyDrop<Handle<'l, B>>,
    is_freed: bool,
}

impl<'l, B> Releasing<'l, B> {
    pub(super) fn new(handle: Handle<'l, B>) -> Self {
        Self { handle: ManuallyDrop::new(handle), is_freed: false }
    }

    /// The pointer for C.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.handle.as_ptr()
    }

    /// The further arguments that the handle is freed with.
    #[must_use]
    pub fn captured(&self) -> &[u64] {
        &self.handle.captured
    }

    /// As [`Released::freed`].
    ///
    /// # Safety
    ///
    /// C has freed the handle and does not use again what it kept.
    pub unsafe fn freed(&mut self) -> Vec<Keep> {
        self.is_freed = true;
        self.handle.captured = Box::default();
        self.handle.own_kept()
    }

    /// C owns the handle for good: what it keeps stays, too.
    pub fn taken(&mut self) {
        self.is_freed = true;
        std::mem::forget(self.handle.own_kept());
        self.handle.captured = Box::default();
    }

    /// C frees the handle with the one that it returns, which keeps for C what this keeps as soon as it is made. If it is
    /// never made, C may use that for good.
    pub fn given_away(&mut self) {
        self.is_freed = true;
        self.handle.captured = Box::default();
    }

    /// The handle as one that C owns and frees with another handle.
    ///
    /// # Safety
    ///
    /// C does not free it as long as `'h`, and `binding` is its binding.
    #[must_use]
    pub unsafe fn lent<'h, T>(&self, binding: &'h T) -> Handle<'h, T> {
        Handle::at(binding, self.handle.pointer.get(), Owner::Other)
    }

    /// C frees the handle with `owner`, which keeps for C from now on what the handle kept.
    ///
    /// # Safety
    ///
    /// When `owner` is freed, C does not use again what the handle kept.
    pub unsafe fn taken_into<T>(&mut self, owner: &Handle<'_, T>) {
        self.is_freed = true;
        owner.keep_all(self.handle.own_kept());
        self.handle.captured = Box::default();
    }

    /// The handle, which C has not freed.
    ///
    /// # Safety
    ///
    /// C has not freed the handle.
    #[must_use]
    pub unsafe fn back(self) -> Handle<'l, B> {
        ManuallyDrop::into_inner(self.handle)
    }

    /// The handle, unless C has freed it.
    #[must_use]
    pub fn unless_freed(self) -> Option<Handle<'l, B>> {
        (!self.is_freed).then(|| ManuallyDrop::into_inner(self.handle))
    }
}

impl<B> fmt::Debug for Releasing<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Releasing").field(&self.handle).finish()
    }
}

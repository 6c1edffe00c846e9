//! A pointer that C gave, on its way to a Rust value.
//!
//! Generated methods put what C returned, or left in an output, into a [`Held`] before anything
//! can fail, and copy the value out of it. It is freed when the method ends, whichever way it does: by
//! then all results are copied, also those that point into one another.

use std::ffi::{CString, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::{ptr, slice};

use crate::CallError;
use crate::abi;
use crate::free::FreeFn;

/// A pointer from C to a `T`, or to several. If there is a function that frees it, and it is not
/// NULL, that function is called when this is dropped.
pub struct Held<'b, T> {
    pointer: *mut T,
    free: Option<FreeFn>,
    binding: *const (),
    borrowed: PhantomData<&'b ()>,
}

impl<'b, T> Held<'b, T> {
    /// Holds what C returned.
    ///
    /// # Safety
    ///
    /// `free`, if given, takes a `B`, and `pointer` is NULL or what `free` may be called with.
    #[inline]
    pub unsafe fn returned<B>(binding: &'b B, free: Option<FreeFn>, pointer: *mut T) -> Self {
        Self { pointer, free, binding: ptr::from_ref(binding).cast(), borrowed: PhantomData }
    }

    /// Holds NULL until C leaves a pointer at [`Held::as_mut_ptr`]. `free`, if given, takes a `B`:
    /// whoever writes there vouches for that, and for what it writes, as in [`Held::returned`].
    #[inline]
    pub fn output<B>(binding: &'b B, free: Option<FreeFn>) -> Self {
        // SAFETY: NULL is never freed.
        unsafe { Self::returned(binding, free, ptr::null_mut()) }
    }

    /// Where C leaves the pointer; valid while this lives and stays where it is.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut *mut T {
        &raw mut self.pointer
    }

    /// The pointer, which stays held.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut T {
        self.pointer
    }

    /// Whether C gave NULL.
    #[inline]
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.pointer.is_null()
    }

    /// The pointer, which is not freed any more: a [`Handle`](crate::handle::Handle) takes it over.
    #[inline]
    #[must_use]
    pub fn into_raw(self) -> *mut T {
        ManuallyDrop::new(self).pointer
    }

    /// Copies the string.
    ///
    /// # Errors
    ///
    /// The pointer is NULL.
    ///
    /// # Safety
    ///
    /// A pointer that is not NULL points to a NUL-terminated string.
    #[inline]
    pub unsafe fn string(&self, value: &'static str) -> Result<CString, CallError> {
        // SAFETY: the caller vouches for the string.
        unsafe { abi::string(value, self.pointer) }
    }

    /// Copies the string; NULL is `None`.
    ///
    /// # Safety
    ///
    /// As for [`Held::string`].
    #[inline]
    pub unsafe fn nullable_string(&self) -> Option<CString> {
        // SAFETY: the caller vouches for the string. The only error is NULL, which has no name here.
        unsafe { self.string("") }.ok()
    }

    /// Copies at most `count` bytes of text, up to the first NUL.
    ///
    /// # Errors
    ///
    /// The pointer is NULL, and `count` is not 0.
    ///
    /// # Safety
    ///
    /// A pointer that is not NULL points to initialised bytes: `count`, or fewer with a NUL at
    /// their end.
    pub unsafe fn text(&self, value: &'static str, count: usize) -> Result<CString, CallError> {
        const { assert!(size_of::<T>() == 1, "text is of char or unsigned char") };
        if self.is_null() {
            return empty_or_null(value, count);
        }
        // SAFETY: it is not NULL, and the caller vouches for the rest.
        Ok(unsafe { copy_text(self.pointer.cast(), count) })
    }

    /// As [`Held::text`]; NULL is `None`.
    ///
    /// # Safety
    ///
    /// As for [`Held::text`].
    pub unsafe fn nullable_text(&self, count: usize) -> Option<CString> {
        // SAFETY: the caller vouches for the text. The only error is NULL, which does not happen.
        if self.is_null() { None } else { unsafe { self.text("", count) }.ok() }
    }

    /// Copies `count` bytes.
    ///
    /// # Errors
    ///
    /// The pointer is NULL, and `count` is not 0.
    ///
    /// # Safety
    ///
    /// A pointer that is not NULL points to `count` initialised bytes.
    pub unsafe fn bytes(&self, value: &'static str, count: usize) -> Result<Vec<u8>, CallError> {
        const { assert!(size_of::<T>() == 1, "bytes are of char, unsigned char or void") };
        if self.is_null() {
            return empty_or_null(value, count);
        }
        // SAFETY: it is not NULL, and the caller vouches for the rest.
        Ok(unsafe { copy_slice(self.pointer.cast(), count) })
    }

    /// As [`Held::bytes`]; NULL is `None`.
    ///
    /// # Safety
    ///
    /// As for [`Held::bytes`].
    pub unsafe fn nullable_bytes(&self, count: usize) -> Option<Vec<u8>> {
        // SAFETY: the caller vouches for the bytes. The only error is NULL, which does not happen.
        if self.is_null() { None } else { unsafe { self.bytes("", count) }.ok() }
    }
}

impl<T: Copy> Held<'_, T> {
    /// Copies the value.
    ///
    /// # Errors
    ///
    /// The pointer is NULL.
    ///
    /// # Safety
    ///
    /// A pointer that is not NULL points to an initialised `T`. It need not be aligned.
    #[inline]
    pub unsafe fn copied(&self, value: &'static str) -> Result<T, CallError> {
        // SAFETY: the caller vouches for the value.
        unsafe { abi::copied(value, self.pointer) }
    }

    /// Copies the value; NULL is `None`.
    ///
    /// # Safety
    ///
    /// As for [`Held::copied`].
    #[inline]
    pub unsafe fn nullable_copied(&self) -> Option<T> {
        // SAFETY: the caller vouches for the value. The only error is NULL, which has no name here.
        unsafe { self.copied("") }.ok()
    }

    /// Copies `count` elements.
    ///
    /// # Errors
    ///
    /// The pointer is NULL, and `count` is not 0.
    ///
    /// # Safety
    ///
    /// A pointer that is not NULL points to `count` initialised elements. They need not be aligned.
    pub unsafe fn slice(&self, value: &'static str, count: usize) -> Result<Vec<T>, CallError> {
        if self.is_null() {
            return empty_or_null(value, count);
        }
        // SAFETY: it is not NULL, and the caller vouches for the rest.
        Ok(unsafe { copy_slice(self.pointer, count) })
    }

    /// As [`Held::slice`]; NULL is `None`.
    ///
    /// # Safety
    ///
    /// As for [`Held::slice`].
    pub unsafe fn nullable_slice(&self, count: usize) -> Option<Vec<T>> {
        // SAFETY: the caller vouches for the elements. The only error is NULL, which does not happen.
        if self.is_null() { None } else { unsafe { self.slice("", count) }.ok() }
    }
}

impl<T> Drop for Held<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(free) = self.free
            && !self.pointer.is_null()
        {
            // SAFETY: whoever made this vouched for binding and pointer. The binding is borrowed, and
            // `into_raw` is the only other way for the pointer to leave.
            unsafe { free(self.binding, self.pointer.cast::<c_void>()) }
        }
    }
}

/// Many functions give NULL for nothing at all.
fn empty_or_null<R: Default>(value: &'static str, count: usize) -> Result<R, CallError> {
    if count == 0 { Ok(R::default()) } else { Err(CallError::Null { value }) }
}

/// # Safety
///
/// `pointer` points to `count` initialised elements. They need not be aligned.
unsafe fn copy_slice<T: Copy>(pointer: *const T, count: usize) -> Vec<T> {
    let mut copy = Vec::<T>::with_capacity(count);
    // SAFETY: there are `count` elements at both ends, and bytes need no alignment.
    unsafe {
        ptr::copy_nonoverlapping(pointer.cast::<u8>(), copy.as_mut_ptr().cast(), count * size_of::<T>())
    };
    // SAFETY: all of them are written.
    unsafe { copy.set_len(count) };
    copy
}

/// # Safety
///
/// `pointer` points to initialised bytes: `count`, or fewer with a NUL at their end.
unsafe fn copy_text(pointer: *const u8, count: usize) -> CString {
    let mut length = 0;
    // SAFETY: there was no NUL before, so this byte is there.
    while length < count && unsafe { pointer.add(length).read() } != 0 {
        length += 1;
    }
    // SAFETY: all of these were just read, and none is NUL.
    unsafe { CString::from_vec_unchecked(slice::from_raw_parts(pointer, length).to_vec()) }
}

#[cfg(test)]
mod tests;

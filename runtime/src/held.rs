//! Pointers from C that are converted to Rust values.
//!
//! Generated methods put a pointer that C returned, or left in an output, into a [`Held`] before anything can fail, and
//! copy the value out of it. It is freed when the method ends, also on an error: by then all results are copied,
//! including those that point into one another. [`Held::given`] or [`Held::nullable`] checks once for NULL.

use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::slice;

use crate::CallError;
use crate::Utf16CString;
use crate::count::Count;
use crate::encoding::Encoding;
use crate::free::{Captured, FreeFn};
use crate::text::{text_at, text_between};

/// A pointer from C to one or more `T`. If `free` is given and the pointer is not NULL, dropping
/// this calls `free`.
pub struct Held<'b, T> {
    pointer: *mut T,
    free: Option<FreeFn>,
    binding: *const (),
    captured: Captured,
    borrowed: PhantomData<&'b ()>,
}

impl<'b, T> Held<'b, T> {
    /// Holds a pointer that C returned.
    ///
    /// # Safety
    ///
    /// `free`, if given, takes a `B`, and `pointer` is NULL or one that `free` may be called with once.
    #[inline]
    pub unsafe fn returned<B>(binding: &'b B, free: Option<FreeFn>, pointer: *mut T) -> Self {
        let binding = ptr::from_ref(binding).cast();
        Self { pointer, free, binding, captured: Captured::default(), borrowed: PhantomData }
    }

    /// The same, with further arguments for `free`, which takes them.
    #[must_use]
    pub fn capturing(mut self, captured: Captured) -> Self {
        self.captured = captured;
        self
    }

    /// Holds NULL until C writes a pointer to [`Held::as_mut_ptr`]. The code that lets C write there
    /// guarantees what [`Held::returned`] demands, of `free` and of the pointer.
    #[inline]
    pub fn output<B>(binding: &'b B, free: Option<FreeFn>) -> Self {
        // SAFETY: the pointer is NULL, for which `free` is never called.
        unsafe { Self::returned(binding, free, ptr::null_mut()) }
    }

    /// Where C writes the pointer; valid until this is moved or dropped.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut *mut T {
        &raw mut self.pointer
    }

    /// The pointer, which this no longer frees: a [`Handle`](crate::handle::Handle) takes it over.
    #[inline]
    #[must_use]
    pub fn into_raw(self) -> *mut T {
        let mut this = ManuallyDrop::new(self);
        drop(std::mem::take(&mut this.captured));
        this.pointer
    }

    /// The pointer, which this still frees.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut T {
        self.pointer
    }

    /// Whether it is NULL.
    #[inline]
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.pointer.is_null()
    }

    /// A copy of the string, for an error; `None` for NULL and for an empty one.
    ///
    /// # Safety
    ///
    /// The pointer is NULL, or points to units of the encoding up to a NUL.
    #[must_use]
    pub unsafe fn text(&self, encoding: Encoding) -> Option<String> {
        // SAFETY: as the caller guarantees.
        unsafe { text_at(self.pointer, encoding) }
    }

    /// As [`Held::text`], for text of at most `units` units, which need not end with NUL.
    ///
    /// # Safety
    ///
    /// The pointer is NULL, or points to so many units of the encoding, or to fewer that end with NUL.
    #[must_use]
    pub unsafe fn text_within(&self, units: usize, encoding: Encoding) -> Option<String> {
        // SAFETY: as the caller guarantees.
        self.nullable().and_then(|given| unsafe { text_between(given.pointer.as_ptr(), units, encoding) })
    }

    /// The pointer for the result `value`.
    ///
    /// # Errors
    ///
    /// It is NULL.
    #[inline]
    pub fn given(&self, value: &'static str) -> Result<Given<'_, T>, CallError> {
        self.nullable().ok_or(CallError::Null { value })
    }

    /// The pointer; `None` for NULL.
    #[inline]
    #[must_use]
    pub fn nullable(&self) -> Option<Given<'_, T>> {
        NonNull::new(self.pointer).map(|pointer| Given { pointer, held: PhantomData })
    }

    /// The elements of the result `value`. NULL is valid if the count is 0: many functions return it.
    ///
    /// # Errors
    ///
    /// The count is invalid, or the pointer is NULL and the count is not 0.
    #[inline]
    pub fn elements<C: Count>(&self, value: &'static str, count: C) -> Result<Elements<'_, T>, CallError> {
        let count = crate::count::count(value, count)?;
        let pointer = match self.nullable() {
            Some(given) => given.pointer,
            None if count == 0 => NonNull::dangling(),
            None => return Err(CallError::Null { value }),
        };
        Ok(Elements { pointer, count, held: PhantomData })
    }

    /// The elements of the result `value`; `None` for NULL.
    ///
    /// # Errors
    ///
    /// The count is invalid.
    #[inline]
    pub fn nullable_elements<C: Count>(
        &self,
        value: &'static str,
        count: C,
    ) -> Result<Option<Elements<'_, T>>, CallError> {
        let count = crate::count::count(value, count)?;
        Ok(self.nullable().map(|given| Elements { pointer: given.pointer, count, held: PhantomData }))
    }
}

impl<T> Held<'static, T> {
    /// Holds a pointer from C that is not freed.
    #[inline]
    #[must_use]
    pub fn lent(pointer: *const T) -> Self {
        let (pointer, captured) = (pointer.cast_mut(), Captured::default());
        Self { pointer, free: None, binding: ptr::null(), captured, borrowed: PhantomData }
    }
}

/// A pointer from C that is not NULL.
pub struct Given<'h, T> {
    pointer: NonNull<T>,
    held: PhantomData<&'h T>,
}

impl<T> Given<'_, T> {
    pub(crate) fn as_ptr(&self) -> *const T {
        self.pointer.as_ptr()
    }

    /// Copies the string.
    ///
    /// # Safety
    ///
    /// The pointer points to a NUL-terminated string.
    #[inline]
    #[must_use]
    pub unsafe fn string(&self) -> CString {
        const { assert!(size_of::<T>() == 1, "a string is of char or unsigned char") };
        // SAFETY: the caller guarantees a NUL-terminated string.
        unsafe { CStr::from_ptr(self.pointer.as_ptr().cast()) }.to_owned()
    }

    /// Copies the UTF-16 string.
    ///
    /// # Safety
    ///
    /// The pointer points to 16-bit units up to a NUL. It need not be aligned.
    #[must_use]
    pub unsafe fn utf16(&self) -> Utf16CString {
        const { assert!(size_of::<T>() == 2, "UTF-16 has units of 16 bits") };
        // SAFETY: the caller guarantees units up to a NUL.
        unsafe { Utf16CString::copied(self.pointer.as_ptr().cast()) }
    }

    /// Copies the strings of the result `value`.
    ///
    /// # Errors
    ///
    /// The count is invalid, or one of the strings is NULL.
    ///
    /// # Safety
    ///
    /// The pointer points to `count` pointers, each NULL or to a NUL-terminated string. It need not be aligned.
    pub unsafe fn strings<C: Count>(&self, value: &'static str, count: C) -> Result<Vec<CString>, CallError> {
        // SAFETY: as the caller guarantees.
        let strings = unsafe { self.nullable_strings(value, count)? };
        strings.into_iter().map(|string| string.ok_or(CallError::Null { value })).collect()
    }

    /// As [`Given::strings`], where NULL is a value among the strings.
    ///
    /// # Errors
    ///
    /// The count is invalid.
    ///
    /// # Safety
    ///
    /// As for [`Given::strings`].
    pub unsafe fn nullable_strings<C: Count>(
        &self,
        value: &'static str,
        count: C,
    ) -> Result<Vec<Option<CString>>, CallError> {
        const { assert!(size_of::<T>() == size_of::<*const c_char>(), "strings are behind pointers") };
        let pointers = self.pointer.as_ptr().cast::<*const c_char>();
        let string = |index: usize| {
            // SAFETY: `index` is below `count`, and the caller guarantees `count` pointers.
            let pointer = unsafe { pointers.add(index).read_unaligned() };
            // SAFETY: it is not NULL, and the caller guarantees a NUL-terminated string.
            Held::lent(pointer).nullable().map(|given| unsafe { given.string() })
        };
        Ok((0..crate::count::count(value, count)?).map(string).collect())
    }
}

impl<T: Copy> Given<'_, T> {
    /// Copies the value.
    ///
    /// # Safety
    ///
    /// The pointer points to an initialised `T`. It need not be aligned.
    #[inline]
    #[must_use]
    pub unsafe fn copied(&self) -> T {
        // SAFETY: the caller guarantees an initialised value.
        unsafe { self.pointer.read_unaligned() }
    }
}

/// A pointer from C to `count` elements.
pub struct Elements<'h, T> {
    pointer: NonNull<T>,
    count: usize,
    held: PhantomData<&'h T>,
}

impl<T> Elements<'_, T> {
    /// Copies the text, up to the first NUL.
    ///
    /// # Safety
    ///
    /// The pointer points to initialised bytes: `count` of them, or fewer that end with NUL.
    #[must_use]
    pub unsafe fn text(&self) -> CString {
        const { assert!(size_of::<T>() == 1, "text is of char or unsigned char") };
        // SAFETY: the caller guarantees the bytes.
        unsafe { copy_text(self.pointer.as_ptr().cast(), self.count) }
    }

    /// Copies the bytes.
    ///
    /// # Safety
    ///
    /// The pointer points to `count` initialised bytes.
    #[must_use]
    pub unsafe fn bytes(&self) -> Vec<u8> {
        const { assert!(size_of::<T>() == 1, "bytes are of char, unsigned char or void") };
        // SAFETY: the caller guarantees `count` bytes.
        unsafe { copy_slice(self.pointer.as_ptr().cast(), self.count) }
    }
}

impl<T: Copy> Elements<'_, T> {
    /// Copies the elements.
    ///
    /// # Safety
    ///
    /// The pointer points to `count` initialised elements. They need not be aligned.
    #[must_use]
    pub unsafe fn slice(&self) -> Vec<T> {
        // SAFETY: the caller guarantees `count` elements.
        unsafe { copy_slice(self.pointer.as_ptr(), self.count) }
    }
}

impl<T> Drop for Held<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(free) = self.free
            && !self.pointer.is_null()
        {
            // SAFETY: the caller of `returned`, or the code that let C write the pointer, guaranteed that
            // `free` takes this binding and pointer. The binding is borrowed, and `into_raw` skips this.
            unsafe { free(self.binding, self.pointer.cast::<c_void>(), &self.captured) };
        }
    }
}

/// # Safety
///
/// `pointer` points to `count` initialised elements. They need not be aligned.
unsafe fn copy_slice<T: Copy>(pointer: *const T, count: usize) -> Vec<T> {
    let mut copy = Vec::<T>::with_capacity(count);
    // SAFETY: source and destination have room for `count` elements and do not overlap, because the
    // destination is new. Bytes need no alignment.
    unsafe {
        ptr::copy_nonoverlapping(pointer.cast::<u8>(), copy.as_mut_ptr().cast(), count * size_of::<T>())
    };
    // SAFETY: `count` elements have been written.
    unsafe { copy.set_len(count) };
    copy
}

/// # Safety
///
/// `pointer` points to initialised bytes: `count` of them, or fewer that end with NUL.
unsafe fn copy_text(pointer: *const u8, count: usize) -> CString {
    let mut length = 0;
    // SAFETY: `length` is below `count` and no byte before it is NUL, so this byte exists.
    while length < count && unsafe { pointer.add(length).read() } != 0 {
        length += 1;
    }
    // SAFETY: these bytes were just read, and none is NUL.
    unsafe { CString::from_vec_unchecked(slice::from_raw_parts(pointer, length).to_vec()) }
}

#[cfg(test)]
mod tests;

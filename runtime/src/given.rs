//! The arguments that C passes to a callback, converted for the closure.
//!
//! Everything behind a pointer is copied before the closure runs: the closure may call C again, and that call may free
//! or change what C passed.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use crate::CStrings;
use crate::count::Count;
use crate::plain::Plain;

/// A count from C; invalid counts become 0.
#[inline]
#[must_use]
pub fn given_count<C: Count>(count: C) -> usize {
    count.to_usize().unwrap_or(0)
}

/// Whether there can be memory for so many elements: no slice is longer.
#[must_use]
pub(crate) fn has_memory(count: usize, size: usize) -> bool {
    count.checked_mul(size).is_some_and(|bytes| bytes <= isize::MAX.cast_unsigned())
}

/// A string; `None` for NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to a NUL-terminated string.
#[must_use]
pub unsafe fn given_str<C>(pointer: *const C) -> Option<CString> {
    const { assert!(size_of::<C>() == 1, "strings are of char or unsigned char") };
    // SAFETY: it is not NULL, and the caller guarantees a string.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer.cast()) }.to_owned())
}

/// `count` elements; none for NULL, and for a count that no memory has.
///
/// # Safety
///
/// A pointer that is not NULL points to `count` aligned elements.
#[must_use]
pub unsafe fn given_slice<T: Plain>(pointer: *const T, count: usize) -> Vec<T> {
    if pointer.is_null() || !has_memory(count, size_of::<T>()) {
        return Vec::new();
    }
    // SAFETY: it is not NULL, and the caller guarantees `count` aligned elements.
    unsafe { std::slice::from_raw_parts(pointer, count) }.to_vec()
}

/// A struct; `None` for NULL. Strings in it stay where C has them.
///
/// # Safety
///
/// A pointer that is not NULL points to an aligned, initialised `T`.
#[must_use]
pub unsafe fn given_record<T: Copy>(pointer: *const T) -> Option<T> {
    // SAFETY: the caller guarantees a `T` behind a pointer that is not NULL.
    unsafe { pointer.as_ref() }.copied()
}

/// Strings behind pointers; none for NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to `count` aligned pointers, each NULL or to a NUL-terminated string.
#[must_use]
pub unsafe fn given_strings(pointer: *const *const c_char, count: usize) -> GivenStrings {
    // SAFETY: the caller guarantees the pointers and the strings.
    given_copies(unsafe { CStrings::new(pointer, count) })
}

/// Copies of strings, and of the pointers to them.
#[must_use]
pub fn given_copies(strings: CStrings<'_>) -> GivenStrings {
    let strings: Vec<Option<CString>> = strings.iter().map(|string| string.map(CStr::to_owned)).collect();
    let pointers = strings.iter().map(|string| string.as_ref().map_or(ptr::null(), |string| string.as_ptr()));
    GivenStrings { pointers: pointers.collect(), _strings: strings }
}

/// Copies of the strings that C passed.
pub struct GivenStrings {
    pointers: Vec<*const c_char>,
    _strings: Vec<Option<CString>>,
}

impl GivenStrings {
    /// The strings for the closure.
    #[must_use]
    pub fn as_strings(&self) -> CStrings<'_> {
        // SAFETY: each pointer is NULL or one of a string that this owns and does not change.
        unsafe { CStrings::new(self.pointers.as_ptr(), self.pointers.len()) }
    }
}

/// The strings up to a NULL, for a closure; none for NULL.
///
/// # Safety
///
/// A pointer that is not NULL is aligned and points to pointers to NUL-terminated strings, up to one that is NULL, for
/// as long as the closure runs.
#[must_use]
pub unsafe fn terminated_strings<'c>(pointer: *const *const c_char) -> CStrings<'c> {
    let mut count = 0;
    // SAFETY: the pointer is not NULL, and no pointer before this one is.
    while !pointer.is_null() && !unsafe { pointer.add(count).read() }.is_null() {
        count += 1;
    }
    // SAFETY: so many pointers were found, each to a string as the caller guarantees.
    unsafe { CStrings::new(pointer, count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_empty() {
        // SAFETY: NULL is allowed.
        unsafe {
            assert_eq!(given_str::<u8>(ptr::null()), None);
            assert_eq!(given_slice::<i32>(ptr::null(), 3), [0; 0]);
            assert_eq!(given_record::<i32>(ptr::null()), None);
            assert!(given_strings(ptr::null(), 3).as_strings().is_empty());
            assert!(terminated_strings(ptr::null()).is_empty());
            assert_eq!(terminated_strings([c"a".as_ptr(), ptr::null()].as_ptr()).len(), 1);
        }
        assert_eq!(given_count(-1), 0);
    }

    #[test]
    fn a_count_that_no_memory_has_is_none() {
        let (one, name) = (7, c"a".as_ptr());
        // SAFETY: such counts are looked at, and nothing is read.
        unsafe {
            assert_eq!(given_slice(&raw const one, usize::MAX), [0; 0]);
            assert_eq!(given_slice(&raw const one, usize::MAX / 4), [0; 0]);
            assert!(given_strings(&raw const name, usize::MAX / 8).as_strings().is_empty());
        }
    }

    #[test]
    fn the_closure_sees_strings_and_elements() {
        // SAFETY: the pointers are valid, and the array has at least two elements.
        unsafe {
            assert_eq!(given_str(c"abc".as_ptr()).as_deref(), Some(c"abc"));
            assert_eq!(given_slice([1, 2, 3].as_ptr(), given_count(2_u8)), [1, 2]);
        }
    }
}

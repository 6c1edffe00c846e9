//! What C gives to a callback, as the closure sees it.

use std::ffi::CStr;

use crate::count::Count;
use crate::plain::Plain;

/// A count; one that cannot be is none.
#[inline]
#[must_use]
pub fn given_count<C: Count>(count: C) -> usize {
    count.to_usize().unwrap_or(0)
}

/// A string, or NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to a NUL-terminated string, for as long as the closure runs.
#[must_use]
pub unsafe fn given_str<'c, C>(pointer: *const C) -> Option<&'c CStr> {
    const { assert!(size_of::<C>() == 1, "strings are of char or unsigned char") };
    // SAFETY: it is not NULL, and the caller vouches for the rest.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer.cast()) })
}

/// So many elements; NULL is none.
///
/// # Safety
///
/// A pointer that is not NULL points to so many aligned elements, for as long as the closure runs.
#[must_use]
pub unsafe fn given_slice<'c, T: Plain>(pointer: *const T, count: usize) -> &'c [T] {
    if pointer.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: it is not NULL, and the caller vouches for the rest.
    unsafe { std::slice::from_raw_parts(pointer, count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_nothing() {
        // SAFETY: NULL is allowed.
        unsafe {
            assert_eq!(given_str::<u8>(std::ptr::null()), None);
            assert_eq!(given_slice::<i32>(std::ptr::null(), 3), [0; 0]);
        }
        assert_eq!(given_count(-1), 0);
    }

    #[test]
    fn what_is_there_is_seen() {
        // SAFETY: the pointers are to what they say.
        unsafe {
            assert_eq!(given_str(c"abc".as_ptr()), Some(c"abc"));
            assert_eq!(given_slice([1, 2, 3].as_ptr(), given_count(2_u8)), [1, 2]);
        }
    }
}

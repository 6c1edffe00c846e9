//! The arguments that C passes to a callback, converted for the closure.

use std::ffi::CStr;

use crate::count::Count;
use crate::plain::Plain;

/// A count from C; invalid counts become 0.
#[inline]
#[must_use]
pub fn given_count<C: Count>(count: C) -> usize {
    count.to_usize().unwrap_or(0)
}

/// A string; `None` for NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to a NUL-terminated string, for as long as the closure runs.
#[must_use]
pub unsafe fn given_str<'c, C>(pointer: *const C) -> Option<&'c CStr> {
    const { assert!(size_of::<C>() == 1, "strings are of char or unsigned char") };
    // SAFETY: it is not NULL, and the caller guarantees a string that outlives `'c`.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer.cast()) })
}

/// `count` elements; none for NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to `count` aligned elements, for as long as the closure runs.
#[must_use]
pub unsafe fn given_slice<'c, T: Plain>(pointer: *const T, count: usize) -> &'c [T] {
    if pointer.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: it is not NULL, and the caller guarantees `count` aligned elements for `'c`.
    unsafe { std::slice::from_raw_parts(pointer, count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_empty() {
        // SAFETY: NULL is allowed.
        unsafe {
            assert_eq!(given_str::<u8>(std::ptr::null()), None);
            assert_eq!(given_slice::<i32>(std::ptr::null(), 3), [0; 0]);
        }
        assert_eq!(given_count(-1), 0);
    }

    #[test]
    fn the_closure_sees_strings_and_elements() {
        // SAFETY: the pointers are valid, and the array has at least two elements.
        unsafe {
            assert_eq!(given_str(c"abc".as_ptr()), Some(c"abc"));
            assert_eq!(given_slice([1, 2, 3].as_ptr(), given_count(2_u8)), [1, 2]);
        }
    }
}

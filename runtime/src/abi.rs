//! Conversions between what a method takes and returns and what C takes and returns.
//!
//! Generated methods consist of one call through a function pointer; whatever an argument
//! or a result needs on the way is here.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use crate::CallError;

/// NULL, or the string.
#[inline]
#[must_use]
pub fn optional_str(string: Option<&CStr>) -> *const c_char {
    string.map_or(ptr::null(), CStr::as_ptr)
}

/// NULL, or a pointer to the value.
#[inline]
#[must_use]
pub fn optional_mut<T>(value: Option<&mut T>) -> *mut T {
    value.map_or(ptr::null_mut(), ptr::from_mut)
}

/// NULL, or a pointer to the first element.
#[inline]
#[must_use]
pub fn optional_slice<T>(values: Option<&mut [T]>) -> *mut T {
    values.map_or(ptr::null_mut(), <[T]>::as_mut_ptr)
}

/// The C integer that holds a truth value: `bool` itself (as a byte, because C may leave
/// another value than 0 and 1 in it), or `int` and its kin where the document says `boolean`.
pub trait Truth: Copy + Default {
    /// 1 for true, 0 for false.
    fn from_bool(value: bool) -> Self;
    /// Anything but 0 is true.
    fn is_true(self) -> bool;
}

macro_rules! truth {
    ($($integer:ty)*) => {$(
        impl Truth for $integer {
            #[inline]
            fn from_bool(value: bool) -> Self {
                value.into()
            }
            #[inline]
            fn is_true(self) -> bool {
                self != 0
            }
        }
    )*};
}
truth!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

/// A `bool` lent to C as an integer: the integer's address goes to C, and what C leaves there
/// is the `bool` again when this is dropped.
pub struct Flag<'b, T: Truth> {
    target: Option<&'b mut bool>,
    value: T,
}

impl<'b, T: Truth> Flag<'b, T> {
    /// Lends `target`.
    #[inline]
    pub fn new(target: &'b mut bool) -> Self {
        Self::optional(Some(target))
    }

    /// Lends `target`, or is NULL.
    #[inline]
    pub fn optional(target: Option<&'b mut bool>) -> Self {
        let value = target.as_ref().map_or_else(T::default, |target| T::from_bool(**target));
        Self { target, value }
    }

    /// The address for C, valid while this lives.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        if self.target.is_some() { &raw mut self.value } else { ptr::null_mut() }
    }
}

impl<T: Truth> Drop for Flag<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(target) = &mut self.target {
            **target = self.value.is_true();
        }
    }
}

/// Copies the string that C returned as `value`.
///
/// # Errors
///
/// The pointer is NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to a NUL-terminated string.
#[inline]
pub unsafe fn string<C>(value: &'static str, pointer: *const C) -> Result<CString, CallError> {
    const { assert!(size_of::<C>() == 1, "strings are of char or unsigned char") };
    if pointer.is_null() {
        return Err(CallError::Null { value });
    }
    // SAFETY: it is not NULL, and the caller vouches for the rest.
    Ok(unsafe { CStr::from_ptr(pointer.cast()) }.to_owned())
}

/// Copies the value whose address C returned as `value`.
///
/// # Errors
///
/// The pointer is NULL.
///
/// # Safety
///
/// A pointer that is not NULL points to an initialised `T`. It need not be aligned.
#[inline]
pub unsafe fn copied<T: Copy>(value: &'static str, pointer: *const T) -> Result<T, CallError> {
    if pointer.is_null() {
        return Err(CallError::Null { value });
    }
    // SAFETY: it is not NULL, and the caller vouches for the rest.
    Ok(unsafe { pointer.read_unaligned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_takes_back_what_c_left_there() {
        let mut value = true;
        let mut flag = Flag::<i32>::new(&mut value);
        let pointer = flag.as_mut_ptr();
        // SAFETY: the flag lives.
        unsafe {
            assert_eq!(*pointer, 1);
            *pointer = 0;
        }
        drop(flag);
        assert!(!value);

        let mut flag = Flag::<u8>::new(&mut value);
        // SAFETY: the flag lives. 7 is no Rust bool, and must not become one.
        unsafe { *flag.as_mut_ptr() = 7 };
        drop(flag);
        assert!(value);
    }

    #[test]
    fn nothing_is_null() {
        assert!(optional_str(None).is_null());
        assert!(optional_mut::<i32>(None).is_null());
        assert!(optional_slice::<i32>(None).is_null());
        assert!(Flag::<u8>::optional(None).as_mut_ptr().is_null());
    }

    #[test]
    fn null_is_an_error_that_names_the_value() {
        // SAFETY: NULL is allowed.
        let error = unsafe { string::<c_char>("name", ptr::null()) }.expect_err("NULL");
        assert_eq!(error.to_string(), "`name` is a NULL pointer");
        // SAFETY: NULL is allowed.
        assert_eq!(unsafe { copied::<i32>("n", ptr::null()) }, Err(CallError::Null { value: "n" }));
    }

    #[test]
    fn strings_and_values_are_copied() {
        let bytes = *b"abc\0";
        // SAFETY: the bytes end with NUL.
        assert_eq!(unsafe { string("s", bytes.as_ptr()) }, Ok(c"abc".to_owned()));
        // SAFETY: the pointer is to a value.
        assert_eq!(unsafe { copied("n", &raw const bytes[1]) }, Ok(b'b'));
    }
}

//! What comes out of a held pointer, and that it is freed once whatever comes out.

use std::cell::Cell;
use std::ffi::c_char;

use super::*;

/// A binding that counts.
#[derive(Default)]
struct Frees(Cell<u32>);

unsafe fn free(binding: *const (), pointer: *mut c_void) {
    assert!(!pointer.is_null());
    // SAFETY: the tests give a `Frees`.
    let frees = unsafe { &*binding.cast::<Frees>() };
    frees.0.set(frees.0.get() + 1);
}

fn held<'b, T>(frees: &'b Frees, pointer: *const T) -> Held<'b, T> {
    // SAFETY: `free` only counts.
    unsafe { Held::returned(frees, Some(free), pointer.cast_mut()) }
}

#[test]
fn what_is_copied_is_freed_once() {
    let frees = Frees::default();
    let numbers = [1_i32, 2, 3];
    // SAFETY: all pointers are to values that are there.
    unsafe {
        assert_eq!(held(&frees, c"abc".as_ptr()).string("s"), Ok(c"abc".to_owned()));
        assert_eq!(held(&frees, c"abc".as_ptr()).nullable_string(), Some(c"abc".to_owned()));
        assert_eq!(held(&frees, &raw const numbers[1]).copied("n"), Ok(2));
        assert_eq!(held(&frees, &raw const numbers[1]).nullable_copied(), Some(2));
        assert_eq!(held(&frees, numbers.as_ptr()).slice("n", 3), Ok(vec![1, 2, 3]));
        assert_eq!(held(&frees, numbers.as_ptr()).nullable_slice(2), Some(vec![1, 2]));
        assert_eq!(held(&frees, c"a\xff".as_ptr()).bytes("b", 3), Ok(vec![b'a', 0xff, 0]));
        assert_eq!(held(&frees, c"a".as_ptr().cast::<c_void>()).nullable_bytes(1), Some(vec![b'a']));
        assert_eq!(held(&frees, c"abc".as_ptr()).text("t", 2), Ok(c"ab".to_owned()));
        assert_eq!(held(&frees, c"abc".as_ptr()).nullable_text(9), Some(c"abc".to_owned()));
    }
    assert_eq!(frees.0.get(), 10);
}

#[test]
fn null_is_an_error_or_none_and_never_freed() {
    let frees = Frees::default();
    let null = ptr::null::<c_char>;
    let error = CallError::Null { value: "v" };
    // SAFETY: NULL is allowed.
    unsafe {
        assert_eq!(held(&frees, null()).string("v"), Err(error.clone()));
        assert_eq!(held(&frees, null()).copied("v"), Err(error.clone()));
        assert_eq!(held(&frees, null()).slice("v", 1), Err(error.clone()));
        assert_eq!(held(&frees, null()).bytes("v", 1), Err(error.clone()));
        assert_eq!(held(&frees, null()).text("v", 1), Err(error));
        assert_eq!(held(&frees, null()).nullable_string(), None);
        assert_eq!(held(&frees, null()).nullable_copied(), None);
        assert_eq!(held(&frees, null()).nullable_slice(0), None);
        assert_eq!(held(&frees, null()).nullable_bytes(0), None);
        assert_eq!(held(&frees, null()).nullable_text(0), None);
    }
    assert_eq!(frees.0.get(), 0);
}

#[test]
fn null_with_no_elements_is_empty() {
    let frees = Frees::default();
    // SAFETY: NULL is allowed.
    unsafe {
        assert_eq!(held(&frees, ptr::null::<i32>()).slice("v", 0), Ok(vec![]));
        assert_eq!(held(&frees, ptr::null::<u8>()).bytes("v", 0), Ok(vec![]));
        assert_eq!(held(&frees, ptr::null::<u8>()).text("v", 0), Ok(c"".to_owned()));
    }
}

#[test]
fn elements_need_not_be_aligned() {
    let frees = Frees::default();
    let bytes = [0_u8, 1, 0, 0, 0, 2, 0, 0, 0];
    let skewed = bytes[1..].as_ptr().cast::<u32>();
    // SAFETY: there are two elements of four bytes.
    let values = unsafe { held(&frees, skewed).slice("n", 2) };
    assert_eq!(values, Ok(vec![u32::from_le(1), u32::from_le(2)]));
}

#[test]
fn an_output_is_freed_where_the_call_ends_in_an_error() {
    fn method(frees: &Frees, fails: bool) -> Result<CString, CallError> {
        let mut output = Held::<c_char>::output(frees, Some(free));
        assert!(output.is_null());
        // SAFETY: the output lives; `free` only counts.
        unsafe { *output.as_mut_ptr() = c"left".as_ptr().cast_mut() };
        if fails {
            return Err(CallError::Null { value: "other" });
        }
        // SAFETY: the pointer is to a string.
        unsafe { output.string("output") }
    }

    let frees = Frees::default();
    assert!(method(&frees, true).is_err());
    assert_eq!(frees.0.get(), 1);
    assert_eq!(method(&frees, false), Ok(c"left".to_owned()));
    assert_eq!(frees.0.get(), 2);
}

#[test]
fn what_somebody_else_owns_is_not_freed() {
    let frees = Frees::default();
    let pointer = c"abc".as_ptr().cast_mut();
    // SAFETY: the pointer is to a string.
    let copy = unsafe { Held::returned(&frees, None, pointer).string("s") };
    assert_eq!(copy, Ok(c"abc".to_owned()));
    assert_eq!(held(&frees, pointer).into_raw(), pointer);
    assert_eq!(frees.0.get(), 0);
}

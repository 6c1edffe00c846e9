//! Values copied from a held pointer, and that it is freed once in every case.

use std::cell::Cell;
use std::ffi::c_char;

use super::*;

/// A binding that counts how often `free` is called.
#[derive(Default)]
struct Frees(Cell<u32>);

unsafe fn free(binding: *const (), pointer: *mut c_void, _: &[u64]) -> bool {
    assert!(!pointer.is_null());
    // SAFETY: the binding is a `Frees`.
    let frees = unsafe { &*binding.cast::<Frees>() };
    frees.0.set(frees.0.get() + 1);
    true
}

fn held<'b, T>(frees: &'b Frees, pointer: *const T) -> Held<'b, T> {
    // SAFETY: `free` takes a `Frees` and does not follow the pointer.
    unsafe { Held::returned(frees, Some(free), pointer.cast_mut()) }
}

#[test]
fn what_is_copied_is_freed_once() {
    let frees = Frees::default();
    let numbers = [1_i32, 2, 3];
    // SAFETY: all pointers point to live values of their types.
    unsafe {
        assert_eq!(
            held(&frees, c"abc".as_ptr()).given("s").map(|given| given.string()),
            Ok(c"abc".to_owned())
        );
        assert_eq!(held(&frees, &raw const numbers[1]).given("n").map(|given| given.copied()), Ok(2));
        assert_eq!(held(&frees, &raw const numbers[1]).nullable().map(|given| given.copied()), Some(2));
        let slice = |held: Held<'_, i32>, count: i32| held.elements("n", count).map(|given| given.slice());
        assert_eq!(slice(held(&frees, numbers.as_ptr()), 3), Ok(vec![1, 2, 3]));
        assert_eq!(slice(held(&frees, numbers.as_ptr()), 2), Ok(vec![1, 2]));
        let bytes = held(&frees, c"a\xff".as_ptr()).elements("b", 3).map(|given| given.bytes());
        assert_eq!(bytes, Ok(vec![b'a', 0xff, 0]));
        let void = held(&frees, c"a".as_ptr().cast::<c_void>());
        assert_eq!(
            void.nullable_elements("b", 1).map(|given| given.map(|given| given.bytes())),
            Ok(Some(vec![b'a']))
        );
        drop(void);
        let text =
            |count: usize| held(&frees, c"abc".as_ptr()).elements("t", count).map(|given| given.text());
        assert_eq!(text(2), Ok(c"ab".to_owned()));
        assert_eq!(text(9), Ok(c"abc".to_owned()));
        let names = [c"a".as_ptr(), c"bc".as_ptr()];
        let strings = held(&frees, names.as_ptr()).given("s").and_then(|given| given.strings("s", 2));
        assert_eq!(strings, Ok(vec![c"a".to_owned(), c"bc".to_owned()]));
    }
    assert_eq!(frees.0.get(), 10);
}

#[test]
fn null_is_an_error_or_none_and_never_freed() {
    let frees = Frees::default();
    let null = ptr::null::<c_char>;
    let error = CallError::Null { value: "v" };
    assert_eq!(held(&frees, null()).given("v").err(), Some(error.clone()));
    assert_eq!(error.to_string(), "`v` is a NULL pointer");
    assert_eq!(held(&frees, null()).elements("v", 1).err(), Some(error.clone()));
    assert!(held(&frees, null()).nullable().is_none());
    assert!(held(&frees, null()).nullable_elements("v", 1).is_ok_and(|given| given.is_none()));
    let list = [c"a".as_ptr(), ptr::null()];
    // SAFETY: there are two elements, a string and NULL.
    let strings = unsafe { Held::lent(list.as_ptr()).given("v").and_then(|given| given.strings("v", 2)) };
    assert_eq!(strings, Err(error));
    assert_eq!(frees.0.get(), 0);
}

#[test]
fn null_with_no_elements_is_empty() {
    let frees = Frees::default();
    // SAFETY: there are no elements.
    unsafe {
        assert_eq!(held(&frees, ptr::null::<i32>()).elements("v", 0).map(|given| given.slice()), Ok(vec![]));
        assert_eq!(held(&frees, ptr::null::<u8>()).elements("v", 0).map(|given| given.bytes()), Ok(vec![]));
        assert_eq!(
            held(&frees, ptr::null::<u8>()).elements("v", 0).map(|given| given.text()),
            Ok(c"".to_owned())
        );
    }
}

#[test]
fn an_invalid_count_is_an_error_also_with_null() {
    let frees = Frees::default();
    assert!(held(&frees, ptr::null::<i32>()).elements("v", -1).is_err());
    assert!(held(&frees, ptr::null::<i32>()).nullable_elements("v", -1).is_err());
}

#[test]
fn elements_need_not_be_aligned() {
    let frees = Frees::default();
    let bytes = [0_u8, 1, 0, 0, 0, 2, 0, 0, 0];
    let skewed = bytes[1..].as_ptr().cast::<u32>();
    // SAFETY: the pointer points to two elements of four bytes.
    let values = unsafe { held(&frees, skewed).elements("n", 2).map(|given| given.slice()) };
    assert_eq!(values, Ok(vec![u32::from_le(1), u32::from_le(2)]));
}

#[test]
fn an_output_is_freed_where_the_call_ends_in_an_error() {
    fn method(frees: &Frees, fails: bool) -> Result<CString, CallError> {
        let mut output = Held::<c_char>::output(frees, Some(free));
        assert!(output.nullable().is_none());
        // SAFETY: the output lives; `free` takes a `Frees` and does not follow the pointer.
        unsafe { *output.as_mut_ptr() = c"left".as_ptr().cast_mut() };
        if fails {
            return Err(CallError::Null { value: "other" });
        }
        // SAFETY: the pointer points to a string.
        output.given("output").map(|given| unsafe { given.string() })
    }

    let frees = Frees::default();
    assert!(method(&frees, true).is_err());
    assert_eq!(frees.0.get(), 1);
    assert_eq!(method(&frees, false), Ok(c"left".to_owned()));
    assert_eq!(frees.0.get(), 2);
}

#[test]
fn what_other_code_owns_is_not_freed() {
    let frees = Frees::default();
    let pointer = c"abc".as_ptr().cast_mut();
    // SAFETY: the pointer points to a string.
    let copy = unsafe { Held::returned(&frees, None, pointer).given("s").map(|given| given.string()) };
    assert_eq!(copy, Ok(c"abc".to_owned()));
    assert_eq!(held(&frees, pointer).into_raw(), pointer);
    assert_eq!(frees.0.get(), 0);
}

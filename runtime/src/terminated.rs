//! Arrays that end at an element of zero, and lists of strings that end at NULL. The end is not part of the value.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use crate::CallError;
use crate::held::{Given, Held};

/// The elements of the slice `value`, with a zero behind them.
///
/// # Errors
///
/// One of them is zero, so C would not see those behind it.
pub fn terminated<T: Copy + Default + PartialEq>(
    value: &'static str,
    elements: &[T],
) -> Result<Vec<T>, CallError> {
    let zero = T::default();
    if let Some(index) = elements.iter().position(|element| *element == zero) {
        return Err(CallError::Terminator { value, index });
    }
    let mut copy = Vec::with_capacity(elements.len() + 1);
    copy.extend_from_slice(elements);
    copy.push(zero);
    Ok(copy)
}

/// The pointers that C takes as an array of strings, with a NULL behind them; valid as long as the strings.
#[must_use]
pub fn terminated_pointers(strings: &[&CStr]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

impl<T: Copy + Default + PartialEq> Given<'_, T> {
    /// Copies the elements before the first zero.
    ///
    /// # Safety
    ///
    /// The pointer points to initialised elements up to a zero. They need not be aligned.
    #[must_use]
    pub unsafe fn until_zero(&self) -> Vec<T> {
        let (first, zero) = (self.as_ptr(), T::default());
        let mut copy = Vec::new();
        loop {
            // SAFETY: none of the elements before this one is zero, so it is there.
            let element = unsafe { first.add(copy.len()).read_unaligned() };
            if element == zero {
                return copy;
            }
            copy.push(element);
        }
    }
}

impl<T> Given<'_, T> {
    /// Copies the strings before the first NULL.
    ///
    /// # Safety
    ///
    /// The pointer points to pointers to NUL-terminated strings up to a NULL. It need not be aligned.
    #[must_use]
    pub unsafe fn strings_until_null(&self) -> Vec<CString> {
        const { assert!(size_of::<T>() == size_of::<*const c_char>(), "strings are behind pointers") };
        let pointers = self.as_ptr().cast::<*const c_char>();
        let mut copy = Vec::new();
        loop {
            // SAFETY: none of the pointers before this one is NULL, so it is there.
            let pointer = unsafe { pointers.add(copy.len()).read_unaligned() };
            let Some(given) = Held::lent(pointer).nullable().map(|given| {
                // SAFETY: the caller guarantees NUL-terminated strings.
                unsafe { given.string() }
            }) else {
                return copy;
            };
            copy.push(given);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_ends_at_the_zero_that_is_added() {
        assert_eq!(terminated("xs", &[3, 1]), Ok(vec![3, 1, 0]));
        assert_eq!(terminated::<f64>("xs", &[]), Ok(vec![0.0]));
        assert_eq!(terminated("xs", &[3, 0, 1]), Err(CallError::Terminator { value: "xs", index: 1 }));
        assert_eq!(terminated("xs", &[-0.0]), Err(CallError::Terminator { value: "xs", index: 0 }));
    }

    #[test]
    fn elements_and_strings_are_copied_up_to_their_end() {
        let numbers = [5_u16, 7, 0, 9];
        let strings = [c"a".as_ptr(), c"".as_ptr(), ptr::null()];
        let (numbers, strings) = (Held::lent(numbers.as_ptr()), Held::lent(strings.as_ptr()));
        let (Ok(numbers), Ok(strings)) = (numbers.given("xs"), strings.given("names")) else { return };
        // SAFETY: both end, with a zero and with NULL.
        unsafe {
            assert_eq!(numbers.until_zero(), [5, 7]);
            assert_eq!(strings.strings_until_null(), [c"a".to_owned(), c"".to_owned()]);
        }
    }
}

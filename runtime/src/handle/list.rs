//! Arrays of handles from C.

use std::ffi::c_void;

use crate::CallError;
use crate::held::Given;

/// The handles of the result `value`, each made of its pointer.
///
/// # Errors
///
/// One of the pointers is NULL. The other handles are dropped, which frees those that are owned.
pub fn handles<T>(
    value: &'static str,
    pointers: Vec<*mut c_void>,
    make: impl FnMut(*mut c_void) -> Option<T>,
) -> Result<Vec<T>, CallError> {
    // All of them first: those behind a NULL have an owner too.
    let made: Vec<Option<T>> = nullable_handles(pointers, make);
    if made.iter().any(Option::is_none) {
        return Err(CallError::Null { value });
    }
    Ok(made.into_iter().flatten().collect())
}

/// The same, where NULL is a value among them.
pub fn nullable_handles<T>(
    pointers: Vec<*mut c_void>,
    make: impl FnMut(*mut c_void) -> Option<T>,
) -> Vec<Option<T>> {
    pointers.into_iter().map(make).collect()
}

impl Given<'_, *mut c_void> {
    /// Copies the pointers before the first NULL.
    ///
    /// # Safety
    ///
    /// The pointer points to pointers up to a NULL. It need not be aligned.
    #[must_use]
    pub unsafe fn pointers_until_null(&self) -> Vec<*mut c_void> {
        let mut copy = Vec::new();
        loop {
            // SAFETY: none of the pointers before this one is NULL, so it is there.
            let pointer = unsafe { self.as_ptr().add(copy.len()).read_unaligned() };
            if pointer.is_null() {
                return copy;
            }
            copy.push(pointer);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ptr;

    use super::*;
    use crate::held::Held;

    struct Counted<'c>(&'c Cell<usize>);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn a_null_among_handles_is_an_error_that_drops_all_others() {
        let dropped = Cell::new(0);
        let one = ptr::without_provenance_mut(8);
        let make = |pointer: *mut c_void| (!pointer.is_null()).then(|| Counted(&dropped));
        let made = handles("items", vec![one, ptr::null_mut(), one], make);
        assert_eq!(made.map(|_| ()), Err(CallError::Null { value: "items" }));
        assert_eq!(dropped.get(), 2);
        assert_eq!(nullable_handles(vec![one, ptr::null_mut()], make).len(), 2);
        assert_eq!(dropped.get(), 3);
    }

    #[test]
    fn pointers_end_at_null() {
        let one: *mut c_void = ptr::without_provenance_mut(8);
        let list = [one, one, ptr::null_mut(), one];
        let held = Held::lent(list.as_ptr());
        // SAFETY: there is a NULL among them.
        let copied = held.nullable().map(|given| unsafe { given.pointers_until_null() });
        assert_eq!(copied, Some(vec![one, one]));
    }
}

//! Lists of strings: `char**` with a count.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::iter::FusedIterator;
use std::slice;

/// The strings that C passes to a callback: a `char**` with a count. A NULL in place of a string is
/// `None`.
///
/// ```
/// use opendyn::CStrings;
///
/// fn show(row: CStrings<'_>) -> String {
///     let cells = row.iter().map(|cell| cell.map_or("NULL".into(), |text| text.to_string_lossy()));
///     cells.collect::<Vec<_>>().join("|")
/// }
///
/// let row = [c"1".as_ptr(), std::ptr::null()];
/// // SAFETY: the array has two elements, a string and NULL.
/// let row = unsafe { CStrings::new(row.as_ptr(), row.len()) };
/// assert_eq!(show(row), "1|NULL");
/// ```
// Each pointer is NULL or points to a NUL-terminated string that lives for `'a`.
#[derive(Clone, Copy)]
pub struct CStrings<'a>(&'a [*const c_char]);

impl<'a> CStrings<'a> {
    /// The strings at `pointer`; an empty list for NULL, and for a count that no memory has.
    ///
    /// # Safety
    ///
    /// A pointer that is not NULL is aligned and points to `count` pointers, each NULL or to a
    /// NUL-terminated string. All of this memory stays valid and unchanged for `'a`.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub unsafe fn new(pointer: *const *const c_char, count: usize) -> Self {
        if pointer.is_null() || !crate::given::has_memory(count, size_of::<*const c_char>()) {
            return Self(&[]);
        }
        // SAFETY: it is not NULL, and the caller guarantees `count` aligned pointers for `'a`.
        Self(unsafe { slice::from_raw_parts(pointer, count) })
    }

    /// The pointers themselves.
    pub(crate) fn as_pointers(&self) -> &'a [*const c_char] {
        self.0
    }

    /// How many elements there are, NULL included.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no elements.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The string at `index`; `Some(None)` if it is NULL.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Option<&'a CStr>> {
        // SAFETY: the pointer is an element of a `CStrings<'a>`.
        self.0.get(index).map(|&pointer| unsafe { element(pointer) })
    }

    /// Iterates over the strings.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> CStringsIter<'a> {
        CStringsIter(self.0.iter())
    }
}

/// The string; `None` for NULL.
///
/// # Safety
///
/// `pointer` is an element of a `CStrings<'a>`.
#[inline]
unsafe fn element<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: an element that is not NULL points to a NUL-terminated string that lives for `'a`.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

impl fmt::Debug for CStrings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'a> IntoIterator for CStrings<'a> {
    type Item = Option<&'a CStr>;
    type IntoIter = CStringsIter<'a>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &CStrings<'a> {
    type Item = Option<&'a CStr>;
    type IntoIter = CStringsIter<'a>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// An iterator over the strings of a [`CStrings`].
#[derive(Clone)]
pub struct CStringsIter<'a>(slice::Iter<'a, *const c_char>);

impl fmt::Debug for CStringsIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CStringsIter").field(&CStrings(self.0.as_slice())).finish()
    }
}

impl<'a> Iterator for CStringsIter<'a> {
    type Item = Option<&'a CStr>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // SAFETY: the pointer is an element of a `CStrings<'a>`.
        self.0.next().map(|&pointer| unsafe { element(pointer) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for CStringsIter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        // SAFETY: the pointer is an element of a `CStrings<'a>`.
        self.0.next_back().map(|&pointer| unsafe { element(pointer) })
    }
}

impl ExactSizeIterator for CStringsIter<'_> {}

impl FusedIterator for CStringsIter<'_> {}

/// The pointers that C takes as an array of strings; valid as long as the strings.
#[inline]
#[must_use]
pub fn pointers(strings: &[&CStr]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).collect()
}

/// The same for strings that may be NULL.
#[inline]
#[must_use]
pub fn nullable_pointers(strings: &[Option<&CStr>]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.map_or(std::ptr::null(), CStr::as_ptr)).collect()
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn null_is_not_a_string_and_a_null_list_is_empty() {
        let list = [c"a".as_ptr(), ptr::null(), c"".as_ptr()];
        // SAFETY: the array has three elements, each a string or NULL.
        let strings = unsafe { CStrings::new(list.as_ptr(), 3) };
        assert_eq!((strings.len(), strings.is_empty()), (3, false));
        assert_eq!(strings.iter().collect::<Vec<_>>(), [Some(c"a"), None, Some(c"")]);
        assert_eq!(strings.iter().rev().len(), 3);
        assert_eq!(strings.iter().next_back(), Some(Some(c"")));
        assert_eq!([strings.get(0), strings.get(1), strings.get(3)], [Some(Some(c"a")), Some(None), None]);
        assert_eq!(format!("{strings:?}"), r#"[Some("a"), None, Some("")]"#);

        // SAFETY: NULL is allowed.
        let none = unsafe { CStrings::new(ptr::null(), 3) };
        assert!(none.is_empty());
        assert_eq!(none.into_iter().next(), None);
    }
}

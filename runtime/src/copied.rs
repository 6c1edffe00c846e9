//! Structs from C with the strings that their members point to.
//!
//! When a call frees its results, their strings are gone too. So a method whose results are freed
//! copies every string that a struct among them points to, and lets the copied struct point to the
//! copies. Generated methods call this before C memory is freed.

use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::ops::Deref;
use std::ptr;

use crate::adapter::{Described, Kind};

/// A struct from C, or a `Vec` of them, with copies of the strings that its members point to.
///
/// The members that the document describes as strings point to the copies, which live as long as
/// this does; [`Copied::text`] reads one. Other pointers are unchanged and may dangle.
///
/// ```
/// use std::ffi::c_char;
///
/// /// What a document describes as an object with a `char*`.
/// #[repr(C)]
/// struct Reply {
///     text: *const c_char,
/// }
///
/// /// What a method returns is used like the struct; the text is read through the copy.
/// fn text(reply: &opendyn::Copied<Reply>) -> String {
///     let text = reply.text(reply.text);
///     text.map_or_else(String::new, |text| text.to_string_lossy().into_owned())
/// }
/// ```
pub struct Copied<T> {
    value: T,
    texts: Vec<CString>,
}

impl<T> Copied<T> {
    /// The string of a member: `reply.text(reply.str)`. `None` for a pointer that does not point to
    /// the start of one of the copies, such as NULL.
    #[must_use]
    pub fn text<U>(&self, member: *const U) -> Option<&CStr> {
        self.texts.iter().map(CString::as_c_str).find(|text| text.as_ptr().cast() == member)
    }
}

impl<T: Texts> Copied<T> {
    /// Copies the strings of `value`.
    ///
    /// # Safety
    ///
    /// The members that the layout of the value calls strings are NULL or point to NUL-terminated
    /// strings.
    pub(crate) unsafe fn new(mut value: T) -> Self {
        let mut texts = Vec::new();
        // SAFETY: the caller guarantees valid strings.
        unsafe { value.copy_texts(&mut texts) };
        Self { value, texts }
    }
}

/// A value with copies of its strings.
///
/// # Safety
///
/// The members that the layout of the value calls strings are NULL or point to NUL-terminated
/// strings.
pub unsafe fn copied_whole<T: Texts>(value: T) -> Copied<T> {
    // SAFETY: the caller guarantees valid strings.
    unsafe { Copied::new(value) }
}

impl<T> Deref for Copied<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Texts + Clone> Clone for Copied<T> {
    fn clone(&self) -> Self {
        // SAFETY: the strings of the value are our own copies or NULL, and there is no `DerefMut`.
        unsafe { Self::new(self.value.clone()) }
    }
}

impl<T: fmt::Debug> fmt::Debug for Copied<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Copied").field("value", &self.value).field("texts", &self.texts).finish()
    }
}

/// Values with strings to copy: structs, and lists of structs.
pub trait Texts {
    /// Replaces every string by a copy.
    ///
    /// # Safety
    ///
    /// As for [`copied_whole`].
    unsafe fn copy_texts(&mut self, texts: &mut Vec<CString>);
}

impl<T: Described> Texts for T {
    unsafe fn copy_texts(&mut self, texts: &mut Vec<CString>) {
        // SAFETY: `Described` promises the layout of `KIND`, and the caller guarantees valid strings.
        unsafe { copy_at(&T::KIND, ptr::from_mut(self).cast(), texts) };
    }
}

impl<T: Described> Texts for Vec<T> {
    unsafe fn copy_texts(&mut self, texts: &mut Vec<CString>) {
        for element in self {
            // SAFETY: the caller guarantees valid strings.
            unsafe { element.copy_texts(texts) };
        }
    }
}

/// Copies the strings of the value at `at`.
///
/// # Safety
///
/// `at` points to a value with the layout of `kind`, and its strings are as for [`copied_whole`].
unsafe fn copy_at(kind: &Kind, at: *mut u8, texts: &mut Vec<CString>) {
    match kind {
        Kind::Record(record) => {
            for member in record.members {
                // SAFETY: the value has the layout of the record, with its members at their offsets.
                unsafe { copy_at(&member.kind, at.add(member.offset), texts) };
            }
        }
        Kind::Fixed((element, count)) => {
            for index in 0..*count {
                // SAFETY: the value is `count` adjacent elements.
                unsafe { copy_at(element, at.add(index * element.size()), texts) };
            }
        }
        Kind::Str => {
            let at = at.cast::<*const c_char>();
            // SAFETY: a `Kind::Str` is a pointer in C.
            let pointer = unsafe { at.read_unaligned() };
            if !pointer.is_null() {
                // SAFETY: it is not NULL, and the caller guarantees a valid string.
                let text = unsafe { CStr::from_ptr(pointer) }.to_owned();
                // SAFETY: a `Kind::Str` is a pointer in C. The bytes of a `CString` do not move with it.
                unsafe { at.write_unaligned(text.as_ptr()) };
                texts.push(text);
            }
        }
        Kind::Union(union) => {
            // SAFETY: the union is in a struct that its table describes.
            if let Some((member, _)) = unsafe { union.alive(at) }.filter(|(_, of)| ptr::eq(*of, at)) {
                // SAFETY: the member is used, and is at the beginning of the union.
                unsafe { copy_at(&member.kind, at, texts) };
            }
        }
        // Text in a struct is stored in place or is a `Kind::Str`; other pointers are not followed.
        Kind::Boolean
        | Kind::Integer(_)
        | Kind::Float
        | Kind::Double
        | Kind::Character
        | Kind::Truth(_)
        | Kind::Choice(_)
        | Kind::Within(_)
        | Kind::Bits(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Nullable(_)
        | Kind::Many(_)
        | Kind::Pointed(_)
        | Kind::Nested(_)
        | Kind::Opaque
        | Kind::Handle(_)
        | Kind::Callback => {}
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;
    use crate::adapter::{Member, Record};
    use crate::plain::Plain;

    #[derive(Clone, Copy, Debug)]
    #[repr(C)]
    struct Named {
        id: i32,
        name: *const c_char,
        other: *const u8,
    }

    static NAMED: Record = Record {
        name: "named",
        size: size_of::<Named>(),
        align: align_of::<Named>(),
        members: &[
            Member::required("id", Kind::INT32_T, offset_of!(Named, id)),
            Member::optional("name", Kind::Str, offset_of!(Named, name)),
            Member::optional("other", Kind::Opaque, offset_of!(Named, other)),
        ],
    };

    // SAFETY: its members are numbers and pointers.
    unsafe impl Plain for Named {}
    // SAFETY: the table has the offset of every member, and the tests have valid strings.
    unsafe impl Described for Named {
        const KIND: Kind = Kind::Record(&NAMED);
    }

    fn named(id: i32, name: *const c_char) -> Named {
        Named { id, name, other: ptr::dangling() }
    }

    #[test]
    fn a_copy_outlives_its_original() {
        let original = CString::from(c"gone");
        // SAFETY: the string is alive.
        let copied = unsafe { Copied::new(named(1, original.as_ptr())) };
        assert_ne!(copied.name, original.as_ptr());
        drop(original);
        let moved = Box::new(copied);
        assert_eq!((moved.id, moved.text(moved.name)), (1, Some(c"gone")));
        assert_eq!(moved.other, ptr::dangling(), "as C gave it");
        assert_eq!((moved.text(moved.other), moved.text(ptr::null::<u8>())), (None, None));
    }

    #[test]
    fn a_clone_has_texts_of_its_own() {
        // SAFETY: the strings are alive.
        let copied = unsafe { Copied::new(vec![named(1, c"a".as_ptr()), named(2, ptr::null())]) };
        let clone = copied.clone();
        assert_eq!((copied.text(clone[0].name), clone.text(copied[0].name)), (None, None));
        drop(copied);
        assert_eq!((clone.len(), clone.text(clone[0].name)), (2, Some(c"a")));
        assert!(clone[1].name.is_null());
    }
}

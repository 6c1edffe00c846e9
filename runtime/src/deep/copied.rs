//! Copies of what members of structs point to. [`check`](crate::adapter::check) has looked at it before.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use super::Owned;
use crate::adapter::{Kind, Many, Member, Record};
use crate::plain::Plain;

/// The pointer and the number of elements of a member.
///
/// # Safety
///
/// `raw` has the layout of the record, and its pointers are as for [`Owned::copied`].
unsafe fn elements<R>(record: &Record, member: usize, raw: &R) -> (*const u8, usize) {
    let Some(Member { kind: Kind::Many(many), offset, .. }) = record.members.get(member) else {
        return (ptr::null(), 0);
    };
    let many: &Many = many;
    // SAFETY: as the caller guarantees.
    unsafe { many.elements(ptr::from_ref(raw).cast::<u8>().add(*offset)) }
}

/// Elements.
///
/// # Safety
///
/// As for [`Owned::copied`]; the elements are of type `T`.
pub unsafe fn copied_plain<T: Plain, R>(record: &Record, member: usize, raw: &R) -> Option<Vec<T>> {
    // SAFETY: as the caller guarantees.
    unsafe {
        let (start, count) = elements(record, member, raw);
        let start = start.cast::<T>();
        (!start.is_null()).then(|| (0..count).map(|index| start.add(index).read_unaligned()).collect())
    }
}

/// Bytes.
///
/// # Safety
///
/// As for [`Owned::copied`].
pub unsafe fn copied_bytes<R>(record: &Record, member: usize, raw: &R) -> Option<Vec<u8>> {
    // SAFETY: as the caller guarantees; a byte is a byte.
    unsafe { copied_plain(record, member, raw) }
}

/// Text up to its NUL, or to its end.
///
/// # Safety
///
/// As for [`Owned::copied`].
pub unsafe fn copied_text<R>(record: &Record, member: usize, raw: &R) -> Option<CString> {
    // SAFETY: as the caller guarantees.
    let mut bytes = unsafe { copied_bytes(record, member, raw) }?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    bytes.truncate(end);
    CString::new(bytes).ok()
}

/// Strings, `None` for a NULL among them.
///
/// # Safety
///
/// As for [`Owned::copied`].
pub unsafe fn copied_strings<R>(record: &Record, member: usize, raw: &R) -> Option<Vec<Option<CString>>> {
    // SAFETY: as the caller guarantees.
    let pointers: Vec<*const c_char> = unsafe { copied_plain(record, member, raw) }?;
    // SAFETY: as the caller guarantees.
    Some(pointers.into_iter().map(|pointer| unsafe { copied_string(pointer) }).collect())
}

/// A string; `None` for NULL.
///
/// # Safety
///
/// The pointer is NULL or points to a NUL-terminated string.
#[must_use]
pub unsafe fn copied_string<C>(pointer: *const C) -> Option<CString> {
    // SAFETY: it is not NULL, and the caller guarantees a string.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer.cast()) }.to_owned())
}

/// Structs.
///
/// # Safety
///
/// As for [`Owned::copied`].
pub unsafe fn copied_list<T: Owned, R>(record: &Record, member: usize, raw: &R) -> Option<Vec<T>> {
    // SAFETY: as the caller guarantees.
    let structs: Vec<T::Raw> = unsafe { copied_plain(record, member, raw) }?;
    // SAFETY: as the caller guarantees.
    Some(structs.iter().map(|raw| unsafe { T::copied(raw) }).collect())
}

/// Structs behind pointers.
///
/// # Safety
///
/// As for [`Owned::copied`].
pub unsafe fn copied_pointers<T: Plain, R>(record: &Record, member: usize, raw: &R) -> Option<Vec<T>> {
    // SAFETY: as the caller guarantees.
    let pointers: Vec<*const T> = unsafe { copied_plain(record, member, raw) }?;
    let found = pointers.into_iter().filter(|pointer| !pointer.is_null());
    // SAFETY: it is not NULL, and the caller guarantees a struct there.
    Some(found.map(|pointer| unsafe { pointer.read_unaligned() }).collect())
}

/// A struct; `None` for NULL.
///
/// # Safety
///
/// The pointer is NULL or points to a `T`.
#[must_use]
pub unsafe fn copied_pointed<T: Plain>(pointer: *const c_void) -> Option<T> {
    // SAFETY: it is not NULL, and the caller guarantees a struct there.
    (!pointer.is_null()).then(|| unsafe { pointer.cast::<T>().read_unaligned() })
}

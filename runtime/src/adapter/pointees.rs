//! The pointers in a value for C, and how much memory each leads to. Only the interpreter asks, when it puts the memory
//! that C is lent beside guard pages.

use std::ffi::CStr;

use super::kind::Kind;
use super::many::{Extent, pointer_at};
use crate::encoding::Encoding;

/// What a pointer in a struct or a list leads to.
#[derive(Debug)]
pub struct Pointee {
    /// Where the pointer is, in bytes from the beginning of the value.
    pub at: usize,
    /// The member with the pointer; empty in a list.
    pub name: &'static str,
    /// The memory that C may use there.
    pub bytes: usize,
    /// Whether it is a string that ends with NUL.
    pub is_text: bool,
    /// Whether it is a buffer that C fills.
    pub is_room: bool,
    /// An element, if there can be pointers in it.
    pub of: Option<Kind>,
    /// The number of elements.
    pub count: usize,
}

/// The pointers in the value at `start` that are followed and are not NULL.
///
/// # Safety
///
/// `start` points to a value with the layout of `kind`, which is ready for C: its pointers are NULL or lead to what the
/// kind says.
#[must_use]
pub unsafe fn pointees(kind: Kind, start: *const u8) -> Vec<Pointee> {
    let mut found = Vec::new();
    // SAFETY: as the caller guarantees.
    unsafe { find(kind, start, 0, "", &mut found) };
    found
}

/// # Safety
///
/// As for [`pointees`], for the value `at` bytes behind `start`.
unsafe fn find(kind: Kind, start: *const u8, at: usize, name: &'static str, found: &mut Vec<Pointee>) {
    // SAFETY: the value is behind `start`.
    let place = unsafe { start.add(at) };
    let text = |found: &mut Vec<Pointee>| {
        // SAFETY: the value is a pointer.
        let pointer = unsafe { pointer_at(place) };
        if !pointer.is_null() {
            // SAFETY: it leads to a string that ends with NUL.
            let bytes = unsafe { CStr::from_ptr(pointer.cast()) }.count_bytes() + 1;
            found.push(Pointee { at, name, bytes, is_text: true, is_room: false, of: None, count: bytes });
        }
    };
    match kind.resolved() {
        Kind::Record(record) => {
            for member in record.members {
                // SAFETY: the value has the layout of the record.
                unsafe { find(member.kind, start, at + member.offset, member.key.name, found) };
            }
        }
        Kind::Fixed((element, count)) if element.has_pointers() => {
            for index in 0..*count {
                // SAFETY: the value is `count` adjacent elements.
                unsafe { find(*element, start, at + index * element.size(), name, found) };
            }
        }
        Kind::Str => text(found),
        Kind::Text(of) if of.exactly.is_none() && of.encoding != Encoding::Utf16 => text(found),
        Kind::Pointed(target) => {
            let (of, is_text, is_room) = (Kind::Record(target.get()), false, false);
            // SAFETY: the value is a pointer.
            let pointer = unsafe { pointer_at(place) };
            let pointee = Pointee { at, name, bytes: of.size(), is_text, is_room, of: Some(of), count: 1 };
            found.extend((!pointer.is_null()).then_some(pointee));
        }
        Kind::Many(many) => {
            // SAFETY: the value is such a member.
            let (pointer, written) = unsafe { many.elements(place) };
            if pointer.is_null() {
                return;
            }
            let count = match (&many.room, &many.length) {
                (Some(_), Extent::Beside(beside)) => {
                    // SAFETY: the capacity is in the same struct, as the table says.
                    let capacity = unsafe { beside.read(place) };
                    usize::try_from(capacity).unwrap_or(0)
                }
                (Some(_), Extent::Const(count)) => *count,
                (None, Extent::Terminated) => written + 1,
                (Some(_), Extent::Terminated) | (None, Extent::Beside(_) | Extent::Const(_)) => written,
            };
            let of = many.of.has_pointers().then_some(many.of);
            let bytes = count.saturating_mul(many.of.size());
            let is_room = many.room.is_some();
            found.push(Pointee { at, name, bytes, is_text: false, is_room, of, count });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;
    use crate::adapter::{Beside, Many, Member, Record};

    #[repr(C)]
    struct Named {
        name: *const std::ffi::c_char,
        values: *const i32,
        count: i32,
    }

    static VALUES: Many = Many {
        of: Kind::INT32_T,
        text: None,
        length: Extent::Beside(Beside {
            by: offset_of!(Named, count) as isize - offset_of!(Named, values) as isize,
            of: Kind::INT32_T,
        }),
        nullable: true,
        nullable_items: false,
        room: None,
    };

    static NAMED: Record = Record {
        name: "named",
        size: size_of::<Named>(),
        align: align_of::<Named>(),
        members: &[
            Member::required("name", Kind::Str, offset_of!(Named, name)),
            Member::optional("values", Kind::Many(&VALUES), offset_of!(Named, values)),
            Member::required("count", Kind::INT32_T, offset_of!(Named, count)),
        ],
    };

    #[test]
    fn the_memory_behind_each_pointer_is_known() {
        let named = Named { name: c"abc".as_ptr(), values: [1, 2, 3].as_ptr(), count: 3 };
        // SAFETY: the table describes the struct, whose pointers are valid.
        let found = unsafe { pointees(Kind::Record(&NAMED), (&raw const named).cast()) };
        let shown: Vec<_> = found.iter().map(|one| (one.name, one.at, one.bytes, one.is_room)).collect();
        assert_eq!(shown, [("name", 0, 4, false), ("values", offset_of!(Named, values), 12, false)]);
        let empty = Named { values: std::ptr::null(), ..named };
        // SAFETY: as above.
        assert_eq!(unsafe { pointees(Kind::Record(&NAMED), (&raw const empty).cast()) }.len(), 1);
    }
}

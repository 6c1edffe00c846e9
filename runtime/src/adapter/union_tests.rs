use std::mem::offset_of;

use super::*;
use crate::adapter::datum::datum_at;

#[derive(Clone, Copy)]
#[repr(C)]
union Either {
    i: i32,
    d: f64,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Tagged {
    kind: u16,
    value: Either,
}

static VALUE: Union = Union {
    of: Record {
        name: "value",
        size: size_of::<Either>(),
        align: align_of::<Either>(),
        members: &[Member::required("i", Kind::INT32_T, 0), Member::required("d", Kind::Double, 0)],
    },
    tags: &[1, 2],
    empty: Some(7),
    tag: Beside {
        by: offset_of!(Tagged, kind) as isize - offset_of!(Tagged, value) as isize,
        of: Kind::UINT16_T,
    },
    unknown: Member::required("unknown", Kind::UINT16_T, 0),
};

fn alive(tagged: &Tagged) -> Option<&'static str> {
    // SAFETY: the union is in its struct.
    unsafe { VALUE.alive((&raw const tagged.value).cast()) }.map(|(member, _)| member.key.name)
}

#[test]
fn the_tag_says_which_member_is_used() {
    let with = |kind: u16| Tagged { kind, value: Either { d: 1.5 } };
    assert_eq!((alive(&with(1)), alive(&with(2))), (Some("i"), Some("d")));
    assert_eq!(alive(&with(7)), None, "no member is used");
    assert_eq!(alive(&with(3)), Some("unknown"));
    let tagged = with(3);
    // SAFETY: the union is in its struct.
    let (member, at) = unsafe { VALUE.alive((&raw const tagged.value).cast()) }.expect("a tag");
    // SAFETY: the tag is there.
    let datum = unsafe { datum_at(member.kind, at) };
    assert!(matches!(datum, Some(crate::adapter::datum::Datum::Unsigned(3))));
}

#[test]
fn a_union_left_out_has_the_tag_of_none() {
    let mut arena = Arena::new();
    let (at, _) = arena.reserve(size_of::<Tagged>(), 1).expect("small");
    VALUE.leave_out(at + offset_of!(Tagged, value), &mut arena);
    let mut expected = [0; size_of::<Tagged>()];
    expected[..2].copy_from_slice(&7_u16.to_ne_bytes());
    assert_eq!(arena.bytes_from(0)[at..at + size_of::<Tagged>()], expected);
}

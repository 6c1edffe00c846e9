//! Which types a slot is followed as.

use std::ffi::CStr;

use super::*;
use crate::Utf16CStr;

#[test]
fn strings_keep_their_place_while_the_arena_grows() {
    let mut arena = Arena::new();
    let words: Vec<u64> = (0..100).map(|n| arena.push_str("x".repeat(n).as_bytes()).expect("room")).collect();
    let slots: Vec<Slot> = words.into_iter().map(|word| Slot::filled(Kind::Str, word)).collect();
    let args = Args::new(&slots, &mut arena);
    for n in 0..100 {
        assert_eq!(args.get::<&CStr>(n).to_bytes(), "x".repeat(n).as_bytes());
    }
}

#[test]
fn lists_hold_elements_of_every_width() {
    let mut arena = Arena::new();
    let mut slots = Vec::new();
    for size in [1, 2, 4, 8] {
        let mut list = arena.begin_list();
        for n in 0..5 {
            arena.push_element(&mut list, (-n_as_i64(n)) as u64, size).expect("room");
        }
        slots.push(Slot::scalar(arena.end_list(list)));
    }
    let args = Args::new(&slots, &mut arena);
    // SAFETY: each list was filled with elements of that type, and is taken once.
    unsafe {
        assert_eq!(args.lend::<&mut [i8]>(0), [0, -1, -2, -3, -4]);
        assert_eq!(args.lend::<&mut [i16]>(1), [0, -1, -2, -3, -4]);
        assert_eq!(args.lend::<&mut [i32]>(2), [0, -1, -2, -3, -4]);
        assert_eq!(args.lend::<&mut [i64]>(3), [0, -1, -2, -3, -4]);
    }
}

fn n_as_i64(n: usize) -> i64 {
    i64::try_from(n).expect("small")
}

#[test]
fn a_number_is_never_followed_as_a_string() {
    let mut arena = Arena::new();
    let slots = [Slot::scalar(u64::MAX)];
    let args = Args::new(&slots, &mut arena);
    assert_eq!((args.get::<&CStr>(0), args.get::<&str>(0)), (c"", ""));
    assert!(args.get::<&[u8]>(0).is_empty() && args.get::<&[u16]>(0).is_empty());
    assert!(args.get::<&Utf16CStr>(0).is_empty() && args.get::<Vec<&CStr>>(0).is_empty());
}

const fn text(encoding: Encoding, counted: bool) -> Text {
    Text { counted, ..Text::terminated(encoding) }
}

/// One for each state of a text.
static TEXTS: [Text; 6] = [
    text(Encoding::Utf8, false),
    text(Encoding::Latin1, false),
    text(Encoding::Utf16, false),
    text(Encoding::Utf8, true),
    text(Encoding::Latin1, true),
    text(Encoding::Utf16, true),
];

#[test]
fn a_text_is_followed_only_as_what_it_is() {
    let mut arena = Arena::new();
    let slots: Vec<Slot> = TEXTS
        .iter()
        .map(|text| Slot::filled(Kind::Text(text), text.keep("aé", &mut arena).expect("it fits")))
        .collect();
    let args = Args::new(&slots, &mut arena);
    let seen = |index: usize| {
        (
            args.get::<&CStr>(index).to_bytes(),
            args.get::<&str>(index),
            args.get::<&[u8]>(index),
            args.get::<&[u8; 2]>(index),
            args.get::<&Utf16CStr>(index).as_slice(),
            args.get::<&[u16]>(index),
        )
    };
    let (utf8, latin1, units) = ("aé".as_bytes(), b"a\xe9", &[0x61, 0xe9][..]);
    assert_eq!(seen(0), (utf8, "aé", utf8, &[0, 0], &[][..], &[][..]));
    assert_eq!(seen(1), (&latin1[..], "", &latin1[..], latin1, &[][..], &[][..]));
    assert_eq!(seen(2), (&[][..], "", &[][..], &[0, 0], units, units));
    assert_eq!(seen(3), (&[][..], "aé", utf8, &[0, 0], &[][..], &[][..]));
    assert_eq!(seen(4), (&[][..], "", &latin1[..], latin1, &[][..], &[][..]));
    assert_eq!(seen(5), (&[][..], "", &[][..], &[0, 0], &[][..], units));
    assert!(args.get::<Vec<&CStr>>(0).is_empty());
}

#[test]
fn strings_of_another_encoding_are_strings() {
    static LATIN: Text = text(Encoding::Latin1, false);
    static ELEMENT: Kind = Kind::Text(&LATIN);
    let mut arena = Arena::new();
    let mut list = arena.begin_list();
    let at = arena.extend(&mut list, size_of::<usize>()).expect("room");
    LATIN.place("é", at, &mut arena).expect("it fits");
    let slots = [Slot::filled(Kind::List(&ELEMENT), arena.end_list(list)), Slot::NULL];
    let args = Args::new(&slots, &mut arena);
    assert_eq!(args.get::<Vec<&CStr>>(0), [c"\xe9"]);
    assert_eq!((args.get::<Option<Vec<&CStr>>>(1), args.get::<Vec<&CStr>>(1).len()), (None, 0));
}

#[test]
fn a_slot_is_two_words() {
    assert_eq!(size_of::<Slot>(), 16);
}

#[test]
fn absent_arguments_are_none_or_zero() {
    let mut arena = Arena::new();
    let slots = [Slot::UNSEEN, Slot::NULL];
    let args = Args::new(&slots, &mut arena);
    assert_eq!(args.get::<Option<i32>>(0), None);
    assert_eq!(args.get::<Option<&CStr>>(1), None);
    assert_eq!(args.get::<i32>(0), 0);
    assert_eq!(args.get::<&CStr>(0), c"");
}

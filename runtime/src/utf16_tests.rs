//! Tests of UTF-16 strings.

use std::collections::HashMap;

use super::*;

fn owned(text: &str) -> Utf16CString {
    text.try_into().expect("no NUL inside")
}

#[test]
fn text_survives_a_round_trip() {
    for text in ["", "abc", "naïve", "文件", "🦀"] {
        let string = owned(text);
        assert_eq!(string.to_string().ok().as_deref(), Some(text));
        assert!(string.as_slice().iter().copied().eq(text.encode_utf16()));
        assert_eq!(string.as_slice_with_nul().last(), Some(&0));
        assert_eq!(string.is_empty(), text.is_empty());
        assert_eq!(format!("{string:?}"), format!("{text:?}"));
    }
    assert_eq!(Utf16CString::default(), owned(""));
}

#[test]
fn a_nul_inside_is_refused() {
    let error = Utf16CString::try_from("🦀\0").expect_err("NUL inside");
    assert_eq!(error.to_string(), "the text has a NUL at index 2");
    assert!(Utf16CString::try_from(vec![0]).is_err());
}

#[test]
fn a_lone_surrogate_is_kept_but_is_not_text() {
    let string = Utf16CString::try_from(vec![0x61, 0xD800]).expect("no NUL inside");
    assert_eq!(string.as_slice(), [0x61, 0xD800]);
    assert!(string.to_string().is_err());
    assert_eq!(string.to_string_lossy(), "a\u{FFFD}");
}

#[test]
fn a_string_ends_at_its_first_nul() {
    let units = [0x61, 0x62, 0, 0x63, 0];
    // SAFETY: the units contain a NUL.
    let string = unsafe { Utf16CStr::from_ptr(units.as_ptr()) };
    assert_eq!(string.as_slice(), [0x61, 0x62]);
    assert_eq!(Utf16CStr::from_units_until_nul(&units), Some(string));
    assert_eq!(Utf16CStr::from_units_until_nul(&units[3..4]), None);
    // SAFETY: the units contain a NUL.
    assert_eq!(unsafe { Utf16CString::copied(units.as_ptr()) }, owned("ab"));
    // SAFETY: the slice is one NUL.
    assert_eq!(unsafe { Utf16CString::copied(units[4..].as_ptr()) }, owned(""));
}

#[test]
fn the_units_to_copy_need_not_be_aligned() {
    let mut bytes = [0; 5];
    // One of the two addresses is odd.
    for start in [0, 1] {
        bytes.fill(0);
        bytes[start..start + 2].copy_from_slice(&0x61_u16.to_ne_bytes());
        // SAFETY: there are a unit and a NUL at `start`.
        assert_eq!(unsafe { Utf16CString::copied(bytes[start..].as_ptr().cast()) }, owned("a"));
    }
}

#[test]
fn a_borrowed_string_finds_an_owned_one() {
    let map = HashMap::from([(owned("a"), 1)]);
    assert_eq!(map.get(&*owned("a")), Some(&1));
}

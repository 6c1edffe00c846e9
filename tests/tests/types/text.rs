//! Characters and strings, of `char` and of `unsigned char`.
//!
//! A character is a string of one byte in JSON and the C type itself in Rust; a string is UTF-8
//! without NUL in JSON and a `CStr` in Rust. Special strings in replies (NULL, invalid UTF-8, great
//! length) are tested in `shapes`.

use std::ffi::{CStr, CString, c_char, c_uchar, c_ulong};

use serde_json::json;

use super::{assert_refused, assert_value, types};

#[test]
fn every_ascii_character_is_a_string_of_one_byte() {
    let types = types();
    for byte in 0..=0x7f_u8 {
        let text = char::from(byte).to_string();
        for function in ["value_letter", "value_unsigned_letter"] {
            assert_value(&types, function, &json!({"x": text}), &json!(text));
        }
    }
}

#[test]
fn characters_are_the_c_type_in_rust() {
    let types = types();
    for byte in 0..=u8::MAX {
        let signed = c_char::from_ne_bytes([byte]);
        assert_eq!(types.value_letter(signed), signed, "value_letter of {byte}");
        assert_eq!(types.value_unsigned_letter(c_uchar::from(byte)), byte, "value_unsigned_letter");
    }
}

#[test]
fn a_string_of_another_length_is_not_a_character() {
    let types = types();
    for function in ["value_letter", "value_unsigned_letter"] {
        for text in ["", "AB", "é", "好"] {
            let expected =
                format!("/x: {text:?} is {} bytes long; expected a string of one byte (char)", text.len());
            assert_refused(&types, function, &json!({"x": text}), &expected);
        }
        for other in [json!(65), json!(true), json!(null), json!(["A"])] {
            assert_refused(&types, function, &json!({"x": other}), "expected a string of one byte (char)");
        }
    }
}

#[test]
fn a_char_that_is_an_integer_takes_no_letters() {
    let types = types();
    for function in ["value_char", "value_unsigned_char"] {
        assert_value(&types, function, &json!({"x": 65}), &json!(65));
        assert_refused(&types, function, &json!({"x": "A"}), "/x: \"A\" is a string; expected an integer");
    }
}

/// Plain, with escapes, with several bytes per character, and empty.
const TEXTS: [&CStr; 6] =
    [c"abc", c"a \"b\" \\ \n\t\x01", c"h\xc3\xa9llo", c"\xe4\xbd\xa0\xe5\xa5\xbd", c"\xf0\x9f\xa6\x80", c""];

#[test]
fn strings_reach_c_byte_for_byte() {
    let types = types();
    for text in TEXTS {
        let bytes = c_ulong::try_from(text.to_bytes().len()).expect("short");
        assert_eq!(types.length(text), bytes, "length of {text:?}");
        assert_eq!(types.unsigned_length(text), bytes, "unsigned_length of {text:?}");
        let utf8 = text.to_str().expect("UTF-8");
        for function in ["length", "unsigned_length"] {
            assert_value(&types, function, &json!({"s": utf8}), &json!(bytes));
        }
    }
}

#[test]
fn returned_strings_are_copied() {
    let types = types();
    for text in TEXTS {
        let doubled: Vec<u8> = text.to_bytes().repeat(2);
        let doubled = CString::new(doubled).expect("no NUL");
        let kept = types.twice(text);
        assert_eq!(types.unsigned_twice(text), Ok(doubled.clone()), "unsigned_twice of {text:?}");
        types.twice(c"overwritten").expect("not NULL");
        assert_eq!(kept, Ok(doubled.clone()), "twice of {text:?}, after the next call");
        let utf8 = text.to_str().expect("UTF-8");
        let expected = json!(doubled.to_str().expect("UTF-8"));
        for function in ["twice", "unsigned_twice"] {
            assert_value(&types, function, &json!({"s": utf8}), &expected);
        }
    }
}

#[test]
fn a_string_with_nul_would_be_cut_and_is_refused() {
    let types = types();
    for function in ["length", "unsigned_length", "twice", "unsigned_twice"] {
        assert_refused(&types, function, &json!({"s": "a\0b"}), "/s: the string has a NUL at byte 1");
        for other in [json!(1), json!(true), json!(null), json!(["a"]), json!({})] {
            assert_refused(&types, function, &json!({"s": other}), "expected a string without NUL");
        }
    }
}

//! Input strings.

use std::ffi::c_ulong;

use opendyn::{Utf16CStr, Utf16CString};
use opendyn_tests::assert_refused;
use serde_json::json;

use super::{GREETING, assert_values, text};

/// The result of C for these bytes.
fn sum(bytes: &[u8]) -> c_ulong {
    let length = c_ulong::try_from(bytes.len()).expect("short");
    100_000 * length + bytes.iter().map(|&byte| c_ulong::from(byte)).sum::<c_ulong>()
}

/// The result of C for these units.
fn sum16(units: &[u16]) -> c_ulong {
    let length = c_ulong::try_from(units.len()).expect("short");
    1_000_000 * length + units.iter().map(|&unit| c_ulong::from(unit)).sum::<c_ulong>()
}

#[test]
fn a_default_is_in_the_encoding_of_its_text() {
    let text = text();
    assert_eq!(text.in_latin1_default(None), sum(b"\xe9"));
    assert_eq!(text.in_latin1_default(Some(c"a")), sum(b"a"));
    let calls = [
        ("in_latin1_default", json!({}), json!(sum(b"\xe9"))),
        ("in_latin1_default", json!({"text": "é"}), json!(sum(b"\xe9"))),
    ];
    assert_values(&text, calls);
}

#[test]
fn typed_methods_hand_the_bytes_over_as_they_are() {
    let text = text();
    for bytes in [c"", c"abc", c"h\xc3\xa9", c"\xff\x80"] {
        let expected = sum(bytes.to_bytes());
        assert_eq!(text.in_utf8(bytes), expected);
        assert_eq!(text.in_lossy(bytes), expected);
        assert_eq!(text.in_latin1(bytes), expected);
        assert_eq!(text.in_base64(bytes), expected);
        assert_eq!(text.in_hex(bytes), expected);
        assert_eq!(text.in_optional(Some(bytes)), expected);
    }
    for string in ["", "a\0b", "hé"] {
        assert_eq!(text.in_utf8_counted(string), sum(string.as_bytes()));
        assert_eq!(text.in_lossy_counted(string), sum(string.as_bytes()));
        assert_eq!(text.sum_counted_int(string), Ok(sum(string.as_bytes())));
    }
    for bytes in [&b""[..], b"a\0b", b"\xff\x80"] {
        assert_eq!(text.in_latin1_counted(bytes), sum(bytes));
        assert_eq!(text.in_base64_counted(bytes), sum(bytes));
        assert_eq!(text.in_hex_counted(bytes), sum(bytes));
    }
    assert_eq!(text.key_sum(b"\x00\x01\x02\xff"), sum(b"\x00\x01\x02\xff"));
    assert_eq!(text.sum_two("ab", b"\0c"), 195_099, "each text with its own length");
}

#[test]
fn json_has_the_text_of_every_encoding() {
    let text = text();
    for (string, utf8, latin1) in [
        ("", &b""[..], &b""[..]),
        ("abc", b"abc", b"abc"),
        ("hé\u{80}ÿ", "hé\u{80}ÿ".as_bytes(), b"h\xe9\x80\xff"),
    ] {
        let arguments = || json!({"text": string});
        assert_values(
            &text,
            [
                ("in_utf8", arguments(), json!(sum(utf8))),
                ("in_lossy", arguments(), json!(sum(utf8))),
                ("in_latin1", arguments(), json!(sum(latin1))),
                ("in_utf8_counted", arguments(), json!(sum(utf8))),
                ("in_lossy_counted", arguments(), json!(sum(utf8))),
                ("in_latin1_counted", arguments(), json!(sum(latin1))),
                ("sum_counted_int", arguments(), json!(sum(utf8))),
                ("in_optional", arguments(), json!(sum(utf8))),
            ],
        );
    }
    assert_values(
        &text,
        [
            ("in_base64", json!({"text": "/4A="}), json!(sum(b"\xff\x80"))),
            ("in_hex", json!({"text": "fF80"}), json!(sum(b"\xff\x80"))),
            ("in_base64_counted", json!({"text": "AP8="}), json!(sum(b"\0\xff"))),
            ("in_hex_counted", json!({"text": "00ff"}), json!(sum(b"\0\xff"))),
            ("in_hex_counted", json!({"text": ""}), json!(sum(b""))),
            ("key_sum", json!({"key": "000102ff"}), json!(sum(b"\x00\x01\x02\xff"))),
            ("sum_two", json!({"a": "ab", "b": "AGM="}), json!(195_099)),
        ],
    );
}

#[test]
fn a_counted_text_may_hold_nul_and_one_that_ends_in_nul_may_not() {
    let text = text();
    assert_values(
        &text,
        [
            ("in_utf8_counted", json!({"text": "a\0b"}), json!(sum(b"a\0b"))),
            ("in_lossy_counted", json!({"text": "a\0b"}), json!(sum(b"a\0b"))),
            ("in_latin1_counted", json!({"text": "é\0b"}), json!(sum(b"\xe9\0b"))),
            ("in_utf16_counted", json!({"text": "a\0b"}), json!(sum16(&[0x61, 0, 0x62]))),
        ],
    );
    let nul = |unit: &str, expected: &str| {
        format!(
            "/text: the string has a NUL at {unit} 1, where C would end it; expected {expected} without NUL"
        )
    };
    assert_refused(
        &text,
        [
            ("in_utf8", json!({"text": "a\0b"}), &nul("byte", "a string")),
            ("in_lossy", json!({"text": "a\0b"}), &nul("byte", "a string")),
            ("in_latin1", json!({"text": "a\0b"}), &nul("byte", "a string of characters up to U+00FF")),
            ("in_base64", json!({"text": "YQBi"}), &nul("byte", "a string of base64")),
            ("in_hex", json!({"text": "610062"}), &nul("byte", "a string of hex digits")),
            ("in_optional", json!({"text": "a\0b"}), &nul("byte", "a string")),
            ("in_utf16", json!({"text": "a\0b"}), &nul("unit", "a string")),
            ("in_utf16_optional", json!({"text": "a\0b"}), &nul("unit", "a string")),
        ],
    );
}

#[test]
fn latin_1_has_no_character_beyond_255() {
    let text = text();
    for function in ["in_latin1", "in_latin1_counted"] {
        assert_refused(
            &text,
            [
                (function, json!({"text": "éΩ"}), "/text: character 1 'Ω' does not exist in latin-1"),
                (function, json!({"text": "\u{100}"}), "/text: character 0 'Ā' does not exist in latin-1"),
                (function, json!({"text": "🎉"}), "/text: character 0 '🎉' does not exist in latin-1"),
            ],
        );
    }
}

#[test]
fn what_is_not_base64_or_hex_is_refused_with_its_place_and_the_way_out() {
    let text = text();
    let refused = |function: &str, given: &str, expected: &str| {
        let expected = format!("/text: {expected}; give plain text as {{\"text\": …}}");
        assert_refused(&text, [(function, json!({"text": given}), &expected)]);
    };
    for function in ["in_base64", "in_base64_counted"] {
        for (given, expected) in [
            ("YW!j", "byte 2 is not base64: '!'"),
            ("YW-_", "byte 2 is not base64: '-'"),
            ("YWJ", "3 characters are not complete base64: it ends early"),
            ("Y===", "byte 1 is not base64: wrong padding"),
            ("YWK=", "byte 2 is not base64: bits after the last byte"),
            ("YW\nJj", "byte 2 is not base64: '\\n'"),
            ("hello world", "byte 5 is not base64: ' '"),
        ] {
            refused(function, given, expected);
        }
    }
    for function in ["in_hex", "in_hex_counted"] {
        for (given, expected) in [
            ("0g", "byte 1 is not hex: 'g'"),
            ("0x12", "byte 1 is not hex: 'x'"),
            ("123", "3 characters are not complete hex: it ends early"),
            ("hello world", "byte 0 is not hex: 'h'"),
        ] {
            refused(function, given, expected);
        }
    }
}

#[test]
fn a_text_of_constant_length_has_that_length() {
    let text = text();
    let expected = "expected a string of hex digits for 4 bytes";
    assert_refused(
        &text,
        [
            ("key_sum", json!({"key": "000102"}), &format!("/key: \"000102\" is 3 bytes long; {expected}")),
            (
                "key_sum",
                json!({"key": "0001020304"}),
                &format!("/key: \"0001020304\" is 5 bytes long; {expected}"),
            ),
            ("key_sum", json!({"key": ""}), &format!("/key: \"\" is 0 bytes long; {expected}")),
            ("key_sum", json!({}), &format!("/key: missing; {expected}")),
        ],
    );
}

#[test]
fn utf_16_is_text_in_json_and_units_in_rust() {
    let text = text();
    let greeting = Utf16CString::try_from("Grüße🎉").expect("no NUL");
    assert_eq!(text.in_utf16(&greeting), sum16(&GREETING));
    assert_eq!(text.in_utf16_optional(Some(&greeting)), sum16(&GREETING));
    let lone = Utf16CStr::from_units_until_nul(&[0x61, 0xd800, 0]).expect("a NUL");
    assert_eq!(text.in_utf16(lone), sum16(&[0x61, 0xd800]), "a lone surrogate passes as it is");
    assert_eq!(text.in_utf16_counted(&[0xd800, 0, 1]), sum16(&[0xd800, 0, 1]));
    assert_eq!(text.in_utf16_counted(&[]), 0);
    assert_values(
        &text,
        [
            ("in_utf16", json!({"text": "Grüße🎉"}), json!(sum16(&GREETING))),
            ("in_utf16_optional", json!({"text": "Grüße🎉"}), json!(sum16(&GREETING))),
            ("in_utf16_counted", json!({"text": "Grüße🎉"}), json!(sum16(&GREETING))),
            ("in_utf16", json!({"text": ""}), json!(0)),
        ],
    );
}

#[test]
fn a_lone_surrogate_is_not_json() {
    let text = text();
    for function in ["in_utf8", "in_utf16", "in_utf16_counted"] {
        for lone in [r#"{"text":"\ud83c"}"#, r#"{"text":"\udf89"}"#, r#"{"text":"\ud83c\u0041"}"#] {
            let error = text.call_json(function, lone).expect_err(lone);
            assert_eq!(error.code(), 400, "{function} {lone}: {error}");
        }
    }
    let pair = text.call_json("in_utf16", r#"{"text":"\ud83c\udf89"}"#);
    assert_eq!(pair, Ok(format!("{{\"sum\":{}}}", sum16(&GREETING[5..]))));
}

#[test]
fn an_absent_text_is_null_and_an_empty_one_is_not() {
    let text = text();
    assert_eq!((text.in_optional(None), text.in_optional(Some(c""))), (7, 0));
    assert_eq!(text.in_utf16_optional(None), 7);
    for function in ["in_optional", "in_utf16_optional"] {
        assert_values(
            &text,
            [
                (function, json!({}), json!(7)),
                (function, json!({"text": null}), json!(7)),
                (function, json!({"text": ""}), json!(0)),
            ],
        );
    }
    assert_refused(
        &text,
        [("in_utf16", json!({"text": null}), "/text: null is null; expected a string without NUL")],
    );
}

//! Strings that C returns, or that it leaves a pointer to.

use std::ffi::CString;

use opendyn::{CallError, Utf16CString};
use opendyn_tests::assert_failed;
use serde_json::{Value, json};

use super::{GREETING, KeysText, SAMPLES, assert_values, text, until_nul, value};

/// A typed method that returns a NUL-terminated text.
type Method = fn(&KeysText, i32) -> Result<CString, CallError>;

#[test]
fn typed_methods_copy_the_bytes_as_they_are() {
    let text = text();
    let methods: [Method; 10] = [
        KeysText::returned_utf8,
        KeysText::returned_lossy,
        KeysText::returned_latin1,
        KeysText::returned_base64,
        KeysText::returned_hex,
        KeysText::out_utf8,
        KeysText::out_lossy,
        KeysText::out_latin1,
        KeysText::out_base64,
        KeysText::out_hex,
    ];
    let counted: [Method; 4] = [
        KeysText::returned_utf8_counted,
        KeysText::returned_lossy_counted,
        KeysText::returned_latin1_counted,
        KeysText::out_utf8_counted,
    ];
    for (which, sample) in (0..).zip(SAMPLES) {
        for (index, method) in methods.iter().chain(&counted).enumerate() {
            assert_eq!(method(&text, which), Ok(until_nul(sample)), "method {index}, sample {which}");
        }
        for method in [KeysText::returned_base64_counted, KeysText::returned_hex_counted] {
            assert_eq!(method(&text, which), Ok(sample.to_vec()), "sample {which}");
        }
        assert_eq!(text.out_base64_counted(which), Ok(sample.to_vec()), "sample {which}");
        assert_eq!(text.returned_nullable(which), Some(until_nul(sample)), "sample {which}");
        assert_eq!(text.out_nullable(which), Some(until_nul(sample)), "sample {which}");
    }
    assert_eq!(text.fixed_key(), Ok(b"\x01\x02\x03\xfe".to_vec()));
}

#[test]
fn json_has_the_text_of_every_encoding() {
    let text = text();
    let lossy = ["Grüße", "Gr\u{fffd}\u{fffd}e", "ab\u{fffd}cd", "one", ""];
    let latin1 = ["GrÃ¼Ã\u{9f}e", "Grüße", "abÿcd", "one", ""];
    let base64 = ["R3LDvMOfZQ==", "R3L832U=", "YWL/Y2Q=", "b25l", ""];
    let hex = ["4772c3bcc39f65", "4772fcdf65", "6162ff6364", "6f6e65", ""];
    for (which, encoding, texts) in (0..5).flat_map(|which| {
        [("lossy", lossy), ("latin1", latin1), ("base64", base64), ("hex", hex)].map(|(e, t)| (which, e, t))
    }) {
        for way in ["returned", "out"] {
            let reply = value(&text, &format!("{way}_{encoding}"), &json!({"which": which}));
            assert_eq!(reply, Ok(json!(texts[which])), "{way}_{encoding} {which}");
        }
    }
    for which in 0..5 {
        let arguments = || json!({"which": which});
        assert_values(
            &text,
            [
                ("returned_lossy_counted", arguments(), json!(lossy[which])),
                ("returned_latin1_counted", arguments(), json!(latin1[which])),
            ],
        );
    }
    for which in [0, 3, 4] {
        for function in [
            "returned_utf8",
            "out_utf8",
            "returned_utf8_counted",
            "out_utf8_counted",
            "returned_nullable",
            "out_nullable",
        ] {
            let reply = value(&text, function, &json!({"which": which}));
            assert_eq!(reply, Ok(json!(lossy[which])), "{function} {which}");
        }
    }
}

#[test]
fn counted_bytes_are_not_ended_by_a_nul() {
    assert_values(
        &text(),
        [
            ("returned_base64_counted", json!({"which": 3}), json!("b25lAHR3bw==")),
            ("returned_hex_counted", json!({"which": 3}), json!("6f6e650074776f")),
            ("out_base64_counted", json!({"which": 3}), json!("b25lAHR3bw==")),
            ("fixed_key", json!({}), json!("010203fe")),
        ],
    );
}

#[test]
fn bytes_that_are_not_utf_8_are_an_error_that_says_where() {
    let text = text();
    for function in [
        "returned_utf8",
        "returned_nullable",
        "returned_utf8_counted",
        "out_utf8",
        "out_nullable",
        "out_utf8_counted",
    ] {
        assert_failed(
            &text,
            [
                (function, json!({"which": 1}), "`text` is not UTF-8: byte 0xfc at index 2"),
                (function, json!({"which": 2}), "`text` is not UTF-8: byte 0xff at index 2"),
            ],
        );
    }
}

#[test]
fn null_is_an_error_unless_the_document_allows_it() {
    let text = text();
    let null = || CallError::Null { value: "text" };
    assert_eq!(text.returned_utf8(9), Err(null()));
    assert_eq!(text.returned_base64(9), Err(null()));
    assert_eq!(text.out_hex(9), Err(null()));
    assert_eq!(text.returned_utf16(9), Err(null()));
    assert_eq!(text.returned_utf16_counted(9), Err(null()), "with a count above 0");
    assert_eq!((text.returned_nullable(9), text.out_nullable(9)), (None, None));
    assert_eq!((text.returned_utf16_nullable(9), text.out_utf16(9)), (None, None));
    for function in
        ["returned_utf8", "returned_base64", "out_hex", "returned_utf16", "returned_utf16_counted"]
    {
        assert_failed(&text, [(function, json!({"which": 9}), "`text` is a NULL pointer")]);
    }
    for function in ["returned_nullable", "out_nullable", "returned_utf16_nullable", "out_utf16"] {
        assert_values(&text, [(function, json!({"which": 9}), Value::Null)]);
    }
}

#[test]
fn utf_16_is_units_in_rust_and_text_in_json() {
    let text = text();
    let greeting = Utf16CString::try_from("Grüße🎉").expect("no NUL");
    assert_eq!(text.returned_utf16(0), Ok(greeting.clone()));
    assert_eq!(text.returned_utf16_nullable(0), Some(greeting.clone()));
    assert_eq!(text.out_utf16(0), Some(greeting));
    assert_eq!(text.returned_utf16_counted(0), Ok(GREETING.to_vec()));
    for function in ["returned_utf16", "returned_utf16_nullable", "out_utf16", "returned_utf16_counted"] {
        assert_values(&text, [(function, json!({"which": 0}), json!("Grüße🎉"))]);
    }
}

#[test]
fn a_lone_surrogate_is_whole_in_rust_and_an_error_in_json() {
    let text = text();
    let units = [0x61, 0xd800, 0x62];
    assert_eq!(text.returned_utf16(1).expect("not NULL").as_slice(), units);
    assert_eq!(text.out_utf16(1).expect("not NULL").as_slice(), units);
    assert_eq!(text.returned_utf16_counted(1), Ok(units.to_vec()));
    for function in ["returned_utf16", "returned_utf16_nullable", "out_utf16", "returned_utf16_counted"] {
        let message = "`text` is not UTF-16: unpaired surrogate 0xd800 at index 1";
        assert_failed(&text, [(function, json!({"which": 1}), message)]);
    }
}

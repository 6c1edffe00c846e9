//! The same document with `strings = str`.

use std::ffi::c_ulong;

use opendyn::CallError;
use opendyn_model::Strings;
use opendyn_tests::{Twin, answer};
use serde_json::json;

use super::SAMPLES;

opendyn::opendyn!("fixtures/keys-text/tool.json", name = KeysStrs, strings = str);
opendyn_tests::twin!(KeysStrs = "fixtures/keys-text/tool.json", |options| {
    options.name = Some("KeysStrs".to_owned());
    options.strings = Strings::Str;
});

fn text() -> Twin<KeysStrs> {
    // SAFETY: as for the binding with `CStr`.
    unsafe { Twin::open("keys_text", &[]) }.expect("every function is there")
}

/// What C computes of the bytes.
fn sum(text: &str) -> c_ulong {
    text.len() as c_ulong * 100_000 + text.bytes().map(c_ulong::from).sum::<c_ulong>()
}

#[test]
fn a_str_of_any_length_reaches_c_with_its_nul() {
    let text = text();
    for length in [0, 1, 126, 127, 128, 5000] {
        let given = "é".repeat(length);
        assert_eq!(text.in_utf8(&given), Ok(sum(&given)), "{length}");
        assert_eq!(text.in_optional(Some(&given)), Ok(sum(&given)), "{length}");
        let reply = answer(&text, "in_utf8", &json!({"text": given}));
        assert_eq!(reply, Ok(json!({"sum": sum(&given)})), "{length}");
    }
    assert_eq!(text.in_optional(None), text.in_optional(None));
}

#[test]
fn a_nul_in_a_str_never_reaches_c() {
    let text = text();
    assert_eq!(text.in_utf8("ab\0c"), Err(CallError::Nul { value: "text", index: 2 }));
    let long = format!("{}\0", "x".repeat(300));
    assert_eq!(text.in_optional(Some(&long)), Err(CallError::Nul { value: "text", index: 300 }));
    let error = text.in_utf8("ab\0c").expect_err("a NUL").to_string();
    assert_eq!(error, "`text` has a NUL at index 2, which would end it");
}

#[test]
fn text_of_c_is_a_string_if_it_is_utf8() {
    let text = text();
    assert_eq!(text.returned_utf8(0).as_deref(), Ok("Grüße"));
    assert_eq!(text.returned_nullable(0), Ok(Some("Grüße".to_owned())));
    assert_eq!(text.returned_nullable(-1), Ok(None));
    assert_eq!(text.out_utf8(0).as_deref(), Ok("Grüße"));
    assert_eq!(text.returned_utf8_counted(0).as_deref(), Ok("Grüße"));
    assert_eq!(text.buffer_utf8(0, 64).as_deref(), Ok("Grüße"));
    assert_eq!(text.written_utf8(0, 64).as_deref(), Ok("Grüße"));
    let wrong = Err(CallError::NotUtf8 { value: "text", byte: SAMPLES[2][2], index: 2 });
    assert_eq!(text.returned_utf8(2), wrong);
    assert_eq!(text.out_utf8(2), wrong);
    assert!(text.buffer_utf8(2, 64).is_err_and(|error| error.to_string().ends_with("byte 0xff at index 2")));
    assert_eq!(text.returned_lossy(2).as_deref(), Ok("ab\u{fffd}cd"));
}

#[test]
fn json_callers_see_no_difference() {
    let text = text();
    for which in -1..=4 {
        for function in [
            "returned_utf8",
            "returned_nullable",
            "returned_lossy",
            "out_utf8",
            "buffer_utf8",
            "written_utf8",
        ] {
            // The interpreter and the binding are compared; the interpreter knows nothing of `str`.
            let _ = answer(&text, function, &json!({"which": which}));
        }
    }
    let reply = answer(&text, "returned_utf8", &json!({"which": 2}));
    assert_eq!(reply, Err("the call failed: `text` is not UTF-8: byte 0xff at index 2".to_owned()));
}

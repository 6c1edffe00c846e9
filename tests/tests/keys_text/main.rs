//! Text and bytes in every encoding: `x-encoding`, NUL-terminated or with `x-length`.
//!
//! Every function is called typed and through JSON. Inputs, buffers that C writes to, and returned
//! strings have a file each.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod given;
mod returned;
mod strs;
mod written;

use std::ffi::CString;

use opendyn_tests::{Twin, answer, assert_all_tested, described, packed};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-text/tool.json");
opendyn_tests::twin!(KeysText = "fixtures/keys-text/tool.json");

/// The samples of keys_text.c, by number. As text, the fourth ends at its NUL.
const SAMPLES: [&[u8]; 5] = [b"Gr\xc3\xbc\xc3\x9fe", b"Gr\xfc\xdfe", b"ab\xffcd", b"one\0two", b""];

/// "Grüße" and a character of two units.
const GREETING: [u16; 7] = [0x47, 0x72, 0xfc, 0xdf, 0x65, 0xd83c, 0xdf89];

fn text() -> Twin<KeysText> {
    // SAFETY: the document describes keys_text.c correctly, except the function that overruns a
    // buffer, within the guard after it.
    unsafe { Twin::open("keys_text", &[]) }.expect("every function is there")
}

/// A sample up to its NUL.
fn until_nul(sample: &[u8]) -> CString {
    CString::new(sample.split(|&byte| byte == 0).next().expect("there is a first part")).expect("no NUL")
}

/// The only value in the reply of a call, or its error.
fn value(text: &Twin<KeysText>, function: &str, arguments: &Value) -> Result<Value, String> {
    let mut reply = answer(text, function, arguments)?;
    let reply = reply.as_object_mut().expect("an object");
    assert_eq!(reply.len(), 1, "{function} has one result");
    Ok(reply.values_mut().next().expect("a value").take())
}

/// Asserts the reply of each call.
fn assert_values<const N: usize>(text: &Twin<KeysText>, calls: [(&str, Value, Value); N]) {
    for (function, arguments, expected) in calls {
        assert_eq!(value(text, function, &arguments), Ok(expected), "{function} {arguments}");
    }
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&text(), &[
        // given
        "in_utf8", "in_lossy", "in_latin1", "in_base64", "in_hex", "in_utf8_counted", "in_lossy_counted",
        "in_latin1_counted", "in_base64_counted", "in_hex_counted", "sum_counted_int", "in_optional", "in_utf16",
        "in_utf16_optional", "in_utf16_counted", "key_sum", "sum_two", "in_latin1_default",
        // written
        "buffer_utf8", "buffer_lossy", "buffer_latin1", "buffer_base64", "buffer_hex", "write_full",
        "written_utf8", "written_lossy", "written_latin1", "written_base64", "written_hex",
        "written_base64_pointer", "write_past_end", "make_key", "buffer_utf16", "written_utf16",
        // returned
        "returned_utf8", "returned_lossy", "returned_latin1", "returned_base64", "returned_hex",
        "returned_nullable", "returned_utf8_counted", "returned_lossy_counted", "returned_latin1_counted",
        "returned_base64_counted", "returned_hex_counted", "returned_utf16", "returned_utf16_nullable",
        "returned_utf16_counted", "fixed_key", "out_utf8", "out_lossy", "out_latin1", "out_base64", "out_hex",
        "out_nullable", "out_base64_counted", "out_utf8_counted", "out_utf16",
    ]);
}

#[test]
fn the_document_says_which_strings_are_bytes() {
    let document = text().load().expect("a binding describes itself");
    let parameters = |function: &str| described(&document, function)["parameters"].clone();
    let given = |schema: Value| json!([{"name": "text", "schema": schema, "required": true}]);
    for function in ["in_utf8", "in_latin1", "in_utf8_counted", "in_utf16", "in_utf16_counted"] {
        assert_eq!(parameters(function), given(json!({"type": "string"})), "{function}");
    }
    for (function, sentence, encoding) in
        [("in_base64", "Bytes, in base64.", "base64"), ("in_hex_counted", "Bytes, in hex digits.", "hex")]
    {
        let schema = json!({"type": "string", "description": sentence, "x-encoding": encoding});
        assert_eq!(parameters(function), given(schema), "{function}");
    }
    assert_eq!(parameters("in_optional")[0]["required"], false);
    assert_eq!(parameters("sum_two").as_array().map(Vec::len), Some(2), "without the lengths");
    assert_eq!(parameters("returned_utf8_counted").as_array().map(Vec::len), Some(1), "without the length");
    assert_eq!(described(&document, "make_key")["return"]["schema"]["description"], "Bytes, in hex digits.");
}

#[test]
fn other_formats_carry_every_encoding_as_well() {
    let text = text();
    for (function, arguments, reply) in [
        ("in_latin1", json!({"text": "é"}), json!({"sum": 100_233})),
        ("in_base64_counted", json!({"text": "AP8="}), json!({"sum": 200_255})),
        ("in_utf16_counted", json!({"text": "🎉"}), json!({"sum": 2_000_000 + 0xd83c + 0xdf89})),
        ("key_sum", json!({"key": "0102FF00"}), json!({"sum": 400_258})),
        ("in_optional", json!({"text": null}), json!({"sum": 7})),
        ("returned_utf16", json!({"which": 0}), json!({"text": "Grüße🎉"})),
        ("returned_hex_counted", json!({"which": 3}), json!({"text": "6f6e650074776f"})),
        ("out_nullable", json!({"which": 9}), json!({"text": null})),
    ] {
        assert_eq!(packed(&text, function, &arguments), Ok(reply), "{function}");
    }
    for (function, arguments, error) in [
        (
            "in_latin1",
            json!({"text": "aΩ"}),
            "invalid arguments: /text: character 1 'Ω' does not exist in latin-1",
        ),
        (
            "in_hex",
            json!({"text": "0g"}),
            "invalid arguments: /text: byte 1 is not hex: 'g'; give plain text as {\"text\": …}",
        ),
        ("returned_utf8", json!({"which": 1}), "the call failed: `text` is not UTF-8: byte 0xfc at index 2"),
    ] {
        assert_eq!(packed(&text, function, &arguments), Err(error.to_owned()), "{function}");
    }
}

//! Strings that C writes to a buffer.

use opendyn::CallError;
use opendyn_tests::{assert_failed, assert_refused};
use serde_json::json;

use super::{GREETING, SAMPLES, assert_values, text, until_nul};

#[test]
fn a_text_ends_at_its_nul() {
    let text = text();
    for (which, sample) in (0..).zip(SAMPLES) {
        assert_eq!(text.buffer_utf8(which, 20), Ok(until_nul(sample)), "{which}");
        assert_eq!(text.buffer_lossy(which, 20), Ok(until_nul(sample)), "{which}");
        assert_eq!(text.buffer_latin1(which, 20), Ok(until_nul(sample)), "{which}");
    }
    assert_eq!(text.buffer_utf8(9, 20), Ok(c"".to_owned()), "C wrote nothing");
    assert_eq!(text.buffer_utf8(0, 0), Ok(c"".to_owned()), "no room");
    assert_values(
        &text,
        [
            ("buffer_utf8", json!({"which": 0, "n": 20}), json!("Grüße")),
            ("buffer_utf8", json!({"which": 3, "n": 20}), json!("one")),
            ("buffer_utf8", json!({"which": 9, "n": 20}), json!("")),
            ("buffer_lossy", json!({"which": 1, "n": 20}), json!("Gr\u{fffd}\u{fffd}e")),
            ("buffer_latin1", json!({"which": 1, "n": 20}), json!("Grüße")),
            ("buffer_latin1", json!({"which": 0, "n": 20}), json!("GrÃ¼Ã\u{9f}e")),
        ],
    );
}

#[test]
fn a_text_without_nul_is_all_that_there_is_room_for() {
    let text = text();
    assert_eq!(text.write_full(3), Ok(c"xxx".to_owned()));
    assert_eq!(text.write_full(0), Ok(c"".to_owned()));
    assert_values(
        &text,
        [("write_full", json!({"n": 3}), json!("xxx")), ("write_full", json!({"n": 0}), json!(""))],
    );
}

#[test]
fn bytes_are_all_of_the_buffer() {
    let text = text();
    assert_eq!(text.buffer_base64(3, 9), Ok(b"one\0two\0\0".to_vec()));
    assert_eq!(text.buffer_hex(2, 6), Ok(b"ab\xffcd\0".to_vec()));
    assert_eq!(text.make_key(), Ok(b"\x00\x7f\x80\xff".to_vec()));
    assert_values(
        &text,
        [
            ("buffer_base64", json!({"which": 3, "n": 9}), json!("b25lAHR3bwAA")),
            ("buffer_hex", json!({"which": 2, "n": 6}), json!("6162ff636400")),
            ("make_key", json!({}), json!("007f80ff")),
        ],
    );
}

#[test]
fn a_counted_text_is_as_long_as_c_says() {
    let text = text();
    for (which, sample) in (0..).zip(SAMPLES) {
        assert_eq!(text.written_utf8(which, 20), Ok(until_nul(sample)), "{which}");
        assert_eq!(text.written_lossy(which, 20), Ok(until_nul(sample)), "{which}");
        assert_eq!(text.written_latin1(which, 20), Ok(until_nul(sample)), "{which}");
        assert_eq!(text.written_base64(which, 20), Ok(sample.to_vec()), "{which}");
        assert_eq!(text.written_hex(which, 20), Ok(sample.to_vec()), "{which}");
        assert_eq!(text.written_base64_pointer(which, 20), Ok(sample.to_vec()), "{which}");
    }
    assert_eq!(text.written_utf8(0, 2), Ok(c"Gr".to_owned()), "no NUL, and none is needed");
    assert_values(
        &text,
        [
            ("written_utf8", json!({"which": 0, "n": 20}), json!("Grüße")),
            ("written_utf8", json!({"which": 0, "n": 2}), json!("Gr")),
            ("written_utf8", json!({"which": 4, "n": 20}), json!("")),
            ("written_lossy", json!({"which": 2, "n": 20}), json!("ab\u{fffd}cd")),
            ("written_latin1", json!({"which": 2, "n": 20}), json!("abÿcd")),
            ("written_base64", json!({"which": 3, "n": 20}), json!("b25lAHR3bw==")),
            ("written_hex", json!({"which": 1, "n": 20}), json!("4772fcdf65")),
            ("written_base64_pointer", json!({"which": 2, "n": 20}), json!("YWL/Y2Q=")),
            ("written_base64_pointer", json!({"which": 2, "n": 2}), json!("YWI=")),
        ],
    );
}

#[test]
fn utf_16_ends_where_c_says() {
    let text = text();
    assert_eq!(text.written_utf16(20), Ok(GREETING.to_vec()));
    assert_eq!(text.written_utf16(6), Ok(GREETING[..6].to_vec()), "half a character");
    assert_values(
        &text,
        [
            ("written_utf16", json!({"n": 20}), json!("Grüße🎉")),
            ("written_utf16", json!({"n": 5}), json!("Grüße")),
        ],
    );
    let message = "`buffer` is not UTF-16: unpaired surrogate 0xd83c at index 5";
    assert_failed(&text, [("written_utf16", json!({"n": 6}), message)]);
}

#[test]
fn utf_16_ends_at_its_nul_in_rust() {
    let text = text();
    assert_eq!(text.buffer_utf16(20), Ok(GREETING.to_vec()));
    assert_eq!(text.buffer_utf16(7), Ok(vec![]), "C wrote nothing");
}

#[test]
fn utf_16_ends_at_its_nul_in_json() {
    let text = text();
    assert_values(
        &text,
        [("buffer_utf16", json!({"n": 20}), json!("Grüße🎉")), ("buffer_utf16", json!({"n": 7}), json!(""))],
    );
}

#[test]
fn bytes_that_are_not_utf_8_are_an_error_that_says_where() {
    assert_failed(
        &text(),
        [
            ("buffer_utf8", json!({"which": 1, "n": 20}), "`buffer` is not UTF-8: byte 0xfc at index 2"),
            ("buffer_utf8", json!({"which": 0, "n": 4}), "`buffer` is not UTF-8: byte 0xc3 at index 2"),
            ("written_utf8", json!({"which": 2, "n": 20}), "`buffer` is not UTF-8: byte 0xff at index 2"),
            ("written_utf8", json!({"which": 0, "n": 3}), "`buffer` is not UTF-8: byte 0xc3 at index 2"),
        ],
    );
}

#[test]
fn a_count_that_cannot_be_is_an_error() {
    let text = text();
    let negative = |capacity: usize| CallError::Written { value: "buffer", count: -1, capacity };
    assert_eq!(text.written_utf8(9, 20), Err(negative(20)));
    assert_eq!(text.written_base64(9, 20), Err(negative(20)));
    assert!(
        matches!(text.written_base64_pointer(9, 20), Err(CallError::Written { capacity: 20, .. })),
        "-1 in a size_t"
    );
    assert_failed(
        &text,
        [
            ("written_utf8", json!({"which": 9, "n": 20}), "C says that `buffer` has -1 elements"),
            ("written_hex", json!({"which": 9, "n": 20}), "C says that `buffer` has -1 elements"),
        ],
    );
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "without a guard only a sanitizer sees it")]
fn a_nul_behind_the_end_is_an_error() {
    let text = text();
    for n in [0, 1, 3, 64] {
        assert_eq!(text.write_past_end(n), Err(CallError::Overrun { value: "buffer" }), "{n}");
    }
    assert_failed(&text, [("write_past_end", json!({"n": 3}), "C wrote past the end of `buffer`")]);
}

#[test]
fn a_capacity_has_limits() {
    let text = text();
    assert_eq!(text.write_full(-1), Err(CallError::Capacity { value: "buffer", capacity: -1 }));
    assert_eq!(
        text.written_base64_pointer(0, usize::MAX),
        Err(CallError::Capacity { value: "buffer", capacity: usize::MAX as i128 })
    );
    assert_refused(
        &text,
        [
            ("write_full", json!({"n": -1}), "/n: -1 does not fit int as a capacity (0 to 67108864)"),
            (
                "written_base64_pointer",
                json!({"which": 0, "n": 67_108_865}),
                "/n: 67108865 does not fit size_t as a capacity (0 to 67108864)",
            ),
            (
                "buffer_utf16",
                json!({"n": 33_554_433}),
                "/n: 33554433 does not fit int as a capacity (0 to 33554432)",
            ),
        ],
    );
}

//! One test for each thing that a function must not do.

use crate::{caught, run, seen};

#[test]
fn a_write_past_the_capacity() {
    let expected = "`overrun` wrote past the capacity of `out` (5 bytes): the document says that `x-length` is `capacity`";
    assert_eq!(caught("overrun", r#"{"capacity": 5}"#), expected);
    // A buffer that fills its page, and one without room.
    for capacity in ["4096", "0"] {
        let message = caught("overrun", &format!(r#"{{"capacity": {capacity}}}"#));
        assert!(message.contains(&format!("of `out` ({capacity} bytes)")), "{message}");
    }
}

#[test]
fn a_write_before_the_start() {
    let expected = "`underrun` wrote 1 byte before the start of `out`";
    assert_eq!(caught("underrun", r#"{"capacity": 5}"#), expected);
}

#[test]
fn a_read_past_the_length() {
    let expected =
        "`sum_past` read past the length of `buf` (3 bytes): the document says that `x-length` is `length`";
    assert_eq!(caught("sum_past", r#"{"buf": "010203"}"#), expected);
}

#[test]
fn a_read_behind_the_nul_of_a_string() {
    let expected = "`measure_past` read past the end of the string `text` (4 bytes with its NUL)";
    assert_eq!(caught("measure_past", r#"{"text": "abc"}"#), expected);
}

#[test]
fn a_read_behind_a_string_in_a_struct_and_in_an_array() {
    let expected = "`pair_past` read past the end of the string `pair.name` (4 bytes with its NUL)";
    assert_eq!(caught("pair_past", r#"{"pair": {"name": "abc", "length": 3}}"#), expected);
    let expected = "`all_past` read past the end of the string `names[0]` (3 bytes with its NUL)";
    assert_eq!(caught("all_past", r#"{"names": ["ab", "c"]}"#), expected);
}

#[test]
fn a_write_to_an_input() {
    let expected =
        "`write_to_input` wrote to `buf`, which the document says is only read: it has no `x-inout`";
    assert_eq!(caught("write_to_input", r#"{"buf": "0102"}"#), expected);
    let expected = "`write_to_text` wrote to `text`, which the document says is a string that C only reads";
    assert_eq!(caught("write_to_text", r#"{"text": "abc"}"#), expected);
}

#[test]
fn a_pointer_that_is_kept_and_used_by_the_next_call_of_the_same_function() {
    let expected = "`keep` kept the pointer `value` after the call, and the next call of `keep` read it: \
                    the document does not say so with `x-keeps`";
    assert_eq!(caught("keep", r#"{"value": "abc"}"#), expected);
}

#[test]
fn a_pointer_that_is_kept_and_used_by_another_function() {
    let (place, message) = seen(&[("keep", r#"{"value": "abc"}"#), ("recall", "{}")], &[]);
    let expected = "`keep` kept the pointer `value` after the call, and `recall` read it: \
                    the document does not say so with `x-keeps`";
    assert_eq!(message, expected);
    // The place is that of the parameter that was kept.
    let line: usize = place.split(':').nth(1).and_then(|line| line.parse().ok()).expect("a line");
    let document = std::fs::read_to_string(crate::command::root().join(crate::DOCUMENT)).expect("a file");
    assert!(document.lines().nth(line).expect("the next line").contains(r#""name": "value""#), "{place}");
}

#[test]
fn a_pointer_that_is_kept_and_used_when_a_handle_is_freed() {
    let expected = "`lazy_new` kept the pointer `label` after the call, and the library read it while handles were \
                    freed and it was closed: the document does not say so with `x-keeps`";
    assert_eq!(caught("lazy_new", r#"{"label": "abc"}"#), expected);
}

#[test]
fn memory_that_is_lent_and_freed() {
    let expected =
        "`free_lent` freed `buf`, memory that it was lent: the document does not say that C owns it";
    assert_eq!(caught("free_lent", r#"{"buf": "010203"}"#), expected);
}

#[test]
fn memory_that_is_used_after_it_was_freed() {
    let expected = "`use_after_free` used a pointer that it found in memory that was freed";
    assert_eq!(caught("use_after_free", "{}"), expected);
}

#[test]
fn output_that_is_not_written() {
    let expected = "`half` left 4 bytes of `out` unwritten, of 8: the document says that it writes all of it: \
                    it has no `x-written`";
    assert_eq!(caught("half", r#"{"capacity": 8}"#), expected);
    let expected = "`counted` left 4 bytes of `out` unwritten, of 8: the document says that C counts what it wrote: \
                    `x-written`";
    assert_eq!(caught("counted", r#"{"capacity": 8}"#), expected);
    let expected = "`unterminated` wrote 2 bytes of text to `out` and no NUL behind them";
    assert_eq!(caught("unterminated", r#"{"capacity": 8}"#), expected);
}

#[test]
fn a_scalar_and_a_state_that_are_wider_than_the_document_says() {
    assert_eq!(caught("wide", "{}"), "`wide` wrote past the end of `out` (4 bytes)");
    let expected = "`state_begin` wrote past the end of the state `state` (20 bytes): \
                    the document says that `small` has 20 bytes";
    assert_eq!(caught("state_begin", "{}"), expected);
}

#[test]
fn a_call_that_does_not_return() {
    let (_, message) = seen(&[("forever", "{}")], &["--timeout", "0.5"]);
    assert_eq!(message, "`forever` did not return within 0.5 s");
}

#[test]
fn a_call_that_ends_the_process() {
    assert_eq!(caught("stop", "{}"), "`stop` aborted the process");
    assert_eq!(caught("leave", r#"{"status": 3}"#), "`leave` ended the process with exit status 3");
    // Status 0 is not the end of the trial either.
    assert_eq!(caught("leave", r#"{"status": 0}"#), "`leave` ended the process with exit status 0");
}

#[test]
fn a_null_pointer() {
    assert_eq!(caught("through_null", "{}"), "`through_null` read through a NULL pointer (address 0x0)");
}

#[test]
fn the_place_in_the_library_is_shown() {
    let run = run(&[("overrun", r#"{"capacity": 5}"#)], &[]);
    assert!(run.stdout.contains(" (at libtried.so+0x"), "{}", run.stdout);
}

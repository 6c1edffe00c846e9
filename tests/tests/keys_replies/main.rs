//! Structs with text that is freed with them: all of it is copied before anything is freed.
//!
//! `c/keys_replies.c` overwrites what it frees, so that a text that is read too late is wrong; under
//! AddressSanitizer the read itself is an error. JSON calls are here, typed calls in `typed`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod typed;

use std::ops::Deref;

use opendyn_tests::{Twin, answer, assert_all_tested, assert_answers, packed};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-replies/tool.json");
opendyn_tests::twin!(KeysReplies = "fixtures/keys-replies/tool.json");

/// At the end of a test, everything that C allocated must have been freed.
struct Replies(Twin<KeysReplies>);

impl Deref for Replies {
    type Target = Twin<KeysReplies>;

    fn deref(&self) -> &Twin<KeysReplies> {
        &self.0
    }
}

impl Drop for Replies {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.call_json("keys_allocated", "{}").as_deref(), Ok(r#"{"count":0}"#), "at the end");
        }
    }
}

fn replies() -> Replies {
    // SAFETY: the document describes keys_replies.c correctly.
    let replies = unsafe { Twin::open("keys_replies", &[]) };
    Replies(replies.expect("every function is there"))
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&*replies(), &[
        "keys_allocated", "text_free", "reply_free", "entry_free", "replies_free", "reply_text", "reply_maybe",
        "reply_list", "reply_get", "entry_make", "replies_all", "replies_get", "word_first", "word_last",
        "word_value", "words", "word_next", "word_static", "word_results",
    ]);
}

/// A reply with a text.
fn text(text: &str) -> Value {
    json!({"type": 1, "integer": -1, "len": text.len(), "str": text, "tag": "txt", "elements": 0})
}

/// A reply without a text.
fn none(elements: usize) -> Value {
    json!({"type": 4, "integer": -1, "len": 0, "str": null, "tag": "txt", "elements": elements})
}

fn view(word: &str) -> Value {
    json!({"word": word, "len": word.len()})
}

#[test]
fn the_text_of_a_struct_is_copied_before_the_struct_is_freed() {
    let replies = replies();
    let maybe = json!({"reply": text("maybe a text")});
    assert_answers(
        &*replies,
        [
            ("reply_text", json!({"text": "PONG"}), json!({"reply": text("PONG")})),
            ("reply_maybe", json!({"text": "maybe a text"}), maybe),
            ("reply_maybe", json!({"text": ""}), json!({"reply": null})),
            ("reply_list", json!({"text": "an element"}), json!({"reply": none(1)})),
            ("reply_get", json!({"code": 0, "text": "left"}), json!({"reply": text("left")})),
            ("word_static", json!({}), json!({"word": view("lent")})),
            ("word_results", json!({}), json!({"results": view("lent")})),
        ],
    );
}

#[test]
fn so_is_that_of_structs_in_structs_and_in_arrays() {
    let replies = replies();
    let entry = json!({"id": 7, "key": text("a key"), "values": [text("first"), none(0)]});
    let all = json!([text("one"), text("two"), none(0)]);
    assert_answers(
        &*replies,
        [
            ("entry_make", json!({"key": "a key", "first": "first"}), json!({"entry": entry})),
            ("replies_all", json!({}), json!({"replies": all})),
            ("replies_get", json!({"code": 0}), json!({"replies": all})),
        ],
    );
}

#[test]
fn so_is_what_points_into_another_result() {
    let replies = replies();
    let words = json!([view("some"), view("words")]);
    assert_answers(
        &*replies,
        [
            ("word_first", json!({"text": "two words"}), json!({"whole": "two", "first": view("two")})),
            ("word_last", json!({"text": "two words"}), json!({"whole": "two words", "word": "words"})),
            ("word_value", json!({"text": "two words"}), json!({"first": view("two"), "whole": "two"})),
            ("words", json!({"text": "some words", "n": 3}), json!({"whole": "some", "words": words})),
        ],
    );
}

#[test]
fn other_formats_get_the_same_text() {
    let replies = replies();
    let words = json!([view("some"), view("words")]);
    for (function, arguments, reply) in [
        ("reply_text", json!({"text": "PONG"}), json!({"reply": text("PONG")})),
        ("reply_get", json!({"code": 0, "text": "left"}), json!({"reply": text("left")})),
        ("replies_all", json!({}), json!({"replies": [text("one"), text("two"), none(0)]})),
        ("words", json!({"text": "some words", "n": 3}), json!({"whole": "some", "words": words})),
    ] {
        assert_eq!(packed(&replies, function, &arguments), Ok(reply), "{function}");
    }
}

#[test]
fn a_struct_that_comes_back_has_its_text_before_that_is_freed() {
    let replies = replies();
    let at = json!({"word": null, "len": 0});
    let expected = json!({"whole": "a", "at": view("a")});
    assert_answers(&*replies, [("word_next", json!({"text": "a b", "at": at}), expected)]);
}

#[test]
fn the_functions_that_free_take_null_alone_from_json() {
    let replies = replies();
    for function in ["text_free", "reply_free", "entry_free", "replies_free"] {
        assert_answers(&*replies, [(function, json!({}), json!({}))]);
        let error = answer(&*replies, function, &json!({"pointer": 4096})).expect_err("an address");
        assert!(error.starts_with("invalid arguments: /pointer"), "{error}");
    }
    assert_answers(&*replies, [("keys_allocated", json!({}), json!({"count": 0}))]);
}

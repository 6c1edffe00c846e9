//! Typed calls: structs with copies of their text, which outlive the call.

use std::ptr;

use opendyn::{CallError, Copied};

use super::{Reply, View, replies};

#[test]
fn the_text_of_a_freed_struct_is_a_copy_that_the_caller_owns() {
    let replies = replies();
    let reply = replies.reply_text(c"PONG").expect("a reply");
    assert_eq!(replies.keys_allocated(), 0, "freed when the method returns");
    assert_eq!((reply.r#type, reply.len, reply.text(reply.str)), (1, 4, Some(c"PONG")));
    let moved = Box::new(reply.clone());
    drop(reply);
    assert_eq!(moved.text(moved.str), Some(c"PONG"));
    assert_eq!(replies.reply_text(c"").err(), Some(CallError::Null { value: "reply" }));

    let maybe: Option<Copied<Reply>> = replies.reply_maybe(c"there");
    assert!(maybe.is_some_and(|reply| reply.text(reply.str) == Some(c"there")));
    assert!(replies.reply_maybe(c"").is_none());
}

#[test]
fn null_and_what_the_document_does_not_describe_have_no_text() {
    let replies = replies();
    let list = replies.reply_list(c"an element").expect("a reply");
    assert_eq!((list.str.is_null(), list.text(list.str)), (true, None));
    assert_eq!((list.elements, list.text(list.element.cast_const())), (1, None));
}

#[test]
fn an_output_that_is_freed_is_a_copy_and_a_code_frees_it_too() {
    let replies = replies();
    let reply = replies.reply_get(0, c"left").expect("a reply");
    assert_eq!(reply.text(reply.str), Some(c"left"));
    let error = replies.reply_get(1, c"left").expect_err("a code");
    assert!(matches!(error, CallError::Code(code) if code.code() == 1));
    assert_eq!(replies.keys_allocated(), 0);
}

#[test]
fn structs_in_structs_and_in_arrays_are_copied_whole() {
    let replies = replies();
    let entry = replies.entry_make(c"a key", c"first").expect("an entry");
    let [first, second] = entry.values;
    assert_eq!((entry.id, entry.text(entry.key.str)), (7, Some(c"a key")));
    assert_eq!((entry.text(first.str), entry.text(second.str)), (Some(c"first"), None));
    for all in [replies.replies_all(), replies.replies_get(0)] {
        let all: Copied<Vec<Reply>> = all.expect("three replies");
        let texts: Vec<_> = all.iter().map(|reply| all.text(reply.str)).collect();
        assert_eq!(texts, [Some(c"one"), Some(c"two"), None]);
    }
}

#[test]
fn a_result_that_points_into_another_is_copied_before_that_is_freed() {
    let replies = replies();
    let outputs = replies.word_first(c"two words").expect("a word");
    assert_eq!((outputs.whole.as_c_str(), outputs.first.word.as_deref()), (c"two", Some(c"two")));
    let outputs = replies.word_last(c"two words").expect("a word");
    assert_eq!((outputs.whole.as_c_str(), outputs.word.as_c_str()), (c"two words", c"words"));
    let outputs = replies.word_value(c"two words").expect("a word");
    assert_eq!((outputs.whole.as_c_str(), outputs.first.word.as_deref()), (c"two", Some(c"two")));
    let outputs = replies.words(c"some words", 3).expect("words");
    let words: Vec<_> = outputs.words.iter().map(|view| view.word.as_deref()).collect();
    assert_eq!(words, [Some(c"some"), Some(c"words")]);
}

#[test]
fn structs_that_are_not_freed_are_unchanged() {
    let replies = replies();
    let word: View = replies.word_static().expect("a word");
    assert_eq!((word.len, word.word.as_deref()), (4, Some(c"lent")));
    assert_eq!(replies.word_results(), Ok(word));
}

#[test]
fn a_struct_of_the_caller_gets_copies_of_text_that_is_freed() {
    let replies = replies();
    let mut at = View::default();
    let whole = replies.word_next(c"two words", &mut at);
    assert_eq!(whole.as_deref(), Ok(c"two"));
    assert_eq!((at.word.as_deref(), at.len), (Some(c"two"), 3));
    // SAFETY: NULL is allowed.
    unsafe {
        replies.text_free(ptr::null_mut());
        replies.reply_free(ptr::null_mut());
        replies.entry_free(ptr::null_mut());
        replies.replies_free(ptr::null_mut());
    }
}

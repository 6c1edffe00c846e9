//! What C keeps after the call lives as long as C may use it.

use std::ffi::CString;

use serde_json::json;

use crate::{alive, call, counted, token, tool};

/// A string that C keeps after the call.
#[test]
fn a_string_lives_until_its_handle_is_freed() {
    let tool = tool();
    let store = tool.store_open(1).expect("a store");
    store.label_set(CString::new("first label, on the heap").expect("no NUL"));
    assert_eq!(store.label_get().expect("a label").to_bytes(), b"first label, on the heap");
    store.label_set(c"second".to_owned());
    assert_eq!(store.label_get().expect("a label").to_bytes(), b"second");
    drop(store);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn a_string_lives_until_the_next_one_replaces_it() {
    let tool = tool();
    let store = tool.store_open(1).expect("a store");
    store.note_set(Some(c"first".to_owned())).expect("a note");
    store.note_set(Some(c"second".to_owned())).expect("a note");
    // C keeps the note before.
    assert_eq!(store.note_set(Some(c"".to_owned())).map_err(|error| error.code()), Err(3));
    assert_eq!(store.note_get().expect("a note").to_bytes(), b"second");
    store.note_set(None).expect("no note");
    assert_eq!(store.note_get(), None);
    drop(store);
    assert_eq!(alive(&tool), (0, 0));
}

/// Without it the note before would be freed when C keeps the next one, and copied after that.
#[test]
fn a_result_may_point_to_what_the_call_replaces() {
    let tool = tool();
    let store = tool.store_open(1).expect("a store");
    let (long, other) = ("a note that is not short ".repeat(10), "another one ".repeat(30));
    let note = |text: &str| CString::new(text).expect("no NUL");
    assert_eq!(store.note_swap(note(&long)), None);
    assert_eq!(store.note_swap(note(&other)), Some(note(&long)));
    assert_eq!(store.note_swap(note("last")), Some(note(&other)));
    drop(store);
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let swap = |text: &str| call(&tool, "note_swap", &json!({"store": store, "note": text}));
    assert_eq!(swap(&long), Ok(json!({"before": null})));
    assert_eq!(swap(&other), Ok(json!({"before": long})));
    assert_eq!(swap("last"), Ok(json!({"before": other})));
    call(&tool, "store_close", &json!({"store": store})).expect("it closes");
    assert_eq!(counted(&tool), (0, 0));
}

/// Without it the label would be freed with the handle, and copied after that.
#[test]
fn a_result_may_point_to_what_a_freed_handle_kept() {
    let tool = tool();
    let long = "a label that is not short ".repeat(10);
    let label = CString::new(long.as_str()).expect("no NUL");
    let store = tool.store_open(1).expect("a store");
    store.label_set(label.clone());
    assert_eq!(store.close_label(), Some(label));
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    call(&tool, "label_set", &json!({"store": store, "label": long})).expect("a label");
    let closed = call(&tool, "store_close_label", &json!({"store": store}));
    assert_eq!(closed, Ok(json!({"label": long})));
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn an_array_lives_until_its_handle_is_freed() {
    let tool = tool();
    let store = tool.store_open(1).expect("a store");
    store.numbers_set(vec![1, 2, 3]);
    assert_eq!(store.numbers_sum(), 6);
}

#[test]
fn a_new_handle_keeps_what_it_was_made_of() {
    let tool = tool();
    let store = tool.store_named(c"the label of a new store".to_owned()).expect("a store");
    assert_eq!(store.label_get().expect("a label").to_bytes(), b"the label of a new store");
    assert!(tool.store_named(c"".to_owned()).is_err(), "NULL");
    drop(store);
    assert_eq!(alive(&tool), (0, 0));
}

/// C owns the store, and keeps the label although the call is an error for another reason.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_a_borrowed_handle_keeps_outlives_an_error_of_the_call() {
    let tool = tool();
    let long = "! a label that is not short ".repeat(10);
    for label in ["short", long.as_str()] {
        let named = tool.common_named(CString::new(label).expect("no NUL"));
        assert_eq!(named.is_ok(), label == "short");
        drop(named);
        assert_eq!(tool.common_length(), label.len());
        let named = call(&tool, "common_named", &json!({"label": label}));
        assert_eq!(named.is_ok(), label == "short", "{named:?}");
        assert_eq!(call(&tool, "common_length", &json!({})), Ok(json!({"length": label.len()})));
    }
}

#[test]
fn a_string_for_good_is_static() {
    let tool = tool();
    tool.greeting_set(c"good morning");
    assert_eq!(tool.greeting_get().expect("a text").to_bytes(), b"good morning");
}

#[test]
fn a_kept_handle_is_an_obligation_of_the_caller() {
    let tool = tool();
    let (store, other) = (tool.store_open(1).expect("a store"), tool.store_open(2).expect("a store"));
    // SAFETY: `other` is dropped after `store`.
    unsafe { store.link(&other) };
    assert_eq!(store.linked(), 2);
    drop(store);
    drop(other);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn json_callers_have_copies_that_live_as_long() {
    let tool = tool();
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let long = "a label that is not short ".repeat(10);
    for label in ["first", long.as_str()] {
        call(&tool, "label_set", &json!({"store": store, "label": label})).expect("a label");
        assert_eq!(call(&tool, "label_get", &json!({"store": store})), Ok(json!({"label": label})));
    }
    for note in [json!("one"), json!("two"), json!(null), json!("three")] {
        call(&tool, "note_set", &json!({"store": store, "note": note})).expect("a note");
        assert_eq!(call(&tool, "note_get", &json!({"store": store})), Ok(json!({"note": note})));
    }
    call(&tool, "note_set", &json!({"store": store, "note": ""})).expect_err("an empty note");
    assert_eq!(call(&tool, "note_get", &json!({"store": store})), Ok(json!({"note": "three"})));
    call(&tool, "numbers_set", &json!({"store": store, "numbers": [4, 5, 6]})).expect("numbers");
    assert_eq!(call(&tool, "numbers_sum", &json!({"store": store})), Ok(json!({"sum": 15})));
    call(&tool, "greeting_set", &json!({"text": "good evening"})).expect("a greeting");
    assert_eq!(call(&tool, "greeting_get", &json!({})), Ok(json!({"text": "good evening"})));
    let named = token(&tool, "store_named", &json!({"label": long}), "store");
    assert_eq!(call(&tool, "label_get", &json!({"store": named})), Ok(json!({"label": long})));
    for store in [store, named] {
        call(&tool, "store_close", &json!({"store": store})).expect("it closes");
    }
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn a_kept_handle_cannot_be_freed_first() {
    let tool = tool();
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let other = token(&tool, "store_open", &json!({"id": 2}), "store");
    call(&tool, "store_link", &json!({"store": store, "other": other})).expect("linked");
    let error = call(&tool, "store_close", &json!({"store": other})).expect_err("it is used");
    assert!(error.to_string().contains("still has 1 handle that lives in it"), "{error}");
    assert_eq!(call(&tool, "store_linked", &json!({"store": store})), Ok(json!({"id": 2})));
    call(&tool, "store_close", &json!({"store": store})).expect("it closes");
    call(&tool, "store_close", &json!({"store": other})).expect("it closes");
    assert_eq!(counted(&tool), (0, 0));
}

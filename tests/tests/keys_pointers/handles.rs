//! Arrays of handles that C uses.

use serde_json::json;

use crate::{assert_living, book, call, message, pointers};

#[test]
fn c_gets_the_pointers_of_the_handles() {
    let twin = pointers();
    let (one, two) = (twin.book_new(10).expect("a book"), twin.book_new(20).expect("a book"));
    assert_eq!(twin.books_pages(&[&one, &two, &one]), 40);
    assert_eq!(twin.books_pages(&[]), 0);
    assert_eq!(twin.books_until_null(&[&one, &two]), 2);
    assert_eq!(twin.books_until_null(&[]), 0);
    assert_eq!(twin.books_some(&[Some(&one), None, None]).expect("short"), 2001);
    assert_eq!(twin.books_or_none(Some(&[&one])).expect("short"), 1);
    assert_eq!(twin.books_or_none(Some(&[])).expect("short"), 0);
    assert_eq!(twin.books_or_none(None).expect("short"), -1);
    assert_eq!((one.pages(), two.pages()), (10, 20));
}

#[test]
fn an_array_can_be_longer_than_its_length_can_count() {
    let twin = pointers();
    let one = twin.book_new(10).expect("a book");
    let error = twin.books_or_none(Some(&[&one; 256])).expect_err("`unsigned char` counts to 255");
    assert_eq!(error.to_string(), "`books` has 256 elements, more than its length parameter can count");
}

#[test]
fn a_borrowed_element_lives_as_long_as_the_array() {
    let twin = pointers();
    let (one, two) = (twin.book_new(10).expect("a book"), twin.book_new(20).expect("a book"));
    let books = [&one, &two];
    let last = twin.books_last(&books).expect("one");
    assert_eq!(last.pages(), 20);
    assert!(twin.books_last(&[]).is_none());
}

#[test]
fn tokens_become_handles_in_order() {
    let twin = pointers();
    let (one, two) = (book(&twin, 10), book(&twin, 20));
    let pages = |books| call(&twin, "books_pages", &json!({"books": books}));
    assert_eq!(pages(json!([one, two, one])).expect("a sum"), json!({"pages": 40}));
    assert_eq!(pages(json!([])).expect("a sum"), json!({"pages": 0}));
    assert_eq!(
        call(&twin, "books_until_null", &json!({"books": [one, two]})).expect("a count"),
        json!({"count": 2})
    );
    assert_eq!(
        call(&twin, "books_some", &json!({"books": [one, null, two]})).expect("a count"),
        json!({"count": 1002})
    );
    for (arguments, count) in [(json!({}), -1), (json!({"books": null}), -1), (json!({"books": []}), 0)] {
        assert_eq!(call(&twin, "books_or_none", &arguments).expect("a count"), json!({"count": count}));
    }
    // The same token: the handle has an owner already.
    assert_eq!(call(&twin, "books_last", &json!({"books": [one, two]})).expect("one"), json!({"book": two}));
    assert_living(&twin, 2);
}

#[test]
fn an_element_that_is_no_handle_is_named() {
    let twin = pointers();
    let one = book(&twin, 10);
    let error = |books| message(&call(&twin, "books_pages", &json!({"books": books})).expect_err("refused"));
    assert_eq!(
        error(json!([one, "x"])),
        "invalid arguments: /books/1: \"x\" is not a handle that this tool gave out"
    );
    assert_eq!(
        error(json!([one, null])),
        "invalid arguments: /books/1: null is null; expected the token of a book: a string"
    );
    assert_eq!(
        error(json!([7])),
        "invalid arguments: /books/0: 7 is a number; expected the token of a book: a string"
    );
    assert!(error(json!([one, "a\0b"])).starts_with("invalid arguments: /books/1: "));
    let shelf = call(&twin, "shelf_new", &json!({})).expect("a shelf")["shelf"].clone();
    assert!(error(json!([shelf])).contains("one of type `book` is needed"), "{}", error(json!([shelf])));
    call(&twin, "book_free", &json!({"book": one})).expect("freed");
    assert!(error(json!([one])).contains("/books/0: ") && error(json!([one])).contains("freed"));
}

#[test]
fn a_handle_that_the_call_frees_is_not_among_the_others() {
    let twin = pointers();
    let (one, two) = (book(&twin, 10), book(&twin, 20));
    let error = call(&twin, "books_after", &json!({"freed": one, "books": [two, one]})).expect_err("refused");
    assert_eq!(message(&error), "invalid arguments: /books/1: the same handle as `freed`");
    let pages = call(&twin, "books_after", &json!({"freed": one, "books": [two, two]})).expect("a sum");
    assert_eq!(pages, json!({"pages": 50}));
    assert_living(&twin, 1);
}

#[test]
fn models_see_an_array_of_tokens() {
    let document = pointers().load().expect("a binding describes itself");
    let function = opendyn_tests::described(&document, "books_some");
    let schema = &function["parameters"][0]["schema"];
    assert_eq!(schema["type"], "array");
    assert_eq!((&schema["items"]["type"], &schema["items"]["x-nullable"]), (&json!("string"), &json!(true)));
    assert_eq!(function["parameters"].as_array().map(Vec::len), Some(1));
}

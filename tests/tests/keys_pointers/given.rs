//! Arrays of handles that C gives: borrowed ones, and ones that the caller owns.

use serde_json::{Value, json};

use crate::{assert_living, call, message, pointers, shelf};

#[test]
fn borrowed_handles_live_in_their_parent() {
    let twin = pointers();
    let shelf = twin.shelf_new().expect("a shelf");
    assert!(shelf.books().expect("NULL is no books").is_empty());
    assert!(shelf.ended().expect("an array").is_empty());
    assert!(shelf.ended_or_none().expect("an array").is_none());
    for pages in [10, 20] {
        shelf.add(pages);
    }
    let pages: Vec<i32> = shelf.books().expect("two").iter().map(|book| book.pages()).collect();
    assert_eq!(pages, [10, 20]);
    assert_eq!(shelf.ended().expect("two").len(), 2);
    assert_eq!(shelf.ended_or_none().expect("an array").map(|books| books.len()), Some(2));
    let places = shelf.places().expect("eight");
    assert_eq!(places.iter().map(Option::is_some).collect::<Vec<_>>()[..3], [true, true, false]);
    // Elements can be passed on.
    let books = shelf.books().expect("two");
    let lent: Vec<_> = books.iter().map(|book| &**book).collect();
    assert_eq!(twin.books_pages(&lent), 30);
    drop((places, books));
    drop(shelf);
    assert_eq!((twin.keys_living(), twin.keys_faults()), (0, 0));
}

#[test]
fn owned_handles_are_freed_one_by_one() {
    let twin = pointers();
    let shelf = twin.shelf_new().expect("a shelf");
    shelf.add(10);
    shelf.add(20);
    let mut copies = shelf.copies(2).expect("two");
    assert_eq!(twin.keys_living(), 5);
    drop(copies.remove(0));
    assert_eq!(twin.keys_living(), 4);
    assert_eq!(copies[0].pages(), 20);
    drop(copies);
    let some = shelf.some_copies(4).expect("four").expect("not NULL");
    assert_eq!(some.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false]);
    drop(some);
    let loans = shelf.loans(2).expect("two");
    assert_eq!(loans.len(), 2);
    drop(loans);
    assert_eq!((twin.keys_living(), twin.keys_faults()), (3, 0));
}

#[test]
fn handles_of_a_result_that_is_an_error_are_freed() {
    let twin = pointers();
    let shelf = twin.shelf_new().expect("a shelf");
    shelf.add(10);
    assert_eq!(shelf.copies(3).expect_err("a NULL").to_string(), "`books` is a NULL pointer");
    assert!(shelf.copies(-1).is_err());
    assert_eq!(shelf.titled_copies(1).expect_err("no title").to_string(), "`title` is a NULL pointer");
    assert_eq!((twin.keys_living(), twin.keys_faults()), (2, 0));
    shelf.add(20);
    let both = shelf.titled_copies(2).expect("a title");
    assert_eq!((both.books.len(), both.title.to_bytes()), (2, &b"titled"[..]));
}

#[test]
fn tokens_of_borrowed_handles_end_with_their_parent() {
    let twin = pointers();
    let empty = shelf(&twin, &[]);
    for (function, books) in
        [("shelf_books", json!([])), ("shelf_ended", json!([])), ("shelf_ended_or_none", json!(null))]
    {
        assert_eq!(call(&twin, function, &json!({"shelf": empty})).expect(function), json!({"books": books}));
    }
    let shelf = shelf(&twin, &[10, 20]);
    let books = call(&twin, "shelf_books", &json!({"shelf": shelf})).expect("two")["books"].clone();
    // The same handles keep their tokens.
    assert_eq!(call(&twin, "shelf_ended", &json!({"shelf": shelf})).expect("two")["books"], books);
    let places = call(&twin, "shelf_places", &json!({"shelf": shelf})).expect("eight")["books"].clone();
    assert_eq!((&places[0], &places[1], &places[2]), (&books[0], &books[1], &Value::Null));
    assert_eq!(call(&twin, "books_pages", &json!({"books": books})).expect("a sum"), json!({"pages": 30}));
    let error = call(&twin, "book_free", &json!({"book": books[0]})).expect_err("the shelf owns it");
    assert!(message(&error).starts_with("invalid arguments: /book: "), "{error}");
    call(&twin, "shelf_free", &json!({"shelf": shelf})).expect("freed");
    assert!(call(&twin, "book_pages", &json!({"book": books[0]})).is_err());
    assert_living(&twin, 1);
}

#[test]
fn tokens_of_owned_handles_are_freed_by_their_caller_or_in_the_end() {
    let twin = pointers();
    let shelf = shelf(&twin, &[10, 20]);
    let copies = call(&twin, "shelf_copies", &json!({"shelf": shelf, "n": 2})).expect("two")["books"].clone();
    assert_living(&twin, 5);
    call(&twin, "book_free", &json!({"book": copies[0]})).expect("freed");
    assert_eq!(
        call(&twin, "book_pages", &json!({"book": copies[1]})).expect("a number"),
        json!({"pages": 20})
    );
    let some =
        call(&twin, "shelf_some_copies", &json!({"shelf": shelf, "n": 3})).expect("three")["books"].clone();
    assert!(some[0].is_string() && some[2].is_null());
    let loans = call(&twin, "shelf_loans", &json!({"shelf": shelf, "n": 1})).expect("one")["books"].clone();
    // What it lends needs the shelf to the end.
    let error = call(&twin, "shelf_free", &json!({"shelf": shelf})).expect_err("a loan lives");
    assert!(
        message(&error).contains(loans[0].as_str().expect("a token")) || message(&error).contains("shelf")
    );
    call(&twin, "loan_end", &json!({"shelf": shelf, "loan": loans[0]})).expect("given back");
    for (function, n) in [("shelf_copies", 3), ("shelf_copies", -1), ("shelf_titled_copies", 1)] {
        assert!(call(&twin, function, &json!({"shelf": shelf, "n": n})).is_err(), "{function}({n})");
    }
    assert_living(&twin, 6);
}

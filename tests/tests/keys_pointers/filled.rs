//! Arrays of handles that C fills.

use serde_json::{Value, json};

use crate::{assert_living, call, message, pointers, shelf};

#[test]
fn as_many_handles_as_c_wrote() {
    let twin = pointers();
    let shelf = twin.shelf_new().expect("a shelf");
    shelf.add(10);
    shelf.add(20);
    for (capacity, expected) in [(0, vec![]), (1, vec![10]), (8, vec![10, 20])] {
        let books = shelf.fill(capacity).expect("borrowed books");
        assert_eq!(books.iter().map(|book| book.pages()).collect::<Vec<_>>(), expected);
    }
    let filled = shelf.fill_copies(4).expect("copies");
    assert_eq!((filled.books.len(), filled.total), (2, 2));
    drop(filled);
    let four = shelf.fill_four().expect("four places");
    assert_eq!(four.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false]);
    drop(four);
    assert_eq!((twin.keys_living(), twin.keys_faults()), (3, 0));
}

#[test]
fn a_failure_and_an_impossible_count_give_no_handles() {
    let twin = pointers();
    let shelf = twin.shelf_new().expect("a shelf");
    shelf.add(10);
    let error = shelf.fill_copies(0).expect_err("no room");
    assert_eq!(error.code(), Some(1));
    for _ in 0..4 {
        shelf.add(20);
    }
    assert!(shelf.fill_copies(5).is_err(), "C says that it wrote six");
    assert!(shelf.fill(-1).is_err(), "a negative capacity");
    assert_eq!((twin.keys_living(), twin.keys_faults()), (6, 0));
}

#[test]
fn a_json_caller_gets_tokens() {
    let twin = pointers();
    let shelf = shelf(&twin, &[10, 20]);
    let filled = call(&twin, "shelf_fill", &json!({"shelf": shelf, "capacity": 8})).expect("two");
    let books = call(&twin, "shelf_books", &json!({"shelf": shelf})).expect("two");
    assert_eq!(filled["books"], books["books"], "the same handles");
    let copies = call(&twin, "shelf_fill_copies", &json!({"shelf": shelf, "capacity": 3})).expect("two");
    assert_eq!((copies["books"].as_array().map(Vec::len), &copies["total"]), (Some(2), &json!(2)));
    call(&twin, "book_free", &json!({"book": copies["books"][0]})).expect("owned");
    let four = call(&twin, "shelf_fill_four", &json!({"shelf": shelf})).expect("four");
    assert_eq!((&four["books"][2], &four["books"][3]), (&Value::Null, &Value::Null));
    let error =
        call(&twin, "shelf_fill_copies", &json!({"shelf": shelf, "capacity": 1})).expect_err("no room");
    assert!(message(&error).contains("code 1"), "{error}");
    assert_living(&twin, 6);
}

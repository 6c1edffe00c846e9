//! Arrays of pointers: of handles in `handles`, `given` and `filled`, of strings with NULL among them in `strings`, and lengths that
//! are products of calls in `products`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod filled;
mod given;
mod handles;
mod products;
mod strings;

use opendyn::{Tool, ToolError};
use opendyn_tests::{Twin, assert_all_tested};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-pointers/tool.json");
opendyn_tests::twin!(KeysPointers = "fixtures/keys-pointers/tool.json");

fn pointers() -> Twin<KeysPointers> {
    // SAFETY: the document describes keys_pointers.c correctly.
    unsafe { Twin::open("keys_pointers", &[]) }.expect("every function is there")
}

/// The reply of a call with JSON.
fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

fn book(tool: &impl Tool, pages: i32) -> Value {
    call(tool, "book_new", &json!({"pages": pages})).expect("a book")["book"].clone()
}

/// A shelf with a book for each number of pages.
fn shelf(tool: &impl Tool, pages: &[i32]) -> Value {
    let shelf = call(tool, "shelf_new", &json!({})).expect("a shelf")["shelf"].clone();
    for pages in pages {
        call(tool, "shelf_add", &json!({"shelf": shelf, "pages": pages})).expect("room");
    }
    shelf
}

fn message(error: &ToolError) -> String {
    error.to_string()
}

/// Asserts how many objects are alive in both libraries, and that no freed one was used.
fn assert_living(tool: &impl Tool, living: i32) {
    assert_eq!(call(tool, "keys_living", &json!({})).expect("a count"), json!({"count": living}));
    assert_eq!(call(tool, "keys_faults", &json!({})).expect("a count"), json!({"count": 0}));
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&pointers(), &[
        "keys_living", "keys_faults", "keys_free",
        // handles
        "book_new", "book_pages", "book_free", "books_pages", "books_until_null", "books_some", "books_or_none",
        "books_last", "books_after",
        // given
        "shelf_new", "shelf_free", "shelf_add", "shelf_books", "shelf_ended", "shelf_ended_or_none", "shelf_places",
        "shelf_copies", "shelf_some_copies", "shelf_titled_copies", "shelf_loans", "loan_end",
        // filled
        "shelf_fill", "shelf_fill_copies", "shelf_fill_four",
        // strings
        "names_count", "names_or_none", "names_all", "names_some", "names_some_or_none",
        // products
        "image_new", "image_free", "image_stride", "image_rows", "image_data", "image_pixels", "image_sum", "image_copy",
    ]);
}

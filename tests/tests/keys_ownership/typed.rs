//! Handles in Rust: what C refuses comes back, and what frees need not be a function of the document.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use opendyn::{CallError, ExpectedLength, Refused};

use crate::{KeysOwnershipCode, alive, tool};

#[test]
fn a_handle_that_c_refuses_to_free_comes_back() {
    let tool = tool();
    let store = tool.store_open(4).expect("a store");
    store.busy(1);
    let refused = store.close().expect_err("it is busy");
    assert!(refused.is(KeysOwnershipCode::BUSY));
    assert_eq!((refused.code(), refused.text()), (Some(5), Some("busy")));
    let store = refused.into_inner();
    assert_eq!((store.id(), alive(&tool)), (4, (1, 0)));
    store.busy(0);
    store.close().expect("it is idle");
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn a_handle_whose_call_is_refused_before_c_runs_comes_back() {
    let tool = tool();
    let store = tool.store_open(4).expect("a store");
    let refused = store.close_with(&[0; 300]).expect_err("too long");
    let expected = ExpectedLength::Countable;
    assert_eq!(*refused.error(), CallError::Length { value: "codes", length: 300, expected });
    let refused = refused.into_inner().close_with(&[9]).expect_err("C refuses");
    assert_eq!((refused.code(), alive(&tool)), (Some(9), (1, 0)));
    refused.into_inner().close_with(&[1]).expect("it frees");
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn a_handle_that_is_freed_always_does_not_come_back() {
    let tool = tool();
    let store = tool.store_open(4).expect("a store");
    store.busy(1);
    assert_eq!(store.abandon().map_err(|error| error.code()), Err(5));
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn an_error_that_gives_back_becomes_an_ordinary_one() {
    fn closed() -> Result<(), CallError> {
        let tool = tool();
        let store = tool.store_open(1)?;
        store.busy(1);
        // It is dropped, which C refuses too.
        store.close()?;
        Ok(())
    }
    assert_eq!(closed().expect_err("it is busy").code(), Some(5));
}

/// A handle whose free function refuses while C still holds its closure.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_c_refuses_to_free_keeps_its_closure_alive() {
    let tool = tool();
    let calls = Arc::new(AtomicI32::new(0));
    let store = tool.store_open(4).expect("a store");
    let inside = Arc::clone(&calls);
    store.listen(Some(Box::new(move |event| inside.fetch_add(event, Ordering::Relaxed) + event)));
    store.busy(1);
    drop(store);
    assert_eq!(alive(&tool), (1, 0), "C has refused");
    assert_eq!(tool.stores_fire(3), 3, "C may call the closure");
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    // For leak checkers: what is leaked on purpose is only reachable by C.
    std::mem::forget(calls);
}

#[test]
fn a_copy_lives_in_both_of_its_parents() {
    let tool = tool();
    let (one, two) = (tool.store_open(1).expect("a store"), tool.store_open(2).expect("a store"));
    let copying = one.copying_begin(&two).expect("a copy");
    assert_eq!(copying.step(), 12);
    drop(copying);
    drop((two, one));
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn a_borrowed_handle_ends_with_the_next_one() {
    let tool = tool();
    let mut store = tool.store_open(1).expect("a store");
    for _ in 0..3 {
        let entry = store.entry_next().expect("an entry");
        assert!(entry.is_valid());
    }
    store.entry_skip();
    assert_eq!(store.id(), 1);
    drop(store);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn symbols_and_variables_free() {
    let tool = tool();
    assert_eq!(tool.text_by_symbol(c"one").expect("a copy").to_bytes(), b"one");
    assert_eq!(tool.text_by_variable(c"two").expect("a copy").to_bytes(), b"two");
    assert_eq!(tool.text_by_free(c"three").expect("a copy").to_bytes(), b"three");
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn further_arguments_reach_the_function_that_frees() {
    let tool = tool();
    let store = tool.store_open(1).expect("a store");
    let item = store.item_new(-7).expect("an item");
    assert_eq!((item.kind(), alive(&tool)), (-7, (2, 0)));
    assert_eq!(store.text(c"text").expect("a copy").to_bytes(), b"text");
    drop(item);
    assert_eq!(alive(&tool), (1, 0));
    let item = store.item_new(3).expect("an item");
    store.item_free(item, 3, 42).map_err(Refused::into_error).expect("its own arguments");
    assert_eq!(alive(&tool), (1, 0));
    store.close().map_err(Refused::into_error).expect("it has no items");
    assert_eq!(alive(&tool), (0, 0));
}

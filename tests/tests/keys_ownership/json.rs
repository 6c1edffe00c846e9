//! Tokens: a refusal keeps them, several parents hold them, and what ended them is told.

use serde_json::json;

use crate::{call, counted, token, tool};

#[test]
fn the_token_of_a_refused_handle_stays_valid() {
    let tool = tool();
    let store = token(&tool, "store_open", &json!({"id": 4}), "store");
    call(&tool, "store_busy", &json!({"store": store, "busy": 1})).expect("busy");
    let error = call(&tool, "store_close", &json!({"store": store})).expect_err("it refuses");
    assert_eq!(error.to_string(), "the call failed with code 5 (BUSY): busy");
    call(&tool, "store_close_with", &json!({"store": store, "codes": [9]})).expect_err("it refuses");
    call(&tool, "store_close_with", &json!({"store": store, "codes": vec![0; 300]})).expect_err("too long");
    assert_eq!(call(&tool, "store_id", &json!({"store": store})), Ok(json!({"id": 4})));
    call(&tool, "store_busy", &json!({"store": store, "busy": 0})).expect("idle");
    call(&tool, "store_close", &json!({"store": store})).expect("it closes");
    let error = call(&tool, "store_id", &json!({"store": store})).expect_err("it is freed");
    assert!(error.to_string().contains("was freed"), "{error}");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn the_token_of_a_handle_that_is_freed_always_goes() {
    let tool = tool();
    let store = token(&tool, "store_open", &json!({"id": 4}), "store");
    call(&tool, "store_busy", &json!({"store": store, "busy": 1})).expect("busy");
    call(&tool, "store_abandon", &json!({"store": store})).expect_err("it fails");
    let error = call(&tool, "store_id", &json!({"store": store})).expect_err("it is freed");
    assert!(error.to_string().contains("was freed"), "{error}");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn neither_parent_can_be_freed_first() {
    let tool = tool();
    let open = |id: i32| token(&tool, "store_open", &json!({"id": id}), "store");
    let (one, two) = (open(1), open(2));
    let copying = token(&tool, "copying_begin", &json!({"into": one, "from": two}), "copying");
    for store in [&one, &two] {
        let error = call(&tool, "store_close", &json!({"store": store})).expect_err("a copy lives in it");
        assert!(error.to_string().contains(&copying), "{error}");
    }
    assert_eq!(call(&tool, "copying_step", &json!({"copying": copying})), Ok(json!({"step": 12})));
    call(&tool, "copying_end", &json!({"copying": copying})).expect("it ends");
    for store in [one, two] {
        call(&tool, "store_close", &json!({"store": store})).expect("it closes");
    }
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn a_token_says_which_call_ended_it() {
    let tool = tool();
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let next = || token(&tool, "entry_next", &json!({"store": store}), "entry");
    let first = next();
    assert_eq!(call(&tool, "entry_is_valid", &json!({"entry": first})), Ok(json!({"valid": true})));
    let second = next();
    let ended = |entry: &str, by: &str| {
        let error = call(&tool, "entry_is_valid", &json!({"entry": entry})).expect_err("it has ended");
        let expected = format!("{entry:?} is gone: it was valid until `{by}` was called");
        assert!(error.to_string().ends_with(&expected), "{error}");
    };
    ended(&first, "entry_next");
    call(&tool, "entry_skip", &json!({"store": store})).expect("skipped");
    ended(&second, "entry_skip");
    assert_eq!(counted(&tool), (1, 0));
}

#[test]
fn what_a_call_ends_is_not_passed_to_it() {
    let tool = tool();
    let open = |id: i32| token(&tool, "store_open", &json!({"id": id}), "store");
    let (store, other) = (open(1), open(2));
    let next = |store: &str| token(&tool, "entry_next", &json!({"store": store}), "entry");
    let (own, foreign) = (next(&store), next(&other));
    let error =
        call(&tool, "entry_skip_to", &json!({"store": store, "entry": own})).expect_err("it would end");
    assert_eq!(
        error.to_string(),
        format!(
            "invalid arguments: /store: {own:?}, another argument, depends on {store:?} and would end with this call"
        )
    );
    assert_eq!(
        call(&tool, "entry_is_valid", &json!({"entry": own})),
        Ok(json!({"valid": true})),
        "it has not"
    );
    let read = call(&tool, "entry_skip_to", &json!({"store": store, "entry": foreign}));
    assert_eq!(read, Ok(json!({"valid": true})));
    assert_eq!(counted(&tool), (2, 0));
}

#[test]
fn values_are_freed_in_every_way() {
    let tool = tool();
    for function in ["text_by_symbol", "text_by_variable", "text_by_free"] {
        assert_eq!(call(&tool, function, &json!({"text": "x"})), Ok(json!({"copy": "x"})), "{function}");
    }
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let copy = call(&tool, "store_text", &json!({"context": store, "text": "y"}));
    assert_eq!(copy, Ok(json!({"copy": "y"})));
    let item = token(&tool, "item_new", &json!({"context": store, "kind": -7}), "item");
    let error = call(&tool, "store_close", &json!({"store": store})).expect_err("an item lives in it");
    assert!(error.to_string().contains(&item), "{error}");
    let free = json!({"context": store, "item": item, "kind": -7, "check": 42});
    call(&tool, "item_free", &free).expect("it is freed");
    token(&tool, "item_new", &json!({"context": store, "kind": 9}), "item");
    assert_eq!(counted(&tool), (2, 0));
    // The item is freed with its arguments when the tool is dropped: a fault would be counted, and end the test.
}

/// Without it the entry would end, and the reading that lives in it would still be a token.
#[test]
fn what_an_owned_handle_lives_in_does_not_end_before_it() {
    let tool = tool();
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let entry = token(&tool, "entry_next", &json!({"store": store}), "entry");
    let reading = token(&tool, "reading_begin", &json!({"entry": entry}), "reading");
    for function in ["entry_next", "entry_skip"] {
        let error = call(&tool, function, &json!({"store": store})).expect_err("the entry is read");
        assert!(error.to_string().contains("still has 1 handle that lives in it"), "{error}");
    }
    assert_eq!(call(&tool, "reading_value", &json!({"reading": reading})), Ok(json!({"value": 0})));
    call(&tool, "reading_end", &json!({"reading": reading})).expect("it ends");
    call(&tool, "entry_skip", &json!({"store": store})).expect("nothing reads it");
    call(&tool, "store_close", &json!({"store": store})).expect("it closes");
    assert_eq!(counted(&tool), (0, 0));
}

//! Reading behind handles: functions with `x-member`, on the nodes of a linked list.

#![expect(clippy::expect_used, reason = "test code may panic")]

use opendyn::{Tool, ToolError};
use opendyn_tests::{Twin, TwinLibrary};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-members/tool.json");
opendyn_tests::twin!(KeysMembers = "fixtures/keys-members/tool.json");

/// A separate library for each test.
fn lists() -> Twin<KeysMembers> {
    // SAFETY: fixtures/keys-members/tool.json describes c/keys_members.c correctly.
    unsafe { Twin::open_in(&TwinLibrary::new("keys_members", &[])) }.expect("every function is there")
}

/// The reply of a call with JSON.
fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

/// The member that `function` reads from the node behind a token.
fn read(tool: &impl Tool, function: &str, node: &str) -> Value {
    call(tool, function, &json!({"node": node})).expect(function)
}

/// The token of a new list of `length` nodes.
fn new_list(tool: &impl Tool, length: i32) -> String {
    call(tool, "list_new", &json!({"length": length})).expect("a list")["list"]
        .as_str()
        .expect("a token")
        .to_owned()
}

/// The token of the node after `node`.
fn next(tool: &impl Tool, node: &str) -> Option<String> {
    read(tool, "node_next", node)["next"].as_str().map(str::to_owned)
}

#[test]
fn members_are_read_as_if_they_were_returned() {
    let lists = lists();
    let list = lists.list_new(9).expect("nodes");
    assert_eq!(list.kind(), 1);
    assert!(list.on());
    assert_eq!(list.name().as_deref(), Some(c"node 1"));
    assert_eq!(list.data(), Ok(vec![0]));
    assert_eq!(list.error(), Ok(c"e".to_owned()));
    assert_eq!(list.pair(), Ok(vec![1.0, -1.0]));
    assert_eq!(list.at(), Spot { x: 1, y: 2 });
    assert_eq!(list.at_pointer(), Ok(Spot { x: 1, y: 2 }));
    assert_eq!(list.far(), Some(Spot { x: -1, y: -2 }));
    assert_eq!(list.words(), Ok(vec![c"one".to_owned()]));
    assert_eq!(list.stamp(), -(1 << 60));
}

#[test]
fn json_callers_read_the_same() {
    let lists = lists();
    let list = new_list(&lists, 9);
    for (function, expected) in [
        ("node_kind", json!({"kind": 1})),
        ("node_on", json!({"on": true})),
        ("node_name", json!({"name": "node 1"})),
        ("node_need_name", json!({"name": "node 1"})),
        ("node_data", json!({"data": "00"})),
        ("node_bytes", json!({"data": [0]})),
        ("node_error", json!({"error": "e"})),
        ("node_pair", json!({"pair": [1.0, -1.0]})),
        ("node_at", json!({"at": {"x": 1, "y": 2}})),
        ("node_at_pointer", json!({"at": {"x": 1, "y": 2}})),
        ("node_far", json!({"far": {"x": -1, "y": -2}})),
        ("node_words", json!({"words": ["one"]})),
        ("node_stamp", json!({"stamp": "-1152921504606846976"})),
    ] {
        assert_eq!(read(&lists, function, &list), expected, "{function}");
    }
}

#[test]
fn members_are_the_code_and_the_text_of_a_failure() {
    let lists = lists();
    let list = lists.list_new(8).expect("nodes");
    assert_eq!(list.check(), Ok(0));
    let second = list.next().expect("a second");
    let error = second.check().expect_err("its kind is even");
    assert_eq!((error.code(), error.text()), (Some(2), Some("ee")));

    // The error of the last node fills its member, and has no NUL.
    let mut node = new_list(&lists, 8);
    while let Some(next) = next(&lists, &node) {
        node = next;
    }
    let error = call(&lists, "node_check", &json!({"node": node})).expect_err("its kind is even");
    assert_eq!(error.to_string(), "the call failed with code 8: eeeeeeee");
}

#[test]
fn a_linked_list_is_walked_by_calls() {
    let lists = lists();
    let list = lists.list_new(3).expect("nodes");
    let mut kinds = vec![list.kind()];
    let second = list.next().expect("a second");
    kinds.push(second.kind());
    let third = second.next().expect("a third");
    kinds.push(third.kind());
    assert!(third.next().is_none());
    assert_eq!(kinds, [1, 2, 3]);

    let first = new_list(&lists, 3);
    let mut node = Some(first.clone());
    let mut kinds = Vec::new();
    while let Some(token) = node {
        kinds.push(read(&lists, "node_kind", &token)["kind"].as_i64());
        node = next(&lists, &token);
    }
    assert_eq!(kinds, [Some(1), Some(2), Some(3)]);
    // The tokens of the other nodes end with the list that they are in.
    let second = next(&lists, &first).expect("a second");
    call(&lists, "list_free", &json!({"list": first})).expect("it is freed");
    let error = call(&lists, "node_kind", &json!({"node": second})).expect_err("it is gone");
    assert_eq!(error.code(), 400, "{error}");
}

#[test]
fn text_in_place_ends_with_its_array() {
    let lists = lists();
    let list = new_list(&lists, 9);
    let mut node = list;
    for length in 1..9 {
        assert_eq!(read(&lists, "node_error", &node), json!({"error": "e".repeat(length)}));
        node = next(&lists, &node).expect("nine nodes");
    }
}

#[test]
fn null_and_counts_are_checked_as_those_of_results() {
    let lists = lists();
    let list = lists.list_new(2).expect("nodes");
    let second = list.next().expect("a second");
    assert_eq!(second.name(), None);
    assert_eq!(second.far(), None);
    let error = second.need_name().expect_err("it is NULL");
    assert!(error.to_string().contains("`name`"), "{error}");
    second.r#break();
    let error = second.data().expect_err("NULL with three bytes");
    assert!(error.to_string().contains("`data`"), "{error}");

    let first = new_list(&lists, 2);
    let second = next(&lists, &first).expect("a second");
    assert_eq!(read(&lists, "node_name", &second), json!({"name": null}));
    assert_eq!(read(&lists, "node_far", &second), json!({"far": null}));
    call(&lists, "node_need_name", &json!({"node": second})).expect_err("it is NULL");
    call(&lists, "node_break", &json!({"node": second})).expect("nothing to fail");
    call(&lists, "node_data", &json!({"node": second})).expect_err("NULL with three bytes");
}

#[test]
fn a_copy_outlives_what_it_was_read_from() {
    let lists = lists();
    let list = lists.list_new(1).expect("a node");
    let name = list.name();
    list.rename(c"another");
    assert_eq!(list.name().as_deref(), Some(c"another"));
    drop(list);
    assert_eq!(name.as_deref(), Some(c"node 1"));
    assert_eq!(lists.keys_living(), 0);
}

#[test]
fn a_freed_list_cannot_be_read() {
    let lists = lists();
    let list = new_list(&lists, 1);
    call(&lists, "node_rename", &json!({"node": list, "name": "x"})).expect("it is there");
    assert_eq!(read(&lists, "node_name", &list), json!({"name": "x"}));
    call(&lists, "list_free", &json!({"list": list})).expect("it is freed");
    let error = call(&lists, "node_name", &json!({"node": list})).expect_err("it is gone");
    assert_eq!(error.code(), 400, "{error}");
}

//! Structs with what they point to: buffers, strings, arrays, other structs; into C and out of it.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod buffers;
mod nested;

use opendyn::{Tool, ToolError};
use opendyn_tests::{Twin, TwinLibrary};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-deep/tool.json");
opendyn_tests::twin!(KeysDeep = "fixtures/keys-deep/tool.json");

/// A separate library for each test.
fn deep() -> Twin<KeysDeep> {
    // SAFETY: fixtures/keys-deep/tool.json describes c/keys_deep.c correctly.
    unsafe { Twin::open_in(&TwinLibrary::new("keys_deep", &[])) }.expect("every function is there")
}

/// The reply of a call with JSON.
fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

/// The reply of a call that works.
fn reply(tool: &impl Tool, function: &str, arguments: &Value) -> Value {
    call(tool, function, arguments).expect(function)
}

/// The error of a call that does not.
fn error(tool: &impl Tool, function: &str, arguments: &Value) -> String {
    call(tool, function, arguments).expect_err(function).to_string()
}

#[test]
fn strings_come_out_of_a_struct_with_their_number() {
    let deep = deep();
    let names = deep.names_new(3).expect("names");
    let expected: Vec<_> = [c"name 0", c"name 1", c"name 2"].map(ToOwned::to_owned).to_vec();
    assert_eq!(names, StrArray { strings: expected });
    assert_eq!(
        reply(&deep, "names_new", &json!({"count": 2})),
        json!({"out": {"strings": ["name 0", "name 1"]}})
    );
    assert_eq!(reply(&deep, "names_new", &json!({"count": 0})), json!({"out": {"strings": []}}));
    call(&deep, "names_new", &json!({"count": -1})).expect_err("it fails with a code");
    // What the struct points to is freed, and only if the call has filled it.
    assert_eq!(deep.keys_living(), 0);
    assert_eq!(reply(&deep, "keys_living", &json!({})), json!({"count": 0}));
}

#[test]
fn what_a_struct_points_to_is_freed_also_if_it_is_not_a_value() {
    let deep = deep();
    let error_of = deep.names_new_strict(2).expect_err("NULL among them");
    assert!(error_of.to_string().contains("`strings`"), "{error_of}");
    error(&deep, "names_new_strict", &json!({"count": 2}));
    assert_eq!(deep.keys_living(), 0);
    assert_eq!(reply(&deep, "keys_living", &json!({})), json!({"count": 0}));
}

#[test]
fn null_among_strings_is_a_value_where_the_document_says_so() {
    let deep = deep();
    let gap = deep.with_gap().expect("strings");
    assert_eq!(gap.strings, [Some(c"a".to_owned()), None, Some(c"b".to_owned())]);
    assert_eq!(deep.names_length(&gap), Ok(102));
    let error_of = deep.with_gap_strict().expect_err("NULL among them");
    assert!(error_of.to_string().contains("`strings`"), "{error_of}");

    assert_eq!(reply(&deep, "with_gap", &json!({})), json!({"out": {"strings": ["a", null, "b"]}}));
    assert_eq!(
        reply(&deep, "names_length", &json!({"names": {"strings": ["abc", null]}})),
        json!({"length": 103})
    );
    assert_eq!(reply(&deep, "names_length", &json!({"names": {"strings": []}})), json!({"length": 0}));
    error(&deep, "with_gap_strict", &json!({}));
    assert!(error(&deep, "names_length", &json!({"names": {"strings": [1]}})).contains("/names/strings/0"));
    // The number follows from the array.
    assert!(error(&deep, "names_length", &json!({"names": {"strings": [], "count": 1}})).contains("count"));
}

#[test]
fn elements_up_to_a_zero_have_no_length() {
    let deep = deep();
    let ended = deep.ended_make().expect("static");
    assert_eq!((ended.vars.len(), ended.numbers.as_slice()), (2, [3, 4].as_slice()));
    assert_eq!(deep.ended_sum(&ended), Ok(13));
    assert_eq!(deep.ended_sum(&Ended::default()), Ok(0));
    let made = reply(&deep, "ended_make", &json!({}));
    assert_eq!(made, json!({"out": {"vars": ["A=1", "B=2"], "numbers": [3, 4]}}));
    assert_eq!(reply(&deep, "ended_sum", &json!({"of": made["out"]})), json!({"sum": 13}));
    assert_eq!(reply(&deep, "ended_sum", &json!({"of": {"vars": [], "numbers": []}})), json!({"sum": 0}));
}

//! A state that the caller allocates and only C accesses: a value in Rust, a token in JSON.

use opendyn::Tool;
use opendyn_tests::{Twin, packed};
use serde_json::{Value, json};

use super::{KeysStructs, State, structs};

/// The checksum of "ab".
const SUM: u32 = 97 * 31 + 98;

fn call(structs: &Twin<KeysStructs>, function: &str, arguments: &Value) -> Result<Value, String> {
    let reply = structs.call_json(function, &arguments.to_string()).map_err(|error| error.to_string())?;
    Ok(serde_json::from_str(&reply).expect("JSON"))
}

fn token(structs: &Twin<KeysStructs>) -> String {
    let reply = call(structs, "state_init", &json!({})).expect("a state");
    reply["state"].as_str().expect("a token is a string").to_owned()
}

#[test]
fn a_state_lives_from_its_beginning_to_its_end() {
    let structs = structs();
    let state = structs.state_init();
    assert_eq!(state.update(b"a"), Ok(()));
    let copy = state.copy();
    assert_eq!(state.update(b"b"), Ok(()));
    assert_eq!((state.count(), copy.count()), (2, 1));
    let moved = state;
    assert_eq!((moved.r#final(), copy.r#final()), (SUM, 97));
}

#[test]
fn a_state_of_zeros_is_what_c_takes_it_for() {
    let structs = structs();
    // SAFETY: state_update checks the mark first, and a zeroed state has no mark.
    let state = unsafe { State::zeroed(&structs) };
    let error = state.update(b"a").expect_err("not begun");
    assert_eq!((error.code(), error.text()), (1, Some("not a state, or not a place")));
}

#[test]
fn a_state_is_a_token_in_json() {
    let structs = structs();
    let state = token(&structs);
    assert_eq!(call(&structs, "state_update", &json!({"state": state, "bytes": "YQ=="})), Ok(json!({})));
    let copy = call(&structs, "state_copy", &json!({"from": state})).expect("a state")["to"].clone();
    assert_ne!(copy, json!(state));
    assert_eq!(call(&structs, "state_update", &json!({"state": state, "bytes": "Yg=="})), Ok(json!({})));
    assert_eq!(call(&structs, "state_count", &json!({"state": state})), Ok(json!({"count": 2})));
    assert_eq!(call(&structs, "state_count", &json!({"state": copy})), Ok(json!({"count": 1})));
    assert_eq!(call(&structs, "state_final", &json!({"state": state})), Ok(json!({"sum": SUM})));
    assert_eq!(call(&structs, "state_final", &json!({"state": copy})), Ok(json!({"sum": 97})));
}

#[test]
fn a_token_that_stands_for_nothing_is_refused() {
    let structs = structs();
    let state = token(&structs);
    assert_eq!(call(&structs, "state_final", &json!({"state": state})), Ok(json!({"sum": 0})));
    for function in ["state_count", "state_final"] {
        let error = call(&structs, function, &json!({"state": state})).expect_err("it has ended");
        assert_eq!(error, format!("invalid arguments: /state: {state:?} was freed"), "{function}");
        let error = call(&structs, function, &json!({"state": "0x5eed"})).expect_err("made up");
        let expected = "invalid arguments: /state: \"0x5eed\" is not a handle that this tool gave out";
        assert_eq!(error, expected, "{function}");
        let error = call(&structs, function, &json!({"state": 5})).expect_err("no token");
        assert!(error.starts_with("invalid arguments: /state: 5 is a number"), "{function}: {error}");
    }
}

#[test]
fn a_refused_call_does_not_end_the_state() {
    let structs = structs();
    let state = token(&structs);
    for arguments in [json!({"state": state, "bytes": "!"}), json!({"state": state})] {
        assert!(call(&structs, "state_update", &arguments).is_err(), "{arguments}");
    }
    assert!(call(&structs, "state_final", &json!({"state": state, "other": 1})).is_err());
    assert_eq!(call(&structs, "state_count", &json!({"state": state})), Ok(json!({"count": 0})));
}

#[test]
fn tokens_pass_through_maps_and_other_formats() {
    let structs = structs();
    let made = structs.call("state_init", &serde_json::Map::new()).expect("a state");
    let state = made["state"].clone();
    let reply = packed(&structs, "state_update", &json!({"state": state, "bytes": "YWI="}));
    assert_eq!(reply, Ok(json!({})));
    assert_eq!(packed(&structs, "state_final", &json!({"state": state})), Ok(json!({"sum": SUM})));
}

#[test]
fn a_state_of_another_binding_is_refused() {
    let (one, other) = (structs(), structs());
    let state = token(&one);
    let error = call(&other, "state_count", &json!({"state": state})).expect_err("of another");
    assert_eq!(error, format!("invalid arguments: /state: {state:?} belongs to another session"));
    assert_eq!(call(&one, "state_count", &json!({"state": state})), Ok(json!({"count": 0})));
}

//! Arrays of strings with NULL among them.

use serde_json::json;

use crate::{assert_living, call, message, pointers};

mod strs {
    opendyn::opendyn!("fixtures/keys-pointers/tool.json", strings = str, name = Strs);
}

#[test]
fn null_is_an_element_and_not_the_end() {
    let twin = pointers();
    assert_eq!(twin.names_count(&[Some(c"abc"), None, Some(c"de")]).expect("short"), 1005);
    assert_eq!(twin.names_count(&[]).expect("short"), 0);
    assert_eq!(twin.names_or_none(Some(&[None])), 1000);
    assert_eq!(twin.names_or_none(None), -1);
    let names = twin.names_some(3).expect("three");
    assert_eq!(names, [Some(c"name".to_owned()), None, Some(c"\xc3\xa9t\xc3\xa9".to_owned())]);
    assert!(twin.names_some(-1).is_err());
    assert_eq!(twin.names_some_or_none(-1).expect("NULL is a value"), None);
    assert_eq!(twin.names_some_or_none(1).expect("one").map(|names| names.len()), Some(1));
    assert_eq!(twin.keys_living(), 0);
}

#[test]
fn null_is_null_in_json() {
    let twin = pointers();
    let count = |names| call(&twin, "names_count", &json!({"names": names}));
    assert_eq!(count(json!(["abc", null, "de"])).expect("a count"), json!({"count": 1005}));
    let error = count(json!(["a", 7])).expect_err("a number");
    assert_eq!(
        message(&error),
        "invalid arguments: /names/1: 7 is a number; expected a string without NUL, or null"
    );
    assert_eq!(call(&twin, "names_or_none", &json!({"names": [null]})).expect("one"), json!({"count": 1000}));
    assert_eq!(call(&twin, "names_or_none", &json!({})).expect("none"), json!({"count": -1}));
    assert_eq!(
        call(&twin, "names_some", &json!({"n": 3})).expect("three"),
        json!({"names": ["name", null, "été"]})
    );
    assert_eq!(call(&twin, "names_some_or_none", &json!({"n": -1})).expect("none"), json!({"names": null}));
    let error = call(&twin, "names_all", &json!({"names": ["a", null]})).expect_err("null");
    assert_eq!(message(&error), "invalid arguments: /names/1: null is null; expected a string without NUL");
    assert_living(&twin, 0);
}

#[test]
fn arrays_of_strings_are_str_with_that_option() {
    let library = opendyn_tests::shared_library("keys_pointers", &[]);
    // SAFETY: the document describes keys_pointers.c correctly.
    let strs = unsafe { strs::Strs::open(library.path()) }.expect("every function is there");
    assert_eq!(strs.names_all(&["abc", "é"]).expect("no NUL"), 5);
    assert_eq!(strs.names_all(&[]).expect("no NUL"), 0);
    assert_eq!(strs.names_count(&[Some("abc"), None]).expect("no NUL"), 1003);
    assert_eq!(strs.names_or_none(Some(&[Some("a"), None])).expect("no NUL"), 1001);
    assert_eq!(strs.names_or_none(None).expect("no NUL"), -1);
    assert_eq!(
        strs.names_all(&["a", "b\0"]).expect_err("a NUL").to_string(),
        "`names` has a NUL at index 1, which would end it"
    );
    assert_eq!(strs.names_some(3).expect("three"), [Some("name".to_owned()), None, Some("été".to_owned())]);
    // A JSON call takes the same way.
    let reply = opendyn::Tool::call_json(&strs, "names_count", r#"{"names":["abc",null]}"#);
    assert_eq!(reply.expect("a count"), r#"{"count":1003}"#);
    let reply = opendyn::Tool::call_json(&strs, "names_some", r#"{"n":2}"#);
    assert_eq!(reply.expect("two"), r#"{"names":["name",null]}"#);
}

//! JSON has no closures: optional ones are absent, required ones are refused.

use opendyn::{Session, Tool, ToolError};
use serde_json::{Value, json};

use super::callbacks;

fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

#[test]
fn a_callback_that_is_not_required_may_be_absent_or_null() {
    let callbacks = callbacks();
    for (function, name, mut arguments, reply) in [
        ("count_down", "visit", json!({"from": 3}), json!({"count": 3})),
        ("apply_optional", "f", json!({"x": 3}), json!({"y": -3})),
        ("each_row", "visit", json!({"rows": 2}), json!({})),
    ] {
        assert_eq!(call(&callbacks, function, &arguments), Ok(reply.clone()), "{function}");
        arguments[name] = Value::Null;
        assert_eq!(call(&callbacks, function, &arguments), Ok(reply), "{function}");
    }
}

#[test]
fn a_callback_that_is_something_is_refused() {
    let callbacks = callbacks();
    for (given, is) in [
        (json!("visit"), "a string"),
        (json!(4096), "a number"),
        (json!({}), "an object"),
        (json!([]), "an array"),
        (json!(false), "a boolean"),
    ] {
        let error =
            call(&callbacks, "count_down", &json!({"from": 3, "visit": given})).expect_err("no closure");
        assert_eq!(
            error.to_string(),
            format!(
                "invalid arguments: /visit: {given} is {is}; expected null: a callback cannot come as JSON"
            )
        );
    }
    let error = call(&callbacks, "apply_optional", &json!({"x": 3, "f": 1})).expect_err("no function");
    assert!(error.to_string().starts_with("invalid arguments: /f: "), "{error}");
}

#[test]
fn user_data_is_not_an_argument() {
    let error =
        call(&callbacks(), "count_down", &json!({"from": 3, "arg": null})).expect_err("not described");
    assert!(matches!(&error, ToolError::InvalidArguments(error) if error.pointer == "/arg"), "{error}");
}

#[test]
fn a_function_that_requires_a_callback_is_refused_with_the_reason() {
    let callbacks = callbacks();
    for (function, names) in [
        ("all_kinds", &["visit"][..]),
        ("apply", &["f"]),
        ("call_until_negative", &["visit"]),
        ("choose", &["which", "value"]),
        ("each_bytes", &["visit"]),
        ("each_color", &["visit"]),
        ("each_int", &["visit"]),
        ("each_maybe_text", &["visit"]),
        ("each_point", &["visit"]),
        ("each_raw", &["visit"]),
        ("each_slice", &["visit"]),
        ("each_text", &["visit"]),
        ("find", &["found"]),
        ("hub_log", &["logger"]),
        ("integrate", &["f"]),
    ] {
        let reasons: Vec<String> = names
            .iter()
            .map(|name| {
                format!(
                    "`{name}` is a callback without `collect`: it computes, so only Rust code can pass it"
                )
            })
            .collect();
        let refused = ToolError::NotCallable { name: function.to_owned(), reason: reasons.join("; ") };
        assert_eq!(call(&callbacks, function, &json!({})), Err(refused));
    }
}

#[test]
fn a_handle_that_could_keep_closures_works_without() {
    let callbacks = callbacks();
    let session = Session::new(&callbacks);
    let hub = |reply: Value| reply["hub"].as_str().expect("a token").to_owned();
    let new = || hub(call(&session, "hub_new", &json!({})).expect("a hub"));
    let (freed, closed, tried, left) = (new(), new(), new(), new());
    assert_eq!(call(&session, "hub_listen", &json!({"hub": freed})), Ok(json!({})));
    assert_eq!(call(&session, "hub_listen", &json!({"hub": freed, "listener": null})), Ok(json!({})));
    let error =
        call(&session, "hub_listen", &json!({"hub": freed, "listener": "x"})).expect_err("no closure");
    assert_eq!(
        error.to_string(),
        "invalid arguments: /listener: \"x\" is a string; expected null: a callback cannot come as JSON"
    );
    assert_eq!(call(&session, "hub_fire", &json!({"hub": freed, "event": 1})), Ok(json!({"value": -1})));
    assert_eq!(call(&session, "keys_living", &json!({})), Ok(json!({"count": 4})));
    assert_eq!(call(&session, "hub_free", &json!({"hub": freed})), Ok(json!({})));
    assert_eq!(call(&session, "hub_close", &json!({"hub": closed})), Ok(json!({"value": -1})));
    assert_eq!(call(&session, "hub_try_close", &json!({"hub": tried, "code": 0})), Ok(json!({})));
    for gone in [freed, closed, tried] {
        let error = call(&session, "hub_fire", &json!({"hub": gone, "event": 1})).expect_err("it is gone");
        assert_eq!(error.to_string(), format!("invalid arguments: /hub: \"{gone}\" was freed"));
    }
    assert_eq!(call(&session, "hub_fire", &json!({"hub": left, "event": 1})), Ok(json!({"value": -1})));
    drop(session);
    assert_eq!(call(&callbacks, "keys_living", &json!({})), Ok(json!({"count": 0})));
}

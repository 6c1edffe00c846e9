//! Callbacks that a handle keeps: their calls are events in the replies of functions with that handle.

use opendyn::{Session, Tool, ToolError};
use serde_json::{Value, json};

use super::{call, collect};

/// A session with an emitter that has all callbacks.
fn with_emitter(test: impl FnOnce(&dyn Fn(&str, Value) -> Result<Value, ToolError>, &Value)) {
    let collect = collect();
    let session = Session::new(&collect);
    let run = |function: &str, arguments: Value| call(&session, function, &arguments);
    let from = run("emitter_new", json!({})).expect("an emitter")["emitter"].clone();
    for (function, arguments) in [
        ("emitter_on_start", json!({"from": from, "start": true})),
        ("emitter_on_end", json!({"from": from, "fail": false})),
        ("emitter_on_text", json!({"from": from, "text": true})),
    ] {
        assert_eq!(run(function, arguments), Ok(json!({"events": []})));
    }
    test(&run, &from);
    drop(session);
    assert_eq!(call(&collect, "emitters_living", &json!({})), Ok(json!({"count": 0})));
}

fn start() -> Value {
    json!({"callback": "start", "name": "n", "attributes": ["key", "value"]})
}

fn end(name: &str) -> Value {
    json!({"callback": "end", "name": name})
}

fn text(part: &str) -> Value {
    json!({"callback": "text", "part": part})
}

#[test]
fn events_are_in_the_reply_of_the_function_that_caused_them() {
    with_emitter(|run, from| {
        let fed = run("emitter_feed", json!({"from": from, "source": "<a><b"}));
        assert_eq!(fed, Ok(json!({"events": [start(), text("a"), end("n"), start(), text("b")]})));
        assert_eq!(
            run("emitter_sum", json!({"from": from})),
            Ok(json!({"sum": 203, "events": []})),
            "answers of both; no event is in two replies"
        );
        let closed = run("emitter_close", json!({"from": from}));
        assert_eq!(closed, Ok(json!({"events": [end("closed")]})), "C calls while it frees");
    });
}

#[test]
fn events_of_another_function_wait_for_the_next_reply() {
    with_emitter(|run, from| {
        assert_eq!(run("emitter_tick", json!({})), Ok(json!({})));
        assert_eq!(
            run("emitter_sum", json!({"from": from})),
            Ok(json!({"sum": 100, "events": [text("tick")]}))
        );
    });
}

#[test]
fn events_beyond_the_limit_are_counted() {
    with_emitter(|run, from| {
        let fed = run("emitter_feed", json!({"from": from, "source": "12345678"})).expect("a reply");
        let kept: Vec<Value> = ["1", "2", "3", "4", "5", "6"].map(text).into();
        assert_eq!(fed, json!({"events": kept, "eventsOmitted": 2}));
        let next = run("emitter_feed", json!({"from": from, "source": "7"}));
        assert_eq!(next, Ok(json!({"events": [text("7")]})), "the limit is that of a reply");
        let sum = run("emitter_sum", json!({"from": from})).expect("a sum");
        assert_eq!(sum["sum"], 6 * 100 + 2 * 200 + 100, "`stop` beyond it");
    });
}

#[test]
fn a_value_that_json_cannot_hold_is_the_error_of_the_function() {
    with_emitter(|run, from| {
        let error = run("emitter_feed", json!({"from": from, "source": "a~b!"})).expect_err("not UTF-8");
        assert_eq!(error.to_string(), "the call failed: `events`/1/part is not UTF-8: byte 0xff at index 0");
        let next = run("emitter_feed", json!({"from": from, "source": "c"}));
        assert_eq!(next, Ok(json!({"events": [text("c")]})));
    });
}

#[test]
fn events_before_a_failure_are_outputs_of_the_error() {
    with_emitter(|run, from| {
        let error = run("emitter_feed", json!({"from": from, "source": "<a!"})).expect_err("it fails");
        assert_eq!(error.to_string(), "the call failed with code 2: a mark of exclamation");
        let ToolError::CallFailed { details: Some(details), .. } = error else { panic!("{error}") };
        assert_eq!(details.outputs["events"], json!([start(), text("a")]));
    });
}

#[test]
fn callbacks_that_are_not_wanted_are_not_collected() {
    with_emitter(|run, from| {
        run("emitter_on_start", json!({"from": from})).expect("C gets NULL");
        run("emitter_on_text", json!({"from": from, "text": false})).expect("C gets NULL");
        run("emitter_on_end", json!({"from": from, "end": false, "fail": false}))
            .expect("a function all the same");
        assert_eq!(run("emitter_feed", json!({"from": from, "source": "<a>"})), Ok(json!({"events": []})));
        assert_eq!(run("emitter_sum", json!({"from": from})), Ok(json!({"sum": 3, "events": []})));
        run("emitter_on_text", json!({"from": from, "text": true})).expect("again");
        assert_eq!(
            run("emitter_feed", json!({"from": from, "source": "<b>"})),
            Ok(json!({"events": [text("b")]}))
        );
    });
}

#[test]
fn a_callback_that_c_did_not_take_changes_nothing() {
    with_emitter(|run, from| {
        assert!(run("emitter_on_end", json!({"from": from, "fail": true})).is_err());
        // The earlier one wants its calls, this one would not.
        assert!(run("emitter_on_end", json!({"from": from, "end": false, "fail": true})).is_err());
        assert_eq!(
            run("emitter_feed", json!({"from": from, "source": ">"})),
            Ok(json!({"events": [end("n")]}))
        );
    });
}

#[test]
fn a_callback_that_gets_another_handle_back_is_not_called() {
    with_emitter(|run, from| {
        run("emitter_detach", json!({"from": from, "detached": true})).expect("detached");
        let fed = run("emitter_feed", json!({"from": from, "source": "<a>"}));
        assert_eq!(fed, Ok(json!({"events": [text("a")]})), "user data is not the handle");
        assert_eq!(run("emitter_sum", json!({"from": from})).expect("a sum")["sum"], 100, "0 for the end");
    });
}

#[test]
fn callbacks_live_on_if_the_handle_is_not_freed() {
    with_emitter(|run, from| {
        run("emitter_keep_busy", json!({"from": from, "busy": 1})).expect("busy");
        let error = run("emitter_close", json!({"from": from})).expect_err("it refuses");
        assert_eq!(error.to_string(), "the call failed with code 5: the document has no text for it");
        let ToolError::CallFailed { details: Some(details), .. } = error else { panic!("{error}") };
        assert_eq!(details.outputs["events"], json!([end("refused")]));
        let fed = run("emitter_feed", json!({"from": from, "source": "<a>"}));
        assert_eq!(fed, Ok(json!({"events": [start(), text("a"), end("n")]})), "C still has them");
        run("emitter_keep_busy", json!({"from": from, "busy": 0})).expect("idle");
    });
}

#[test]
fn each_handle_has_events_of_its_own() {
    with_emitter(|run, one| {
        let two = run("emitter_new", json!({})).expect("an emitter")["emitter"].clone();
        run("emitter_on_text", json!({"from": two, "text": true})).expect("set");
        run("emitter_tick", json!({})).expect("of the second");
        assert_eq!(
            run("emitter_feed", json!({"from": one, "source": "1"})),
            Ok(json!({"events": [text("1")]}))
        );
        assert_eq!(
            run("emitter_feed", json!({"from": two, "source": "2"})),
            Ok(json!({"events": [text("tick"), text("2")]}))
        );
        run("emitter_close", json!({"from": two})).expect("closed");
        assert_eq!(
            run("emitter_feed", json!({"from": one, "source": "3>"})),
            Ok(json!({"events": [text("3"), end("n")]}))
        );
    });
}

#[test]
fn models_see_the_events() {
    let document = Tool::load(&collect()).expect("a document");
    let document = serde_json::to_value(&document).expect("JSON");
    let functions = document["functions"].as_array().expect("functions");
    let find = |name: &str| functions.iter().find(|function| function["name"] == name).expect("the function");
    let properties = &find("emitter_sum")["return"]["schema"]["properties"];
    let event = &properties["events"]["items"];
    assert_eq!(event["properties"]["callback"]["enum"], json!(["start", "end", "text"]));
    assert_eq!(event["properties"]["attributes"]["type"], "array");
    assert_eq!(event["required"], json!(["callback"]));
    assert_eq!(properties["eventsOmitted"]["type"], "integer");
    assert!(find("emitter_tick").get("return").is_none_or(Value::is_null), "it takes no emitter");
}

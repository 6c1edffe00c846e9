//! What the calls in a reply hold, and what C gets back.

use opendyn::Tool;
use serde_json::json;

use super::{call, collect};

#[test]
fn an_optional_callback_is_collected_only_if_it_is_asked_for() {
    let collect = collect();
    for visit in [json!(null), json!(false)] {
        let reply = call(&collect, "rows_each", &json!({"rows": 2, "visit": visit}));
        assert_eq!(reply, Ok(json!({"calls": 0, "visit": null})), "C gets NULL");
    }
    assert_eq!(call(&collect, "rows_each", &json!({"rows": 2})), Ok(json!({"calls": 0, "visit": null})));
    let reply = call(&collect, "rows_each", &json!({"rows": 2, "visit": true}));
    let names = ["id", "note"];
    let expected = json!({"calls": 2, "visit": [
        {"values": ["row 0", null], "names": names},
        {"values": ["row 1", "odd"], "names": names},
    ]});
    assert_eq!(reply, Ok(expected), "copies, made while C was in the callback");
    let error = call(&collect, "rows_each", &json!({"rows": 2, "visit": "yes"})).expect_err("not a boolean");
    assert_eq!(error.to_string(), "invalid arguments: /visit: \"yes\" is a string; expected true or false");
}

#[test]
fn the_document_says_what_is_collected_if_the_caller_does_not() {
    let collect = collect();
    let reply = call(&collect, "rows_listed", &json!({"rows": 1}));
    let rows = json!([{"values": ["row 0", null], "names": ["id", "note"]}]);
    assert_eq!(reply, Ok(json!({"calls": 1, "visit": rows})), "although it is optional");
    let reply = call(&collect, "rows_listed", &json!({"rows": 1, "visit": false}));
    assert_eq!(reply, Ok(json!({"calls": 0, "visit": null})), "C gets NULL");

    let reply = call(&collect, "texts_unlisted", &json!({"n": 1, "bad": -1}));
    assert_eq!(reply, Ok(json!({"visit": null})), "although it is required");
    let reply = call(&collect, "texts_unlisted", &json!({"n": 1, "bad": -1, "visit": true}));
    assert_eq!(reply.map(|reply| reply["visit"].as_array().map(Vec::len)), Ok(Some(1)));
}

#[test]
fn a_required_callback_is_collected_unless_it_is_not_wanted() {
    let collect = collect();
    let calls = json!([{"x": 0.5}]);
    assert_eq!(
        call(&collect, "numbers_pass", &json!({"x": 0.5})),
        Ok(json!({"answer": 0.0, "visit": calls}))
    );
    assert_eq!(
        call(&collect, "numbers_pass", &json!({"x": 0.5, "visit": true})),
        Ok(json!({"answer": 0.0, "visit": calls}))
    );
    assert_eq!(
        call(&collect, "numbers_pass", &json!({"x": 0.5, "visit": false})),
        Ok(json!({"answer": 0.0, "visit": null})),
        "C gets a function all the same"
    );
}

#[test]
fn every_kind_of_scalar_is_a_value_of_the_call() {
    let reply = collect().call_json("kinds_pass", "{}");
    let expected = r#"{"answer":1.5,"visit":[{"flag":true,"c":"c","byte":200,"s":-3,"level":2,"u":5,"l":-6,"ll":"1152921504606846976","size":8,"f":0.1,"d":0.25}]}"#;
    assert_eq!(reply.as_deref(), Ok(expected));
}

#[test]
fn texts_are_in_their_encoding_and_undescribed_pointers_are_left_out() {
    let reply = call(&collect(), "texts_each", &json!({"n": 2}));
    let expected = json!({"visit": [
        {"text": "text é 0", "latin": "café", "maybe": null, "never": "", "bytes": "AAH/", "part": "", "wide": "Ω\0"},
        {"text": "text é 1", "latin": "café", "maybe": "odd", "never": "", "bytes": "AAH/", "part": "p", "wide": "Ω\u{1}"},
    ]});
    assert_eq!(reply, Ok(expected));
}

#[test]
fn structs_and_arrays_are_copied_whole() {
    let reply = call(&collect(), "points_each", &json!({"n": 2, "missing": -1}));
    let expected = json!({"yes": 2, "visit": [
        {"here": {"x": 0.0, "y": 0.5, "label": "p0"}, "maybe": null, "xs": [], "flags": [true, false]},
        {"here": {"x": 1.0, "y": 0.5, "label": "p1"}, "maybe": {"x": -1.0, "y": -2.0, "label": null},
         "xs": [1, -1, 1], "flags": [true, true]},
    ]});
    assert_eq!(reply, Ok(expected));
    let reply = call(&collect(), "points_each", &json!({"n": 2, "missing": 0})).expect("a reply");
    assert_eq!(
        (&reply["yes"], reply["visit"].as_array().map(Vec::len)),
        (&json!(1), Some(1)),
        "NULL is not a struct"
    );
}

#[test]
fn answers_have_the_width_of_their_type() {
    let collect = collect();
    for (function, answer) in [
        ("answer_short", json!(-3)),
        ("answer_byte", json!(250)),
        ("answer_wide", json!(-(1_i64 << 40))),
        ("answer_float", json!(0.1)),
        ("answer_truth", json!(true)),
        ("answer_level", json!(2)),
    ] {
        assert_eq!(
            call(&collect, function, &json!({})),
            Ok(json!({"result": answer, "visit": [{}]})),
            "{function}"
        );
    }
}

#[test]
fn two_callbacks_are_two_results() {
    let reply = call(&collect(), "pairs_each", &json!({"n": 3, "second": true}));
    let expected = json!({
        "sum": 30,
        "first": [{"i": 0}, {"i": 1}, {"i": 2}],
        "second": [{"i": 0}, {"i": 2}],
        "secondOmitted": 1,
    });
    assert_eq!(reply, Ok(expected));
    let reply = call(&collect(), "pairs_each", &json!({"n": 1, "first": false}));
    assert_eq!(reply, Ok(json!({"sum": 10, "first": null, "second": null})));
}

#[test]
fn other_formats_get_the_same_calls() {
    let arguments = json!({"rows": 7, "visit": true});
    let map = arguments.as_object().expect("an object");
    let collect = collect();
    let through_map = serde_json::Value::Object(collect.call("rows_each", map).expect("a reply"));
    assert_eq!(Ok(through_map), call(&collect, "rows_each", &arguments));
}

#[test]
fn models_see_what_a_call_holds() {
    let document = Tool::load(&collect()).expect("a document");
    let document = serde_json::to_value(&document).expect("JSON");
    let functions = document["functions"].as_array().expect("functions");
    let find = |name: &str| functions.iter().find(|function| function["name"] == name).expect("the function");
    let rows = find("rows_each");
    assert_eq!(rows["parameters"][1]["name"], "visit");
    assert_eq!(rows["parameters"][1]["required"], false);
    assert_eq!(rows["parameters"][1]["schema"]["type"], "boolean");
    let properties = &rows["return"]["schema"]["properties"];
    assert_eq!(properties["visit"]["x-nullable"], true);
    let call = &properties["visit"]["items"]["properties"];
    assert_eq!(call["values"]["items"], json!({"type": "string", "x-nullable": true}));
    assert_eq!(call["values"]["description"], "The cells.");
    assert_eq!(properties["visitOmitted"]["type"], "integer");
    assert_eq!(rows["return"]["schema"]["required"], json!(["calls", "visit"]));
    assert_eq!(find("numbers_pass")["parameters"][1]["required"], false, "it has a default");
}

use serde_json::json;

use super::*;
use crate::MapTool;

/// A tool that returns the name of the called function.
fn tool(functions: &[&str]) -> impl Tool + Send + Sync + use<> {
    let described: Vec<_> = functions
        .iter()
        .map(|name| json!({"name": name, "description": "", "parameters": [], "return": null}))
        .collect();
    let document = json!({
        "opentool": "1.0.0",
        "info": {"title": functions.join("+"), "version": "2.0.0"},
        "functions": described,
    });
    MapTool::new(|name, _| match name {
        "closed" => Err(ToolError::NotCallable { name: name.to_owned(), reason: "it is closed".to_owned() }),
        _ => Ok(Map::from_iter([("called".to_owned(), json!(name))])),
    })
    .described_by(serde_json::from_value(document).expect("a document"))
}

#[test]
fn a_call_reaches_the_member_under_its_own_name() {
    let set = ToolSet::builder()
        .add("one", tool(&["a", "b"]))
        .add_prefixed("two", tool(&["a", "c"]))
        .build()
        .expect("no two alike");
    for (name, called) in [("a", "a"), ("b", "b"), ("two_a", "a"), ("two_c", "c")] {
        assert_eq!(set.call_json(name, "{}").expect(name), format!(r#"{{"called":"{called}"}}"#));
    }
    let error = set.call_json("tow_c", "{}").expect_err("no such function");
    assert_eq!(error.to_string(), "unknown function `tow_c`; did you mean `two_c`?");
}

#[test]
fn functions_that_cannot_be_called_have_the_prefix_of_their_member_too() {
    let refusing = || {
        let mut document = tool(&["a"]).load().expect("a document");
        let questions = vec!["How long?".to_owned()];
        document.refused.push(crate::Refused { name: "raw".to_owned(), reason: "r".to_owned(), questions });
        MapTool::new(|_, arguments: &Map<String, Value>| Ok(arguments.clone())).described_by(document)
    };
    let set = ToolSet::builder().add("one", refusing()).add_prefixed("two", refusing()).build();
    let refused = set.expect("no two alike").load().expect("a document").refused;
    let names: Vec<_> = refused.iter().map(|one| (one.name.as_str(), one.questions.len())).collect();
    assert_eq!(names, [("raw", 1), ("two_raw", 1)]);
}

#[test]
fn every_collision_is_listed() {
    let error = ToolSet::builder()
        .add("one", tool(&["a", "b"]))
        .add("two", tool(&["b", "a"]))
        .add("three", tool(&["a"]))
        .build()
        .expect_err("they collide");
    assert_eq!(
        error.to_string(),
        "`b` is a function of `one` and `two`; add all but one with a prefix\n\
         `a` is a function of `one` and `two` and `three`; add all but one with a prefix"
    );
}

#[test]
fn a_prefix_can_collide_too() {
    let error = ToolSet::builder()
        .add("one", tool(&["two_a"]))
        .add_prefixed("two", tool(&["a"]))
        .build()
        .expect_err("they collide");
    assert!(matches!(&*error.problems, [ToolSetProblem::Collision { function, .. }] if function == "two_a"));
}

#[test]
fn members_that_cannot_be_called_are_refused() {
    let long = "x".repeat(60);
    let error = ToolSet::builder()
        .add_prefixed("calc", tool(&[&long]))
        .add("calc", tool(&["a"]))
        .add("dumb", MapTool::new(|_, arguments| Ok(arguments.clone())))
        .build()
        .expect_err("all of them are wrong");
    let messages: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            format!(
                "`calc_{long}` of `calc` is not a valid name for a function: 1 to 64 letters, digits, `-` and `_`"
            ),
            "two members are called `calc`".to_owned(),
            "`dumb` has no document that describes its functions".to_owned(),
        ]
    );
}

#[test]
fn a_name_of_64_characters_is_allowed() {
    let name = "x".repeat(59);
    assert!(ToolSet::builder().add_prefixed("calc", tool(&[&name])).build().is_ok());
}

#[test]
fn the_document_has_all_functions_by_their_new_names() {
    let builder = ToolSet::builder().add("one", tool(&["b", "a"])).add_prefixed("two", tool(&["a"]));
    let document = builder.build().expect("no two alike").load().expect("a document");
    let names: Vec<&str> = document.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["b", "a", "two_a"]);
    assert_eq!((document.info.title.as_str(), document.info.version.as_str()), ("b+a, a", "1.0.0"));

    let info = Info { title: "mine".to_owned(), version: "3.0.0".to_owned(), ..Info::default() };
    let set = ToolSet::builder().info(info.clone()).add("one", tool(&["a"])).build().expect("one member");
    assert_eq!(set.load().expect("a document").info, info);
}

#[test]
fn an_error_names_the_function_as_the_caller_did() {
    let set = ToolSet::builder().add_prefixed("shop", tool(&["closed"])).build().expect("one member");
    let error = set.call_json("shop_closed", "{}").expect_err("it is closed");
    assert_eq!(error.to_string(), "`shop_closed` cannot be called with JSON: it is closed");
}

#[test]
fn a_set_is_send_and_sync_if_its_members_are() {
    fn shared<T: Send + Sync>(_: &T) {}
    fn sent<T: Send>(_: &T) {}
    let shared_set = ToolSet::builder().add("one", tool(&["a"])).build().expect("one member");
    shared(&shared_set);

    let cell = std::cell::Cell::new(0);
    let counting = MapTool::new(move |_, _| {
        cell.set(cell.get() + 1);
        Ok(Map::from_iter([("count".to_owned(), json!(cell.get()))]))
    })
    .described_by(tool(&["count"]).load().expect("a document"));
    let set = ToolSet::sendable().add("one", counting).build().expect("one member");
    sent(&set);
    assert_eq!(set.call_json("count", "{}").expect("it counts"), r#"{"count":1}"#);

    let borrowed = std::rc::Rc::new(5);
    let local = MapTool::new(|_, _| Ok(Map::from_iter([("n".to_owned(), json!(*borrowed))])))
        .described_by(tool(&["n"]).load().expect("a document"));
    let set = ToolSet::local().add("one", &local).build().expect("one member");
    assert_eq!(set.call_json("n", "{}").expect("it answers"), r#"{"n":5}"#);
}

#[test]
fn a_set_can_be_a_member_of_a_set() {
    let inner = ToolSet::builder().add_prefixed("x", tool(&["a"])).build().expect("one member");
    let outer = ToolSet::builder().add_prefixed("y", inner).build().expect("one member");
    assert_eq!(outer.call_json("y_x_a", "{}").expect("it is there"), r#"{"called":"a"}"#);
}

#[test]
fn different_schemas_with_one_name_get_two_names() {
    let described = |point: Value| {
        let reference = json!({"$ref": "#/schemas/Point"});
        let document = json!({
            "opentool": "1.1.0",
            "info": {"title": "t", "version": "1"},
            "functions": [{
                "name": "f",
                "description": "d",
                "parameters": [{"name": "p", "schema": {"type": "array", "items": reference}, "required": true}],
                "return": {"name": "r", "schema": reference},
                "stream": {"part": {"name": "s", "schema": {"$ref": "#/schemas/Line"}}},
            }],
            "schemas": {"Point": point, "Line": {"type": "array", "items": reference}, "Same": {"type": "string"}},
        });
        let document = OpenTool::parse(&document.to_string()).expect("a document");
        MapTool::new(|_, arguments: &Map<String, Value>| Ok(arguments.clone())).described_by(document)
    };
    let set = ToolSet::builder()
        .add_prefixed("one", described(json!({"type": "integer"})))
        .add_prefixed("two", described(json!({"type": "string"})))
        .build()
        .expect("no two alike");
    let document = set.load().expect("a document");
    assert_eq!(OpenTool::parse(&document.to_string_pretty()).as_ref(), Ok(&document));
    assert_eq!(document.opentool, "1.1.0");
    let names: Vec<&str> = document.schemas.keys().map(String::as_str).collect();
    assert_eq!(names, ["Point", "Line", "Same", "two_Point", "two_Line"]);
    let written = |index: usize| serde_json::to_string(&document.functions[index]).expect("JSON");
    assert!(written(0).contains("#/schemas/Line") && !written(0).contains("two_"), "{}", written(0));
    assert_eq!(written(1).matches("#/schemas/two_Point").count(), 2, "{}", written(1));
    assert_eq!(written(1).matches("#/schemas/two_Line").count(), 1, "{}", written(1));
    assert!(!written(1).contains("#/schemas/Point"), "{}", written(1));
}

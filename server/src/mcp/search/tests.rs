use rmcp::model::CallToolRequestParams;
use serde_json::{Map, Value, json};

use super::super::offer::{Offer, Offering, Taken};
use super::*;
use crate::policy::Listing;

fn offered(document: &OpenTool, listing: Listing) -> Offer {
    Offer::of(document, &Offering { listing, ..Offering::default() }).expect("it can be listed")
}

fn document(names: &[&str]) -> OpenTool {
    let function = |name: &&str| {
        json!({"name": name, "description": format!("Does {name}."), "parameters": [],
            "return": {"name": "done", "schema": {"type": "boolean"}}})
    };
    let functions: Vec<Value> = names.iter().map(function).collect();
    serde_json::from_value(json!({
        "opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": functions
    }))
    .expect("a document")
}

fn offer(names: &[&str]) -> Offer {
    offered(&document(names), Listing::Search)
}

fn names(offer: &Offer) -> Vec<&str> {
    offer.tools.iter().map(|tool| &*tool.name).collect()
}

/// The text of an answer, and whether it is an error.
fn answered(offer: &Offer, name: &'static str, arguments: Value) -> (String, bool) {
    let (Taken::Answer(answer), _) = taken(offer, name, arguments) else { panic!("`{name}` is called") };
    let text = answer.content[0].as_text().expect("text").text.clone();
    (text, answer.is_error == Some(true))
}

fn taken(offer: &Offer, name: &'static str, arguments: Value) -> (Taken, CallToolRequestParams) {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    let mut request = CallToolRequestParams::new(name);
    request.arguments = Some(arguments);
    (offer.take(&mut request), request)
}

#[test]
fn few_functions_are_listed_and_many_are_searched() {
    let many: Vec<String> = (0..Listing::MANY).map(|number| format!("f{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let auto = |names: &[&str]| offered(&document(names), Listing::Auto);
    assert_eq!(names(&auto(&many)), [SEARCH, CALL]);
    assert_eq!(names(&auto(&many[1..])).len(), Listing::MANY - 1);
    assert!(!offered(&document(&many), Listing::All).is_searched());
}

#[test]
fn a_function_that_is_always_offered_is_listed_and_not_searched() {
    let mut document = document(&["open", "close"]);
    document.functions[0].tool = Some(true);
    let offer = offered(&document, Listing::Search);
    assert_eq!(names(&offer), ["open", SEARCH, CALL]);
    let (found, _) = answered(&offer, SEARCH, json!({"query": "open"}));
    assert!(found.contains("No function has a word of the query") && found.contains("close"), "{found}");
}

#[test]
fn functions_with_the_names_of_the_tools_stay_in_reach() {
    let offer = offer(&["open", "call_tool"]);
    assert_eq!(names(&offer), ["open", "call_tool"]);
    assert!(matches!(taken(&offer, CALL, json!({})), (Taken::Call, _)));
}

#[test]
fn a_search_shows_what_a_call_needs() {
    let (found, is_error) =
        answered(&offer(&["open", "close", "reopen"]), SEARCH, json!({"query": "open", "limit": 1}));
    let found: Value = serde_json::from_str(&found).expect("JSON");
    assert!(!is_error);
    assert_eq!(found["more"], 1, "`reopen` contains the word: {found}");
    assert_eq!(
        found["tools"],
        json!([{
            "name": "open", "description": "Does open.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "returns": {"done": {"type": "boolean"}}
        }])
    );
}

#[test]
fn a_call_names_the_function_within() {
    let offer = offer(&["open", "close"]);
    for arguments in
        [json!({"name": "open", "arguments": {"a": 1}}), json!({"name": "open", "arguments": "{\"a\": 1}"})]
    {
        let (Taken::Within { wait: None }, request) = taken(&offer, CALL, arguments) else {
            panic!("it is called")
        };
        assert_eq!(
            (&*request.name, request.arguments),
            ("open", Some(Map::from_iter([("a".to_owned(), json!(1))])))
        );
    }
    let (Taken::Within { wait: None }, request) = taken(&offer, CALL, json!({"name": "open"})) else {
        panic!("it is called")
    };
    assert_eq!(request.arguments, Some(Map::new()));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let offer = offer(&["open", "close"]);
    for (name, arguments, expected) in [
        (SEARCH, json!({}), "/query: missing"),
        (SEARCH, json!({"query": 5}), "/query: expected a string"),
        (SEARCH, json!({"query": "x", "limit": 0}), "/limit: expected an integer from 1 to 20"),
        (SEARCH, json!({"query": "x", "limit": "many"}), "/limit: expected"),
        (SEARCH, json!({"query": "x", "words": 1}), "/words: unknown argument"),
        (CALL, json!({}), "/name: missing"),
        (CALL, json!({"name": 1}), "/name: expected a string"),
        (CALL, json!({"name": "open", "arguments": [1]}), "/arguments: expected an object"),
        (CALL, json!({"name": "open", "arguments": "a"}), "/arguments: not a JSON object"),
        (
            CALL,
            json!({"name": "open", "path": "x"}),
            "/path: unknown argument; those of `open` go into `arguments`",
        ),
    ] {
        let (said, is_error) = answered(&offer, name, arguments.clone());
        assert!(is_error && said.contains(expected), "{arguments}: {said}");
    }
}

#[test]
fn long_lists_of_names_are_not_shown() {
    let long: Vec<String> =
        (0..100).map(|number| format!("a_function_with_a_long_name_{number:04}")).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let of = |names: &[&str]| {
        let offer = offer(names);
        offer.tools[1].description.as_deref().map(str::to_owned).unwrap_or_default()
    };
    assert!(of(&["open", "close"]).ends_with("Functions: open close"));
    assert!(!of(&long).contains("a_function"), "{}", of(&long));
}

//! A document as found in the wild: `isIn` inside `cType`, schema types that are C types, missing
//! booleans, and one function with an `int*` that is read, one that is written and one that is
//! returned. It must work, and the warnings must say what is wrong and what was assumed.

#![expect(clippy::expect_used, reason = "test code may panic")]

use opendyn_codegen::{Diagnostics, Options, Rule};
use opendyn_tests::Twin;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/wild/tool.json");
opendyn_tests::twin!(OpenDynMockUtil = "fixtures/wild/tool.json");

const SOURCE: &str = include_str!("../fixtures/wild/tool.json");

fn wild() -> Twin<OpenDynMockUtil> {
    // SAFETY: fixtures/wild/tool.json describes c/wild.c correctly.
    unsafe { Twin::open("wild", &[]) }.expect("every function of the document is there")
}

fn checked() -> Diagnostics {
    opendyn_codegen::check("tool.json", SOURCE, &Options::default())
}

/// The messages of one rule, each with its line.
fn messages(rule: Rule) -> Vec<(usize, String)> {
    let found = checked();
    let of_rule = found.iter().filter(|diagnostic| diagnostic.rule == rule);
    of_rule.map(|found| (found.line.expect("a place in the document"), found.message.clone())).collect()
}

/// The number of the first line that has `text`, from 1.
fn line_of(text: &str) -> usize {
    SOURCE.lines().position(|line| line.contains(text)).expect(text) + 1
}

#[test]
fn a_document_from_the_wild_works_typed() {
    let wild = wild();
    assert_eq!((wild.count(), wild.count()), (1, 2));
    assert_eq!(wild.add(0.5, -2.0), -1.5);
    assert_eq!(wild.label(c"page", Some(3), false).as_deref(), Ok(c"page 3"));
    assert_eq!(wild.label(c"page", None, true).as_deref(), Ok(c"PAGE 0"));
}

#[test]
fn an_input_an_output_and_a_return_may_all_be_pointers() {
    let wild = wild();
    let mut number = -7;
    assert_eq!(wild.halve(&mut number), Ok(HalveOutputs { rest: -1, half: -3 }));
    assert_eq!(number, 0, "what C wrote to its input");
    let reply = wild.call_json("halve", r#"{"number":-7}"#);
    assert_eq!(reply.as_deref(), Ok(r#"{"rest":-1,"half":-3}"#));
}

#[test]
fn a_document_from_the_wild_works_through_json() {
    let wild = wild();
    for (function, arguments, reply) in [
        ("count", json!({}), json!({"count": 1})),
        ("add", json!({"a": 0.5, "b": -2}), json!({"sum": -1.5})),
        ("label", json!({"title": "page", "number": 3, "upper": false}), json!({"label": "page 3"})),
        ("label", json!({"title": "page", "upper": true}), json!({"label": "PAGE 0"})),
    ] {
        let text = wild.call_json(function, &arguments.to_string()).expect(function);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), reply, "{function} {arguments}");
    }
}

#[test]
fn missing_booleans_take_the_defaults_of_the_specification() {
    let wild = wild();
    // Without `required` an argument is required; without `isIn` it is an input.
    let error = wild.call_json("add", r#"{"a":1}"#).expect_err("b is required");
    assert_eq!(error.to_string(), "invalid arguments: /b: missing; expected a number (double)");
    let error = wild.call_json("label", r#"{"title":"page"}"#).expect_err("upper is required");
    assert_eq!(error.to_string(), "invalid arguments: /upper: missing; expected true or false");
}

#[test]
fn types_that_are_not_of_the_specification_are_those_of_json() {
    let document = wild().load().expect("a binding describes itself");
    let document = serde_json::to_value(&document).expect("a document is JSON");
    let types = |function: usize| -> Vec<&Value> {
        let parameters = document["functions"][function]["parameters"].as_array().expect("an array");
        parameters.iter().map(|parameter| &parameter["schema"]["type"]).collect()
    };
    assert_eq!(types(1), ["number", "number"]);
    assert_eq!(types(2), ["integer"], "the output is not asked for");
    assert_eq!(types(3), ["string", "integer", "boolean"]);
}

#[test]
fn the_document_has_warnings_and_no_errors() {
    let found = checked();
    assert_eq!(found.errors().count(), 0, "{found}");
    let mut codes: Vec<&str> = found.warnings().map(|warning| warning.rule.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes, ["W001", "W002", "W003"], "{found}");
}

#[test]
fn an_alias_is_reported_where_it_stands_with_the_type_that_it_is_taken_for() {
    let found = messages(Rule::SchemaAlias);
    let double = r#""double" is not a type of the specification; it is treated as "number""#;
    assert_eq!(found.iter().filter(|(_, message)| message == double).count(), 3, "{found:?}");
    assert_eq!(found[0], (line_of(r#""type": "double","#), double.to_owned()));
    let int = r#""int" is not a type of the specification; it is treated as "integer""#;
    assert!(found.contains(&(line_of(r#""type": "int", "cType""#), int.to_owned())), "{found:?}");
    let bool = r#""bool" is not a type of the specification; it is treated as "boolean""#;
    assert!(found.contains(&(line_of(r#""type": "bool", "cType""#), bool.to_owned())), "{found:?}");
}

#[test]
fn a_misplaced_is_in_is_reported_with_what_is_taken() {
    let found = messages(Rule::MisplacedIsIn);
    assert_eq!(found.len(), 4, "{found:?}");
    let output = (
        line_of(r#""isIn": false"#),
        "`isIn` belongs to the parameter, not to its `cType`; false is used".to_owned(),
    );
    assert_eq!(found[3], output);
}

#[test]
fn every_missing_boolean_is_reported_with_what_is_assumed() {
    let found: Vec<String> = messages(Rule::MissingBoolean).into_iter().map(|(_, message)| message).collect();
    for (expected, times) in [
        ("parameter `a` has no `required`; true is assumed", 1),
        ("parameter `half` has no `required`; true is assumed", 1),
        ("parameter `upper` has no `isIn`; true is assumed", 1),
        ("`cType` has no `isPointer`; false is assumed", 4),
    ] {
        let reported = found.iter().filter(|message| *message == expected).count();
        assert_eq!(reported, times, "{expected}\n{found:#?}");
    }
}

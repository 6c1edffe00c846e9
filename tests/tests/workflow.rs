//! A workflow over C functions and Rust functions in one set, from `examples/quickstart` and from here.

#![expect(clippy::expect_used, reason = "test code may panic")]

use opendyn::opentool::{Map, MapTool, OpenTool, ToolSet, Value};
use opendyn::{Serial, ToolError};
use opendyn_tests::shared_library;
use opentool_workflow::{Cause, Rule, Workflow};
use serde_json::json;

opendyn::opendyn!("../examples/quickstart/calc.json", optional = [version]);

/// The functions of `calc.c`, and `repeat`, which is a closure.
fn tools() -> ToolSet {
    let library = shared_library("../../examples/quickstart/calc", &[]);
    // SAFETY: calc.json describes calc.c correctly.
    let calc = unsafe { Calc::open(library.path()) }.expect("every function of the document is there");
    let document: OpenTool = serde_json::from_value(json!({
        "opentool": "1.0.0",
        "info": {"title": "text", "version": "1.0.0"},
        "functions": [{
            "name": "repeat",
            "description": "A text, several times.",
            "parameters": [
                {"name": "text", "schema": {"type": "string"}, "required": true},
                {"name": "times", "schema": {"type": "integer"}, "required": true},
            ],
            "return": {"name": "repeated", "schema": {"type": "string"}},
        }],
    }))
    .expect("a document");
    let text = MapTool::new(|_, arguments| {
        let times = arguments["times"].as_u64().unwrap_or_default() as usize;
        let repeated = arguments["text"].as_str().unwrap_or_default().repeat(times);
        Ok(Map::from_iter([("repeated".to_owned(), json!(repeated))]))
    });
    ToolSet::builder()
        .add_prefixed("calc", Serial::new(calc))
        .add("text", text.described_by(document))
        .build()
        .expect("no two functions have one name")
}

fn workflow(a: i64, repeated: &str) -> String {
    json!({
        "openworkflow": "1.0.0",
        "info": {"title": "C and Rust", "version": "1.0.0"},
        "workflow": {
            "start": {
                "function": "calc_divide",
                "arguments": {"dividend": 17, "divisor": 5},
                "results": {"quotient": 0, "remainder": 0},
                "next": "add",
            },
            "add": {
                "function": "calc_add",
                "arguments": {"a": "#/start/results/quotient", "b": a},
                "results": {"result": 0},
                "next": "pause",
            },
            "pause": {"function": "sleep", "arguments": {"milliseconds": 1}, "results": {}, "next": "greet"},
            "greet": {
                "function": "calc_greet",
                "arguments": {"name": "Ada"},
                "results": {"greeting": ""},
                "next": "repeat",
            },
            "repeat": {
                "function": "repeat",
                "arguments": {"text": "#/greet/results/greeting", "times": repeated},
                "results": {"repeated": ""},
                "next": "null",
            },
        },
    })
    .to_string()
}

#[test]
fn what_c_returns_is_what_rust_takes() {
    let workflow = Workflow::parse(&workflow(-1, "#/add/results/result")).expect("a workflow");
    let mut events = 0;
    let record = workflow.run(&tools(), |_| events += 1).expect("it runs");
    let results: Vec<Value> = record.steps.iter().map(|step| json!(step.results)).collect();
    assert_eq!(
        results,
        [
            json!({"code": 0, "quotient": 3, "remainder": 2}),
            json!({"result": 2}),
            json!({}),
            json!({"greeting": "Hello, Ada!"}),
            json!({"repeated": "Hello, Ada!Hello, Ada!"}),
        ]
    );
    assert_eq!(events, 11, "a call and a reply per step, and the end");
}

#[test]
fn a_value_that_c_cannot_take_fails_the_step() {
    // The tool's document says integer, and the C type limits its size.
    let workflow = Workflow::parse(&workflow(3_000_000_000, "#/add/results/result")).expect("a workflow");
    let failure = workflow.run(&tools(), |_| {}).expect_err("no int is as large");
    assert_eq!((failure.step.as_deref(), failure.record.steps.len()), (Some("add"), 2));
    assert!(
        matches!(&failure.cause, Cause::Tool(ToolError::InvalidArguments(error)) if error.pointer == "/b"),
        "{failure}"
    );
}

#[test]
fn a_misfit_is_found_before_c_is_called() {
    let workflow = Workflow::parse(&workflow(1, "#/greet/results/greeting")).expect("a workflow");
    let failure = workflow.run(&tools(), |_| {}).expect_err("a greeting is not a number");
    let Cause::Invalid(invalid) = failure.cause else { panic!("{failure}") };
    assert_eq!(invalid.findings[0].rule, Rule::ReferenceType);
    assert_eq!(
        invalid.findings[0].message,
        "the result of `calc_greet` does not fit: a string, not an integer"
    );
    assert!(failure.record.steps.is_empty());
}

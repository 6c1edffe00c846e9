//! What a workflow is given and returns, and workflows as tools.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use super::check_tests::document;
use super::*;
use opentool::{Caller, MapTool, Schema, SchemaType, ToolError};

const STEPS: &str = r##""start": {"function": "add", "arguments": {"a": "#/x-inputs/first", "b": "#/x-inputs/second"}, "results": {}, "next": "two"},
    "two": {"function": "add", "arguments": {"a": "#/start/results/sum", "b": 1}, "results": {}, "next": null}"##;
const INPUTS: &str = r#"{"first": {"description": "A number.", "schema": {"type": "integer"}},
    "second": {"schema": {"type": "integer"}, "default": 10}}"#;

/// A workflow with these inputs, outputs and steps.
fn with(inputs: &str, outputs: Option<&str>, steps: &str) -> String {
    let outputs = outputs.map(|outputs| format!("\"x-outputs\": {outputs},")).unwrap_or_default();
    format!(
        r#"{{"openworkflow": "1.0.0", "info": {{"title": "w", "version": "1.0.0", "description": "Adds."}},
        "x-inputs": {inputs}, {outputs} "workflow": {{{steps}}}}}"#
    )
}

/// `add`, which fails with code 13 if the sum is 13, and `get`, which returns text.
fn tool() -> impl Tool + Send + Sync {
    MapTool::new(|name, arguments| {
        let number = |key: &str| arguments.get(key).and_then(Value::as_i64).unwrap_or_default();
        match (name, number("a") + number("b")) {
            ("add", 13) => Err(ToolError::call_failed_with(13, "bad luck")),
            ("add", sum) => Ok(Map::from_iter([("sum".to_owned(), json!(sum))])),
            _ => Ok(Map::from_iter([("data".to_owned(), json!({"text": "t"}))])),
        }
    })
    .described_by(document())
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn ran(text: &str, inputs: Value) -> Result<Record, WorkflowError> {
    let workflow = Workflow::parse_for(text, &document()).expect("it fits");
    workflow.run_for(&CallContext::default(), &object(inputs), Limits::default(), &tool(), |_| {})
}

fn findings(text: &str) -> Vec<String> {
    let found =
        Workflow::parse_for(text, &document()).err().map(|invalid| invalid.findings).unwrap_or_default();
    found.iter().map(|finding| format!("{:?}: {}", finding.rule, finding.message)).collect()
}

#[test]
fn a_run_uses_its_inputs_and_the_defaults_of_the_others() {
    let text = with(INPUTS, None, STEPS);
    assert_eq!(ran(&text, json!({"first": 5})).expect("it runs").outputs, object(json!({"sum": 16})));
    let both = ran(&text, json!({"first": 5, "second": -5})).expect("it runs");
    assert_eq!(both.outputs, object(json!({"sum": 1})));
}

#[test]
fn inputs_that_are_not_those_of_the_document_call_nothing() {
    let text = with(INPUTS, None, STEPS);
    for (given, expected) in [
        (json!({}), "invalid arguments: /first: missing; expected an integer"),
        (json!({"first": "5"}), "invalid arguments: /first: \"5\" is a string; expected an integer"),
        (
            json!({"first": 5, "third": 1}),
            "invalid arguments: /third: unknown argument; this function takes first, second",
        ),
    ] {
        let failure = ran(&text, given).expect_err("wrong inputs");
        assert_eq!((failure.to_string().as_str(), failure.cause.code()), (expected, 400));
        assert!(failure.step.is_none() && failure.record.steps.is_empty());
    }
}

#[test]
fn outputs_are_values_of_any_step_and_of_inputs() {
    let outputs = r##"{"of": {"value": "#/x-inputs/first"}, "half": {"value": "#/start/results/sum"},
        "all": {"value": ["#/two/results/sum", true], "schema": {"type": "array"}}, "fixed": {"value": 1.5}}"##;
    let record = ran(&with(INPUTS, Some(outputs), STEPS), json!({"first": 5})).expect("it runs");
    assert_eq!(record.outputs, object(json!({"of": 5, "half": 15, "all": [16, true], "fixed": 1.5})));
    let nothing = ran(&with(INPUTS, Some("{}"), STEPS), json!({"first": 5})).expect("it runs");
    assert!(nothing.outputs.is_empty());
}

#[test]
fn an_output_that_is_not_as_the_workflow_says_is_an_error() {
    let steps = r#""start": {"function": "get", "arguments": {}, "results": {}, "next": null}"#;
    let outputs = r##"{"text": {"value": "#/start/results/data/text", "schema": {"type": "integer"}}}"##;
    let failure = ran(&with("{}", Some(outputs), steps), json!({})).expect_err("it is a text");
    assert_eq!(
        failure.to_string(),
        "an output is not what the workflow says: /text: \"t\" is a string; expected an integer"
    );
    assert_eq!((failure.step, failure.record.steps.len()), (None, 1));
}

#[test]
fn what_is_wrong_with_inputs_and_outputs_is_found_before_a_run() {
    let inputs = r##"{"none": {}, "bad": {"schema": {"type": "int"}}, "far": {"schema": {"$ref": "#/schemas/A"}},
        "text": {"schema": {"type": "string"}, "default": 1}}"##;
    let steps = r##""start": {"function": "add", "arguments": {"a": "#/x-inputs/text", "b": "#/x-inputs/txt"}, "results": {}, "next": "two"},
        "two": {"function": "get", "arguments": {}, "results": {}, "next": null}"##;
    let outputs = r##"{"a": {"value": "#/start/results/som"}, "b": {"value": "#/three/results/x"},
        "c": {"value": "#/two/results/data/text"}, "d": {"value": []}, "e": {},
        "f": {"value": "#/start/results/sum", "schema": {"type": "string"}}, "g": {"value": "#/x-inputs"}}"##;
    let found = findings(&with(inputs, Some(outputs), steps));
    let expected = [
        "MissingField: input `none` has no `schema`",
        "Schema: not a schema of OpenTool: ",
        "Schema: a schema of a workflow has no `$ref`: write it out",
        "Schema: /default: 1 is a number; expected a string",
        "ReferenceType: the input `text` does not fit: a string, not an integer",
        "UnknownInput: there is no input `txt` in `x-inputs`; did you mean `text`?",
        "UnknownResult: the result of `add`: there is no `som`, only `sum`",
        "UnknownStep: there is no step `three`",
        "OutputType: the type of `c` is not known: give it a `schema`",
        "OutputType: the type of `d` is not known: give it a `schema`",
        "MissingField: output `e` has no `value`",
        "ReferenceType: the result of `add` does not fit: an integer, not a string",
        "BadReference: `#/x-inputs` is not a reference: write `#/x-inputs/NAME`",
    ];
    for expected in expected {
        assert!(found.iter().any(|found| found.starts_with(expected)), "{expected}: {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

fn as_tool(text: &str) -> WorkflowTool<impl Tool + use<>> {
    let workflow = Workflow::parse(text).expect("a workflow");
    WorkflowTool::new("sums", Arc::new(workflow), tool()).map_err(|cause| cause.to_string()).expect("it fits")
}

#[test]
fn as_a_tool_its_function_has_the_inputs_and_the_outputs() {
    let outputs = r##"{"half": {"value": "#/start/results/sum", "description": "Without 1."}}"##;
    let sums = as_tool(&with(INPUTS, Some(outputs), STEPS));
    let document = sums.load().expect("a document");
    let function = document.function("sums").expect("its function");
    assert_eq!((document.functions.len(), function.description.as_str()), (1, "Adds."));
    let parameters: Vec<_> = function
        .parameters
        .iter()
        .map(|parameter| (parameter.name.as_str(), parameter.required, parameter.description.as_deref()))
        .collect();
    assert_eq!(parameters, [("first", true, Some("A number.")), ("second", false, Some("10 if absent."))]);
    let returns = function.returns.as_ref().expect("it returns");
    let integer = Schema { description: Some("Without 1.".to_owned()), ..Schema::of(SchemaType::Integer) };
    assert!(returns.spread);
    assert_eq!(returns.schema.properties.as_ref().map(|all| &all["half"]), Some(&integer));
    assert_eq!(sums.call_json("sums", r#"{"first": 1}"#).expect("it runs"), r#"{"half":11}"#);
    assert_eq!(sums.call_json("sum", "{}").expect_err("another name").code(), 405);

    // Without outputs, it returns what its last function does.
    let document = as_tool(&with(INPUTS, None, STEPS)).load().expect("a document");
    assert_eq!(document.functions[0].returns.as_ref().map(|returns| returns.name.as_str()), Some("sum"));
}

#[test]
fn as_a_tool_it_fails_as_its_step_does() {
    let sums = as_tool(&with(INPUTS, None, STEPS));
    let error = sums.call_json("sums", r#"{"first": 3}"#).expect_err("3 + 10");
    assert_eq!(error.to_string(), "the call failed with code 13: step `start`: bad luck");
    let error = sums.call_json("sums", r#"{"first": 1.5}"#).expect_err("no integer");
    assert!(matches!(&error, ToolError::InvalidArguments(error) if error.pointer == "/first"), "{error}");
}

#[test]
fn it_changes_nothing_only_if_every_function_says_so() {
    let mut base = document();
    let described = |base: &OpenTool| {
        let workflow = Workflow::parse(&with(INPUTS, None, STEPS)).expect("a workflow");
        let annotations = workflow.described("sums", base).functions[0].annotations.expect("they are said");
        (annotations.read_only, annotations.destructive)
    };
    assert_eq!(described(&base), (None, None));
    let says =
        |read_only, destructive| Some(opentool::Annotations { read_only, destructive, idempotent: None });
    base.functions[0].annotations = says(Some(true), None);
    assert_eq!(described(&base), (Some(true), None));
    base.functions[0].annotations = says(Some(false), Some(true));
    assert_eq!(described(&base), (None, Some(true)));
}

#[test]
fn every_step_is_a_call_of_the_caller_and_is_told_as_progress() {
    /// Notes who calls.
    struct Noting(AtomicUsize);
    impl Tool for Noting {
        fn call_into(&self, _: &str, _: &[u8], _: &mut Vec<u8>) -> Result<(), ToolError> {
            Err(ToolError::call_failed("nobody calls"))
        }
        fn call_for(
            &self,
            context: &CallContext,
            _: &str,
            _: &[u8],
            out: &mut Vec<u8>,
        ) -> Result<(), ToolError> {
            assert_eq!(context.caller().name(), "ada");
            assert!(!context.is_watched(), "a step's own progress is not that of the run");
            self.0.fetch_add(1, Ordering::SeqCst);
            out.extend_from_slice(br#"{"sum": 1}"#);
            Ok(())
        }
        fn load(&self) -> Option<OpenTool> {
            Some(document())
        }
    }
    let told = Arc::new(Mutex::new(Vec::new()));
    let context = CallContext::new(Caller::new("ada"), None).reporting_to({
        let told = Arc::clone(&told);
        move |progress| told.lock().expect("nobody panics").push(progress.message)
    });
    let noting = Noting(AtomicUsize::new(0));
    let workflow = Workflow::parse(&with(INPUTS, None, STEPS)).expect("a workflow");
    let inputs = object(json!({"first": 1}));
    workflow.run_for(&context, &inputs, Limits::default(), &noting, |_| {}).expect("it runs");
    context.report_last();
    assert_eq!(noting.0.load(Ordering::SeqCst), 2);
    assert_eq!(told.lock().expect("nobody panics").last(), Some(&Some("two".to_owned())));
}

#[test]
fn a_cancelled_run_does_not_sleep_on() {
    let steps = r#""start": {"function": "sleep", "arguments": {"milliseconds": 60000}, "results": {}, "next": null}"#;
    let workflow = Workflow::parse(&with("{}", None, steps)).expect("a workflow");
    let context = CallContext::default();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            context.cancel();
        });
        let ran = workflow.run_for(&context, &Map::new(), Limits::default(), &tool(), |_| {});
        assert_eq!(
            ran.expect_err("it was cancelled").to_string(),
            "step `start`: the call failed: the call was cancelled"
        );
    });
    assert!(begin.elapsed() < Duration::from_secs(20));
}

//! Runs of workflows.

use std::time::Instant;

use serde_json::json;

use super::check_tests::{document, workflow};
use super::*;
use opentool::{MapTool, ToolError};

/// A tool with the functions of [`document`]. `add` fails if the sum is 13, and `get` returns the given value.
fn tool(got: Value) -> impl Tool {
    MapTool::new(move |name, arguments| {
        let reply = match name {
            "add" => {
                let sum =
                    arguments["a"].as_i64().unwrap_or_default() + arguments["b"].as_i64().unwrap_or_default();
                if sum == 13 {
                    return Err(ToolError::call_failed_with(13, "bad luck"));
                }
                json!({"sum": sum})
            }
            "get" => got.clone(),
            "log" => json!({}),
            _ => return Err(ToolError::unknown_function(name, [])),
        };
        match reply {
            Value::Object(reply) => Ok(reply),
            _ => Err(ToolError::call_failed("no object")),
        }
    })
    .described_by(document())
}

fn step(name: &str, function: &str, arguments: &str, results: &str, next: &str) -> String {
    format!(
        r#""{name}": {{"function": "{function}", "arguments": {arguments}, "results": {results}, "next": "{next}"}}"#
    )
}

fn parse(steps: &[String]) -> Workflow {
    Workflow::parse(&workflow(&steps.join(",\n"))).expect("a workflow")
}

/// Three steps: the second uses the result of the first, the third those of both.
fn sums(second: &str) -> Workflow {
    parse(&[
        step("start", "add", r#"{"a": 1, "b": 2}"#, r#"{"sum": 0}"#, "two"),
        step("two", "add", &format!(r##"{{"a": "#/start/results/sum", "b": {second}}}"##), "{}", "three"),
        step(
            "three",
            "log",
            r##"{"data": {"all": ["#/start/results/sum", "#/two/results"]}}"##,
            "{}",
            "null",
        ),
    ])
}

#[test]
fn the_record_and_the_listener_get_every_step() {
    let mut events = Vec::new();
    let record = sums("4").run(&tool(json!({})), |event| events.push(json!(event))).expect("it runs");
    let expected = json!({
        "title": "w",
        "steps": [
            {"step": "start", "function": "add", "arguments": {"a": 1, "b": 2}, "results": {"sum": 3}},
            {"step": "two", "function": "add", "arguments": {"a": 3, "b": 4}, "results": {"sum": 7}},
            {"step": "three", "function": "log", "arguments": {"data": {"all": [3, {"sum": 7}]}}, "results": {}},
        ],
    });
    assert_eq!(json!(record), expected);
    assert_eq!(serde_json::from_value::<Record>(expected).expect("a record"), record);
    assert_eq!(
        events[..2],
        [
            json!({"event": "call", "step": "start", "function": "add", "arguments": {"a": 1, "b": 2}}),
            json!({"event": "reply", "step": "start", "results": {"sum": 3}}),
        ]
    );
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds, ["call", "reply", "call", "reply", "call", "reply", "end"]);
    assert_eq!(events[6], json!({"event": "end", "steps": 3}));
    let events: Result<Vec<Event>, _> = events.into_iter().map(serde_json::from_value).collect();
    assert!(events.is_ok(), "{events:?}");
}

#[test]
fn a_step_that_fails_ends_the_workflow_with_the_record_so_far() {
    let mut events = Vec::new();
    let failure = sums("10").run(&tool(json!({})), |event| events.push(event.clone())).expect_err("it fails");
    assert_eq!(failure.to_string(), "step `two`: the call failed with code 13: bad luck");
    assert_eq!(failure.step.as_deref(), Some("two"));
    assert!(matches!(failure.cause, Cause::Tool(ToolError::CallFailed { code: Some(13), .. })));
    let error = StepError { code: 500, message: "the call failed with code 13: bad luck".to_owned() };
    let [first, second] = &failure.record.steps[..] else { panic!("{:?}", failure.record) };
    assert_eq!((first.error.as_ref(), first.results.is_some()), (None, true));
    assert_eq!((second.error.as_ref(), second.results.as_ref()), (Some(&error), None));
    assert_eq!(events.last(), Some(&Event::Error { step: Some("two".to_owned()), error }));
}

#[test]
fn a_workflow_that_does_not_fit_calls_nothing() {
    let workflow = parse(&[
        step("start", "log", r#"{"data": {}}"#, "{}", "two"),
        step("two", "lgo", r#"{"data": {}}"#, "{}", ""),
    ]);
    let mut events = Vec::new();
    let failure = workflow.run(&tool(json!({})), |event| events.push(event.clone())).expect_err("no lgo");
    assert!(matches!(&failure.cause, Cause::Invalid(invalid) if invalid.findings.len() == 1), "{failure}");
    assert_eq!((failure.step, failure.record.steps.len()), (None, 0));
    assert!(
        matches!(&events[..], [Event::Error { step: None, error: StepError { code: 400, .. } }]),
        "{events:?}"
    );

    let silent = MapTool::new(|_, arguments| Ok(arguments.clone()));
    let failure = sums("1").run(&silent, |_| {}).expect_err("no document");
    assert_eq!(failure.cause, Cause::NoDocument);
}

#[test]
fn the_reply_has_the_keys_of_results_with_values_of_their_types() {
    for (results, reply, expected) in [
        ("{}", json!({}), None),
        (r#"{"data": {}}"#, json!({"data": {"more": 1}, "beside": 2}), None),
        (r#"{"data": {"n": 0}}"#, json!({"data": {"n": 1.5}}), None),
        (r#"{"data": {"n": 0}}"#, json!({"data": {"n": "9007199254740993"}}), None),
        (
            r#"{"data": {"n": 0}}"#,
            json!({"data": {"n": "5"}}),
            Some("/data/n: expected a number, got a string"),
        ),
        (r#"{"data": {"n": 0}}"#, json!({"data": {}}), Some("/data/n: missing")),
        (r#"{"data": {"n": 0}}"#, json!({"data": {"n": null}}), Some("/data/n: expected a number, got null")),
        (r#"{"data": {"n": null}}"#, json!({"data": {"n": []}}), None),
        (r#"{"data": {"n": null}}"#, json!({"data": {}}), Some("/data/n: missing")),
        (
            r#"{"data": {"a/b": ["x"]}}"#,
            json!({"data": {"a/b": ["y", 1]}}),
            Some("/data/a~1b/1: expected a string, got a number"),
        ),
        (r#"{"data": {"a": []}}"#, json!({"data": {"a": [1, "2"]}}), None),
        (r#"{"data": {}}"#, json!({}), Some("/data: missing")),
        (r#"{"data": {}}"#, json!({"data": [1]}), Some("/data: expected an object, got an array")),
    ] {
        let ran = parse(&[step("start", "get", "{}", results, "")]).run(&tool(reply.clone()), |_| {});
        let message = ran.as_ref().err().map(|failure| failure.cause.to_string());
        let expected = expected.map(|message| format!("the reply is not as expected: {message}"));
        assert_eq!(message, expected, "{results} {reply}");
        if let Err(failure) = ran {
            assert!(failure.record.steps[0].results.is_some(), "the reply is in the record");
        }
    }
}

#[test]
fn a_reference_without_a_value_fails_the_step() {
    let workflow = parse(&[
        step("start", "get", "{}", "{}", "two"),
        step("two", "add", r##"{"a": 1, "b": "#/start/results/data/n"}"##, "{}", ""),
    ]);
    let failure = workflow.run(&tool(json!({"data": {"m": 1}})), |_| {}).expect_err("there is no n");
    assert_eq!(failure.to_string(), "step `two`: `#/start/results/data/n` has no value");
    assert_eq!(failure.record.steps.len(), 2);
    assert!(failure.record.steps[1].arguments.is_empty());
    assert!(workflow.run(&tool(json!({"data": {"n": 1}})), |_| {}).is_ok());
}

#[test]
fn sleep_sleeps() {
    let workflow = parse(&[step("start", "sleep", r#"{"milliseconds": 60}"#, "{}", "")]);
    let begin = Instant::now();
    workflow.run(&tool(json!({})), |_| {}).expect("it sleeps");
    assert!(begin.elapsed() >= Duration::from_millis(60));
}

#[test]
fn sleep_takes_what_an_earlier_step_returned() {
    let workflow = parse(&[
        step("start", "get", "{}", "{}", "two"),
        step("two", "sleep", r##"{"milliseconds": "#/start/results/data/n"}"##, "{}", ""),
    ]);
    assert!(workflow.run(&tool(json!({"data": {"n": 1}})), |_| {}).is_ok());
    for bad in [json!(-1), json!("1"), json!(null)] {
        let failure = workflow.run(&tool(json!({"data": {"n": bad}})), |_| {}).expect_err("no time");
        assert_eq!(failure.cause.code(), 400, "{failure}");
    }
}

#[test]
fn the_deadline_ends_a_sleep() {
    let workflow = parse(&[
        step("start", "log", r#"{"data": {}}"#, "{}", "two"),
        step("two", "sleep", r#"{"milliseconds": 60000}"#, "{}", "three"),
        step("three", "log", r#"{"data": {}}"#, "{}", ""),
    ]);
    let limits = Limits { time: Some(Duration::from_millis(80)), ..Limits::default() };
    let begin = Instant::now();
    let failure = workflow.run_within(limits, &tool(json!({})), |_| {}).expect_err("it takes too long");
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(failure.to_string(), "step `two`: the workflow did not end within 80 ms");
    assert_eq!((failure.cause.code(), failure.record.steps.len()), (504, 2));
}

#[test]
fn no_step_starts_after_the_deadline() {
    let slow = MapTool::new(|_, _| {
        std::thread::sleep(Duration::from_millis(30));
        Ok(Map::new())
    })
    .described_by(document());
    let workflow = parse(&[
        step("start", "log", r#"{"data": {}}"#, "{}", "two"),
        step("two", "log", r#"{"data": {}}"#, "{}", ""),
    ]);
    let limits = Limits { time: Some(Duration::from_millis(10)), ..Limits::default() };
    let mut calls = 0;
    let failure = workflow
        .run_within(limits, &slow, |event| calls += usize::from(matches!(event, Event::Call { .. })))
        .expect_err("the first takes too long");
    assert_eq!((failure.step.as_deref(), calls), (Some("two"), 1));
    assert!(failure.record.steps[0].results.is_some());
}

#[test]
fn a_workflow_with_too_many_steps_does_not_start() {
    let limits = Limits { steps: 2, ..Limits::default() };
    let failure = sums("1").run_within(limits, &tool(json!({})), |_| {}).expect_err("it has three");
    assert_eq!(failure.cause, Cause::TooManySteps { steps: 3, limit: 2 });
    assert_eq!(failure.record.steps.len(), 0);
    let limits = Limits { steps: 3, ..Limits::default() };
    assert!(sums("1").run_within(limits, &tool(json!({})), |_| {}).is_ok());
}

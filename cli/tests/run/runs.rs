//! Runs: what is shown, what fails, and when.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{COUNT, HALF, file, one, refused, run, said, said_with};

const DOUBLE: &str = "def double(tool_input: dict) -> dict:
    \"\"\"Twice as much.

    Args:
        n (int): A number.
    \"\"\"
    return dict(success=True, message='', data=dict(twice=2 * tool_input['n']))
";

#[test]
fn the_result_is_on_stdout_and_each_call_and_reply_on_stderr() {
    let workflow = file("run-count", "count.json", COUNT);
    let said = said(&mut run(&workflow, &[]));
    assert_eq!((said.status, said.out.as_str()), (Some(0), "{\"second\":6}\n"), "{}", said.err);
    let is_of_the_run = |line: &&str| !line.starts_with("opendyn: sandbox: ") && *line != "loaded";
    let (lines, before): (Vec<&str>, Vec<&str>) = said.err.lines().partition(is_of_the_run);
    assert!(before[0].starts_with("opendyn: sandbox: "), "what the library may do: {before:?}");
    let token = lines
        .iter()
        .find_map(|line| line.strip_prefix("  {\"counter\":\"")?.strip_suffix("\"}"))
        .unwrap_or_else(|| panic!("{}", said.err));
    let expected = [
        "start: counter_open {\"value\":4}".to_owned(),
        format!("  {{\"counter\":\"{token}\"}}"),
        format!("one: counter_next {{\"counter\":\"{token}\"}}"),
        "  {\"number\":5}".to_owned(),
        format!("two: counter_next {{\"counter\":\"{token}\"}}"),
        "  {\"number\":6}".to_owned(),
        "closed at 6".to_owned(),
    ];
    assert_eq!(lines, expected, "handles live for the whole run, and are freed at its end");
}

#[test]
fn quiet_shows_no_calls_and_a_log_has_all_of_them() {
    let workflow = file("run-log", "half.json", HALF);
    let log = workflow.replace("half.json", "log");
    let said = said(&mut run(&workflow, &["--input", "{\"of\": 8}", "--quiet", "--log", &log]));
    assert_eq!(
        (said.status, said.err.as_str()),
        (Some(0), "loaded\nloaded\n"),
        "for the check, and for the caller"
    );
    let lines: Vec<Value> = std::fs::read_to_string(&log)
        .expect("a log")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        lines,
        [
            json!({"event": "call", "step": "start", "function": "half", "arguments": {"of": 8}}),
            json!({"event": "reply", "step": "start", "results": {"half": 4}}),
            json!({"event": "end", "steps": 1}),
        ]
    );
    let said = crate::said(&mut run(&workflow, &["--input", "{\"of\": 8}", "--log", "/nowhere/log"]));
    assert_eq!(said.status, Some(2));
    assert!(said.err.contains("cannot write the log `/nowhere/log`"), "{}", said.err);
    assert!(!said.err.contains("start: half"), "nothing is called: {}", said.err);
}

#[test]
fn inputs_come_from_the_command_line_or_from_stdin() {
    let workflow = file("run-inputs", "half.json", HALF);
    let result = "{\"half\":4}\n";
    assert_eq!(said(&mut run(&workflow, &["--input", "{\"of\": 8}"])).out, result);
    assert_eq!(said_with(&mut run(&workflow, &["--input", "-"]), "{\"of\": 8}").out, result);
    assert_eq!(said_with(&mut run("-", &["--input", "{\"of\": 8}"]), HALF).out, result);
    let both = said(&mut run("-", &["--input", "-"]));
    assert_eq!(both.status, Some(2));
    assert!(both.err.contains("stdin can be only one of"), "{}", both.err);
}

#[test]
fn wrong_inputs_load_nothing() {
    let workflow = file("run-wrong-inputs", "half.json", HALF);
    for (input, expected) in [
        ("{}", ": /of: missing; expected an integer"),
        ("{\"of\": \"8\"}", "/of: \"8\" is a string; expected an integer"),
        ("{\"of\": 8, \"off\": 1}", "/off: unknown argument"),
        ("8", "not a JSON object"),
        ("{\"of\": 8", "1:9: not JSON: "),
        ("{\"of\": 8, \"of\": 9}", "1:11: `of` occurs twice in this object"),
    ] {
        let said = refused(&mut run(&workflow, &["--input", input]));
        assert!(said.contains(expected) && !said.contains("loaded"), "{input}: {said}");
    }
    let count = file("run-least", "count.json", COUNT);
    let said = refused(&mut run(&count, &["--input", "{\"from\": -1}"]));
    assert!(said.contains("/from: -1 is less than 0") && !said.contains("loaded"), "{said}");
    let none = file("run-none", "one.json", &one("half", "{\"of\": 8}"));
    let said = refused(&mut run(&none, &["--input", "{\"of\": 8}"]));
    assert!(said.contains("this one has none"), "{said}");
}

#[test]
fn a_step_that_fails_is_named_with_its_function_and_what_to_do() {
    let workflow = file("run-failing", "half.json", HALF);
    let said = refused(&mut run(&workflow, &["--input", "{\"of\": 7}"]));
    assert!(said.contains("error: step `start`, `half`: the call failed with code -7"), "{said}");
    assert!(said.contains("Give an even number."), "the hint of the document: {said}");
    assert!(said.contains("start: half {\"of\":7}\n"), "{said}");

    let large = said_of_large(&workflow);
    assert!(large.contains("step `start`, `half`: invalid arguments: /of:"), "{large}");
    assert!(large.contains("help: change `arguments` of this step"), "{large}");
}

/// What a number says that only C cannot take.
fn said_of_large(workflow: &str) -> String {
    refused(&mut run(workflow, &["--input", "{\"of\": 3000000000}"]))
}

#[test]
fn a_library_that_dies_fails_its_step() {
    let workflow = file("run-dying", "die.json", &one("die", "{}"));
    let said = refused(&mut run(&workflow, &[]));
    assert!(said.contains("step `start`, `die`: the process that ran the call ended: "), "{said}");
    assert!(said.contains("help: `opendyn check DOC --try"), "{said}");
}

#[test]
fn the_deadline_ends_a_call_and_a_pause() {
    for (name, steps) in [("hang", one("hang", "{}")), ("sleep", one("sleep", "{\"milliseconds\": 60000}"))] {
        let workflow = file(&format!("run-{name}"), "long.json", &steps);
        let begin = Instant::now();
        let said = refused(&mut run(&workflow, &["--deadline", "1"]));
        assert!(begin.elapsed() < Duration::from_secs(30));
        assert!(said.contains(&format!("error: step `start`, `{name}`: ")), "{said}");
        assert!(said.contains("1000 ms"), "{said}");
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_takes_what_a_library_returned() {
    let steps = r##"{"openworkflow": "1.0.0", "info": {"title": "Both", "version": "1.0.0"}, "workflow": {
        "start": {"function": "half", "arguments": {"of": 10}, "results": {"half": 0}, "next": "double"},
        "double": {"function": "double", "arguments": {"n": "#/start/results/half"}, "results": {"data": {"twice": 0}}, "next": null}},
        "x-outputs": {"same": {"value": "#/double/results/data/twice", "schema": {"type": "integer"}}}}"##;
    let workflow = file("run-both", "both.json", steps);
    let script = workflow.replace("both.json", "double.py");
    std::fs::write(&script, DOUBLE).expect("it can be written");
    let said = said(&mut run(&workflow, &[&script]));
    assert_eq!((said.status, said.out.as_str()), (Some(0), "{\"same\":10}\n"), "{}", said.err);
}

#[test]
fn a_workflow_calls_another() {
    let outer = r##"{"openworkflow": "1.0.0", "info": {"title": "Outer", "version": "1.0.0"}, "workflow": {
        "start": {"function": "count", "arguments": {"from": 2}, "results": {"second": 0}, "next": null}}}"##;
    let workflow = file("run-nested", "outer.json", outer);
    let inner = workflow.replace("outer.json", "count.json");
    std::fs::write(&inner, COUNT).expect("it can be written");
    let said = said(&mut run(&workflow, &[&inner]));
    assert_eq!((said.status, said.out.as_str()), (Some(0), "{\"second\":4}\n"), "{}", said.err);
}

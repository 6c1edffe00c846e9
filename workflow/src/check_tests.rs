//! For every rule, a workflow that breaks it.

use serde_json::json;

use super::*;

/// A tool with one function of each kind.
pub(super) fn document() -> OpenTool {
    let integer = json!({"type": "integer"});
    let number = json!({"type": "number"});
    let parameter = |name: &str, schema: &Value, required: bool| json!({"name": name, "schema": schema, "required": required});
    let point = json!({"type": "object", "properties": {"x": number, "y": number}, "required": ["x"]});
    let color = json!({"type": "string", "enum": ["red", "green"]});
    let free = json!({"type": "object"});
    serde_json::from_value(json!({
        "opentool": "1.0.0",
        "info": {"title": "all", "version": "1.0.0"},
        "functions": [
            {"name": "add", "description": "", "parameters": [parameter("a", &integer, true), parameter("b", &integer, true)],
             "return": {"name": "sum", "schema": integer}},
            {"name": "paint", "description": "", "parameters": [parameter("color", &color, true), parameter("note", &json!({"type": "string"}), false)],
             "return": {"name": "color", "schema": color}},
            {"name": "draw", "description": "", "parameters": [parameter("points", &json!({"type": "array", "items": point}), true)],
             "return": {"name": "results", "schema": {"type": "object", "properties": {"id": {"type": "string"}, "area": number, "first": point}}, "x-spread": true}},
            {"name": "locate", "description": "", "parameters": [], "return": {"name": "results", "schema": point}},
            {"name": "log", "description": "", "parameters": [parameter("data", &free, true)], "return": null},
            {"name": "get", "description": "", "parameters": [], "return": {"name": "data", "schema": free}},
        ],
    }))
    .expect("a document")
}

/// A workflow with these steps, which begin in line 4.
pub(super) fn workflow(steps: &str) -> String {
    let head = r#"{"openworkflow": "1.0.0", "info": {"title": "w", "version": "1.0.0"},"#;
    format!("{head}\n\n\"workflow\": {{\n{steps}\n}}}}")
}

fn findings(text: &str) -> Vec<String> {
    match Workflow::parse_for(text, &document()) {
        Ok(_) => Vec::new(),
        Err(invalid) => invalid
            .findings
            .iter()
            .map(|finding| {
                let rule = serde_json::to_value(finding.rule).expect("a name");
                format!("{} {}: {}", finding.place(), rule.as_str().unwrap_or_default(), finding.message)
            })
            .collect(),
    }
}

#[test]
fn a_good_workflow_has_no_findings() {
    let text = workflow(
        r##""start": {"function": "add", "description": "first", "arguments": {"a": 1, "b": 2.0}, "results": {"sum": 0}, "next": "two"},
        "four": {"function": "log", "arguments": {"data": {"any": ["#/two/results/first/x", null]}}, "results": {}, "next": null},
        "two": {"function": "draw", "arguments": {"points": [{"x": "#/start/results/sum", "y": 1e3}, "#/get/results/data/deep/0"]}, "results": {"id": "", "first": {"x": 0}}, "next": "three"},
        "three": {"function": "sleep", "arguments": {"milliseconds": 0}, "results": {}, "next": "five"},
        "five": {"function": "paint", "arguments": {"color": "red", "note": null}, "results": {"color": null}, "next": "six"},
        "six": {"function": "add", "arguments": {"a": "9007199254740993", "b": "#/start/results/sum"}, "results": {}, "next": "four"},
        "get": {"function": "get", "arguments": {}, "results": {"data": {"anything": 1}}, "next": "two"}"##,
    );
    // `get` must run before `two`.
    let text = text.replace(
        r#""next": "two"},
        "four""#,
        r#""next": "get"},
        "four""#,
    );
    assert_eq!(findings(&text), [""; 0]);
    let workflow = Workflow::parse(&text).expect("no findings");
    let order: Vec<&str> = workflow.steps().iter().map(|step| step.name.as_str()).collect();
    assert_eq!(order, ["start", "get", "two", "three", "five", "six", "four"]);
    assert_eq!(workflow.steps()[0].description.as_deref(), Some("first"));
    assert_eq!(workflow.info().title, "w");
}

#[test]
fn an_invalid_document_is_reported_with_its_place() {
    for (text, expected) in [
        ("{\n  nope", vec!["2:3 json: not JSON: key must be a string"]),
        ("[]", vec!["1:1 field-type: the document is an array, not an object"]),
        (
            "{}",
            vec![
                "1:1 missing-field: the document has no `info`",
                "1:1 missing-field: the document has no `openworkflow`",
                "1:1 missing-field: the document has no `workflow`",
            ],
        ),
        (
            "{\"openworkflow\": \"2.0.0\",\n\"info\": {\"titel\": 1, \"version\": 1},\n\"workflow\": []}",
            vec![
                "1:18 version: OpenWorkflow 2.0.0 is not supported; the supported version is 1",
                "2:9 missing-field: `info` has no `title`; is `titel` a misspelling of it?",
                "2:33 field-type: `version` of `info` is a number, not a string",
                "3:13 field-type: `workflow` is an array, not an object",
                "3:13 no-start: there is no step `start`",
            ],
        ),
    ] {
        assert_eq!(findings(text), expected, "{text}");
    }
    let deep = workflow(&format!(r#""start": {}{}"#, "[".repeat(5_000), "]".repeat(5_000)));
    assert!(findings(&deep)[0].contains("nested too deep"));
}

#[test]
fn everything_wrong_with_a_step_is_reported() {
    for (steps, expected) in [
        (
            r#""start": {"function": 1, "arguments": [], "results": null, "nxt": "x"}"#,
            vec![
                "4:10 missing-field: step `start` has no `next`; is `nxt` a misspelling of it?",
                "4:23 field-type: `function` of step `start` is a number, not a string",
                "4:39 field-type: `arguments` of step `start` is an array, not an object",
                "4:54 field-type: `results` of step `start` is null, not an object",
            ],
        ),
        (
            "\"start\": 5,\n\"start\": {}",
            vec![
                "4:10 field-type: step `start` is a number, not an object",
                "3:13 no-start: there is no step `start`",
                "5:1 duplicate-key: `start` occurs twice in this object",
            ],
        ),
        (
            r#""start": {"function": "add", "arguments": {"a": 1, "a": 2, "b": 1e400}, "results": {}, "next": 3}"#,
            vec![
                "4:52 duplicate-key: `a` occurs twice in this object",
                "4:65 number: 1e400 is too large for a number",
                "4:96 field-type: `next` of step `start` is a number, not the name of a step",
            ],
        ),
        (
            r#""start": {"function": "log", "arguments": {"data": {"é": 123456789012345678901234567890}}, "results": {}, "next": ""}"#,
            vec![
                "4:58 number: 123456789012345678901234567890 does not fit 64 bits; pass a larger integer as a string",
            ],
        ),
    ] {
        let mut expected = expected;
        // Findings are sorted by place.
        expected.sort_by_key(|finding| {
            let mut numbers = finding.split([':', ' ']).map(|number| number.parse::<usize>().unwrap_or(0));
            (numbers.next(), numbers.next())
        });
        assert_eq!(findings(&workflow(steps)), expected, "{steps}");
    }
}

/// A step that calls `add` and continues with `next`.
fn add(name: &str, a: &str, next: &str) -> String {
    format!(
        r#""{name}": {{"function": "add", "arguments": {{"a": {a}, "b": 1}}, "results": {{}}, "next": "{next}"}}"#
    )
}

#[test]
fn the_order_of_steps_is_checked() {
    for (steps, expected) in [
        (vec![add("begin", "1", "")], vec!["3:13 no-start: there is no step `start`"]),
        (
            vec![add("strat", "1", "")],
            vec!["3:13 no-start: there is no step `start`; is `strat` a misspelling of it?"],
        ),
        (
            vec![add("start", "1", "start")],
            vec!["4:84 loop: step `start` leads back to `start`, so it would never end"],
        ),
        (
            vec![add("start", "1", "a"), add("a", "1", "b"), add("b", "1", "a"), add("c", "1", "b")],
            vec![
                "6:80 loop: step `b` leads back to `a`, so it would never end",
                "7:1 unreachable: step `c` is never reached",
            ],
        ),
        (
            vec![add("start", "1", "stpe2"), add("step2", "1", "null")],
            vec![
                "5:1 unreachable: step `step2` is never reached; `next` of `start` is `stpe2`, did you mean `step2`?",
            ],
        ),
    ] {
        let text = workflow(&steps.join(",\n"));
        assert_eq!(findings(&text), expected, "{text}");
        assert!(Workflow::parse(&text).is_err(), "a tool is not needed to see it");
    }
}

#[test]
fn references_refer_to_steps_that_have_run() {
    for (reference, expected) in [
        ("#/start/results/sum", None),
        ("#/start", Some("bad-reference: `#/start` is not a reference: write `#/STEP/results/NAME`")),
        ("#/strt/results/sum", Some("unknown-step: there is no step `strt`; did you mean `start`?")),
        ("#/two/results/sum", Some("not-run-yet: step `two` cannot refer to its own results")),
        ("#/three/results/sum", Some("not-run-yet: step `three` runs only after `two`")),
        ("#/never/results/sum", Some("not-run-yet: step `never` never runs")),
    ] {
        let steps = [
            add("start", "1", "two"),
            add("two", &format!("\"{reference}\""), "three"),
            add("three", "1", "null"),
            add("never", "1", "null"),
        ];
        let text = workflow(&steps.join(",\n"));
        let mut found = findings(&text);
        assert_eq!(found.pop().as_deref(), Some("7:1 unreachable: step `never` is never reached"));
        assert_eq!(found, expected.map(|message| format!("5:47 {message}")).as_slice(), "{reference}");
    }
    let text = workflow(&add("begin", "\"#/nowhere/results/sum\"", ""));
    assert!(findings(&text)[1].contains("there is no step `nowhere`"), "without a start, too");
}

#[test]
fn arguments_match_the_function() {
    for (function, arguments, expected) in [
        ("ad", r#"{"a": 1}"#, vec!["4:23 unknown-function: there is no function `ad`; did you mean `add`?"]),
        ("add", r#"{"a": 1, "b": 2}"#, vec![]),
        ("add", r#"{"a": 1}"#, vec!["5:14 missing-argument: `add` requires `b`"]),
        (
            "add",
            r#"{"a": 1, "c": 2}"#,
            vec![
                "5:14 missing-argument: `add` requires `b`",
                "5:23 unknown-argument: `add` has no parameter `c`; did you mean `a`?",
            ],
        ),
        (
            "add",
            r#"{"a": 1.5, "b": "2"}"#,
            vec![
                "5:20 argument-type: expected an integer, got 1.5",
                "5:30 argument-type: expected an integer, got a string",
            ],
        ),
        (
            "add",
            r#"{"a": true, "b": null}"#,
            vec![
                "5:20 argument-type: expected an integer, got a boolean",
                "5:31 argument-type: expected an integer, got null",
            ],
        ),
        ("paint", r#"{"color": "blue"}"#, vec![r#"5:24 argument-type: "blue" is not one of "red", "green""#]),
        ("paint", r#"{"color": "red", "note": 1}"#, vec!["5:39 argument-type: expected a string, got 1"]),
        (
            "draw",
            r#"{"points": [{"x": 1}, {"y": []}, 3, {"x": 1, "z": 2}]}"#,
            vec![
                "5:36 missing-argument: the object requires `x`",
                "5:42 argument-type: expected a number, got an array",
                "5:47 argument-type: expected an object, got 3",
                "5:59 unknown-argument: the object has no `z`; did you mean `x`?",
            ],
        ),
        ("sleep", "{}", vec!["5:14 missing-argument: `sleep` requires `milliseconds`"]),
        ("sleep", r#"{"milliseconds": -1}"#, vec!["5:31 argument-type: `milliseconds` must be 0 or more"]),
    ] {
        let step = format!(
            "\"start\": {{\"function\": \"{function}\",\n\"arguments\": {arguments}, \"results\": {{}}, \"next\": \"\"}}"
        );
        assert_eq!(findings(&workflow(&step)), expected, "{function} {arguments}");
    }
}

#[test]
fn references_fit_the_parameter() {
    let first = |function: &str, arguments: &str| {
        format!(
            r#""start": {{"function": "{function}", "arguments": {arguments}, "results": {{}}, "next": "two"}}"#
        )
    };
    let draw = first("draw", r#"{"points": []}"#);
    for (first, function, arguments, expected) in [
        (&draw, "paint", r##"{"color": "#/start/results/id"}"##, None),
        (
            &draw,
            "add",
            r##"{"b": 1, "a": "#/start/results/area"}"##,
            Some("reference-type: the result of `draw` does not fit: a number, not an integer"),
        ),
        (
            &draw,
            "paint",
            r##"{"color": "#/start/results/first"}"##,
            Some("reference-type: the result of `draw` does not fit: an object, not a string"),
        ),
        (&draw, "draw", r##"{"points": ["#/start/results/first"]}"##, None),
        (
            &draw,
            "draw",
            r##"{"points": [{"x": "#/start/results/id"}]}"##,
            Some("reference-type: the result of `draw` does not fit: a string, not a number"),
        ),
        (
            &draw,
            "paint",
            r##"{"color": "#/start/results/colour"}"##,
            Some("unknown-result: the result of `draw`: there is no `colour`, only `id`, `area`, `first`"),
        ),
        (
            &draw,
            "log",
            r##"{"data": {"in": ["#/start/results/id/length"]}}"##,
            Some("unknown-result: the result of `draw`: a string has no `length`"),
        ),
        (&draw, "log", r##"{"data": "#/start/results"}"##, None),
        (
            &first("log", r#"{"data": {}}"#),
            "paint",
            r##"{"color": "#/start/results/ok"}"##,
            Some("unknown-result: the result of `log`: there is no `ok`"),
        ),
        (&first("get", "{}"), "paint", r##"{"color": "#/start/results/data/color"}"##, None),
    ] {
        let step = format!(
            r#""two": {{"function": "{function}", "arguments": {arguments}, "results": {{}}, "next": ""}}"#
        );
        let found = findings(&workflow(&format!("{first},\n{step}")));
        let column = step.find("\"#/").map_or(0, |at| at + 1);
        assert_eq!(found, expected.map(|message| format!("5:{column} {message}")).as_slice(), "{step}");
    }
}

#[test]
fn results_match_the_function() {
    for (function, arguments, results, expected) in [
        ("add", r#"{"a": 1, "b": 1}"#, r#"{"sum": 0}"#, None),
        ("add", r#"{"a": 1, "b": 1}"#, r#"{"sum": null}"#, None),
        (
            "add",
            r#"{"a": 1, "b": 1}"#,
            r#"{"sum": ""}"#,
            Some("5:20 result-type: `add` returns an integer here, not a string"),
        ),
        (
            "add",
            r#"{"a": 1, "b": 1}"#,
            r#"{"total": 0}"#,
            Some("5:13 unknown-result: the result of `add`: there is no `total`, only `sum`"),
        ),
        ("draw", r#"{"points": []}"#, r#"{"id": "", "first": {"y": 1.5}}"#, None),
        (
            "draw",
            r#"{"points": []}"#,
            r#"{"first": {"z": 1}}"#,
            Some("5:23 unknown-result: `draw` returns no `z` here"),
        ),
        ("locate", "{}", r#"{"results": {"x": 1}}"#, None),
        (
            "locate",
            "{}",
            r#"{"x": 1}"#,
            Some("5:13 unknown-result: the result of `locate`: there is no `x`, only `results`"),
        ),
        ("paint", r#"{"color": "red"}"#, r#"{"color": ""}"#, None),
        (
            "sleep",
            r#"{"milliseconds": 1}"#,
            r#"{"slept": true}"#,
            Some("5:13 unknown-result: the result of `sleep`: there is no `slept`"),
        ),
    ] {
        let step = format!(
            "\"start\": {{\"function\": \"{function}\", \"arguments\": {arguments},\n\"results\": {results}, \"next\": \"\"}}"
        );
        assert_eq!(findings(&workflow(&step)), expected.as_slice(), "{function} {results}");
    }
}

#[test]
fn schema_references_are_resolved() {
    let document: OpenTool = serde_json::from_value(json!({
        "opentool": "1.0.0",
        "info": {"title": "t", "version": "1"},
        "functions": [{
            "name": "f",
            "description": "",
            "parameters": [{"name": "p", "schema": {"$ref": "#/schemas/P"}, "required": true}],
            "return": {"name": "r", "schema": {"$ref": "#/schemas/N"}},
        }],
        "schemas": {
            "P": {"type": "object", "properties": {"n": {"$ref": "#/schemas/N"}, "m": {"type": "string", "x-nullable": true}}},
            "N": {"type": "integer"},
        },
    }))
    .expect("a document");
    for (argument, expected) in [
        (r#"{"n": 1, "m": null}"#, vec![]),
        (r#"{"n": "", "m": null}"#, vec![Rule::ArgumentType]),
        (r#"{"n": null}"#, vec![Rule::ArgumentType]),
        (r##"{"n": "#/start/results/r"}"##, vec![]),
        (r##"{"m": "#/start/results/r"}"##, vec![Rule::ReferenceType]),
        (r##""#/start/results/r""##, vec![Rule::ReferenceType]),
    ] {
        let step = |name: &str, argument: &str, next: &str| {
            format!(
                r#""{name}": {{"function": "f", "arguments": {{"p": {argument}}}, "results": {{"r": 0}}, "next": "{next}"}}"#
            )
        };
        let text = workflow(&format!("{},\n{}", step("start", "{}", "two"), step("two", argument, "")));
        let rules = match Workflow::parse_for(&text, &document) {
            Ok(_) => Vec::new(),
            Err(invalid) => invalid.findings.iter().map(|finding| finding.rule).collect(),
        };
        assert_eq!(rules, expected, "{argument}");
    }
}

#[test]
fn everything_is_found_at_once() {
    let text = workflow(
        "\"start\": {\"function\": \"ad\", \"arguments\": {}, \"results\": {}, \"next\": \"two\"},\n\
         \"two\": {\"function\": \"add\", \"arguments\": {\"a\": \"\"}, \"results\": {}},\n\
         \"three\": {\"arguments\": {\"x\": \"#/four/results/y\"}, \"results\": {}, \"next\": \"null\"}",
    );
    let invalid = Workflow::parse_for(&text, &document()).expect_err("it is all wrong");
    let rules: Vec<Rule> = invalid.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(
        rules,
        [
            Rule::UnknownFunction,
            Rule::MissingField,
            Rule::MissingArgument,
            Rule::ArgumentType,
            Rule::MissingField,
            Rule::UnknownStep,
        ]
    );
    assert!(invalid.to_string().starts_with("4:23: there is no function `ad`; did you mean `add`?\n5:8: "));
}

#[test]
fn no_text_makes_it_panic() {
    let text = workflow(
        r##""start": {"function": "add", "arguments": {"a": "#/é/results/x", "b": -1e5}, "results": {"sum": [null]}, "next": "é"},
        "é": {"function": "draw", "arguments": {"points": [{"x": 1}]}, "results": {}, "next": null}"##,
    );
    let document = document();
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for at in places {
        assert!(Workflow::parse_for(&text[..at], &document).is_err(), "cut at {at}");
        let rest = text[at..].chars().next().map_or(0, char::len_utf8) + at;
        for other in ["", "\"", "{", "null", "#/", "\u{feff}"] {
            // Any finding will do, as long as it does not panic.
            let _ = Workflow::parse_for(&format!("{}{other}{}", &text[..at], &text[rest..]), &document);
        }
    }
}

#[test]
fn names_of_a_megabyte_are_refused_in_short_messages() {
    let long = "x".repeat(1 << 20);
    let invalid = Workflow::parse(&format!(
        r#"{{"openworkflow":"1.0.0","info":{{"title":"t","version":"1"}},"workflow":{{
          "start":{{"function":7,"arguments":"{long}","results":{{}},"next":"{long}"}},"{long}":7}}}}"#
    ))
    .expect_err("invalid");
    assert!(invalid.findings.len() > 1);
    assert!(invalid.to_string().len() < 8000 * invalid.findings.len(), "{:.300}", invalid.to_string());
}

#[test]
fn a_finding_has_a_rule_by_name_a_place_and_a_message_in_json() {
    for rule in Rule::ALL {
        assert_eq!(serde_json::to_value(rule).expect("a name"), rule.code());
    }
    let invalid = Workflow::parse("[]").expect_err("no object");
    let json = serde_json::to_value(&invalid).expect("JSON");
    let expected = json!({"findings": [
        {"rule": "field-type", "line": 1, "column": 1, "message": "the document is an array, not an object"},
    ]});
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<Invalid>(json).expect("a report"), invalid);
}

//! Descriptions of scripts. `described/CASE.txt` is the description of `CASE.py`.

#![expect(clippy::expect_used, clippy::panic, reason = "test helpers may panic")]

use std::time::Duration;

use opentool::OpenTool;
use opentool_python::{BadSidecar, Description, Origin, Script, check, check_all};
use opentool_python_tests::{assert_golden, folder, python, scripts};

fn script(source: &str) -> Script {
    let report = check("tool.py", source, &python()).expect("Python works");
    report.into_script().unwrap_or_else(|invalid| panic!("{invalid}"))
}

fn notes(description: &Description) -> Vec<String> {
    description.notes.iter().map(ToString::to_string).collect()
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_derived_description_is_a_valid_document() {
    let scripts = scripts("described");
    let named: Vec<_> = scripts.iter().map(|(file, source)| (file.as_str(), source)).collect();
    let reports = check_all(&named, &python(), Duration::from_secs(60)).expect("Python works");
    for ((file, _), report) in named.iter().zip(reports) {
        let script = report.into_script().unwrap_or_else(|invalid| panic!("{invalid}"));
        let description = script.describe();
        assert_eq!(description.origin, Origin::Script);
        let text = description.document.to_string_pretty();
        assert_eq!(OpenTool::parse(&text).as_ref(), Ok(&description.document), "{file}");
        let shown = format!("{text}\n\n{}\n", notes(&description).join("\n"));
        assert_golden(&folder("described").join(file).with_extension("txt"), &shown);
    }
}

const SCRIPT: &str = "def run(d):\n    x = d['a']\n    print(d.get('b', 1), x)\n    return dict(success=True, message='', data=x)\n";

/// A document with the function `run` and these parameters.
fn document(parameters: &str) -> String {
    let function = format!(r#"{{"name": "run", "description": "d", "parameters": [{parameters}]}}"#);
    format!(r#"{{"opentool": "1.0.0", "info": {{"title": "t", "version": "1"}}, "functions": [{function}]}}"#)
}

fn parameter(name: &str, required: bool) -> String {
    format!(r#"{{"name": "{name}", "schema": {{"type": "integer"}}, "required": {required}}}"#)
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_written_document_is_used_unchanged() {
    let text = document(&[parameter("a", true), parameter("b", false)].join(", "));
    let description = script(SCRIPT).described_by("tool.json", &text).expect("it describes the script");
    assert_eq!(Ok(description.document), OpenTool::parse(&text));
    assert_eq!(description.origin, Origin::Sidecar);
    assert_eq!(description.notes, []);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn differences_between_document_and_script_are_noted() {
    let text = document(&[parameter("a", false), parameter("c", true)].join(", "));
    let description = script(SCRIPT).described_by("tool.json", &text).expect("it describes the script");
    let expected = [
        "line 2: `a` is required by the script, but optional in tool.json",
        "line 3: `b` is read, but is not in tool.json",
        "`c` is in tool.json, but is not read",
    ];
    assert_eq!(notes(&description), expected);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_document_of_another_function_is_refused() {
    let script = script(SCRIPT);
    for (text, functions) in [
        (document("").replace("\"run\"", "\"walk\""), "`walk`"),
        (
            document("").replace(
                r#""functions": [{"#,
                r#""functions": [{"name":"x","description":"","parameters":[]}, {"#,
            ),
            "`x`, `run`",
        ),
        (
            r#"{"opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": []}"#.to_owned(),
            "none",
        ),
    ] {
        let error = script.described_by("tool.json", &text).expect_err("it is of others");
        let expected = "tool.json must describe exactly one function, `run`; it describes ";
        assert_eq!(error.to_string(), format!("{expected}{functions}"));
    }
    let error = script.described_by("tool.json", "{\n  \"opentool\": 1").expect_err("it is cut off");
    assert!(
        matches!(&error, BadSidecar::Invalid { invalid, .. } if invalid.findings[0].line == Some(2)),
        "{error}"
    );
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_samples_of_the_specification_are_described() {
    let source = std::fs::read_to_string(folder("page/inter-client.py")).expect("it is there");
    let function = &script(&source).describe().document.functions[0];
    let names: Vec<_> = function.parameters.iter().map(|it| (it.name.as_str(), it.required)).collect();
    assert_eq!(names, [("cluster", true), ("appId", true)]);
}

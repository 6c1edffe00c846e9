//! An editor with the settings on the page completes, explains and marks the keys of a document: asked of the language
//! service that VS Code has for JSON, which `.ci/editors` installs.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::process::Command;

use opendyn_book::{blocks, read, root};
use opendyn_model::keys::Place;
use serde_json::Value;

/// What the editor shows where `|` is.
fn shown(name: &str, marked: &str) -> Value {
    let page = read("docs/document.md");
    let settings =
        blocks(&page).into_iter().find(|block| block.lines.iter().any(|line| line.contains("fileMatch")));
    let settings = settings.expect("the page has the settings").lines.join("\n");
    let output = Command::new("node")
        .arg(root().join("tests/book/tests/editor.mjs"))
        .arg(root().join("target/editors/node_modules"))
        .arg(settings)
        .arg(root().join("opendyn.schema.json"))
        .args([name, marked])
        .output()
        .expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A document with this parameter.
fn with_parameter(parameter: &str) -> String {
    format!(
        r#"{{"opendyn": "1.0.0", "info": {{"title": "t", "version": "1", "callingConvention": "cdecl"}},
            "functions": [{{"name": "f", "description": "", "parameters": [{parameter}]}}]}}"#
    )
}

/// What the table of keys says of a key of a parameter.
fn text_of(key: &str) -> &'static str {
    let key = Place::Parameter.keys().iter().find(|known| known.name == key);
    key.expect("there is such a key").text
}

const C_TYPE: &str = r#""schema": {"type": "array", "cType": {"type": "int", "isPointer": true}}"#;

#[test]
#[cfg_attr(no_editor, ignore = "`.ci/editors` has not installed the language service")]
fn a_key_is_completed_with_what_it_means() {
    let shown =
        shown("calc.opendyn.json", &with_parameter(&format!(r#"{{"name": "xs", {C_TYPE}, "x-l|"}}"#)));
    let meaning = shown["completions"]["x-length"].as_str().expect("`x-length` is offered");
    assert_eq!(meaning, text_of("x-length"));
}

#[test]
#[cfg_attr(no_editor, ignore = "`.ci/editors` has not installed the language service")]
fn values_of_a_fixed_set_are_completed() {
    let parameter = r#"{"name": "x", "schema": {"type": "|"}}"#;
    let shown = shown("documents/calc.json", &with_parameter(parameter));
    assert!(shown["completions"].get("\"integer\"").is_some(), "{shown}");
}

#[test]
#[cfg_attr(no_editor, ignore = "`.ci/editors` has not installed the language service")]
fn the_pointer_over_a_key_shows_what_it_means() {
    let parameter =
        format!(r#"{{"name": "xs", {C_TYPE}, "x-len|gth": "n", "isIn": true, "required": true}}"#);
    let shown = shown("calc.opendyn.json", &with_parameter(&parameter));
    // Markdown escapes some signs.
    let plain = shown["hover"].as_str().expect("text").replace('\\', "");
    let meaning = text_of("x-length").replace('\\', "");
    assert!(plain.contains(&meaning[..30]), "{plain}");
}

#[test]
#[cfg_attr(no_editor, ignore = "`.ci/editors` has not installed the language service")]
fn a_wrong_value_is_marked_where_it_is() {
    let parameter =
        r#"{"name": "x", "schema": {"type": "integr", "cType": {"type": "int", "isPointer": false}}}"#;
    let document = with_parameter(parameter);
    let shown_findings = |name: &str| shown(name, &document)["findings"].clone();
    let findings = shown_findings("calc.opendyn.json");
    assert!(
        findings.as_array().is_some_and(|all| all.iter().any(|one| one["text"] == "\"integr\"")),
        "{findings}"
    );
    // Another file has no schema.
    assert_eq!(shown_findings("package.json"), Value::Array(Vec::new()));
}

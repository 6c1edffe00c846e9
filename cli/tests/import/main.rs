//! `opendyn import`: how C is described, rule by rule; the command itself; and real libraries.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod answers;
mod ask;
mod certain;
mod code;
#[path = "../command/mod.rs"]
mod command;
mod described;
mod drawn;
mod draws;
mod evidence;
mod gir;
mod held;
mod introspected;
mod judged;
mod libraries;
mod manual;
mod mistaken;
mod models;
mod owners;
mod pitfalls;
mod questions;
mod real;
mod sources;
mod stated;
mod table;
mod targets;
mod unseen;
mod usage;
mod wrong;

use command::{Run, argument, folder, opendyn};
use serde_json::Value;

/// The document of a header, which must have no errors.
fn import(name: &str, header: &str) -> Value {
    let run = imported(name, header, &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found = opendyn_codegen::check("t.json", &run.stdout, &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}\n{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// The result of the command, with further arguments.
fn imported(name: &str, header: &str, arguments: &[&str]) -> Run {
    let file = folder(&format!("import-{name}")).join("t.h");
    std::fs::write(&file, header).expect("it can be written");
    let mut all = vec!["import", argument(&file)];
    all.extend(arguments);
    opendyn(&all)
}

/// The function with this name.
fn function<'d>(document: &'d Value, name: &str) -> &'d Value {
    let functions = document["functions"].as_array().expect("a list");
    functions.iter().find(|function| function["name"] == name).expect(name)
}

/// A parameter of the only function.
fn parameter(document: &Value, index: usize) -> &Value {
    &document["functions"][0]["parameters"][index]
}

/// The return value of the only function.
fn returned(document: &Value) -> &Value {
    &document["functions"][0]["return"]
}

/// The questions of an object.
fn questions(object: &Value) -> Vec<&str> {
    match &object["x-todo"] {
        Value::String(question) => vec![question],
        Value::Array(questions) => questions.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether the function and its values have no question.
fn is_certain(function: &Value) -> bool {
    let parameters = function["parameters"].as_array().expect("a list");
    let values = parameters.iter().chain([&function["return"], function]);
    values.map(questions).all(|questions| questions.is_empty())
}

/// The plan of a document.
fn plan(document: &Value) -> opendyn_model::plan::Binding {
    let findings = opendyn_model::Findings::new();
    let source = document.to_string();
    let document = opendyn_model::read::read(&source, &findings).expect("a document");
    let options = opendyn_model::Options::default();
    opendyn_model::lower::lower(&document, &options, &findings).binding().expect("no errors")
}

/// The bindings of a document.
fn bindings(document: &Value) -> String {
    let options = opendyn_codegen::Options::default();
    let generated = opendyn_codegen::generate("t.json", &document.to_string(), &options).expect("no errors");
    generated.to_file().expect("Rust")
}

/// The method with this name, on one line without its body.
fn method(bindings: &str, name: &str) -> String {
    let lines: Vec<&str> = bindings.lines().map(str::trim).collect();
    let is_start = |line: &&str| {
        [format!("pub fn {name}("), format!("pub fn {name}<"), format!("pub unsafe fn {name}(")]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let start = lines.iter().position(is_start).expect(name);
    let text = lines[start..].join(" ");
    text.split(" {").next().unwrap_or_default().to_owned()
}

/// Whether the method of the only function is unsafe, and refused for JSON.
fn is_unsafe(document: &Value) -> bool {
    let text = bindings(document);
    let name = document["functions"][0]["name"].as_str().expect("a name");
    method(&text, name).starts_with("pub unsafe fn")
}

//! Messages, numbers and names on the pages are those of the code.

use opendyn_book::{root, text_block};

opendyn::opendyn!("../../examples/quickstart/calc.json", optional = [version]);

#[test]
fn wrong_arguments_are_refused_as_the_page_shows() {
    let library = opendyn_tests::shared_library("../../examples/quickstart/calc", &["-lm"]);
    // SAFETY: calc.json describes calc.c as it is.
    let calc = unsafe { Calc::open(library.path()) }.expect("the library");
    let block = text_block("docs/rust.md", "add {");
    let lines: Vec<&str> = block.lines().collect();
    for pair in lines.chunks(2) {
        let (function, arguments) = pair[0].split_once(' ').expect("a function and its arguments");
        let error = calc.call_json(function, arguments).expect_err("an error");
        assert_eq!(format!("  {error}"), pair[1], "{function} {arguments}");
    }
    assert_eq!(lines.len(), 6);
}

#[test]
fn a_finding_is_shown_as_the_page_shows_it() {
    let path = root().join("examples/quickstart/calc.json");
    let document = std::fs::read_to_string(path).expect("the document");
    let document = document.replacen("\"type\": \"int\"", "\"type\": \"integr\"", 1);
    let findings = opendyn_codegen::check("calc.json", &document, &opendyn_codegen::Options::default());
    let finding = findings.errors().next().expect("an error").to_string();
    assert_eq!(finding.trim_end(), text_block("docs/document.md", "calc.json:").trim_end());
}

#[test]
fn the_number_of_rules_is_the_one_on_the_page() {
    let errors = opendyn_codegen::Rule::ALL
        .iter()
        .filter(|rule| rule.severity() == opendyn_codegen::Severity::Error)
        .count();
    let warnings = opendyn_codegen::Rule::ALL.len() - errors;
    let page = std::fs::read_to_string(root().join("docs/document.md")).expect("a page");
    let shown = format!("{errors} errors and {warnings} warnings");
    assert!(page.contains(&shown), "docs/document.md does not say \"{shown}\"");
}

#[test]
fn the_page_on_architecture_has_every_step() {
    let source = std::fs::read_to_string(root().join("model/src/plan/step.rs")).expect("the steps");
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("a page");
    let steps =
        source.split("pub enum Step {").nth(1).and_then(|rest| rest.split("\n}").next()).expect("an enum");
    // A variant is the only line of an enum that begins with a capital letter, four spaces in.
    let is_variant =
        |line: &&str| line.strip_prefix("    ").is_some_and(|line| line.starts_with(char::is_uppercase));
    let lines = steps.lines().filter(is_variant);
    let names: Vec<&str> = lines.filter_map(|line| line.trim().split([' ', ',', '(']).next()).collect();
    assert!(names.contains(&"Invoke"), "{names:?}");
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "docs/architecture.md lacks the step `{name}`");
    }
}

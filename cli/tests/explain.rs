//! `opendyn explain`: every rule has a page, and its examples are tested.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use std::process::Stdio;

use command::{argument, assert_golden, command, opendyn};
use opendyn_codegen::{Options, Rule, Severity, check};

/// A block of code: the words after the backticks, and the text.
struct Example<'p> {
    tag: &'p str,
    text: String,
}

fn examples(page: &str) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    let mut open: Option<Example<'_>> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(tag), None) => open = Some(Example { tag, text: String::new() }),
            (Some(_), Some(example)) => examples.push(example),
            (None, Some(mut example)) => {
                example.text += line;
                example.text.push('\n');
                open = Some(example);
            }
            (None, None) => {}
        }
    }
    examples
}

const INFO: &str = r#"{ "title": "calc", "version": "1.0.0", "callingConvention": "cdecl" }"#;

/// The document that contains an example. It is assembled as text, because some examples are not JSON.
fn document(example: &Example<'_>) -> String {
    let text = example.text.trim();
    let list = |text: &str| {
        text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).to_owned()
    };
    let of_functions =
        |functions: &str| format!(r#"{{ "opendyn": "1.0.0", "info": {INFO}, "functions": [{functions}] }}"#);
    let of_parameters = |parameters: &str| {
        of_functions(&format!(r#"{{ "name": "f", "description": "F.", "parameters": [{parameters}] }}"#))
    };
    match example.tag.strip_prefix("json ") {
        Some("function") => of_functions(text),
        Some("functions") => of_functions(&list(text)),
        Some("parameter") => of_parameters(&list(text)),
        Some("schema") => {
            of_parameters(&format!(r#"{{ "name": "x", "schema": {text}, "isIn": true, "required": true }}"#))
        }
        Some("return") => of_functions(&format!(
            r#"{{ "name": "f", "description": "F.", "parameters": [], "return": {text} }}"#
        )),
        Some("info") => format!(
            r#"{{ "opendyn": "1.0.0", "info": {text}, "functions": [{{ "name": "f", "description": "F.", "parameters": [] }}] }}"#
        ),
        Some("members") => {
            let members = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).expect("an object");
            format!(r#"{{ "opendyn": "1.0.0", "info": {INFO}, {members} }}"#)
        }
        Some("document") | None => text.to_owned(),
        Some(other) => panic!("unknown tag {other}"),
    }
}

/// The codes found in an example, and the messages.
fn found(example: &Example<'_>) -> (Vec<String>, String) {
    if example.tag == "sh" {
        let words: Vec<&str> = example.text.split_whitespace().collect();
        let ["opendyn", arguments @ ..] = words.as_slice() else { panic!("{}", example.text) };
        let mut command = command(arguments);
        command.current_dir(command::root().join("examples/quickstart")).stdin(Stdio::null());
        let stderr = String::from_utf8(command.output().expect("it starts").stderr).expect("UTF-8");
        let codes =
            stderr.lines().filter_map(|line| line.split_once(": error[")?.1.get(..4).map(str::to_owned));
        return (codes.collect(), stderr);
    }
    let diagnostics = check("example.json", &document(example), &Options::default());
    let mut codes: Vec<String> = diagnostics.iter().map(|finding| finding.rule.code().to_owned()).collect();
    codes.dedup();
    (codes, diagnostics.to_string())
}

/// The findings for an example that is compared with C: with a header or, if it is about exports, with a
/// library compiled from it.
fn found_in_c(rule: Rule, c: &str, example: &Example<'_>) -> (Vec<String>, String) {
    let folder = command::folder(&format!("explain-{}", rule.code()));
    let (source, json) = (folder.join("example.h"), folder.join("example.json"));
    std::fs::write(&source, c).expect("it can be written");
    std::fs::write(&json, document(example)).expect("it can be written");
    let library = folder.join("libexample.so");
    let mut arguments = vec!["check", argument(&json), "--format", "json"];
    if rule == Rule::NotExported {
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut cc = std::process::Command::new(compiler);
        cc.args(["-shared", "-fPIC", "-o", argument(&library), "-x", "c", argument(&source)]);
        assert!(cc.status().expect("a C compiler").success(), "{c}");
        arguments.extend(["--library", argument(&library)]);
    } else {
        arguments.extend(["--header", argument(&source)]);
    }
    let run = opendyn(&arguments);
    let mut codes: Vec<String> = Rule::ALL
        .iter()
        .map(|rule| rule.code().to_owned())
        .filter(|code| run.stdout.contains(&format!("\"{code}\"")))
        .collect();
    codes.dedup();
    (codes, run.stdout + &run.stderr)
}

#[test]
fn what_is_wrong_breaks_that_rule_alone_and_what_is_right_none() {
    let mut failures = String::new();
    for rule in Rule::ALL {
        // These need a library for 32-bit x86 and a crate: `contract` and `ui` test them.
        if matches!(rule, Rule::ConventionMismatch | Rule::CheckLibrary) {
            continue;
        }
        let examples = examples(rule.explanation());
        let (c, wrong, right) = match examples.as_slice() {
            [c, wrong, right] => (Some(c), wrong, right),
            [wrong, right] => (None, wrong, right),
            _ => panic!("{} has neither two nor three examples", rule.code()),
        };
        for (example, expected) in [(wrong, vec![rule.code().to_owned()]), (right, Vec::new())] {
            let (codes, said) = match c {
                Some(c) => found_in_c(*rule, &c.text, example),
                None => found(example),
            };
            if codes != expected {
                failures += &format!("\n{}: expected {expected:?}:\n{}\n{said}\n", rule.code(), example.text);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_page_is_a_few_sentences_and_fits_a_screen() {
    for rule in Rule::ALL {
        let page = rule.explanation();
        let text = page.split("\nWrong:\n").next().expect("a text");
        let sentences = text.matches(['.', ':', '?']).count();
        assert!((2..=14).contains(&sentences) && text.len() < 700, "{}: {sentences}", rule.code());
        assert!(page.contains("\nRight:\n") && page.ends_with("```\n"), "{}", rule.code());
        for line in page.lines() {
            assert!(line.chars().count() <= 110, "{}: {line}", rule.code());
        }
    }
}

#[test]
fn a_rule_is_explained_by_its_code() {
    let run = opendyn(&["explain", "e012"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_golden("explain/E012.txt", &run.stdout);
}

#[test]
fn the_rules_of_scripts_are_told_too() {
    let run = opendyn(&["explain", "p005"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_golden("explain/P005.txt", &run.stdout);
}

#[test]
fn without_a_code_all_rules_are_listed() {
    let run = opendyn(&["explain"]);
    let codes: Vec<&str> = run.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let of_scripts = opentool_python::Rule::ALL.iter().map(|rule| rule.code());
    let all: Vec<&str> = Rule::ALL.iter().map(|rule| rule.code()).chain(of_scripts).collect();
    assert_eq!(codes, all);
    assert!(Rule::ALL.iter().any(|rule| rule.severity() == Severity::Warning));
}

#[test]
fn an_unknown_code_is_a_failure() {
    let run = opendyn(&["explain", "E999"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("there is no rule `E999`"), "{}", run.stderr);
}

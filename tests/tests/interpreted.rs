//! What the interpreter finds in a document before it calls anything, and what it knows of a document that it read in
//! part.

use opendyn::{LoadError, Tool};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_model::plan::{Access, Shape};
use opendyn_model::{Findings, Rule, lower, read};
use opendyn_tests::shared_library;

const HANDLES: &str = include_str!("../fixtures/keys-handles/tool.json");
const STRUCTS: &str = include_str!("../fixtures/keys-structs/tool.json");
const COUNTER: &str = include_str!("../fixtures/threads/tool.json");

fn whole(source: &str) -> Result<Document, opendyn_interpreter::Diagnostics> {
    Document::read("tool.json", source, &Options::default())
}

fn part(source: &str, function: &str) -> Result<Document, opendyn_interpreter::Diagnostics> {
    Document::read_for("tool.json", source, &Options::default(), function)
}

#[test]
fn a_struct_with_another_layout_than_the_document_says_is_found() {
    whole(STRUCTS).expect("the fixture has no errors");
    for (from, to, message) in [
        (
            "\"x-size\": 16",
            "\"x-size\": 24",
            "the document says that `Point` has 24 bytes; its members make it 16",
        ),
        (
            "\"x-align\": 8",
            "\"x-align\": 4",
            "the document says that `Point` is aligned to 4 bytes; its members make it 8",
        ),
    ] {
        let found = whole(&STRUCTS.replacen(from, to, 1)).expect_err("another layout");
        let errors: Vec<_> = found.errors().collect();
        assert_eq!(errors.len(), 1, "{found}");
        assert_eq!((errors[0].rule, errors[0].rule.code()), (Rule::StructLayout, "E043"));
        assert_eq!(errors[0].message, message);
        let line = STRUCTS.lines().position(|line| line.contains(from)).expect("a line") + 1;
        assert_eq!(errors[0].line, Some(line), "{found}");
    }
}

#[test]
fn an_error_in_another_function_is_only_found_in_the_whole() {
    let broken = COUNTER.replacen("integer_long_long\" } } },", "integr\" } } },", 1);
    assert_ne!(broken, COUNTER);
    let found = whole(&broken).expect_err("a schema that is not there");
    assert_eq!(part(&broken, "increment").expect_err("the function itself").to_string(), found.to_string());
    let document = part(&broken, "current").expect("the error is elsewhere");
    let library = shared_library("counter", &[]);
    // SAFETY: what was read describes c/counter.c correctly.
    let counter = unsafe { Interpreted::open(document, &library) }.expect("every function is there");
    assert_eq!(counter.call_json("current", "{}").as_deref(), Ok(r#"{"value":0}"#));
}

#[test]
fn functions_that_were_not_read_are_suggested() {
    let library = shared_library("keys_handles", &[]);
    // SAFETY: the document describes c/keys_handles.c correctly.
    let open = |document| unsafe { Interpreted::open(document, &library) }.expect("every function is there");
    let all = open(whole(HANDLES).expect("no errors"));
    for name in ["bank_opn", "account_balanc", "keys_livin", "nothing like it"] {
        let one = open(part(HANDLES, name).expect("no errors"));
        let error = one.call_json(name, "{}").expect_err("unknown");
        assert_eq!(Err(error), all.call_json(name, "{}"));
        assert_eq!(Tool::load(&one).map(|document| document.functions.len()), Some(0));
    }
    let error = all.call_json("bank_opn", "{}").expect_err("unknown");
    assert_eq!(error.to_string(), "unknown function `bank_opn`; did you mean `bank_open`?");
}

#[test]
fn a_library_must_have_the_functions_that_were_not_read_as_well() {
    let library = shared_library("shapes", &[]);
    // SAFETY: no function is found, so none is called.
    let opened = unsafe { Interpreted::open(part(COUNTER, "current").expect("no errors"), &library) };
    let Err(LoadError::MissingSymbols { mut symbols, .. }) = opened else { panic!("{opened:?}") };
    symbols.sort();
    assert_eq!(symbols, ["current", "increment"]);
}

/// Only `account_open` says that `account_close` frees, and it was not read.
#[test]
fn a_function_that_frees_is_known_to_free() {
    for (function, expected) in
        [("account_close", Access::Owned), ("bank_close", Access::Owned), ("account_balance", Access::Shared)]
    {
        let findings = Findings::new();
        let document = read::read_for(HANDLES, function, &findings).expect("a document");
        let plan = lower::lower(&document, &Options::default(), &findings).binding().expect("no errors");
        let found = plan.functions.iter().find(|found| found.name == function).expect("it was read");
        let shape = &found.params[0].argument.as_ref().expect("an argument").shape;
        let Shape::Handle { access, .. } = shape else { panic!("{shape:?}") };
        assert_eq!(*access, expected, "{function}");
    }
}

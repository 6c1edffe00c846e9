//! Calls that a server ends with a function of the library: `x-cancel`, in compiled bindings and in the interpreter.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::time::{Duration, Instant};

use opendyn::opentool::CallContext;
use opendyn::{Binding, Session, Tool};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_tests::{NativeLibrary, shared_library};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-cancel/tool.json");

fn interpreted(library: &NativeLibrary) -> Interpreted {
    let path = format!("{}/fixtures/keys-cancel/tool.json", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("a document");
    let document = Document::read("tool", &source, &Options::default()).expect("it has no errors");
    // SAFETY: the document describes c/keys_cancel.c correctly.
    unsafe { Interpreted::open(document, library.path()) }.expect("a library")
}

/// Tests a compiled binding and an interpreted one, each alone and in a session.
fn each(test: impl Fn(&dyn Tool)) {
    let compiled = |library: &NativeLibrary| {
        // SAFETY: as above.
        unsafe { KeysCancel::open(library.path()) }.expect("a library")
    };
    // Copies, because the library is not thread-safe.
    let libraries = [(); 4].map(|()| shared_library("keys_cancel", &[]));
    test(&compiled(&libraries[0]));
    test(&interpreted(&libraries[1]));
    test(&Session::new(compiled(&libraries[2])));
    test(&Session::new(interpreted(&libraries[3])));
}

fn call(tool: &dyn Tool, function: &str, arguments: &Value) -> Value {
    let reply = tool.call_json(function, &arguments.to_string()).expect(function);
    serde_json::from_str(&reply).expect("a reply is JSON")
}

fn engine(tool: &dyn Tool) -> Value {
    call(tool, "engine_new", &json!({}))["engine"].clone()
}

fn stops(tool: &dyn Tool, engine: &Value) -> i64 {
    call(tool, "engine_stops", &json!({"engine": engine}))["stops"].as_i64().expect("a number")
}

/// Calls a function that never ends by itself, cancels it, and returns its own error.
fn cancelled(tool: &dyn Tool, function: &str, arguments: &Value) -> String {
    assert!(tool.can_cancel(function), "{function}");
    let context = CallContext::default();
    let canceller = context.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        canceller.cancel();
    });
    let begin = Instant::now();
    let reply = tool.call_for(&context, function, arguments.to_string().as_bytes(), &mut Vec::new());
    assert!(begin.elapsed() < Duration::from_secs(10), "it gave up by itself: {:?}", begin.elapsed());
    thread.join().expect("it only cancels");
    reply.expect_err("it was stopped").to_string()
}

#[test]
fn a_call_is_ended_with_its_handle_which_lives_on() {
    each(|tool| {
        let (engine, other) = (engine(tool), engine(tool));
        for _ in 0..2 {
            let error = cancelled(tool, "engine_run", &json!({"engine": engine}));
            assert_eq!(
                error, "the call failed with code 4: Interrupted system call",
                "errno is that of the call"
            );
        }
        assert!(stops(tool, &engine) >= 2);
        assert_eq!(stops(tool, &other), 0, "it has nothing to do with it");
        call(tool, "engine_free", &json!({"engine": engine}));
    });
}

#[test]
fn a_call_is_ended_with_the_handle_in_which_its_own_lives() {
    each(|tool| {
        let engine = engine(tool);
        let job = call(tool, "job_new", &json!({"engine": engine}))["job"].clone();
        let error = cancelled(tool, "job_run", &json!({"job": job}));
        assert_eq!(error, "the call failed with code 4: Interrupted system call");
        assert!(stops(tool, &engine) >= 1);
    });
}

#[test]
fn a_call_is_ended_with_all_its_handles_that_are_there() {
    each(|tool| {
        let (one, other) = (engine(tool), engine(tool));
        cancelled(tool, "engine_race", &json!({"one": one, "other": other}));
        assert!(stops(tool, &one) >= 1 && stops(tool, &other) >= 1);
        cancelled(tool, "engine_race", &json!({"one": null, "other": other}));
    });
}

#[test]
fn a_call_that_is_cancelled_before_it_begins_ends_too() {
    each(|tool| {
        let engine = engine(tool);
        let context = CallContext::default();
        context.cancel();
        let arguments = json!({"engine": engine}).to_string();
        let reply = tool.call_for(&context, "engine_run", arguments.as_bytes(), &mut Vec::new());
        assert!(reply.is_err(), "it is stopped as soon as it runs");
    });
}

#[test]
fn other_functions_cannot_be_cancelled() {
    each(|tool| {
        for function in ["engine_new", "engine_free", "engine_stop", "engine_stops", "no_such"] {
            assert!(!tool.can_cancel(function), "{function}");
        }
    });
    fn asked(binding: &impl Binding) -> [bool; 2] {
        ["engine_run", "engine_stop"].map(|function| binding.can_cancel(function))
    }
    let library = shared_library("keys_cancel", &[]);
    assert_eq!(asked(&interpreted(&library)), [true, false]);
}

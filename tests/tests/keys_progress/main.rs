//! Callbacks that tell whoever waits how far a call is (`progress`), in compiled bindings and in the interpreter.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::sync::mpsc;
use std::time::{Duration, Instant};

use opendyn::opentool::{CallContext, Function, Progress};
use opendyn::{Tool, ToolError};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_tests::shared_library;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-progress/tool.json");

/// A separate library for each test.
fn compiled() -> KeysProgress {
    let library = shared_library("keys_progress", &[]);
    // SAFETY: fixtures/keys-progress/tool.json describes c/keys_progress.c correctly.
    unsafe { KeysProgress::open(library.path()) }.expect("every function is there")
}

/// Tests a compiled binding and an interpreted one.
fn each(test: impl Fn(&dyn Tool)) {
    test(&compiled());
    let path = format!("{}/fixtures/keys-progress/tool.json", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("a document");
    let document = Document::read("tool", &source, &Options::default()).expect("it has no errors");
    let library = shared_library("keys_progress", &[]);
    // SAFETY: as above.
    test(&unsafe { Interpreted::open(document, library.path()) }.expect("a library"));
}

fn reply(
    tool: &dyn Tool,
    context: &CallContext,
    function: &str,
    arguments: &Value,
) -> Result<Value, ToolError> {
    let mut out = Vec::new();
    tool.call_for(context, function, arguments.to_string().as_bytes(), &mut out)?;
    Ok(serde_json::from_slice(&out).expect("a reply is JSON"))
}

/// The reply to a call, and what was told meanwhile.
fn watched(tool: &dyn Tool, function: &str, arguments: &Value) -> (Result<Value, ToolError>, Vec<Progress>) {
    let (sender, told) = mpsc::channel();
    let context = CallContext::default().reporting_to(move |progress| {
        let _ = sender.send(progress);
    });
    let reply = reply(tool, &context, function, arguments);
    context.report_last();
    drop(context);
    (reply, told.iter().collect())
}

fn at(done: f64, total: Option<f64>, message: Option<&str>) -> Progress {
    Progress { done, total, message: message.map(str::to_owned) }
}

/// Every function of the document. Each is called typed and through JSON.
const TESTED: [&str; 5] = ["is_awaited", "kinds", "ticks", "work", "work_always"];

#[test]
fn every_function_is_tested() {
    opendyn_tests::assert_all_tested(&compiled(), &TESTED);
}

#[test]
fn a_call_tells_how_far_it_is_and_at_the_end_the_last_that_it_said() {
    each(|tool| {
        let (reply, told) = watched(tool, "work", &json!({"steps": 5, "pause": 60}));
        assert_eq!(reply.expect("it works"), json!({}));
        assert_eq!(told.first(), Some(&at(1.0, Some(5.0), Some("working"))));
        assert_eq!(told.last(), Some(&at(5.0, Some(5.0), Some("almost done"))));
        assert!((3..5).contains(&told.len()), "ten in a second: {told:?}");
    });
}

#[test]
fn nobody_is_told_twice_and_a_flood_is_cheap() {
    each(|tool| {
        let begin = Instant::now();
        let (reply, told) = watched(tool, "ticks", &json!({"count": 1_000_000}));
        assert_eq!(reply.expect("it ticks"), json!({"count": 1_000_000}));
        assert_eq!((told.first(), told.last()), (Some(&at(1.0, None, None)), Some(&at(1e6, None, None))));
        let most = begin.elapsed().as_millis() / 100 + 2;
        assert!(told.len() as u128 <= most && told.is_sorted_by(|a, b| a.done < b.done), "{told:?}");
    });
}

#[test]
fn a_callback_is_null_where_nobody_waits() {
    each(|tool| {
        let reply = tool.call_json("is_awaited", "{}").expect("a reply");
        assert_eq!(reply, r#"{"awaited":false}"#);
        let (reply, told) = watched(tool, "is_awaited", &json!({}));
        assert_eq!(reply.expect("a reply"), json!({"awaited": true}));
        assert_eq!(told, [at(1.0, None, None)]);
    });
}

#[test]
fn a_required_callback_is_answered_also_where_nobody_waits() {
    each(|tool| {
        let reply = tool.call_json("work_always", r#"{"steps":4}"#).expect("a reply");
        assert_eq!(reply, r#"{"sum":12}"#);
        // A total that is not positive is not known, and NULL is no message.
        let (_, told) = watched(tool, "work_always", &json!({"steps": 1}));
        assert_eq!(told, [at(1.0, None, None)]);
    });
}

#[test]
fn numbers_of_other_types_are_told_as_doubles() {
    each(|tool| {
        let (_, told) = watched(tool, "kinds", &json!({"done": 2.5, "total": "18446744073709551615"}));
        assert_eq!(told, [at(2.5, Some(18_446_744_073_709_551_615.0), None)]);
    });
}

#[test]
fn a_callback_ends_a_call_that_is_cancelled() {
    each(|tool| {
        assert!(tool.can_cancel("work") && !tool.can_cancel("work_always"));
        let context = CallContext::default();
        let canceller = context.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            canceller.cancel();
        });
        let begin = Instant::now();
        let error = reply(tool, &context, "work", &json!({"steps": 10_000, "pause": 10}));
        let error = error.expect_err("it was stopped").to_string();
        assert!(error.starts_with("the call failed with code 4"), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
        thread.join().expect("it only cancels");
    });
}

#[test]
fn json_callers_do_not_see_the_callback() {
    each(|tool| {
        let document = tool.load().expect("a document");
        let work = document.function("work").expect("it is described");
        let names: Vec<&str> = work.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        assert_eq!(names, ["steps", "pause"]);
        assert!(document.functions.iter().all(Function::is_offered));
        let error = tool.call_json("work", r#"{"steps":1,"pause":0,"tell":null}"#).expect_err("unknown");
        assert!(error.to_string().contains("unknown argument"), "{error}");
    });
}

#[test]
fn rust_code_passes_a_closure() {
    let progress = compiled();
    let mut said = Vec::new();
    let mut tell = |done: i32, total: i32, what: Option<&std::ffi::CStr>| {
        said.push((done, total, what.map(std::ffi::CStr::to_owned)));
        i32::from(done == 2)
    };
    let error = progress.work(3, 0, Some(&mut tell)).expect_err("it was stopped");
    assert_eq!(error.to_string(), "4", "its code");
    assert_eq!(said, [(1, 3, Some(c"working".to_owned())), (2, 3, Some(c"working".to_owned()))]);
    assert_eq!(progress.work_always(3, |done, _, _| done), 6);
    assert!(!progress.is_awaited(None));
    let mut count = 0;
    assert_eq!(progress.ticks(7, Some(&mut || count += 1)), 7);
    assert_eq!(count, 7);
    progress.kinds(0.5, 9, |total, done| assert_eq!((total, done), (9, 0.5))).expect("it works");
}

//! A call of a script belongs to a caller, has its deadline, and can be cancelled, together with what the script calls.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use opentool::{CallContext, Caller, Deadline, OpenTool, Progress, Tool, ToolError, ToolSet};
use opentool_python::{Peers, PythonTool, Workers};
use opentool_python_tests::Written;
use serde_json::json;

/// Calls the function `other`, and returns its result.
const ASK: &str = "import importlib
def execute(tool_input: dict) -> dict:
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    return dict(success=True, message='', data=client.tool_exe('other', 'other', tool_input))
";
const HANG: &str = "import time\ndef execute(tool_input: dict) -> dict:\n    time.sleep(600)\n";
const ONE: &str =
    "def execute(tool_input: dict) -> dict:\n    return dict(success=True, message='', data=1)\n";

/// On a machine with other work.
const SOON: Duration = Duration::from_secs(20);

struct Scripts {
    written: Written,
    workers: Workers,
}

impl Scripts {
    fn new() -> Self {
        let workers = Workers::builder().size(1).build().expect("Python");
        Self { written: Written::new().expect("a folder"), workers }
    }

    fn tool(&self, name: &str, source: &str, peers: &Peers) -> PythonTool {
        let path = self.written.write(&format!("{name}.py"), source).expect("room for a script");
        let tool = PythonTool::builder(path).named(name).workers(&self.workers).peers(peers).log(|_| {});
        tool.build().expect("a valid script")
    }
}

fn call(tool: &impl Tool, context: &CallContext, name: &str) -> Result<String, ToolError> {
    let mut out = Vec::new();
    tool.call_for(context, name, b"{}", &mut out)?;
    Ok(String::from_utf8(out).expect("text"))
}

/// Cancels a call a moment after it has begun.
fn cancelled(context: &CallContext) -> thread::JoinHandle<()> {
    let context = context.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        context.cancel();
    })
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_ends_when_its_call_is_cancelled_and_the_next_call_works() {
    let scripts = Scripts::new();
    let (hang, one) = (scripts.tool("hang", HANG, &Peers::new()), scripts.tool("one", ONE, &Peers::new()));
    let context = CallContext::default();
    let begin = Instant::now();
    let cancelling = cancelled(&context);
    let error = call(&hang, &context, "hang").expect_err("it does not end by itself");
    cancelling.join().expect("it cancels");
    assert_eq!(error.to_string(), "the call failed: hang.py: the call was cancelled");
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
    assert!(call(&one, &CallContext::default(), "one").expect("a new process").contains("\"data\": 1"));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_ends_at_the_deadline_of_its_caller() {
    let scripts = Scripts::new();
    let hang = scripts.tool("hang", HANG, &Peers::new());
    let context = CallContext::new(Caller::default(), Deadline::after(Duration::from_secs(1)));
    let begin = Instant::now();
    let error = call(&hang, &context, "hang").expect_err("it does not end by itself");
    assert_eq!(error, ToolError::TimedOut { limit_ms: 1000 });
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
}

/// For whom a call was made, and how long it could take.
type Made = (Caller, Option<Duration>);

/// A tool that notes for whom it is called, and waits until it is cancelled.
#[derive(Clone, Default)]
struct Other {
    waits: bool,
    called: Arc<Mutex<Vec<Made>>>,
}

impl Tool for Other {
    fn call_into(&self, _: &str, _: &[u8], _: &mut Vec<u8>) -> Result<(), ToolError> {
        Err(ToolError::call_failed("nobody calls"))
    }

    fn call_for(&self, context: &CallContext, _: &str, _: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        let limit = context.deadline().map(|deadline| deadline.limit);
        self.called.lock().expect("no panic").push((context.caller().clone(), limit));
        let begin = Instant::now();
        while self.waits && !context.is_cancelled() && begin.elapsed() < SOON {
            thread::sleep(Duration::from_millis(5));
        }
        context.report(Progress { done: 1.0, total: Some(2.0), message: None });
        out.extend_from_slice(b"{}");
        if context.is_cancelled() { Err(ToolError::call_failed("cancelled")) } else { Ok(()) }
    }

    fn load(&self) -> Option<OpenTool> {
        let function = json!({"name": "other", "description": "d", "parameters": []});
        let info = json!({"title": "other", "version": "1"});
        serde_json::from_value(json!({"opentool": "1.0.0", "info": info, "functions": [function]})).ok()
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn what_a_script_calls_is_called_for_its_caller_and_ends_with_it() {
    let caller = Caller::new("ada").in_session(7);
    for waits in [false, true] {
        let scripts = Scripts::new();
        let peers = Peers::new();
        let other = Other { waits, ..Other::default() };
        let ask = scripts.tool("ask", ASK, &peers);
        let set = ToolSet::builder().add("ask", ask).add("other", other.clone()).build();
        let set = Arc::new(set.expect("no two alike"));
        peers.are(&set);
        let limit = Duration::from_secs(30);
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&told);
        let context = CallContext::new(caller.clone(), Deadline::after(limit))
            .reporting_to(move |progress| sink.lock().expect("no panic").push(progress.done));
        let begin = Instant::now();
        let cancelling = waits.then(|| cancelled(&context));
        let result = call(&*set, &context, "ask");
        assert_eq!(result.is_err(), waits, "{result:?}");
        assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
        if let Some(cancelling) = cancelling {
            cancelling.join().expect("it cancels");
        }
        assert_eq!(*other.called.lock().expect("no panic"), [(caller.clone(), Some(limit))]);
        assert_eq!(*told.lock().expect("no panic"), [1.0], "whoever waits is told what it reports");
    }
}

//! Which bindings may be used from several threads.
//!
//! A binding can always be sent to another thread. It can be shared if the document says
//! `x-threadSafe: true`, and otherwise behind [`Serial`], one call at a time. `c/counter.c` loses
//! counts when two threads are in it at once.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::sync::Barrier;

use opendyn::{Serial, Tool};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_tests::{NativeLibrary, Twin, shared_library};
use serde_json::json;

mod careful {
    opendyn::opendyn!("fixtures/threads/tool.json");
    opendyn_tests::twin!(Counter = "fixtures/threads/tool.json");
}
mod safe {
    opendyn::opendyn!("fixtures/threads/safe.json");
}

use careful::Counter;
use safe::SharedCounter;

const THREADS: usize = 4;
const CALLS: usize = 10_000;
/// The value of the counter if no count is lost.
const TOTAL: i64 = 40_000;

fn counter() -> Counter {
    let library = shared_library("counter", &[]);
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    unsafe { Counter::open(library.path()) }.expect("every function of the document is there")
}

fn shared_counter() -> SharedCounter {
    let library = shared_library("counter", &["-DTHREAD_SAFE"]);
    // SAFETY: fixtures/threads/safe.json describes c/counter.c, which is thread-safe when compiled with
    // this flag.
    unsafe { SharedCounter::open(library.path()) }.expect("every function of the document is there")
}

fn interpreted(source: &str, library: &NativeLibrary) -> Interpreted {
    let document = Document::read("tool.json", source, &Options::default()).expect("it has no errors");
    // SAFETY: the document describes c/counter.c correctly, as it was compiled.
    unsafe { Interpreted::open(document, library.path()) }.expect("every function of the document is there")
}

/// Calls `increment` from all threads at once, and returns when all have ended.
fn from_all_threads(increment: impl Fn() + Sync) {
    // Otherwise the first thread might end before the last one starts.
    let start = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                start.wait();
                (0..CALLS).for_each(|_| increment());
            });
        }
    });
}

const fn is_send<T: Send>() {}
const fn is_sync<T: Sync>() {}

/// `NeverSync::<_>::holds` is one function for a type that is not `Sync`, and two for a type that is:
/// then the call is ambiguous, and this file does not compile.
trait NeverSync<Reason> {
    fn holds() {}
}
impl<T> NeverSync<()> for T {}
struct IsSync;
impl<T: Sync> NeverSync<IsSync> for T {}

const _: () = {
    is_send::<Counter>();
    is_send::<SharedCounter>();
    is_sync::<SharedCounter>();
    is_send::<Serial<Counter>>();
    is_sync::<Serial<Counter>>();
    is_send::<Interpreted>();
    is_sync::<Interpreted>();
};

#[test]
fn a_binding_is_not_sync_unless_the_document_says_so() {
    // That this compiles proves it.
    <Counter as NeverSync<_>>::holds();
}

#[test]
fn a_binding_can_be_sent_to_another_thread() {
    let counter = counter();
    assert_eq!(counter.increment(), 1);
    let counter = std::thread::spawn(move || {
        assert_eq!(counter.increment(), 2);
        counter
    })
    .join()
    .expect("no panic");
    assert_eq!(counter.current(), 2);
}

#[test]
fn a_thread_safe_binding_is_shared_without_a_lock() {
    let counter = shared_counter();
    from_all_threads(|| {
        counter.increment();
    });
    assert_eq!(counter.current(), TOTAL);
}

/// Not a twin: threads take turns in another order in each library.
fn assert_counts_json(counter: &(dyn Tool + Sync)) {
    from_all_threads(|| {
        counter.call_json("increment", "{}").expect("it takes nothing");
    });
    let total = format!(r#"{{"value":{TOTAL}}}"#);
    assert_eq!(counter.call_json("current", "{}"), Ok(total));
}

#[test]
fn a_thread_safe_binding_answers_json_from_all_threads() {
    assert_counts_json(&shared_counter());
    let library = shared_library("counter", &["-DTHREAD_SAFE"]);
    assert_counts_json(&interpreted(include_str!("../fixtures/threads/safe.json"), &library));
}

#[test]
fn an_interpreter_lets_one_thread_in_at_a_time_unless_the_document_says_otherwise() {
    let library = shared_library("counter", &[]);
    assert_counts_json(&interpreted(include_str!("../fixtures/threads/tool.json"), &library));
}

#[test]
fn serial_lets_one_thread_in_at_a_time() {
    let counter = Serial::new(counter());
    from_all_threads(|| {
        counter.lock().increment();
    });
    assert_eq!(counter.lock().current(), TOTAL, "no count is lost");
    assert_eq!(counter.into_inner().current(), TOTAL, "and the binding comes out again");
}

#[test]
fn serial_is_a_tool_that_threads_share() {
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    let counter: Twin<Counter> = unsafe { Twin::open("counter", &[]) }.expect("every function is there");
    let counter = Serial::new(counter);
    let tool: &(dyn Tool + Sync) = &counter;
    from_all_threads(|| {
        let mut out = Vec::new();
        tool.call_into("increment", b"{}", &mut out).expect("it takes nothing");
    });
    let total = json!({"value": TOTAL});
    assert_eq!(tool.call_json("current", "{}"), Ok(total.to_string()));
    let reply = tool.call("current", &serde_json::Map::new()).expect("it takes nothing");
    assert_eq!(json!(reply), total);
    assert_eq!(tool.load().expect("the document of the binding").info.title, "counter");
    let error = tool.call_json("incremen", "{}").expect_err("unknown");
    assert_eq!(error.to_string(), "unknown function `incremen`; did you mean `increment`?");
}

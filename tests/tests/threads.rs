//! Which bindings may be used from several threads.
//!
//! A binding can always be sent to another thread. It can be shared if the document says
//! `x-threadSafe: true`, and otherwise behind [`Serial`], one call at a time. `c/counter.c` loses
//! counts when two threads are in it at once.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

use std::sync::Barrier;

use opendyn::{LoadError, Serial, Tool, libloading};
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

mod shared_handles {
    opendyn::opendyn!("fixtures/threads/handles.json");
}

use careful::Counter;
use safe::SharedCounter;
use shared_handles::{Tallies, Tally};

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
    is_send::<Tally<'_>>();
    is_sync::<Tally<'_>>();
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

/// A new name for the same file.
fn linked(library: &NativeLibrary) -> std::path::PathBuf {
    let name = library.path().with_extension("linked");
    std::fs::hard_link(library.path(), &name).expect("the folder is writable");
    name
}

/// Whether the library at `path` can be bound in each way now.
fn can_be_bound(path: &std::path::Path) -> [bool; 4] {
    let read = |source| Document::read("tool.json", source, &Options::default()).expect("it has no errors");
    let [careful, safe] =
        [include_str!("../fixtures/threads/tool.json"), include_str!("../fixtures/threads/safe.json")];
    let is_bound = |error: Option<LoadError>| match error {
        None => true,
        Some(LoadError::InUse { path: given }) => {
            assert_eq!(given, path);
            false
        }
        Some(other) => panic!("{other}"),
    };
    // SAFETY: the documents describe c/counter.c correctly, as far as one thread is concerned, and nothing is called.
    unsafe {
        [
            is_bound(Counter::open(path).err()),
            is_bound(SharedCounter::open(path).err()),
            is_bound(Interpreted::open(read(careful), path).err()),
            is_bound(Interpreted::open(read(safe), path).err()),
        ]
    }
}

/// (e) of the guarantees: two `open`s of a library that is not thread-safe are never two threads in it.
#[test]
fn a_second_open_of_a_library_that_is_not_thread_safe_is_refused_while_the_first_is_there() {
    let library = shared_library("counter", &[]);
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    let open = |path: &std::path::Path| unsafe { Counter::open(path) };
    let first = open(library.path()).expect("it is not bound yet");
    let error = open(library.path()).expect_err("it is bound already");
    let text = error.to_string();
    assert!(text.contains("is bound already, and the library is not thread-safe"), "{text}");
    for remedy in ["`opendyn::Serial`", "\"x-threadSafe\": true", "`from_library`"] {
        assert!(text.contains(remedy), "{remedy}: {text}");
    }
    let other = linked(&library);
    assert!(matches!(open(&other), Err(LoadError::InUse { .. })), "another name of the same file");
    std::fs::remove_file(other).expect("it was made here");
    // In another thread, too: what is refused is not a matter of who asks.
    let elsewhere = std::thread::scope(|scope| scope.spawn(|| open(library.path()).is_err()).join());
    assert!(elsewhere.expect("no panic"));
    assert_eq!(first.increment(), 1, "the first is not affected");
    drop(first);
    assert_eq!(open(library.path()).expect("it is free again").current(), 1);
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn a_binding_that_is_leaked_keeps_its_library() {
    let library = shared_library("counter", &[]);
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    std::mem::forget(unsafe { Counter::open(library.path()) });
    assert_eq!(can_be_bound(library.path()), [false; 4]);
}

#[test]
fn a_library_that_lacks_functions_is_not_in_use() {
    let library = shared_library("counter", &["-DWITHOUT_CURRENT"]);
    for _ in 0..2 {
        // SAFETY: it cannot be bound.
        let error = unsafe { Counter::open(library.path()) }.expect_err("it lacks `current`");
        assert!(matches!(error, LoadError::MissingSymbols { .. }), "{error}");
    }
}

#[test]
fn bindings_of_one_library_agree_about_threads_or_are_refused() {
    let library = shared_library("counter", &["-DTHREAD_SAFE"]);
    let path = library.path();
    let (careful, safe) =
        (include_str!("../fixtures/threads/tool.json"), include_str!("../fixtures/threads/safe.json"));
    assert_eq!(can_be_bound(path), [true; 4]);
    // SAFETY: both documents describe c/counter.c correctly.
    let binding = unsafe { Counter::open(path) }.expect("it is not bound");
    assert_eq!(can_be_bound(path), [false; 4]);
    drop(binding);
    // SAFETY: as above.
    let binding = unsafe { SharedCounter::open(path) }.expect("it is not bound");
    assert_eq!(can_be_bound(path), [false, true, false, true]);
    drop(binding);
    let binding = interpreted(careful, &library);
    assert_eq!(can_be_bound(path), [false, false, true, true]);
    drop(binding);
    let binding = interpreted(safe, &library);
    assert_eq!(can_be_bound(path), [false, true, true, true]);
    drop(binding);
    assert_eq!(can_be_bound(path), [true; 4]);
}

#[test]
fn from_library_leaves_the_threads_to_its_caller() {
    let library = shared_library("counter", &[]);
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly, and this is the only thread.
    let (first, second) = unsafe {
        let loaded = libloading::Library::new(library.path()).expect("a library");
        (Counter::open(library.path()), Counter::from_library(loaded))
    };
    let (first, second) = (first.expect("it is not bound"), second.expect("nothing is looked for"));
    assert_eq!([first.increment(), second.increment(), first.current()], [1, 2, 2]);
}

#[test]
fn two_documents_of_one_library_let_one_thread_in_at_a_time() {
    let library = shared_library("counter", &[]);
    let source = include_str!("../fixtures/threads/tool.json");
    // The second says that its functions are thread-safe, which is not true of `increment` of the first: it waits too.
    let safe = include_str!("../fixtures/threads/safe.json");
    let read_only = Document::read_for("tool.json", safe, &Options::default(), "current");
    // SAFETY: `current` of c/counter.c reads one value.
    let reader = unsafe { Interpreted::open(read_only.expect("it has no errors"), library.path()) };
    let reader = reader.expect("it is there");
    let writers = [interpreted(source, &library), interpreted(source, &library)];
    let turn = std::sync::atomic::AtomicUsize::new(0);
    from_all_threads(|| {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        writers[turn % 2].call_json("increment", "{}").expect("it takes nothing");
        reader.call_json("current", "{}").expect("it takes nothing");
    });
    let total = format!(r#"{{"value":{TOTAL}}}"#);
    assert_eq!(writers[0].call_json("current", "{}"), Ok(total), "no count is lost");
}

fn tallies() -> Tallies {
    let library = shared_library("tally", &[]);
    // SAFETY: fixtures/threads/handles.json describes c/tally.c correctly, whose tallies are atomic.
    unsafe { Tallies::open_library(library.path()) }.expect("every function of the document is there")
}

#[test]
fn threads_share_one_handle_where_the_document_says_so() {
    let tallies = tallies();
    let tally = tallies.open().expect("a tally");
    from_all_threads(|| {
        tally.add(1);
    });
    assert_eq!(tally.count().to_string(), TOTAL.to_string(), "no count is lost");
    let met = std::thread::scope(|scope| {
        let both = [scope.spawn(|| tally.meet(2)), scope.spawn(|| tally.meet(2))];
        both.map(|thread| thread.join().expect("no panic"))
    });
    assert_eq!(met, [true, true], "both calls are in C at once");
}

/// Calls with one token from several threads.
fn assert_shares_a_token(tallies: &(dyn Tool + Sync)) {
    let opened = tallies.call_json("tally_open", "{}").expect("a tally");
    let arguments = |more: &str| format!("{},{more}}}", opened.trim_end_matches('}'));
    let add = arguments(r#""n":1"#);
    from_all_threads(|| {
        tallies.call_json("tally_add", &add).expect("the tally is alive");
    });
    assert_eq!(tallies.call_json("tally_count", &opened), Ok(format!(r#"{{"count":{TOTAL}}}"#)));
    let meet = arguments(r#""calls":1"#);
    assert_eq!(tallies.call_json("tally_meet", &meet), Ok(r#"{"met":true}"#.to_owned()));
    assert_eq!(tallies.call_json("tally_close", &opened), Ok("{}".to_owned()));
    tallies.call_json("tally_count", &opened).expect_err("it is closed");
}

#[test]
fn threads_share_one_token_where_the_document_says_so() {
    assert_shares_a_token(&tallies());
    let library = shared_library("tally", &[]);
    assert_shares_a_token(&interpreted(include_str!("../fixtures/threads/handles.json"), &library));
}

//! Libraries that must be initialized before other calls, and ended after them: `x-init`.
//!
//! `c/keys_init.c` counts how often it begins and ends, and every call that comes too early or too late. It does not count
//! its beginnings, so that a second end is a fault. What it counts is read through symbols that the documents do not
//! describe, also after the end. `failures` has libraries that cannot begin, `several` several bindings of one library.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod failures;
mod several;

use opendyn::{LoadError, Session, Tool, libloading};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_tests::{NativeLibrary, Twin, TwinLibrary, shared_library};
use serde_json::{Value, json};

mod tool {
    opendyn::opendyn!("fixtures/keys-init/tool.json");
    opendyn_tests::twin!(KeysInit = "fixtures/keys-init/tool.json");
}
mod safe {
    opendyn::opendyn!("fixtures/keys-init/safe.json");
    opendyn_tests::twin!(KeysInitSafe = "fixtures/keys-init/safe.json");
}
mod text {
    opendyn::opendyn!("fixtures/keys-init/text.json");
    opendyn_tests::twin!(KeysInitText = "fixtures/keys-init/text.json");
}
mod plain {
    opendyn::opendyn!("fixtures/keys-init/plain.json");
}
mod without {
    opendyn::opendyn!("fixtures/keys-init/without.json");
}

use plain::KeysInitPlain;
use safe::KeysInitSafe;
use text::KeysInitText;
use tool::KeysInit;
use without::KeysInitWithout;

/// What a library has counted: beginnings, ends, and faults.
type Seen = (i32, i32, i32);

/// Calls a function without arguments that the documents do not describe.
fn ask(library: &NativeLibrary, function: &str) -> i32 {
    // SAFETY: c/keys_init.c has no initialisers, and the function takes nothing and returns an int.
    unsafe {
        let loaded = libloading::Library::new(library.path()).expect("a library");
        let ask = loaded.get::<extern "C" fn() -> i32>(function).expect("a function");
        ask()
    }
}

fn seen(library: &NativeLibrary) -> Seen {
    (ask(library, "seen_begun"), ask(library, "seen_ended"), ask(library, "seen_faults"))
}

/// From now on the library cannot begin; 0 for the opposite. The library stays loaded.
fn refuse(library: &NativeLibrary, code: i32) {
    // SAFETY: as above; the function takes an int and returns nothing.
    unsafe {
        let loaded = libloading::Library::new(library.path()).expect("a library");
        let refuse: extern "C" fn(i32) = *loaded.get("refuse").expect("a function");
        refuse(code);
        std::mem::forget(loaded);
    }
}

fn interpreted(name: &str, library: &NativeLibrary) -> Result<Interpreted, LoadError> {
    let path = format!("{}/fixtures/keys-init/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("a document");
    let document = Document::read(name, &source, &Options::default()).expect("it has no errors");
    // SAFETY: the documents describe c/keys_init.c correctly.
    unsafe { Interpreted::open(document, library.path()) }
}

fn call(tool: &impl Tool, function: &str, arguments: &Value) -> Value {
    let reply = tool.call_json(function, &arguments.to_string()).expect(function);
    serde_json::from_str(&reply).expect("a reply is JSON")
}

fn both(library: &TwinLibrary) -> [Seen; 2] {
    [seen(&library.compiled), seen(&library.interpreted)]
}

#[test]
fn a_library_begins_before_all_calls_and_ends_after_them() {
    let library = TwinLibrary::new("keys_init", &[]);
    // SAFETY: fixtures/keys-init/tool.json describes c/keys_init.c correctly.
    let tool: Twin<KeysInit> = unsafe { Twin::open_in(&library) }.expect("it begins");
    assert_eq!(both(&library), [(1, 0, 0); 2]);
    assert_eq!([&library.compiled, &library.interpreted].map(|library| ask(library, "seen_flags")), [3; 2]);
    let item = tool.item_new(5).expect("an item");
    assert_eq!((item.value(), tool.keys_living()), (5, 1));
    drop(item);
    // One stays in the table until the tool is dropped, before the library ends.
    call(&tool, "item_new", &json!({"value": 6}));
    drop(tool);
    assert_eq!(both(&library), [(1, 1, 0); 2]);

    // SAFETY: as above.
    let tool: Twin<KeysInit> = unsafe { Twin::open_in(&library) }.expect("it begins again");
    assert_eq!(both(&library), [(2, 1, 0); 2]);
    assert_eq!(call(&tool, "keys_living", &json!({})), json!({"count": 0}));
    drop(tool);
    assert_eq!(both(&library), [(2, 2, 0); 2]);
}

#[test]
fn json_callers_cannot_begin_or_end_it() {
    let library = TwinLibrary::new("keys_init", &[]);
    // SAFETY: as above.
    let tool: Twin<KeysInit> = unsafe { Twin::open_in(&library) }.expect("it begins");
    let refused = |function, arguments| {
        tool.call_json(function, arguments).expect_err("it cannot be called").to_string()
    };
    assert_eq!(
        refused("keys_begin", r#"{"flags":3}"#),
        "`keys_begin` cannot be called with JSON: the library is initialized with it when it is loaded (`x-init`)"
    );
    assert_eq!(
        refused("keys_end", "{}"),
        "`keys_end` cannot be called with JSON: the library is ended with it when its last binding is dropped (`x-init`)"
    );
    let names: Vec<String> =
        tool.load().expect("a document").functions.into_iter().map(|function| function.name).collect();
    assert_eq!(names, ["keys_why", "item_new", "item_free", "item_value", "keys_living", "keys_faults"]);
    assert_eq!(both(&library), [(1, 0, 0); 2]);
}

#[test]
fn the_handles_of_sessions_are_freed_before_the_end() {
    let library = TwinLibrary::new("keys_init", &[]);
    // SAFETY: as above.
    let compiled = unsafe { KeysInit::open(library.compiled.path()) }.expect("it begins");
    let interpreted = interpreted("tool", &library.interpreted).expect("it begins");
    // A session owns its binding, too: what it leaves is freed first.
    let (one, other) = (Session::new(Box::new(compiled)), Session::new(Box::new(interpreted)));
    call(&one, "item_new", &json!({"value": 1}));
    call(&other, "item_new", &json!({"value": 1}));
    drop((one, other));
    assert_eq!(both(&library), [(1, 1, 0); 2]);
}

#[test]
fn a_panic_ends_it_as_well() {
    let library = shared_library("keys_init", &[]);
    let path = library.path().to_owned();
    let panicked = std::thread::spawn(move || {
        // SAFETY: as above.
        let tool = unsafe { KeysInit::open(path) }.expect("it begins");
        let _item = tool.item_new(1).expect("an item");
        call(&tool, "item_new", &json!({"value": 2}));
        std::panic::resume_unwind(Box::new("as a panic does"));
    });
    assert!(panicked.join().is_err());
    assert_eq!(seen(&library), (1, 1, 0));
}

#[test]
fn a_leaked_handle_does_not_keep_it_from_ending() {
    let library = shared_library("keys_init", &[]);
    // SAFETY: as above.
    let tool = unsafe { KeysInit::open(library.path()) }.expect("it begins");
    std::mem::forget(tool.item_new(1).expect("an item"));
    drop(tool);
    // Nobody can use the item any more; that it is there is what this library calls a fault.
    assert_eq!(seen(&library), (1, 1, 1));
}

#[test]
fn one_call_of_a_document_reads_how_the_library_begins() {
    let library = shared_library("keys_init", &[]);
    let path = format!("{}/fixtures/keys-init/tool.json", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("a document");
    let document = Document::read_for("tool.json", &source, &Options::default(), "keys_living")
        .expect("it has no errors");
    // SAFETY: as above.
    let tool = unsafe { Interpreted::open(document, library.path()) }.expect("it begins");
    assert_eq!(call(&tool, "keys_living", &json!({})), json!({"count": 0}));
    drop(tool);
    assert_eq!(seen(&library), (1, 1, 0));
}

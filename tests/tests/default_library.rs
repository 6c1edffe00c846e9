//! `x-library` and `open_default()`: the environment, then the folder of the executable, then the system.
//!
//! One test, because the whole process shares the environment.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

use std::error::Error;

use opendyn::{LoadError, Tool};
use opendyn_interpreter::{Document, Interpreted, Options};
use opendyn_tests::shared_library;

opendyn::opendyn!("fixtures/library/tool.json");
opendyn::opendyn!("fixtures/library/system.json");
opendyn::opendyn!("fixtures/library/elsewhere.json");

fn open() -> Result<Beside, LoadError> {
    // SAFETY: the file that is found is `beside.c`, which the document describes, or is not a library.
    let beside = unsafe { Beside::open_default() };
    let source = include_str!("../fixtures/library/tool.json");
    equal(beside, &interpreted(source), r#"{"x":21}"#, "twice")
}

/// As `open_default` of the binding of `source`, interpreted.
fn interpreted(source: &str) -> Result<Interpreted, LoadError> {
    let document = Document::read("tool.json", source, &Options::default()).expect("it has no errors");
    // SAFETY: as for the compiled binding.
    unsafe { Interpreted::open_default(document) }
}

/// `compiled`, if the interpreter found the same library, or reports the same error.
fn equal<T: Tool>(
    compiled: Result<T, LoadError>,
    interpreted: &Result<Interpreted, LoadError>,
    arguments: &str,
    function: &str,
) -> Result<T, LoadError> {
    match (&compiled, interpreted) {
        (Ok(compiled), Ok(interpreted)) => {
            let reply = compiled.call_json(function, arguments);
            assert!(reply.is_ok(), "{reply:?}");
            assert_eq!(reply, interpreted.call_json(function, arguments));
        }
        (Err(compiled), Err(interpreted)) => {
            assert_eq!(compiled.to_string(), interpreted.to_string());
            assert_eq!(format!("{compiled:?}"), format!("{interpreted:?}"));
        }
        (compiled, interpreted) => {
            panic!("{:?} {:?}", compiled.as_ref().err(), interpreted.as_ref().err());
        }
    }
    compiled
}

#[test]
fn the_places_are_the_environment_the_executable_and_the_system() {
    // It is nowhere: the error lists every place.
    let executable = std::env::current_exe().expect("it runs");
    let beside = executable.with_file_name("libopendyn_beside.so");
    let _ = std::fs::remove_file(&beside);
    let error = open().expect_err("it is nowhere");
    let source = error.source().and_then(|source| source.downcast_ref::<LoadError>());
    assert!(matches!(source, Some(LoadError::Open { .. })), "the last place: {source:?}");
    let error = error.to_string();
    for part in
        [&*beside.to_string_lossy(), "`libopendyn_beside.so`", "the environment variable BESIDE_LIBRARY can"]
    {
        assert!(error.contains(part), "{part}\nis not in\n{error}");
    }

    // In the folder of the executable. A file that is not a library is an error and is not skipped.
    std::fs::write(&beside, "not a library").expect("it can be written");
    let broken = open();
    // A new file, because the file of a loaded library must not change.
    std::fs::remove_file(&beside).expect("it is there");
    let library = shared_library("beside", &[]);
    std::fs::copy(library.path(), &beside).expect("it can be copied");
    let found = open().map(|beside| beside.twice(21));
    std::fs::remove_file(&beside).expect("it is there");
    assert!(matches!(broken, Err(LoadError::Open { .. })), "{broken:?}");
    assert_eq!(found.expect("it is beside"), 42);

    // The environment variable: no other place is tried.
    // SAFETY: this is the only test of the process, so no other thread reads the environment.
    unsafe { std::env::set_var("BESIDE_LIBRARY", library.path()) };
    assert_eq!(open().expect("it is named").twice(4), 8);
    // SAFETY: as above.
    unsafe { std::env::set_var("BESIDE_LIBRARY", "/nowhere/lib.so") };
    let error = open().expect_err("it is not there").to_string();
    assert!(error.contains("/nowhere/lib.so") && !error.contains("libopendyn_beside.so"), "{error}");
    // SAFETY: as above.
    unsafe { std::env::set_var("BESIDE_LIBRARY", "./lib.so") };
    assert!(matches!(open(), Err(LoadError::RelativePath { .. })));

    // The system, and a document for another system.
    // SAFETY: the C library has `double cos(double)`.
    let system = unsafe { System::open_default() };
    let other = interpreted(include_str!("../fixtures/library/system.json"));
    let cosine = equal(system, &other, r#"{"x":1}"#, "cos").expect("it is the system's").cos(0.0);
    assert!((cosine - 1.0).abs() < f64::EPSILON);
    // SAFETY: nothing is loaded.
    let elsewhere = unsafe { Elsewhere::open_default() };
    let other = interpreted(include_str!("../fixtures/library/elsewhere.json"));
    let error = equal(elsewhere, &other, "{}", "cos").expect_err("it is for Windows").to_string();
    assert_eq!(
        error,
        "the document names no library for linux; the environment variable ELSEWHERE_LIBRARY can"
    );

    // A document without `x-library`: a compiled binding has no `open_default` then.
    let none = interpreted(include_str!("../fixtures/threads/tool.json")).map(|_| ());
    let Err(LoadError::NoDefault { variable }) = none else { panic!("{none:?}") };
    assert_eq!(variable, "COUNTER_LIBRARY");
}

//! How a binding loads its library, and the errors if it cannot.
//!
//! Every error names the path as given; if a library lacks functions, the error lists all of them. A
//! loaded library stays loaded until the process ends.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::error::Error;
use std::path::{Path, PathBuf};

use opendyn::{LoadError, ToolError, libloading};
use opendyn_tests::{Compiled, Twin, shared_library};

mod counter {
    opendyn::opendyn!("fixtures/threads/tool.json");
    opendyn_tests::twin!(Counter = "fixtures/threads/tool.json");
}
mod libc {
    opendyn::opendyn!("fixtures/loading/tool.json");
    opendyn_tests::twin!(Libc = "fixtures/loading/tool.json");
}

use counter::Counter;
use libc::Libc;

/// Both tools of `path`, or the error of both.
///
/// # Safety
///
/// The document must describe the library correctly.
unsafe fn open<T: Compiled>(path: &Path) -> Result<Twin<T>, LoadError> {
    // SAFETY: as the caller promises.
    unsafe { Twin::open_with(&T::source(), path, path) }
}

/// The error for loading `path` as a counter.
fn refused(path: &Path) -> LoadError {
    // SAFETY: none of the files that the tests name runs code when it is loaded.
    unsafe { open::<Counter>(path) }.map(|_| path).expect_err("it cannot be opened")
}

#[test]
fn every_missing_symbol_is_listed_with_the_path() {
    let library = shared_library("shapes", &[]);
    let error = refused(library.path());
    let expected =
        format!("`{}` lacks 2 functions of the document: increment, current", library.path().display());
    assert_eq!(error.to_string(), expected);
    let LoadError::MissingSymbols { path, symbols, checked: None } = error else { panic!("{error:?}") };
    assert_eq!(path.as_deref(), Some(library.path()));
    assert_eq!(symbols, ["increment", "current"]);
}

#[test]
fn existing_symbols_are_not_listed() {
    let library = shared_library("counter", &["-DWITHOUT_CURRENT"]);
    let expected = format!("`{}` lacks 1 function of the document: current", library.path().display());
    assert_eq!(refused(library.path()).to_string(), expected);
}

#[test]
fn a_relative_path_is_refused_whether_it_exists_or_not() {
    assert!(Path::new("fixtures/threads/tool.json").exists(), "tests run in the folder of their crate");
    for path in ["./libcounter.so", "fixtures/threads/tool.json", "../libcounter.so", ".", "..", ""] {
        let error = refused(Path::new(path));
        assert!(
            matches!(&error, LoadError::RelativePath { path: given } if given == Path::new(path)),
            "{error:?}"
        );
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot load `{path}`: ")), "{text}");
        assert!(text.contains("absolute path"), "what to do about it: {text}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let path = std::env::temp_dir().join("opendyn_nowhere/libcounter.so");
    let error = refused(&path);
    let LoadError::Open { path: given, .. } = &error else { panic!("{error:?}") };
    assert_eq!(*given, path);
    assert!(error.source().is_some(), "what the system answered is kept");
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot load `{}`: ", path.display())), "{text}");
}

#[test]
fn a_file_that_is_not_a_library_is_named() {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/threads/tool.json");
    let error = refused(&path);
    assert!(matches!(error, LoadError::Open { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot load `{}`: ", path.display())), "{text}");
    #[cfg(target_os = "linux")]
    assert!(text.contains("invalid ELF header") || text.contains("file too short"), "{text}");
}

#[test]
fn a_load_error_is_a_tool_error() {
    let error = refused(Path::new("./libcounter.so"));
    let message = error.to_string();
    let error = ToolError::from(error);
    assert_eq!(error, ToolError::LibraryMissing { message });
    assert_eq!(error.code(), 503);
}

#[cfg(target_os = "linux")]
#[test]
fn a_bare_name_is_looked_for_by_the_system() {
    // SAFETY: the C library is already loaded, and fixtures/loading describes it.
    let libc = unsafe { open::<Libc>(Path::new("libc.so.6")) }.expect("every process has the C library");
    assert_eq!(libc.abs(-5), 5);
    assert_eq!(libc.strlen(c"four"), 4);
    assert_eq!(libc.call_json("strlen", r#"{"s":"é"}"#).as_deref(), Ok(r#"{"length":2}"#));
    let error = refused(Path::new("libopendyn_nowhere.so"));
    assert!(error.to_string().starts_with("cannot load `libopendyn_nowhere.so`: "), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_bare_name_is_not_looked_for_in_the_current_folder() {
    // The folder of the crate has this file; opening it would be another error.
    assert!(Path::new("Cargo.toml").exists(), "tests run in the folder of their crate");
    let text = refused(Path::new("Cargo.toml")).to_string();
    assert!(text.contains("cannot open shared object file: No such file"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_symbol_that_the_library_itself_lacks_is_found_when_it_is_loaded() {
    let library = shared_library("counter", &["-DWITH_UNDEFINED"]);
    let error = refused(library.path());
    assert!(matches!(error, LoadError::Open { .. }), "{error:?}");
    assert!(error.to_string().contains("nowhere_to_be_found"), "{error}");
}

#[test]
fn a_library_that_is_loaded_already_can_be_bound() {
    let file = shared_library("counter", &[]);
    // SAFETY: c/counter.c has no initialisers.
    let library = unsafe { libloading::Library::new(file.path()) }.expect("a library");
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    let counter = unsafe { Counter::from_library(library) }.expect("every function is there");
    assert_eq!((counter.increment(), counter.current()), (1, 1));

    let file = shared_library("shapes", &[]);
    // SAFETY: c/shapes.c has no initialisers.
    let library = unsafe { libloading::Library::new(file.path()) }.expect("a library");
    // SAFETY: no function is found, so none is called.
    let error = unsafe { Counter::from_library(library) }.expect_err("another library");
    assert_eq!(error.to_string(), "the loaded library lacks 2 functions of the document: increment, current");
    assert!(matches!(error, LoadError::MissingSymbols { path: None, .. }), "{error:?}");
}

#[test]
fn the_library_gives_what_the_document_does_not_describe() {
    let file = shared_library("counter", &[]);
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    let counter = unsafe { Counter::open(file.path()) }.expect("every function is there");
    // SAFETY: this is the signature of `undescribed` in c/counter.c.
    let undescribed = unsafe { counter.library().get::<unsafe extern "C" fn() -> i32>("undescribed") };
    // SAFETY: as above; it takes nothing and has no preconditions.
    assert_eq!(unsafe { undescribed.expect("it is exported")() }, 99);
}

#[test]
fn a_library_stays_loaded_when_its_binding_goes() {
    let file = shared_library("counter", &[]);
    // SAFETY: fixtures/threads/tool.json describes c/counter.c correctly.
    let open = || unsafe { Counter::open(file.path()) }.expect("every function is there");
    let first = open();
    assert_eq!(first.increment(), 1);
    drop(first);
    // If it were loaded again, its variables would be reset.
    assert_eq!(open().current(), 1);
}

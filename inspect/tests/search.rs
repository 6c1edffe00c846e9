//! Where debug info is searched, which files are refused, and the message if there is none.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::debug::{self, DebugError, Options};
use opendyn_inspect::{Exports, ReadError};

/// A library in a folder of its own.
fn library(test: &str, flags: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("search").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    compile(&folder.join("types.so"), flags)
}

fn compile(library: &Path, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c");
    let (source, output) = (source.display().to_string(), library.display().to_string());
    let fixed = ["-std=c11", "-fPIC", "-shared", "-o", &output, &source];
    variants::run("cc", fixed.iter().chain(flags), library.parent().expect("a folder"));
    library.to_owned()
}

fn objcopy(arguments: &[&str], library: &Path) {
    variants::run("objcopy", arguments, library.parent().expect("a folder"));
}

fn fails(library: &Path, options: &Options<'_>) -> String {
    match debug::read(library, options) {
        Ok(_) => panic!("debug info was found"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_stripped_library_lists_every_place_that_was_tried() {
    let library = library("stripped", &["-s", "-Wl,--build-id=0xabcdef"]);
    let options = Options { directories: vec!["/nowhere".into()], ..Options::default() };
    let error = fails(&library, &options);
    for expected in [
        "has no debug info: the library: has no section .debug_info",
        "/nowhere/.build-id/ab/cdef.debug: does not exist",
        "by .gnu_debuglink: the library has none",
    ] {
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn functions_compiled_for_line_numbers_alone_say_why_they_have_no_type() {
    let variant = variants::PLAIN.iter().find(|variant| !variant.has_types).expect("there is one");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c");
    let built = variant.build(&source, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("search"));
    let interface = debug::read(&built.library, &Options::default()).expect("it has debug info");
    assert_eq!(interface.functions.len(), 40);
    for function in interface.functions {
        let reason = function.signature.err().unwrap_or_else(|| panic!("{} has a type", function.name));
        assert!(reason.contains("-g1"), "{}: {reason}", function.name);
    }
}

#[test]
fn a_linked_file_of_another_build_is_refused() {
    let library = library("checksum", &["-g", "-Wl,--build-id=none"]);
    objcopy(&["--only-keep-debug", "types.so", "types.debug"], &library);
    objcopy(&["--strip-debug", "--add-gnu-debuglink=types.debug", "types.so"], &library);
    assert!(debug::read(&library, &Options::default()).is_ok());
    let debug_file = library.with_file_name("types.debug");
    let mut bytes = std::fs::read(&debug_file).expect("objcopy wrote it");
    *bytes.last_mut().expect("it is not empty") ^= 1;
    std::fs::write(&debug_file, bytes).expect("the folder is writable");
    let error = fails(&library, &Options::default());
    assert!(error.contains("types.debug: is from another build (the checksum differs)"), "{error}");
}

#[test]
fn a_named_file_of_another_build_is_refused() {
    let library = library("named", &["-s", "-Wl,--build-id=0x1111"]);
    let same = compile(&library.with_file_name("same.so"), &["-g", "-Wl,--build-id=0x1111"]);
    let other = compile(&library.with_file_name("other.so"), &["-g", "-Wl,--build-id=0x2222"]);
    let named = |file| Options { file: Some(file), ..Options::default() };
    assert_eq!(debug::read(&library, &named(&same)).expect("it fits").functions.len(), 40);
    let error = fails(&library, &named(&other));
    assert!(error.contains("other.so is not the debug info of this library"), "{error}");
    assert!(error.contains("another build"), "{error}");
    let error = fails(&library, &named(Path::new("/nowhere.debug")));
    assert!(
        error.starts_with("/nowhere.debug is not the debug info of this library: No such file"),
        "{error}"
    );
    let error = fails(&library, &named(&library));
    assert!(error.contains("it has no section .debug_info"), "{error}");
}

#[test]
fn a_missing_split_file_is_named() {
    let library = library("split", &[]);
    let folder = library.parent().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c").display().to_string();
    variants::run("cc", ["-std=c11", "-fPIC", "-g", "-gsplit-dwarf", "-c", "-o", "gone.o", &source], folder);
    variants::run("cc", ["-shared", "-o", "types.so", "gone.o"], folder);
    let interface = debug::read(&library, &Options::default()).expect("it has debug info");
    assert!(interface.functions.iter().all(|function| function.signature.is_ok()));
    std::fs::remove_file(folder.join("gone.dwo")).expect("the compiler wrote it");
    let interface = debug::read(&library, &Options::default()).expect("it has debug info");
    let reason = interface.function("t_int").and_then(|function| function.signature.as_ref().err());
    let reason = reason.expect("it has no type");
    assert!(reason.contains("the split file gone.dwo is missing"), "{reason}");
}

#[test]
fn a_split_file_of_another_build_is_not_believed() {
    let library = library("stale", &[]);
    let folder = library.parent().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c").display().to_string();
    let compile = |flag: &str| {
        let arguments = ["-std=c11", "-fPIC", "-g", "-gsplit-dwarf", flag, "-c", "-o", "s.o", &source];
        variants::run("cc", arguments, folder);
    };
    compile("-O0");
    variants::run("cc", ["-shared", "-o", "types.so", "s.o"], folder);
    compile("-O2");
    let interface = debug::read(&library, &Options::default()).expect("it has debug info");
    assert!(interface.function("t_int").is_some_and(|function| function.signature.is_err()));
}

#[test]
#[cfg_attr(no_dwz, ignore = "needs dwz")]
fn a_missing_supplement_is_named() {
    let variant = &variants::SUPPLEMENTED[0];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c");
    let built = variant.build(&source, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("search"));
    std::fs::remove_file(built.library.with_file_name("common.debug")).expect("dwz wrote it");
    let error = fails(&built.library, &Options::default());
    assert!(error.contains("common.debug: the supplement of dwz was not found"), "{error}");
}

#[test]
fn a_program_and_an_object_file_are_not_libraries() {
    let library = library("kinds", &[]);
    let folder = library.parent().expect("a folder");
    std::fs::write(folder.join("main.c"), "int main(void) { return 0; }\n").expect("the folder is writable");
    variants::run("cc", ["-c", "main.c"], folder);
    variants::run("cc", ["-no-pie", "-o", "main", "main.o"], folder);
    variants::run("ar", ["rc", "libmain.a", "main.o"], folder);
    for (file, expected) in [
        ("main.o", "is not a shared library: it is an object file"),
        ("main", "is not a shared library: it is a program"),
        ("libmain.a", "is a static library, which cannot be loaded"),
        ("main.c", "is not a shared library: it is a text"),
        ("nothing", "cannot be read"),
    ] {
        let error = Exports::read(&folder.join(file)).expect_err(file).to_string();
        assert!(error.contains(expected), "{error}");
        let error = debug::read(&folder.join(file), &Options::default()).expect_err(file);
        assert!(matches!(&error, DebugError::Library(_)), "{error}");
    }
    assert!(matches!(Exports::read(&folder.join("libmain.a")), Err(ReadError::Archive { .. })));
}

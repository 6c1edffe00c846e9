//! DLLs, made without Windows: a real PDB from `lld-link`, DWARF as from MinGW, and the decorated names of
//! 32-bit Windows.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod listing;
mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::debug::{self, Options};
use opendyn_inspect::{Convention, Exports, Format, SymbolKind};

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("windows").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    folder
}

fn compile(folder: &Path, source: &str, target: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(source).display().to_string();
    let target = format!("--target={target}");
    let arguments = [&target, "-std=c11", "-ffreestanding", "-g", "-c", "-o", "types.obj", &source];
    variants::run("clang", arguments, folder);
}

/// A DLL in the form of Microsoft's linker, with its PDB.
fn microsoft(folder: &Path, source: &str, target: &str, flags: &[&str]) -> PathBuf {
    compile(folder, source, target);
    let fixed =
        ["/dll", "/noentry", "/nodefaultlib", "/debug", "/out:types.dll", "/pdb:types.pdb", "types.obj"];
    variants::run("lld-link", fixed.iter().chain(flags), folder);
    folder.join("types.dll")
}

/// A DLL in the form of GNU's linker, with DWARF.
fn gnu(folder: &Path, source: &str, target: &str, emulation: &str, entry: &str) -> PathBuf {
    compile(folder, source, target);
    let arguments = ["-m", emulation, "--shared", "-e", entry, "-o", "types.dll", "types.obj"];
    variants::run("ld.lld", arguments, folder);
    folder.join("types.dll")
}

fn assert_says(library: &Path, golden: &str) {
    let interface = debug::read(library, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let found = listing::listing(&interface);
    listing::bless(golden, &found);
    let differing = listing::differences(golden, &found, "the DLL");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_pdb_says_what_the_source_says() {
    let library = microsoft(&folder("pdb"), "types.c", "x86_64-pc-windows-msvc", &[]);
    assert_says(&library, "types.pdb.txt");
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn dwarf_in_a_dll_says_what_the_source_says() {
    let library = gnu(&folder("dwarf"), "types.c", "x86_64-w64-windows-gnu", "i386pep", "t_void");
    assert_says(&library, "types.mingw.txt");
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_pdb_of_another_build_is_refused() {
    let (one, other) = (folder("build-one"), folder("build-other"));
    let library = microsoft(&one, "types.c", "x86_64-pc-windows-msvc", &[]);
    microsoft(&other, "stdcall.c", "x86_64-pc-windows-msvc", &[]);
    std::fs::copy(other.join("types.pdb"), one.join("types.pdb")).expect("both were linked");
    let error = debug::read(&library, &Options::default()).expect_err("it does not fit").to_string();
    assert!(error.contains("types.pdb: is from another build (the identifier differs)"), "{error}");
    let pdb = other.join("types.pdb");
    let options = Options { file: Some(&pdb), ..Options::default() };
    let error = debug::read(&library, &options).expect_err("it does not fit").to_string();
    assert!(error.contains("is not the debug info of this library"), "{error}");
    std::fs::remove_file(one.join("types.pdb")).expect("it was copied there");
    let error = debug::read(&library, &Options::default()).expect_err("there is none").to_string();
    assert!(error.contains("types.pdb: does not exist"), "{error}");
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn decorated_names_tell_the_convention_and_the_argument_bytes() {
    let forward = ["/safeseh:no", "/export:forwarded=KERNEL32.Sleep"];
    let microsoft = microsoft(&folder("i686-msvc"), "stdcall.c", "i686-pc-windows-msvc", &forward);
    let gnu = gnu(&folder("i686-gnu"), "stdcall.c", "i686-w64-windows-gnu", "i386pe", "of_cdecl");
    for library in [&microsoft, &gnu] {
        let exports = Exports::read(library).expect("a DLL");
        assert_eq!((exports.format, exports.target.pointer), (Format::Pe, 4));
        assert!(exports.target.has_stdcall);
        let get = |name: &str| exports.get(name).unwrap_or_else(|| panic!("{name} is exported"));
        let stdcall = get("of_stdcall");
        assert_eq!((stdcall.convention, stdcall.argument_bytes), (Some(Convention::Stdcall), Some(12)));
        assert!(stdcall.symbol.as_deref().is_some_and(|symbol| symbol.ends_with("of_stdcall@12")));
        let fastcall = get("of_fastcall");
        assert_eq!((fastcall.convention, fastcall.argument_bytes), (Some(Convention::Other), Some(8)));
        assert_eq!((get("of_cdecl").convention, get("of_cdecl").kind), (None, SymbolKind::Function));
        assert_eq!(get("data").kind, SymbolKind::Data);
    }
    let exports = Exports::read(&microsoft).expect("a DLL");
    assert_eq!(exports.soname.as_deref(), Some("types.dll"));
    let forwarded = exports.get("forwarded").and_then(|export| export.forward.as_deref());
    assert_eq!(forwarded, Some("KERNEL32.Sleep"));
    assert_says(&microsoft, "stdcall.pdb.txt");
    assert_says(&gnu, "stdcall.mingw.txt");
}

//! Libraries of macOS, made without it: a dylib, its dSYM folder, and a file for two architectures.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod listing;
mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::debug::{self, Options};
use opendyn_inspect::{Exports, Format};

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("macos").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    folder
}

fn dylib(folder: &Path, architecture: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c").display().to_string();
    let target = format!("--target={architecture}-apple-macos11");
    let object = format!("{architecture}.o");
    let library = format!("{architecture}.dylib");
    let flags = ["-std=c11", "-ffreestanding", "-fno-stack-protector", "-g", "-c", "-o"];
    variants::run("clang", [target.as_str()].iter().chain(&flags).chain(&[object.as_str(), &source]), folder);
    let version = ["-platform_version", "macos", "11.0", "11.0", "-dylib", "-install_name"];
    let rest = ["@rpath/libtypes.dylib", "-o", &library, &object];
    variants::run("ld64.lld", ["-arch", architecture].iter().chain(&version).chain(&rest), folder);
    folder.join(library)
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn the_underscore_of_macos_is_not_part_of_a_name() {
    let exports = Exports::read(&dylib(&folder("names"), "x86_64")).expect("a dylib");
    assert_eq!(exports.format, Format::MachO);
    assert_eq!(exports.soname.as_deref(), Some("@rpath/libtypes.dylib"));
    let int = exports.get("t_int").expect("it is exported");
    assert_eq!(int.symbol.as_deref(), Some("_t_int"));
    assert_eq!(exports.functions().count(), 40);
    assert!(exports.build_id.is_some_and(|id| id.len() == 16));
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_dylib_without_its_dsym_says_how_to_make_it() {
    let library = dylib(&folder("none"), "x86_64");
    let error = debug::read(&library, &Options::default()).expect_err("there is none").to_string();
    assert!(
        error.contains("x86_64.dylib.dSYM/Contents/Resources/DWARF/x86_64.dylib: does not exist"),
        "{error}"
    );
    assert!(error.contains("run dsymutil on the library"), "{error}");
}

#[test]
#[cfg_attr(no_dsymutil, ignore = "needs clang, lld and dsymutil")]
fn a_dsym_says_what_the_source_says() {
    let folder = folder("dsym");
    let library = dylib(&folder, "x86_64");
    variants::run("dsymutil", ["x86_64.dylib"], &folder);
    let interface = debug::read(&library, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let found = listing::listing(&interface);
    listing::bless("types.macos.txt", &found);
    let differing = listing::differences("types.macos.txt", &found, "the dylib");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    let bundle = folder.join("x86_64.dylib.dSYM");
    let named = debug::read(&library, &Options { file: Some(&bundle), ..Options::default() });
    assert_eq!(listing::listing(&named.expect("it is the folder of the library")), found);
}

#[test]
#[cfg_attr(no_dsymutil, ignore = "needs clang, lld and what comes with dsymutil")]
fn of_a_file_for_two_architectures_one_is_read() {
    let folder = folder("fat");
    dylib(&folder, "x86_64");
    dylib(&folder, "arm64");
    variants::run("llvm-lipo", ["-create", "x86_64.dylib", "arm64.dylib", "-output", "fat.dylib"], &folder);
    let fat = folder.join("fat.dylib");
    let here = Exports::read(&fat).expect("a dylib");
    let arm = Exports::read_for(&fat, Some("aarch64-apple-darwin")).expect("a dylib");
    assert_eq!((here.target.long_double, arm.target.long_double), (16, 8));
    assert_ne!(here.build_id, arm.build_id);
    let error = Exports::read_for(&fat, Some("armv7-apple-ios")).expect_err("no such part").to_string();
    assert!(error.contains("it has no part for armv7, only for X86_64, Aarch64"), "{error}");
}

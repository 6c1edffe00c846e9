//! One library with all C types, compiled in many ways: its debug info must say the same in each.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod listing;
mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::Interface;
use opendyn_inspect::debug::{self, Options};
use variants::Variant;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("dwarf")
}

fn read(variant: &Variant) -> Interface {
    let built = variant.build(&source(), &folder());
    let options = Options { directories: built.directories, ..Options::default() };
    debug::read(&built.library, &options).unwrap_or_else(|error| panic!("{}: {error}", variant.name))
}

/// The golden is written from this variant, and the others must agree with it.
const REFERENCE: &str = "dwarf-5";

fn assert_all_say_the_same(variants: &[Variant]) {
    let mut differing = Vec::new();
    for variant in variants.iter().filter(|variant| variant.has_types) {
        let found = listing::listing(&read(variant));
        if variant.name == REFERENCE {
            listing::bless("types.txt", &found);
        }
        differing.extend(listing::differences("types.txt", &found, variant.name));
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn every_way_of_the_c_compiler_says_the_same() {
    assert_all_say_the_same(variants::PLAIN);
}

#[test]
#[cfg_attr(no_clang, ignore = "needs clang")]
fn every_way_of_clang_says_the_same() {
    assert_all_say_the_same(variants::CLANG);
}

#[test]
#[cfg_attr(no_dwp, ignore = "needs llvm-dwp")]
fn a_package_of_split_units_says_the_same() {
    assert_all_say_the_same(variants::PACKAGED);
}

#[test]
#[cfg_attr(no_dwz, ignore = "needs dwz")]
fn a_library_whose_types_are_in_a_supplement_says_the_same() {
    assert_all_say_the_same(variants::SUPPLEMENTED);
}

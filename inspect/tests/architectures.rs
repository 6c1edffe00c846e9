//! Libraries for other machines, including big-endian and 32-bit ones.

#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::panic)]

mod listing;
mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::debug::{self, Options};
use opendyn_inspect::{Exports, Interface, Target};

/// The library in a folder for this test, because tests run in parallel.
fn built(test: &str, triple: &str, flags: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("architectures").join(test).join(triple);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c").display().to_string();
    let target = format!("--target={triple}");
    let fixed = [&target, "-std=c11", "-ffreestanding", "-nostdlib", "-fPIC", "-shared", "-fuse-ld=lld"];
    let output = ["-o", "types.so", &source];
    variants::run("clang", fixed.iter().chain(flags).chain(&output), &folder);
    folder.join("types.so")
}

fn line(interface: &Interface, start: &str) -> String {
    let text = listing::listing(interface);
    let line = text.lines().find(|line| line.starts_with(start));
    line.unwrap_or_else(|| panic!("nothing begins with {start}")).to_owned()
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn sizes_and_signs_are_those_of_the_machine() {
    for (triple, long, size, char) in [
        ("i686-linux-gnu", 4, "unsigned int", "signed"),
        ("aarch64-linux-gnu", 8, "unsigned long", "unsigned"),
        ("mips-linux-gnu", 4, "unsigned int", "signed"),
        ("powerpc64le-linux-gnu", 8, "unsigned long", "unsigned"),
    ] {
        let library = built("sizes", triple, &["-g"]);
        let exports = Exports::read(&library).expect("a library");
        assert_eq!(Some(exports.target), Target::of_triple(triple), "{triple}");
        let interface = debug::read(&library, &Options::default()).expect("it has debug info");
        assert!(interface.functions.iter().all(|function| function.signature.is_ok()), "{triple}");
        assert_eq!(line(&interface, "long:"), format!("long: {long} bytes, signed"), "{triple}");
        assert_eq!(line(&interface, "size_t ="), format!("size_t = {size}"), "{triple}");
        assert_eq!(line(&interface, "char:"), format!("char: 1 bytes, {char}"), "{triple}");
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn bit_fields_begin_at_the_other_end_on_big_endian_machines() {
    let expected = "struct bits: 4 bytes, aligned to 4 { 0 low: unsigned int : 3, 0 middle: unsigned int : 7, \
                    1 high: int : 12, 3 rest: unsigned char }";
    for flags in [["-gdwarf-3"], ["-gdwarf-5"]] {
        let interface = debug::read(&built("bits", "mips-linux-gnu", &flags), &Options::default());
        assert_eq!(line(&interface.expect("it has debug info"), "struct bits"), expected, "{flags:?}");
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn large_numbers_are_aligned_to_4_on_32_bit_x86_alone() {
    for (triple, align) in [("i686-linux-gnu", 4), ("mips-linux-gnu", 8)] {
        let interface =
            debug::read(&built("align", triple, &["-g"]), &Options::default()).expect("it has debug info");
        let expected = format!("struct point: 16 bytes, aligned to {align} {{ 0 x: double, 8 y: double }}");
        assert_eq!(line(&interface, "struct point"), expected, "{triple}");
    }
}

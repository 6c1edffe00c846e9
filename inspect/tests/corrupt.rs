//! Damaged files: reading always ends, and without a panic.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::Exports;
use opendyn_inspect::debug::{self, Options};

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corrupt").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    folder
}

fn source(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name).display().to_string()
}

/// Reads `file` cut at many lengths and with changed bytes. `library` is the one whose debug info it holds.
fn assert_survives(library: &Path, file: &Path) {
    let sound = std::fs::read(file).expect("it was compiled");
    let read = || {
        let _ = Exports::read(library);
        let options = Options { directories: vec!["/nowhere".into()], ..Options::default() };
        let _ = debug::read(library, &options);
    };
    for length in (0..sound.len()).step_by(64) {
        std::fs::write(file, &sound[..length]).expect("the folder is writable");
        read();
    }
    // The same changes in every run, spread over the whole file.
    let mut state = 0x9e37_79b9_u32;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    for _ in 0..400 {
        let mut bytes = sound.clone();
        for _ in 0..=random(8) {
            let at = random(bytes.len());
            bytes[at] = [0, 0xff, 0x7f, 0x80, bytes[at] ^ 1, bytes[at].wrapping_add(1)][random(6)];
        }
        std::fs::write(file, &bytes).expect("the folder is writable");
        read();
    }
}

fn compiled(test: &str, flags: &[&str]) -> PathBuf {
    let folder = folder(test);
    let source = source("types.c");
    let fixed = ["-std=c11", "-fPIC", "-shared", "-o", "types.so", &source];
    variants::run("cc", fixed.iter().chain(flags), &folder);
    folder.join("types.so")
}

#[test]
fn damaged_elf_with_dwarf_5_is_survived() {
    let library = compiled("dwarf-5", &["-gdwarf-5"]);
    assert_survives(&library, &library);
}

#[test]
fn damaged_elf_with_dwarf_2_and_type_units_is_survived() {
    let library = compiled("dwarf-4", &["-gdwarf-4", "-fdebug-types-section", "-O2"]);
    assert_survives(&library, &library);
}

#[test]
fn damaged_compressed_sections_are_survived() {
    let library = compiled("compressed", &["-g", "-gz=zlib"]);
    assert_survives(&library, &library);
}

#[test]
fn a_damaged_split_file_is_survived() {
    let folder = folder("split");
    let source = source("types.c");
    variants::run("cc", ["-std=c11", "-fPIC", "-g", "-gsplit-dwarf", "-c", "-o", "t.o", &source], &folder);
    variants::run("cc", ["-shared", "-o", "types.so", "t.o"], &folder);
    assert_survives(&folder.join("types.so"), &folder.join("t.dwo"));
}

#[test]
#[cfg_attr(no_dwz, ignore = "needs dwz")]
fn a_damaged_supplement_is_survived() {
    let variant = &variants::SUPPLEMENTED[0];
    let built = variant.build(Path::new(&source("types.c")), &folder("supplement"));
    assert_survives(&built.library, &built.library.with_file_name("common.debug"));
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn damaged_dlls_and_pdbs_are_survived() {
    let folder = folder("dll");
    let source = source("types.c");
    let target = "--target=x86_64-pc-windows-msvc";
    variants::run("clang", [target, "-ffreestanding", "-g", "-c", "-o", "t.obj", &source], &folder);
    let fixed = ["/dll", "/noentry", "/nodefaultlib", "/debug", "/out:types.dll", "/pdb:types.pdb", "t.obj"];
    variants::run("lld-link", fixed, &folder);
    let library = folder.join("types.dll");
    let sound = std::fs::read(&library).expect("it was linked");
    assert_survives(&library, &library);
    std::fs::write(&library, sound).expect("the folder is writable");
    assert_survives(&library, &folder.join("types.pdb"));
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn damaged_dylibs_are_survived() {
    let folder = folder("dylib");
    let source = source("types.c");
    let target = "--target=x86_64-apple-macos11";
    let flags = [target, "-ffreestanding", "-fno-stack-protector", "-g", "-c", "-o", "t.o", &source];
    variants::run("clang", flags, &folder);
    let flags =
        ["-arch", "x86_64", "-platform_version", "macos", "11.0", "11.0", "-dylib", "-o", "t.dylib", "t.o"];
    variants::run("ld64.lld", flags, &folder);
    let library = folder.join("t.dylib");
    assert_survives(&library, &library);
}

//! Sizes and counts that a file states: memory use is bounded by what the file can hold.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod variants;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use object::{Object, ObjectSection};
use opendyn_inspect::Exports;
use opendyn_inspect::debug::{self, Options};

/// More than any of these small files needs, in addition to the threads of the tests.
const LIMIT: u64 = 512 << 20;

/// The peak memory of the process so far.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
}

/// Reads the library and returns the interface from its debug info.
fn read(library: &Path) -> Result<opendyn_inspect::Interface, debug::DebugError> {
    let _ = Exports::read(library);
    debug::read(library, &Options { directories: vec!["/nowhere".into()], ..Options::default() })
}

/// Runs `work`, one at a time, and checks the limit.
fn assert_bounded<T>(what: &str, work: impl FnOnce() -> T) -> T {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = peak();
    let result = work();
    let grown = peak() - before;
    assert!(grown < LIMIT, "{what}: {} MiB", grown >> 20);
    result
}

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    folder
}

fn source() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/types.c").display().to_string()
}

/// A library with debug sections compressed by `objcopy` in this way.
fn compressed(test: &str, how: &str) -> PathBuf {
    let folder = folder(test);
    variants::run("cc", ["-std=c11", "-fPIC", "-shared", "-g", "-o", "plain.so", &source()], &folder);
    let how = format!("--compress-debug-sections={how}");
    variants::run("objcopy", [&how, "plain.so", "types.so"], &folder);
    folder.join("types.so")
}

/// A DLL with its PDB.
fn microsoft(test: &str) -> PathBuf {
    let folder = folder(test);
    let target = "--target=x86_64-pc-windows-msvc";
    variants::run("clang", [target, "-ffreestanding", "-g", "-c", "-o", "t.obj", &source()], &folder);
    let flags = ["/dll", "/noentry", "/nodefaultlib", "/debug", "/out:types.dll", "/pdb:types.pdb", "t.obj"];
    variants::run("lld-link", flags, &folder);
    folder.join("types.dll")
}

/// The offset of a section of debug info in the file.
fn section(bytes: &[u8], name: &str) -> usize {
    let file = object::File::parse(bytes).expect("a library");
    let section = file.section_by_name(name).expect("it has debug info");
    usize::try_from(section.file_range().expect("it has bytes").0).expect("a small file")
}

/// Writes over the bytes at `at`.
fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    bytes[at..at + new.len()].copy_from_slice(new);
}

#[test]
fn a_false_size_of_a_compressed_section_is_refused_before_it_is_allocated() {
    for (how, size) in [("zlib-gabi", 8), ("zstd", 8), ("zlib-gnu", 8)] {
        let library = compressed(&format!("size-{how}"), how);
        assert!(read(&library).is_ok(), "{how}: sound");
        let mut bytes = std::fs::read(&library).expect("it was compiled");
        let at = section(&bytes, ".debug_info") + size;
        if how == "zlib-gnu" {
            put(&mut bytes, at, &0xffff_0000_u32.to_be_bytes());
        } else {
            put(&mut bytes, at, &0xffff_0000_u64.to_le_bytes());
        }
        std::fs::write(&library, &bytes).expect("the folder is writable");
        let error = assert_bounded(how, || read(&library)).expect_err("it is damaged").to_string();
        assert!(error.contains("is damaged"), "{error}");
    }
}

#[test]
fn a_compressed_section_that_unpacks_to_more_than_it_says_is_refused() {
    let library = compressed("short", "zlib-gabi");
    let mut bytes = std::fs::read(&library).expect("it was compiled");
    let at = section(&bytes, ".debug_info") + 8;
    put(&mut bytes, at, &100u64.to_le_bytes());
    std::fs::write(&library, &bytes).expect("the folder is writable");
    let error = read(&library).expect_err("it is damaged").to_string();
    assert!(error.contains("is damaged"), "{error}");
}

/// Changes the PDB with `change` and checks the limit.
fn assert_pdb_bounded(test: &str, change: impl Fn(&mut [u8]) -> usize) {
    let library = microsoft(test);
    assert!(read(&library).is_ok(), "{test}: sound");
    let pdb = library.with_extension("pdb");
    let mut bytes = std::fs::read(&pdb).expect("it was linked");
    assert!(change(&mut bytes) > 0, "{test}: nothing was changed");
    std::fs::write(&pdb, &bytes).expect("the folder is writable");
    let _ = assert_bounded(test, || read(&library));
}

/// Writes `new` at an offset from each occurrence of `pattern`.
fn replace(bytes: &mut [u8], pattern: &[u8], offset: usize, new: &[u8]) -> usize {
    let found: Vec<usize> = (0..bytes.len() - 64).filter(|at| bytes[*at..].starts_with(pattern)).collect();
    found.iter().for_each(|at| put(bytes, at + offset, new));
    found.len()
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_false_count_of_arguments_in_a_pdb_is_refused_before_it_is_allocated() {
    // LF_ARGLIST of two arguments.
    assert_pdb_bounded("arguments", |bytes| {
        replace(bytes, &[0x01, 0x12, 2, 0, 0, 0], 2, &u32::MAX.to_le_bytes())
    });
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_false_count_of_types_in_a_pdb_is_refused_before_it_is_allocated() {
    // The header of the types: version, size of the header, first and last index.
    let header = [20040203_u32, 56, 0x1000].map(u32::to_le_bytes).concat();
    assert_pdb_bounded("types", |bytes| replace(bytes, &header, 12, &u32::MAX.to_le_bytes()));
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_list_of_functions_in_a_pdb_is_not_allocated_for_its_count() {
    // S_OBJNAME, whose first number is 0, becomes S_CALLEES.
    assert_pdb_bounded("callees", |bytes| {
        let new = [&[0x5a, 0x11][..], &u32::MAX.to_le_bytes()].concat();
        replace(bytes, &[0x01, 0x11, 0, 0, 0, 0], 0, &new)
    });
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_stream_of_a_pdb_has_at_most_the_size_of_the_file() {
    // More pages than the file has, all in the directory.
    assert_pdb_bounded("stream", |bytes| {
        put(bytes, 40, &u32::MAX.to_le_bytes());
        let pages = 0x4000_0000_u32 / u32::from_le_bytes([bytes[32], bytes[33], bytes[34], bytes[35]]);
        put(bytes, 44, &0x4000_0000_u32.to_le_bytes());
        for page in 0..(pages * 4).div_ceil(4096) {
            put(bytes, 52 + 4 * page as usize, &(page + 1).to_le_bytes());
        }
        1
    });
}

/// Reads `file` again and again, each time with one number changed to a large one.
fn assert_numbers_bounded(library: &Path, file: &Path) {
    let sound = std::fs::read(file).expect("it was compiled");
    let mut state = 0x2545_f491_u32;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    assert_bounded(&file.display().to_string(), || {
        for _ in 0..150 {
            let mut bytes = sound.clone();
            for _ in 0..=random(3) {
                let large =
                    [&[0xff, 0xff, 0xff, 0x7f][..], &[0xff; 4], &[0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0]];
                let at = random(bytes.len() - 8) & !1;
                put(&mut bytes, at, large[random(large.len())]);
            }
            std::fs::write(file, &bytes).expect("the folder is writable");
            let _ = read(library);
        }
    });
    std::fs::write(file, &sound).expect("the folder is writable");
}

#[test]
fn large_numbers_in_elf_take_no_memory() {
    for how in ["none", "zlib-gabi", "zlib-gnu", "zstd"] {
        let library = compressed(&format!("numbers-{how}"), how);
        assert_numbers_bounded(&library, &library);
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn large_numbers_in_a_dll_and_its_pdb_take_no_memory() {
    let library = microsoft("numbers-pdb");
    assert_numbers_bounded(&library, &library);
    assert_numbers_bounded(&library, &library.with_extension("pdb"));
}

//! Which entry of the debug info belongs to an exported symbol if names and addresses disagree.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::expect_used, clippy::panic)]

mod listing;
mod variants;

use std::path::{Path, PathBuf};

use opendyn_inspect::debug::{self, Options};
use opendyn_inspect::{Exports, Interface, SymbolKind};

fn built(name: &str, flags: &[&str]) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matching");
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    let library = folder.join(name);
    let script = format!("-Wl,--version-script={}", tests.join("matching.map").display());
    let mut arguments = vec!["-std=gnu11", "-fPIC", "-shared", "-Wl,-soname,libmatching.so.2", "-o"];
    let (output, source) = (library.display().to_string(), tests.join("matching.c").display().to_string());
    arguments.extend([output.as_str(), source.as_str(), script.as_str()]);
    arguments.extend(flags);
    variants::run("cc", arguments, &folder);
    library
}

fn read(library: &Path) -> Interface {
    debug::read(library, &Options::default()).expect("it has debug info")
}

fn spelled(interface: &Interface, name: &str) -> String {
    let text = listing::listing(interface);
    let mut lines = text.lines();
    let is_of = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', ':']));
    lines.find(is_of).unwrap_or_else(|| panic!("{name} is not in the interface")).to_owned()
}

const WAYS: [(&str, &[&str]); 4] = [
    ("plain.so", &["-g", "-O0"]),
    ("optimized.so", &["-g", "-O2"]),
    ("dwarf-4.so", &["-gdwarf-4", "-O1"]),
    ("sections.so", &["-g", "-O2", "-ffunction-sections"]),
];

#[test]
fn aliases_and_versions_are_found_by_address() {
    for (name, flags) in WAYS {
        let interface = read(&built(name, flags));
        let alias = spelled(&interface, "alias_name");
        assert_eq!(alias, "alias_name(text: const char *, length: unsigned long) -> int", "{name}");
        assert_eq!(spelled(&interface, "shown"), "shown(a: double, b: int) -> double", "{name}");
        assert_eq!(spelled(&interface, "versioned"), "versioned(a: long, b: long) -> long", "{name}");
        assert_eq!(spelled(&interface, "linker_name"), "linker_name(a: short) -> int", "{name}");
    }
}

#[test]
fn a_function_that_is_inlined_elsewhere_has_the_parameters_of_its_source() {
    for (name, flags) in WAYS {
        let inlined = spelled(&read(&built(&format!("inlined-{name}"), flags)), "inlined");
        assert_eq!(inlined, "inlined(a: int, b: const char *) -> int", "{name}");
    }
}

#[test]
fn callers_of_a_definition_without_prototype_pass_promoted_arguments() {
    for (name, flags) in WAYS {
        let interface = read(&built(&format!("old-{name}"), flags));
        let old = spelled(&interface, "old_style");
        assert_eq!(old, "old_style(a: double, b: int, c: char *) -> int", "{name}");
        assert_eq!(spelled(&interface, "old_empty"), "old_empty() -> int", "{name}");
    }
}

#[test]
fn the_type_of_an_ifunc_is_what_its_chooser_points_to() {
    for (name, flags) in WAYS {
        let library = built(&format!("ifunc-{name}"), flags);
        assert_eq!(
            Exports::read(&library).expect("a library").get("chosen").map(|e| e.kind),
            Some(SymbolKind::Ifunc)
        );
        let interface = read(&library);
        let chosen = spelled(&interface, "chosen");
        assert_eq!(chosen, "chosen(int, float) -> int", "{name}");
        let blind = spelled(&interface, "chosen_blindly");
        assert!(blind.contains("IFUNC"), "{name}: {blind}");
    }
}

#[test]
fn what_assembler_exports_is_not_taken_for_a_function_without_parameters() {
    let assembled = spelled(&read(&built("assembled.so", &["-g"])), "assembled");
    assert_eq!(assembled, "assembled: the debug info does not describe it");
}

#[test]
#[cfg_attr(no_lld, ignore = "needs lld, which folds equal functions")]
fn functions_that_share_their_code_are_told_apart_by_name() {
    let flags = ["-g", "-O2", "-ffunction-sections", "-fuse-ld=lld", "-Wl,--icf=all"];
    let library = built("folded.so", &flags);
    let exports = Exports::read(&library).expect("a library");
    let address = |name: &str| exports.get(name).and_then(|export| export.address).expect("it is there");
    assert_eq!(address("folded_pointer"), address("folded_number"), "the linker did not fold them");
    let interface = read(&library);
    assert_eq!(spelled(&interface, "folded_pointer"), "folded_pointer(a: void *) -> void *");
    assert_eq!(spelled(&interface, "folded_number"), "folded_number(a: unsigned long) -> unsigned long");
}

#[test]
fn only_what_is_wanted_is_read() {
    let library = built("wanted.so", &["-g"]);
    let wanted = |name: &str| name == "shown";
    let options = Options { wanted: Some(&wanted), ..Options::default() };
    let interface = debug::read(&library, &options).expect("it has debug info");
    let names: Vec<&str> = interface.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["shown"]);
    assert!(!listing::listing(&interface).contains("char"), "types of other functions were read");
}

#[test]
fn types_without_a_word_in_the_model_say_what_they_are() {
    let interface = read(&built("words.so", &["-g"]));
    let expected = "atomic_and_vector(a: _Atomic int *, b: _Atomic pointer, c: a vector, d: __int128, \
                    e: _Float128, f: long double, g: complex of 8 bytes) -> int";
    assert_eq!(spelled(&interface, "atomic_and_vector"), expected);
}

#[test]
fn a_function_is_where_its_source_has_it() {
    let interface = read(&built("place.so", &["-g"]));
    let place = interface.function("alias_target").and_then(|function| function.place.clone());
    let place = place.expect("the debug info has lines");
    assert!(place.file.ends_with("tests/c/matching.c"), "{}", place.file);
    assert_eq!(place.line, 4);
}

#[test]
fn exports_tell_versions_kinds_and_names() {
    let exports =
        Exports::read(&built("exports.so", &["-g", "-Wl,--build-id=0x0123456789"])).expect("a library");
    assert_eq!(exports.soname.as_deref(), Some("libmatching.so.2"));
    assert_eq!(exports.build_id.as_deref(), Some(&[0x01, 0x23, 0x45, 0x67, 0x89][..]));
    let kind = |name: &str| exports.get(name).map(|export| export.kind);
    assert_eq!(kind("data"), Some(SymbolKind::Data));
    assert_eq!(kind("of_thread"), Some(SymbolKind::ThreadLocal));
    assert_eq!(kind("alias_name"), Some(SymbolKind::Function));
    assert_eq!(kind("hidden"), None);
    let versions = exports.versions("versioned").iter();
    let versions: Vec<(Option<&str>, bool)> =
        versions.map(|export| (export.version.as_deref(), export.default)).collect();
    assert_eq!(versions, [(Some("V2"), true), (Some("V1"), false)]);
    assert!(exports.has("versioned") && !exports.has("data") && !exports.has("nothing"));
    assert_eq!(exports.functions().filter(|export| export.name == "versioned").count(), 1);
}

#[test]
fn a_library_of_rust_speaks_of_types_of_c() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matching");
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    let source = r#"
        #[repr(C)] pub struct Pair { x: f64, n: u32 }
        #[unsafe(no_mangle)] pub extern "C" fn of_rust(a: i32, b: usize, c: *const Pair, d: *mut u8) -> f32 {
            let _ = (c, d);
            a as f32 + b as f32
        }
        #[unsafe(no_mangle)] pub extern "C" fn call(f: extern "C" fn(i64) -> bool) { f(1); }
    "#;
    std::fs::write(folder.join("rust.rs"), source).expect("the folder is writable");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let flags = ["--edition=2024", "--crate-type=cdylib", "-g", "-O", "-o", "rust.so", "rust.rs"];
    variants::run(&compiler, flags, &folder);
    let wanted = |name: &str| matches!(name, "of_rust" | "call");
    let options = Options { wanted: Some(&wanted), ..Options::default() };
    let interface = debug::read(&folder.join("rust.so"), &options).expect("it has debug info");
    let expected = "of_rust(a: int, b: unsigned long, c: const struct Pair *, d: unsigned char *) -> float";
    assert_eq!(spelled(&interface, "of_rust"), expected);
    assert_eq!(spelled(&interface, "call"), "call(f: bool (*)(long)) -> void");
}

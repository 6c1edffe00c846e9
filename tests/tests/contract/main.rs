//! Documents compared with libraries: there are no findings where they agree, however the library was
//! compiled, and every disagreement is found.
//!
//! The library with all C types is that of `inspect/tests`; its document is `contract/types.json`. The case
//! of a rule is `contract/RULE.json`, compared with the debug info of `contract/RULE.c`; the findings are in
//! `RULE.stderr`.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod cases;
mod decorated;
mod examples;
mod freed;
mod mutants;
mod mutation;
#[expect(unreachable_pub, reason = "the tests of another crate have it too")]
#[path = "../../../inspect/tests/variants/mod.rs"]
mod variants;

use std::path::{Path, PathBuf};

use opendyn_codegen::Options;
use opendyn_inspect::contract::{Against, ContractReport, Coverage, Evidence, Source, Tier, check_contract};
use opendyn_inspect::{Exports, Interface, debug, header};
use variants::{Built, Variant};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("contract")
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../inspect/tests/c/types.c")
}

fn document() -> String {
    std::fs::read_to_string(folder().join("types.json")).expect("the document is there")
}

/// The sources to compare a document with.
struct Sources {
    exports: Exports,
    header: Result<Interface, String>,
    debug_info: Result<Interface, String>,
}

impl Sources {
    fn of(built: &Built) -> Self {
        let options = debug::Options { directories: built.directories.clone(), ..debug::Options::default() };
        Self {
            exports: Exports::read(&built.library).expect("it is a library"),
            header: Err("none".to_owned()),
            debug_info: debug::read(&built.library, &options).map_err(|error| error.to_string()),
        }
    }

    fn variant(variant: &Variant) -> Self {
        // Several tests may build the same variant at once.
        let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contract").join(test);
        Self::of(&variant.build(&source(), &folder))
    }

    fn check(&self, file: &str, document: &str) -> ContractReport {
        fn named<'s>(source: &'s Result<Interface, String>, name: &str) -> Source<'s, Interface> {
            source.as_ref().map(|interface| (name.to_owned(), interface)).map_err(Clone::clone)
        }
        let evidence = Evidence {
            exports: Ok(("types.so".to_owned(), &self.exports)),
            header: named(&self.header, "types.c"),
            debug_info: named(&self.debug_info, "types.so"),
        };
        check_contract(file, document, &Options::default(), &evidence)
    }
}

fn tier(report: &ContractReport, against: Against) -> &Tier {
    report.tiers.iter().find(|tier| tier.against == against).expect("every tier is told of")
}

/// Asserts that there are no findings and that everything comparable was compared.
fn assert_fits(variants: &[Variant]) {
    for variant in variants {
        let report = Sources::variant(variant).check("types.json", &document());
        assert!(report.diagnostics.is_empty(), "{}: {}", variant.name, report.diagnostics);
        let all = Ok(Coverage { functions: 40, of: 40, ..Coverage::default() });
        assert_eq!(tier(&report, Against::Exports).result, all, "{}", variant.name);
        let result = &tier(&report, Against::DebugInfo).result;
        if variant.has_types {
            assert_eq!(*result, all, "{}", variant.name);
        } else {
            let checked = result.as_ref().expect("there is debug info");
            assert_eq!(checked.functions, 0, "{}", variant.name);
            let left: usize = checked.unchecked.iter().map(|group| group.functions.len()).sum();
            assert_eq!(left, 40, "every function is told of with a reason: {checked}");
        }
    }
}

#[test]
fn nothing_is_found_in_whichever_way_the_c_compiler_made_the_library() {
    assert_fits(variants::PLAIN);
}

#[test]
#[cfg_attr(no_clang, ignore = "needs clang")]
fn nothing_is_found_in_whichever_way_clang_made_the_library() {
    assert_fits(variants::CLANG);
}

#[test]
#[cfg_attr(no_dwp, ignore = "needs llvm-dwp")]
fn nothing_is_found_with_packages_of_split_units() {
    assert_fits(variants::PACKAGED);
}

#[test]
#[cfg_attr(no_dwz, ignore = "needs dwz")]
fn nothing_is_found_with_types_in_a_supplement() {
    assert_fits(variants::SUPPLEMENTED);
}

#[test]
fn a_stripped_library_is_checked_by_its_exports_and_the_rest_is_reported() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contract-stripped");
    let built = variants::PLAIN[0].build(&source(), &folder);
    variants::run("strip", [built.library.as_os_str()], &folder);
    let report = Sources::of(&built).check("types.json", &document());
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
    assert_eq!(tier(&report, Against::Exports).result.as_ref().map(|checked| checked.functions), Ok(40));
    let reason = tier(&report, Against::DebugInfo).result.as_ref().expect_err("it was stripped");
    assert!(reason.contains("has no debug info"), "{reason}");
}

#[test]
fn nothing_is_found_in_the_source_itself() {
    let header = header::read(&[source()], &header::Options::default()).map_err(|error| error.to_string());
    let built = Sources::variant(&variants::PLAIN[3]);
    let report = Sources { header, ..built }.check("types.json", &document());
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
    let all = Ok(Coverage { functions: 40, of: 40, ..Coverage::default() });
    assert_eq!(tier(&report, Against::Header).result, all);
}

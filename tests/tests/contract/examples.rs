//! The documents of the examples agree with the libraries and headers of the system.

use std::path::Path;

use opendyn_codegen::{Options, Rule};
use opendyn_inspect::contract::{
    Against, ContractReport, Evidence, NativeLibrary, NativeOptions, check_contract, default_library, symbols,
};
use opendyn_inspect::header;

use super::tier;

/// Compares a document of the examples with its library and a header.
fn check(example: &str, header: &str, define: &[&str]) -> ContractReport {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/{example}/{example}.json"));
    let source = std::fs::read_to_string(path).expect("the document is there");
    let name = default_library(&source, "linux").expect("the document names its library");
    let library =
        NativeLibrary::read(&name, &symbols(&source), NativeOptions::default()).expect("it is installed");
    let define = define.iter().map(|name| (*name).to_owned()).collect();
    let options = header::Options { define, ..header::Options::default() };
    let interface = header::read(&[header.into()], &options).expect("it is installed");
    let evidence = Evidence { header: Ok((header.to_owned(), &interface)), ..library.evidence() };
    let report = check_contract(&format!("{example}.json"), &source, &Options::default(), &evidence);
    for tier in &report.tiers {
        println!("{example}: {tier}");
    }
    report
}

/// How many functions were compared, and how many there are.
fn counts(report: &ContractReport, against: Against) -> (usize, usize) {
    let checked = tier(report, against).result.as_ref().expect("the source is there");
    (checked.functions, checked.of)
}

#[test]
#[cfg_attr(no_zlib_header, ignore = "needs zlib1g-dev")]
fn zlib_fits() {
    let report = check("zlib", "zlib.h", &[]);
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
    let (checked, all) = counts(&report, Against::Header);
    assert_eq!((checked, counts(&report, Against::Exports).0), (all, all));
}

#[test]
#[cfg_attr(no_sqlite3_header, ignore = "needs libsqlite3-dev")]
fn sqlite_fits() {
    let report = check("sqlite", "sqlite3.h", &[]);
    // The hooks return the previous closure, which the binding has freed.
    let others = report.diagnostics.iter().filter(|diagnostic| diagnostic.rule != Rule::DroppedReturn);
    assert_eq!(others.count(), 0, "{}", report.diagnostics);
    let (checked, all) = counts(&report, Against::Header);
    assert_eq!((checked, counts(&report, Against::Exports).0), (all, all));
}

#[test]
#[cfg_attr(no_glibc, ignore = "needs glibc and its headers")]
fn libm_fits() {
    let report = check("libm", "math.h", &["_GNU_SOURCE"]);
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
    let (checked, all) = counts(&report, Against::Header);
    assert_eq!(checked + 1, all, "`fegetround` is in fenv.h");
}

#[test]
#[cfg_attr(no_libc_debug_info, ignore = "needs libc6-dbg")]
fn libm_fits_its_debug_info() {
    let report = check("libm", "math.h", &["_GNU_SOURCE"]);
    let (checked, all) = counts(&report, Against::DebugInfo);
    assert!(checked * 10 > all * 9, "{checked} of {all}");
}

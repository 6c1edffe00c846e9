//! The symbols of `x-free` in the library and in what it links.

use std::path::Path;

use opendyn_codegen::{Options, Rule};
use opendyn_inspect::contract::{
    Against, ContractReport, NativeLibrary, NativeOptions, check_contract, symbols,
};

use super::tier;

/// A document with a function of `library` whose result is freed in this way.
fn document(symbol: &str, free: &str) -> String {
    format!(
        r#"{{ "opendyn": "1.0.0", "info": {{ "title": "x", "version": "1.0.0", "callingConvention": "cdecl" }},
        "functions": [ {{ "name": "text", "description": "A text.", "x-symbol": "{symbol}", "parameters": [],
        "return": {{ "name": "text", "x-free": {free},
        "schema": {{ "type": "string", "cType": {{ "type": "char", "isPointer": true }} }} }} }} ] }}"#
    )
}

fn check(library: &NativeLibrary, document: &str) -> ContractReport {
    check_contract("x.json", document, &Options::default(), &library.evidence())
}

fn read(name: &str, document: &str) -> NativeLibrary {
    NativeLibrary::read(name, &symbols(document), NativeOptions::default()).expect("it is installed")
}

/// The example's own document, and what is wrong in another one.
#[test]
fn the_variable_of_libxml2_is_one() {
    if opendyn_inspect::locate("libxml2.so.2").is_err() {
        assert!(std::env::var_os("OPENDYN_TEST_ALL").is_none(), "libxml2 is not installed");
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/libraries/documents/xml.json");
    let own = std::fs::read_to_string(path).expect("the document is there");
    let library = read("libxml2.so.2", &own);
    let report = check(&library, &own);
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);

    let called = document("xmlGetLastError", r#"{ "symbol": "xmlFree" }"#);
    let report = check(&library, &called);
    let found: Vec<(Rule, &str)> =
        report.diagnostics.iter().map(|found| (found.rule, found.message.as_str())).collect();
    assert_eq!(found, [(Rule::NotExported, "`xmlFree` is not a function, and `x-free` calls it")]);
    // libz, which it links, and libc.
    for linked in ["zlibVersion", "free"] {
        let report = check(&library, &document("xmlGetLastError", &format!(r#"{{ "symbol": "{linked}" }}"#)));
        assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
    }
}

#[test]
fn what_may_be_in_a_library_that_is_not_found_is_not_reported() {
    let document = document("inflate", r#"{ "symbol": "nowhere_free" }"#);
    let mut library = read("libz.so.1", &document);
    let rules =
        |report: &ContractReport| report.diagnostics.iter().map(|found| found.rule).collect::<Vec<_>>();
    assert_eq!(rules(&check(&library, &document)), [Rule::NotExported]);
    library.exports.needed.push("libnowhere.so.9".to_owned());
    let report = check(&library, &document);
    assert_eq!(rules(&report), []);
    let told = tier(&report, Against::Exports).to_string();
    let expected = "not checked: `nowhere_free` of `x-free` (these libraries that it links were not found: libnowhere.so.9)";
    assert!(told.ends_with(expected), "{told}");
}

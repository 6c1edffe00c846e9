//! One document and one C file per rule, and the messages for their authors.

use std::collections::BTreeSet;

use opendyn_codegen::{Options, Rule};
use opendyn_inspect::contract::{Evidence, check_contract};
use opendyn_inspect::header;
use opendyn_tests::assert_golden;

use super::{Sources, folder, variants};

/// One test per case, named after the rule that it breaks.
macro_rules! cases {
    ($($case:ident $rule:ident)*) => {
        const CASES: &[&str] = &[$(stringify!($case)),*];

        $(#[test]
        fn $case() {
            breaks_one_rule(stringify!($case), Rule::$rule);
        })*
    };
}

cases! {
    not_exported NotExported
    freed_symbol NotExported
    arity Arity
    parameter_type ParameterType
    return_type ReturnType
    struct_layout StructLayout
    callback_signature CallbackSignature
    variadic_mismatch VariadicMismatch
    sign Sign
    portable Portable
    same_bytes SameBytes
    dropped_return DroppedReturn
    const_output ConstOutput
}

fn breaks_one_rule(case: &str, rule: Rule) {
    let case = case.replace('_', "-");
    let path = folder().join(&case);
    let source = std::fs::read_to_string(path.with_extension("json")).expect("the document is there");
    let build = variants::PLAIN.iter().find(|variant| variant.name == "dwarf-5").expect("it is there");
    let built = build.build(
        &path.with_extension("c"),
        &std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("contract-cases").join(&case),
    );
    let report = Sources::of(&built).check(&format!("{case}.json"), &source);
    assert!(!report.diagnostics.is_empty(), "{case} breaks no rule");
    for diagnostic in &report.diagnostics {
        assert_eq!(diagnostic.rule, rule, "{case} is not about {diagnostic}");
    }
    assert_golden(&path.with_extension("stderr"), &format!("{}\n", report.diagnostics));
}

/// `stdcall` is a convention of 32-bit x86. Not every compiler here can generate code for it, but every
/// one can preprocess for it.
#[test]
fn convention_mismatch() {
    let path = folder().join("convention-mismatch");
    let source = std::fs::read_to_string(path.with_extension("json")).expect("the document is there");
    let options = header::Options { arguments: vec!["-m32".into()], ..header::Options::default() };
    let interface = header::read(&[path.with_extension("c")], &options).expect("it can be read");
    let evidence = Evidence {
        exports: Err("none".to_owned()),
        header: Ok(("convention-mismatch.c".to_owned(), &interface)),
        debug_info: Err("none".to_owned()),
    };
    let report = check_contract("convention-mismatch.json", &source, &Options::default(), &evidence);
    assert!(report.diagnostics.iter().all(|diagnostic| diagnostic.rule == Rule::ConventionMismatch));
    assert_golden(&path.with_extension("stderr"), &format!("{}\n", report.diagnostics));
}

#[test]
fn every_file_has_a_test() {
    let cases = CASES.iter().chain(&["convention_mismatch"]);
    let tested: BTreeSet<String> = cases.map(|case| case.replace('_', "-")).collect();
    for entry in std::fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let case = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(tested.contains(&case) || case == "types", "no test looks at {}", path.display());
    }
}

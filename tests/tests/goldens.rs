//! What is generated, as files that people read and review: `fixtures/CASE/expected.rs`.
//!
//! Nothing is compiled here, so that `OPENDYN_BLESS=1` can mend a file that does not compile:
//! `frontends` compiles all of them, and `build_script` makes a crate with documentation of them.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opendyn_codegen::{Generated, Options, Unchecked, generate};
use opendyn_tests::assert_golden;

/// One test a case; the name of its folder has dashes for the underscores.
macro_rules! goldens {
    ($($case:ident)*) => {
        const CASES: &[&str] = &[$(stringify!($case)),*];

        $(#[test]
        fn $case() {
            is_as_expected(&stringify!($case).replace('_', "-"));
        })*
    };
}

goldens! {
    codes docs empty extensions keys_arrays keys_callbacks keys_handles keys_owned keys_replies keys_structs keys_text
    keys_values library names optional outputs refs scalars stdcall strings thread_safe unchecked
    unsafe_pointers
}

/// What some cases are about: options beside the document.
fn options(case: &str) -> Options {
    let mut options = Options::default();
    match case {
        "names" => {
            options.strip_prefix = Some("gfx_".to_owned());
            options.rename.insert("old_name".to_owned(), "new_name".to_owned());
            options.rename.insert("old_keyword".to_owned(), "yield".to_owned());
        }
        "optional" => {
            options.optional.insert("plain".to_owned());
        }
        "thread-safe" => options.name = Some("Shared".to_owned()),
        "unchecked" => options.unchecked = Unchecked::Allow,
        _ => {}
    }
    options
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn generated(case: &str) -> Generated {
    let source =
        std::fs::read_to_string(fixtures().join(case).join("tool.json")).expect("the document is there");
    let name = format!("fixtures/{case}/tool.json");
    generate(&name, &source, &options(case)).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

fn is_as_expected(case: &str) {
    let text = generated(case).to_file().expect("it is Rust");
    assert_golden(&fixtures().join(case).join("expected.rs"), &text);
}

#[test]
fn every_golden_has_a_test() {
    let tested: BTreeSet<String> = CASES.iter().map(|case| case.replace('_', "-")).collect();
    for entry in std::fs::read_dir(fixtures()).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let case = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(
            !path.join("expected.rs").exists() || tested.contains(&case),
            "no test looks at {}",
            path.display()
        );
    }
}

#[test]
fn no_description_becomes_a_doctest() {
    for case in CASES {
        let case = case.replace('_', "-");
        let text = generated(&case).to_file().expect("it is Rust");
        let mut fenced = false;
        for line in text.lines().map(str::trim_start) {
            let Some(docs) = line.strip_prefix("///") else {
                assert!(!fenced, "{case}: a fence is not closed before {line}");
                continue;
            };
            let docs = docs.strip_prefix(' ').unwrap_or(docs);
            assert!(fenced || !docs.starts_with("    "), "{case}: an indented block: {line}");
            if docs.trim_start().starts_with("```") || docs.trim_start().starts_with("~~~") {
                assert_eq!(docs, if fenced { "```" } else { "```text" }, "{case}");
                fenced = !fenced;
            }
        }
    }
}

/// The lines of a golden, without its documentation.
fn code(case: &str) -> String {
    let path = fixtures().join(case.replace('_', "-")).join("expected.rs");
    let golden = std::fs::read_to_string(path).expect("the golden is there");
    let is_code = |line: &&str| !line.trim_start().starts_with("///");
    golden.lines().filter(is_code).fold(String::new(), |code, line| code + line + "\n")
}

/// What calls come as JSON: the caller is a client that knows nothing of memory.
#[test]
fn no_thunk_relies_on_its_caller() {
    let wrong: Vec<String> = CASES
        .iter()
        .flat_map(|case| {
            let code = code(case);
            let thunks = code.split_once("runtime::Functions<").map_or("", |(_, thunks)| thunks);
            let reasons =
                thunks.lines().filter(|line| line.contains("// SAFETY:") && line.contains("caller"));
            reasons.map(|reason| format!("{case}: {}", reason.trim())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{} thunks: {wrong:#?}", wrong.len());
}

#[test]
fn every_unsafe_block_has_a_reason() {
    for case in CASES {
        let code = code(case);
        let unsafes = code.matches("unsafe {").count() + code.matches("unsafe impl ").count();
        assert_eq!(code.matches("// SAFETY: ").count(), unsafes, "{case}");
    }
}

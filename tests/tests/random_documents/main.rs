//! Random documents: the generator must report findings or write code that compiles without warnings.
//!
//! Names are taken from those that have caused trouble: keywords, names that generated code uses,
//! digits, other scripts. Most types are valid, so that many of the documents are accepted. Documents
//! of 1.0 are here, those with extension keys in `keys`.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod choices;
mod keys;
mod objects;

use opendyn_codegen::{Generated, Options, Unchecked, generate};
use opendyn_tests::Workspace;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::{Value, json};

const FUNCTION_NAMES: &[&str] = &[
    "add",
    "Add",
    "ADD",
    "get-x",
    "GetX",
    "type",
    "self",
    "Self",
    "super",
    "crate",
    "open",
    "load",
    "call",
    "call_json",
    "library",
    "new",
    "drop",
    "clone",
    "fmt",
    "Option",
    "Result",
    "Ok",
    "None",
    "functions",
    "symbols",
    "optional",
    "has_add",
    "runtime",
    "c_int",
    "string",
    "copied",
    "u8",
    "bool",
    "_",
    "__",
    "1",
    "_1",
    "7zip",
    "2d-x",
    "match",
    "async",
    "gen",
    "binding",
    "args",
    "out",
    "outputs",
    "returned",
    "from_library",
    "into",
    "a",
];

const VALUE_NAMES: &[&str] = &[
    "a", "b", "self", "type", "binding", "args", "out", "outputs", "returned", "runtime", "library",
    "result", "add", "c_int", "u8", "1", "_1", "_x", "x_buffer", "宽度", "größe", "a.b", "$x", "maxValue",
    "get-x", "Some", "value",
];

fn schema() -> impl Strategy<Value = Value> {
    let integers = prop::sample::select(vec![
        "char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned int",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
    ]);
    let fitting = prop_oneof![
        4 => (integers.clone(), any::<bool>()).prop_map(|(c_type, pointer)| ("integer", c_type, pointer)),
        1 => (integers.clone(), any::<bool>()).prop_map(|(c_type, pointer)| ("boolean", c_type, pointer)),
        2 => any::<bool>().prop_map(|pointer| ("boolean", "bool", pointer)),
        2 => (prop::sample::select(vec!["float", "double"]), any::<bool>())
            .prop_map(|(c_type, pointer)| ("number", c_type, pointer)),
        3 => (prop::sample::select(vec!["char", "unsigned char"]), any::<bool>())
            .prop_map(|(c_type, pointer)| ("string", c_type, pointer)),
        1 => integers.prop_map(|c_type| ("array", c_type, true)),
        1 => Just(("array", "bool", true)),
        1 => Just(("object", "void", true)),
    ];
    let unfitting = (
        prop::sample::select(vec![
            "boolean", "integer", "number", "string", "array", "object", "double", "what",
        ]),
        prop::sample::select(vec!["void", "bool", "char", "int", "double", "size_t"]),
        any::<bool>(),
    );
    prop_oneof![60 => fitting, 1 => unfitting].prop_map(
        |(kind, c_type, pointer)| json!({"type": kind, "cType": {"type": c_type, "isPointer": pointer}}),
    )
}

fn description() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("What it does.".to_owned()),
        1 => Just(String::new()),
        1 => "[a-z`\\[\\]<>~#*_ \n\t]{0,40}",
        1 => any::<String>(),
    ]
}

fn parameter() -> impl Strategy<Value = Value> {
    (prop::sample::select(VALUE_NAMES), description(), schema(), any::<(bool, bool)>()).prop_map(
        |(name, description, schema, (is_in, required))| {
            // Most outputs are pointers.
            let is_in = is_in || schema["cType"]["isPointer"] == json!(false);
            json!({"name": name, "description": description, "schema": schema, "isIn": is_in, "required": required})
        },
    )
}

fn function() -> impl Strategy<Value = Value> {
    let returned = prop::option::of((prop::sample::select(VALUE_NAMES), schema()));
    let parameters = prop::collection::vec(parameter(), 0..4);
    (prop::sample::select(FUNCTION_NAMES), description(), parameters, returned, any::<bool>()).prop_map(
        |(name, description, parameters, returned, optional)| {
            let returned = returned.map(|(name, schema)| json!({"name": name, "schema": schema}));
            json!({"name": name, "description": description, "parameters": parameters, "return": returned,
                   "x-optional": optional})
        },
    )
}

fn plain() -> impl Strategy<Value = (String, Options)> {
    let info = (
        prop::sample::select(vec![
            "calc", "Option", "Result", "String", "self", "数学", "a b-c", "Vec", "7zip", "",
        ]),
        prop::sample::select(vec!["cdecl", "cdecl", "cdecl", "stdcall"]),
        any::<bool>(),
    );
    let functions = prop::collection::vec(function(), 0..4);
    let codes =
        prop::collection::vec((-3..4_i64, prop::sample::select(vec!["all", "ok", "", "not ok", "坏"])), 0..3);
    (info, functions, codes, any::<bool>()).prop_map(
        |((title, convention, thread_safe), functions, codes, unchecked)| {
            let codes: serde_json::Map<String, Value> =
                codes.into_iter().map(|(code, text)| (code.to_string(), json!(text))).collect();
            let info = json!({"title": title, "version": "1", "callingConvention": convention,
                              "x-threadSafe": thread_safe});
            let document = json!({"opendyn": "1.0.0", "info": info, "functions": functions, "code": codes});
            let mut options = Options::default();
            options.unchecked = if unchecked { Unchecked::Allow } else { Unchecked::Refuse };
            (document.to_string(), options)
        },
    )
}

/// A document with or without extension keys.
fn document() -> impl Strategy<Value = (String, Options)> {
    prop_oneof![keys::document().prop_map(|document| (document, Options::default())), plain()]
}

fn runner() -> TestRunner {
    TestRunner::new(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })
}

/// The number of documents: all of them in CI, and a part elsewhere.
fn tried(all: usize) -> usize {
    if cfg!(quick) { all / 5 } else { all }
}

/// Accepted documents; as many random ones are tried as needed.
fn accepted(count: usize) -> Vec<(String, Generated)> {
    let mut runner = runner();
    let mut accepted = Vec::new();
    let mut tried = 0;
    while accepted.len() < count {
        tried += 1;
        assert!(tried < 50 * count, "only {} of {tried} documents are accepted", accepted.len());
        let (document, options) = document().new_tree(&mut runner).expect("a document").current();
        if let Ok(generated) = generate("random.json", &document, &options) {
            accepted.push((document, generated));
        }
    }
    accepted
}

#[test]
fn no_document_makes_the_generator_panic() {
    let mut runner = runner();
    for _ in 0..tried(800) {
        let (document, options) = document().new_tree(&mut runner).expect("a document").current();
        match generate("random.json", &document, &options) {
            Ok(generated) => {
                if let Err(error) = generated.to_file() {
                    panic!("{document}\n{error}");
                }
            }
            Err(diagnostics) => assert!(diagnostics.errors().count() > 0, "{document}"),
        }
    }
}

#[test]
fn accepted_documents_compile_without_a_warning() {
    let workspace = Workspace::new("random", &["accepted"]);
    let mut library = "//! Bindings.\n#![deny(warnings, missing_docs)]\n".to_owned();
    for (index, (document, generated)) in accepted(tried(150)).into_iter().enumerate() {
        let text = generated.to_file().expect("Rust");
        workspace.write(&format!("accepted/src/binding_{index}.rs"), &format!("//! {document}\n{text}"));
        library += &format!("pub mod binding_{index};\n");
    }
    workspace.write("accepted/src/lib.rs", &library);
    let output = workspace.cargo(&["check"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

//! `opendyn.schema.json`, with which editors check documents: it is the output of the generator, it is a
//! valid JSON Schema, and it agrees with the generator about keys and JSON types.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use opendyn_codegen::{Diagnostics, Options, Rule, check, json_schema};
use opendyn_tests::assert_golden;
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

fn schema() -> Value {
    serde_json::from_str(&json_schema()).expect("it is JSON")
}

fn validator() -> Validator {
    jsonschema::validator_for(&schema()).expect("it is a schema")
}

#[test]
fn the_file_is_what_the_generator_writes() {
    assert_golden(&root().join("opendyn.schema.json"), &json_schema());
}

#[test]
fn it_is_a_json_schema() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    if let Err(error) = jsonschema::meta::validate(&schema) {
        panic!("{error} at {}", error.instance_path());
    }
}

/// The rules that the schema covers: missing and unknown keys, JSON types, and strings with a fixed set
/// of values.
const KEYS_AND_TYPES: &[Rule] = &[
    Rule::MissingField,
    Rule::WrongJsonType,
    Rule::UnknownCType,
    Rule::UnknownSchemaType,
    Rule::CallingConvention,
    Rule::UnknownSpelling,
    Rule::UnknownEncoding,
    Rule::SchemaAlias,
    Rule::MisplacedIsIn,
    Rule::MissingBoolean,
    Rule::UnknownKey,
];

fn is_about_keys(diagnostics: &Diagnostics) -> bool {
    diagnostics.iter().any(|diagnostic| KEYS_AND_TYPES.contains(&diagnostic.rule))
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// The valid documents of the repository.
fn documents() -> Vec<PathBuf> {
    ["tests/fixtures", "examples"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(root().join(folder)).expect("the folder is there"))
        .flat_map(|entry| json_files(&entry.expect("it can be read").path()))
        .chain(json_files(&root().join("tests/goldens")))
        .collect()
}

#[test]
fn documents_of_the_repository_are_valid() {
    let validator = validator();
    let mut valid = 0;
    for path in documents() {
        let source = std::fs::read_to_string(&path).expect("it can be read");
        let document: Value = serde_json::from_str(&source).expect("JSON");
        let diagnostics = check("tool.json", &source, &Options::default());
        let errors: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        if is_about_keys(&diagnostics) {
            assert!(!errors.is_empty(), "{} is valid, but {diagnostics}", path.display());
        } else {
            assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
            valid += 1;
        }
    }
    assert!(valid > 20, "only {valid} documents were looked at");
}

/// Cases of `tests/invalid` where the schema disagrees with the rule.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("missing-field-free-always", "the schema does not say which keys of `x-free` go together"),
    ("missing-field-free-args", "the schema does not say which keys of `x-free` go together"),
    ("missing-field-free-two", "the schema does not say which keys of `x-free` go together"),
    ("missing-field-free", "the schema does not say which keys of `x-free` go together"),
    ("failure-word", "the word is not in the list of the schema, but the rule is about errors"),
    (
        "unknown-encoding-c-type",
        "each encoding is known, but not for this C type, which the schema does not relate",
    ),
    ("version-missing", "`opendyn` is a key that is missing, but the rule is one about versions"),
    ("version-number", "`opendyn` is not a string, but the rule is about versions"),
];

#[test]
fn it_agrees_with_the_generator_about_broken_documents() {
    let validator = validator();
    let mut unused: Vec<&str> = EXCEPTIONS.iter().map(|(case, _)| *case).collect();
    for path in json_files(&root().join("tests/invalid")) {
        let case = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("it can be read");
        // A validator cannot read invalid JSON either.
        let Ok(document) = serde_json::from_str::<Value>(&source) else { continue };
        let diagnostics = check("tool.json", &source, &Options::default());
        let refused = !validator.is_valid(&document);
        let agrees = refused == is_about_keys(&diagnostics);
        if let Some(index) = unused.iter().position(|exception| *exception == case) {
            unused.remove(index);
            assert!(!agrees, "{case} is no longer an exception");
        } else {
            assert!(
                agrees,
                "{case}: the schema {}, but\n{diagnostics}",
                if refused { "refuses it" } else { "accepts it" }
            );
        }
    }
    assert!(unused.is_empty(), "no such cases: {unused:?}");
}

/// A document with a value of each kind.
fn whole() -> Value {
    json!({
        "$schema": "opendyn.schema.json",
        "opendyn": "1.0.0",
        "info": { "title": "calc", "version": "1", "callingConvention": "cdecl", "x-library": { "linux": "libcalc.so" } },
        "functions": [{
            "name": "sum",
            "description": "Sums.",
            "parameters": [{
                "name": "xs",
                "schema": { "type": "array", "cType": { "type": "int", "isPointer": true } },
                "isIn": true, "required": true, "x-length": { "const": 4 }, "x-note": "of another tool",
            }, {
                "name": "text",
                "schema": { "type": "string", "x-encoding": "hex", "cType": { "type": "char", "isPointer": true } },
                "isIn": true, "required": true,
            }, {
                "name": "visit",
                "schema": { "type": "object", "cType": { "type": "void", "isPointer": true,
                    "x-callback": { "parameters": [], "return": null } } },
                "isIn": true, "required": false,
            }],
            "return": { "name": "code", "x-code": true, "x-success": ["0"],
                "schema": { "type": "integer", "cType": { "type": "long", "isPointer": false, "x-cType": "int64_t" } } },
            "x-variadic": 3,
        }],
        "schemas": { "Pair": { "type": "object", "cType": { "type": "void", "isPointer": true },
            "properties": { "x": { "type": "integer", "cType": { "type": "int", "isPointer": false } } }, "x-size": 4 } },
    })
}

/// Objects of that document, by their path.
const DOCUMENT: &str = "";
const INFO: &str = "/info";
const FUNCTION: &str = "/functions/0";
const XS: &str = "/functions/0/parameters/0";
const TEXT: &str = "/functions/0/parameters/1/schema";
const CALLBACK: &str = "/functions/0/parameters/2/schema/cType/x-callback";
const RETURN: &str = "/functions/0/return";
const C_TYPE: &str = "/functions/0/return/schema/cType";
const PAIR: &str = "/schemas/Pair";

#[test]
fn a_broken_document_is_refused() {
    let validator = validator();
    assert!(
        validator.is_valid(&whole()),
        "{:?}",
        validator.iter_errors(&whole()).map(|error| error.to_string()).collect::<Vec<_>>()
    );
    let broken: &[(&str, &str, Value)] = &[
        (DOCUMENT, "opendyn", json!(1)),
        (DOCUMENT, "functions", json!({})),
        (DOCUMENT, "x-success", json!([0])),
        (DOCUMENT, "codes", json!({})),
        (DOCUMENT, "code", json!({ "0": 1 })),
        (DOCUMENT, "$schema", json!(7)),
        (INFO, "title", json!(null)),
        (INFO, "callingConvention", json!("fastcall")),
        (INFO, "x-threadSafe", json!("yes")),
        (INFO, "x-library", json!(["libcalc.so"])),
        ("/info/x-library", "beos", json!("libcalc.so")),
        (FUNCTION, "retrun", json!(null)),
        (FUNCTION, "x-variadic", json!(-1)),
        (FUNCTION, "x-variadic", json!(1.5)),
        (FUNCTION, "x-annotations", json!({ "safe": true })),
        (XS, "isIn", json!("true")),
        (XS, "x-length", json!({})),
        (XS, "x-length", json!({ "const": 4, "call": "sum" })),
        (XS, "x-length", json!({ "args": ["n"] })),
        (XS, "x-length", json!({ "call": "sum", "args": [{}] })),
        (XS, "x-length", json!(4)),
        (XS, "x-inout", json!(1)),
        (XS, "x-free", json!(true)),
        (TEXT, "x-encoding", json!("utf8")),
        (TEXT, "type", json!("text")),
        (TEXT, "enum", json!("red")),
        (TEXT, "x-enumNames", json!([1])),
        (TEXT, "default", json!([])),
        (CALLBACK, "parameters", json!({})),
        (CALLBACK, "return", json!({ "name": "result" })),
        (CALLBACK, "userdata", json!("arg")),
        (RETURN, "x-code", json!("yes")),
        (RETURN, "isIn", json!(false)),
        (C_TYPE, "type", json!("size_t")),
        (C_TYPE, "x-cType", json!("long")),
        (C_TYPE, "x-pointerDepth", json!("2")),
        (PAIR, "properties", json!([])),
        (PAIR, "x-size", json!(-4)),
        (PAIR, "required", json!(true)),
    ];
    for (path, key, value) in broken {
        let mut document = whole();
        document.pointer_mut(path).expect(path)[key] = value.clone();
        assert!(!validator.is_valid(&document), "{path}: {key} = {value} is accepted");
        let diagnostics = check("tool.json", &document.to_string(), &Options::default());
        assert!(
            is_about_keys(&diagnostics) || diagnostics.iter().any(|found| found.rule == Rule::Version),
            "{path}: {key} = {value} is accepted by the generator: {diagnostics}"
        );
    }
}

#[test]
fn a_missing_key_is_refused() {
    let validator = validator();
    for (path, key) in [
        (DOCUMENT, "opendyn"),
        (DOCUMENT, "info"),
        (DOCUMENT, "functions"),
        (INFO, "title"),
        (INFO, "callingConvention"),
        (FUNCTION, "description"),
        (FUNCTION, "parameters"),
        (XS, "name"),
        (XS, "isIn"),
        (XS, "schema"),
        (TEXT, "type"),
        (CALLBACK, "parameters"),
        (RETURN, "schema"),
        (C_TYPE, "type"),
        (C_TYPE, "isPointer"),
    ] {
        let mut document = whole();
        let object = document.pointer_mut(path).and_then(Value::as_object_mut).expect(path);
        object.shift_remove(key).expect(key);
        assert!(!validator.is_valid(&document), "{path} without {key} is accepted");
    }
}

#[test]
fn a_document_may_name_its_schema() {
    let diagnostics = check("tool.json", &whole().to_string(), &Options::default());
    let about_schema = diagnostics.iter().find(|diagnostic| diagnostic.message.contains("$schema"));
    assert!(about_schema.is_none(), "{diagnostics}");
}

//! The table of parts fits the files of parts, and every script has what it names, and nothing else.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::parts::{Module, Part, RAISED, texts};
use super::{PythonCall, PythonCode};
use crate::Options;

const MODULES: [Module; 6] =
    [Module::Base64, Module::Ctypes, Module::Math, Module::Os, Module::Platform, Module::Sys];

/// Whether a text has a name, as a whole word and not as an attribute.
fn names(text: &str, name: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|it| is_word(it) || it == '.')
            && !text[at + name.len()..].chars().next().is_some_and(is_word)
    })
}

fn uses(text: &str, module: Module) -> bool {
    names(text, module.name()) && text.contains(&format!("{}.", module.name()))
}

fn calls_of(source: &str) -> Vec<PythonCall> {
    crate::python_calls("tool.json", source, &Options::default(), None).expect("a document without errors")
}

/// The code of every function of every fixture that a script can call, with the names of both.
fn codes() -> Vec<(String, PythonCode)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut codes = Vec::new();
    for folder in fixtures.read_dir().expect("the folder of fixtures") {
        let path = folder.expect("a folder").path().join("tool.json");
        let source = std::fs::read_to_string(&path).expect("a document");
        codes.extend(
            calls_of(&source)
                .into_iter()
                .filter_map(|call| Some((format!("{} {}", path.display(), call.function), call.code.ok()?))),
        );
    }
    assert!(codes.len() > 250, "{}", codes.len());
    codes
}

/// The script of the only function of a document, which takes a value of this schema and returns nothing.
fn script_for(schema: &str, schemas: &str) -> String {
    let source = format!(
        r#"{{
            "opendyn": "1.0.0",
            "info": {{"title": "one", "description": "", "version": "1.0.0", "callingConvention": "cdecl"}},
            "functions": [{{
                "name": "f",
                "description": "",
                "parameters": [{{"name": "x", "schema": {schema}, "isIn": true, "required": true}}],
                "return": null
            }}],
            "schemas": {{{schemas}}}
        }}"#
    );
    calls_of(&source).remove(0).code.expect("a script").text
}

#[test]
fn the_table_names_the_parts_of_the_files_in_their_order() {
    let heads: Vec<&str> = texts()
        .map(|text| {
            let text = text.trim_start_matches("class ").trim_start_matches("def ");
            let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            &text[..end.expect("an end of the name")]
        })
        .collect();
    let names: Vec<&str> = Part::ALL.iter().map(|part| part.name()).collect();
    assert_eq!(names, heads);
}

#[test]
fn the_table_says_what_each_part_names() {
    for (part, text) in Part::ALL.iter().zip(texts()) {
        let named: BTreeSet<Part> =
            Part::ALL.iter().copied().filter(|other| other != part && names(text, other.name())).collect();
        assert_eq!(part.needs().iter().copied().collect::<BTreeSet<_>>(), named, "{part:?}");
        let used: BTreeSet<Module> = MODULES.into_iter().filter(|module| uses(text, *module)).collect();
        assert_eq!(part.modules().iter().copied().collect::<BTreeSet<_>>(), used, "{part:?}");
    }
}

#[test]
fn a_script_has_the_parts_and_modules_that_it_names_and_no_others() {
    for (name, code) in codes() {
        let defined: Vec<Part> = Part::ALL
            .iter()
            .zip(texts())
            .filter(|(_, text)| code.text.contains(&format!("\n\n{text}\n")))
            .map(|(part, _)| *part)
            .collect();
        for part in Part::ALL {
            let mentions = code.text.matches(part.name()).count();
            if defined.contains(part) {
                assert!(mentions > 1, "{name}: {part:?} is not used");
            } else {
                assert!(!names(&code.text, part.name()), "{name}: {part:?} is not defined");
            }
        }
        let raised: Vec<&str> =
            RAISED.iter().filter(|part| defined.contains(part)).map(|part| part.name()).collect();
        assert_eq!(code.raises, raised, "{name}");
        let used: Vec<&str> =
            MODULES.into_iter().filter(|module| uses(&code.text, *module)).map(Module::name).collect();
        assert_eq!(code.imports, used, "{name}");
    }
}

#[test]
fn every_script_is_python() {
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let program =
        "import json, sys\nfor name, text in json.load(sys.stdin):\n    compile(text, name, 'exec')";
    let child = Command::new(python).args(["-c", program]).stdin(Stdio::piped()).spawn();
    // The tests of the command, which run scripts, say where there is no Python.
    let Ok(mut child) = child else { return };
    let texts: Vec<(String, String)> = codes().into_iter().map(|(name, code)| (name, code.text)).collect();
    let input = serde_json::to_string(&texts).expect("strings");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads all");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_struct_with_the_name_of_a_part_hides_no_part() {
    let script = script_for(
        r##"{"$ref": "#/schemas/Integer"}"##,
        r#""Integer": {
            "type": "object", "cType": {"type": "void", "isPointer": true},
            "properties": {"n": {"type": "integer", "cType": {"type": "int", "isPointer": false}}}
        }"#,
    );
    assert!(script.contains("\nclass _Integer:\n"), "{script}");
    assert!(script.contains("\nclass _Integer_(ctypes.Structure):\n"), "{script}");
}

#[test]
fn a_constant_string_has_the_encoding_of_its_parameter() {
    let script = script_for(
        r#"{
            "type": "string", "enum": ["fast"], "x-encoding": "latin-1",
            "cType": {"type": "char", "isPointer": true}
        }"#,
        "",
    );
    assert!(script.contains("x_memory = _memory(_encode('fast', 'latin-1', ''))\n"), "{script}");
}

#[test]
fn a_library_that_must_be_initialized_has_no_scripts() {
    let source = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/keys-init/tool.json"),
    );
    for call in calls_of(&source.expect("a document")) {
        let reason = call.code.expect_err("it is not initialized");
        assert!(reason.contains("`x-init`"), "{}: {reason}", call.function);
    }
}

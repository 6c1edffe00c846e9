//! `opendyn export --format python --direct`: scripts that call C give the same answers as compiled bindings.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod arguments;
#[path = "../command/mod.rs"]
mod command;
mod refused;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arguments::{Dice, arguments};
use command::{argument, folder, opendyn, root};
use opendyn::Tool;
use opendyn_codegen::description::Description;
use opendyn_tests::shared_library;
use serde_json::{Value, json};

const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export_direct/driver.py");
/// The number of calls of each function.
const CALLS: usize = 60;

mod calc {
    opendyn::opendyn!("../examples/quickstart/calc.json", optional = [version]);
}
mod arrays {
    opendyn::opendyn!("../tests/fixtures/keys-arrays/tool.json");
}
mod owned {
    opendyn::opendyn!("../tests/fixtures/keys-owned/tool.json");
}
mod shapes {
    opendyn::opendyn!("../tests/fixtures/shapes/tool.json");
}
mod structs {
    opendyn::opendyn!("../tests/fixtures/keys-structs/tool.json");
}
mod text {
    opendyn::opendyn!("../tests/fixtures/keys-text/tool.json");
}
mod types {
    opendyn::opendyn!("../tests/fixtures/types/tool.json");
}
mod values {
    opendyn::opendyn!("../tests/fixtures/keys-values/tool.json");
}

/// The description of a document.
fn described(document: &Path) -> Description {
    let source = std::fs::read_to_string(document).expect("a document");
    opendyn_codegen::describe(argument(document), &source, &opendyn_codegen::Options::default())
        .expect("it has no errors")
}

/// The answers of the scripts to calls of `(script, function, arguments)`.
fn answers(calls: &[(PathBuf, String, Value)]) -> Vec<Value> {
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let mut child = Command::new(python)
        .args(["-B", DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("Python runs");
    let mut input = child.stdin.take().expect("a pipe");
    let lines: String = calls
        .iter()
        .map(|(path, function, arguments)| format!("{}\n", json!([argument(path), function, arguments])))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    if answers.len() < calls.len() {
        let errors = String::from_utf8_lossy(&output.stderr);
        panic!("{}: {:?}\n{errors}", output.status, calls[answers.len()]);
    }
    writer.join().expect("no panic").expect("it reads all");
    answers
}

/// Asserts that the scripts of a document answer as `tool` does, and returns the number of functions.
fn assert_same(name: &str, document: &str, library: &Path, tool: &impl Tool) -> usize {
    let document = root().join(document);
    let scripts = folder(&format!("direct-{name}"));
    let run = opendyn(&[
        "export",
        argument(&document),
        "--format",
        "python",
        "--direct",
        "--library",
        argument(library),
        "-o",
        argument(&scripts),
    ]);
    assert!(run.status < 2, "{}", run.stderr);
    let mut calls = Vec::new();
    let mut functions = 0;
    for (seed, function) in described(&document).functions.iter().enumerate() {
        let script = scripts.join(format!("{}.py", function.name));
        if !script.exists() {
            continue;
        }
        functions += 1;
        let source = std::fs::read_to_string(&script).expect("a script");
        let public = source.lines().find_map(|line| line.strip_prefix("def ")).expect("a function");
        let public = public.split('(').next().expect("a name").to_owned();
        let mut dice = Dice::new(seed as u64 + 1);
        if name == "owned" {
            dice.most = 1 << 16;
        }
        for _ in 0..CALLS {
            calls.push((
                script.clone(),
                public.clone(),
                arguments(function, &mut dice),
                function.name.clone(),
            ));
        }
    }
    let asked: Vec<_> = calls
        .iter()
        .map(|(script, public, given, _)| (script.clone(), public.clone(), given.clone()))
        .collect();
    let (mut right, mut wrong) = (0, 0);
    for ((_, _, given, function), answer) in calls.iter().zip(answers(&asked)) {
        let message = answer["message"].as_str().expect("a message");
        match tool.call_json(function, &given.to_string()) {
            Ok(expected) => {
                right += 1;
                let expected: Value = serde_json::from_str(&expected).expect("JSON");
                assert_eq!(answer["data"], expected, "{name} {function} {given}: {message}");
                assert_eq!((&answer["success"], message), (&json!(true), "ok"));
            }
            Err(error) => {
                wrong += 1;
                let shown = error.to_string();
                assert_eq!(
                    answer["success"], false,
                    "{name} {function} {given}: {shown}, and the script {answer}"
                );
                let is_refused = |text: &str| text.starts_with("invalid arguments: ");
                assert_eq!(
                    is_refused(message),
                    is_refused(&shown),
                    "{name} {function} {given}: {message} | {shown}"
                );
            }
        }
    }
    assert!(right > calls.len() / 4 && wrong > calls.len() / 20, "{name}: {right} right, {wrong} wrong");
    functions
}

macro_rules! same {
    ($($test:ident $module:ident::$binding:ident $document:literal $library:literal $least:literal)*) => {$(
        #[test]
        #[cfg_attr(no_python, ignore = "needs python3")]
        fn $test() {
            let library = shared_library($library, &[]);
            // SAFETY: the document describes the library.
            #[allow(unsafe_code)]
            let tool = unsafe { $module::$binding::open(library.path()) }.expect("it loads");
            let functions = assert_same(stringify!($module), $document, library.path(), &tool);
            assert!(functions >= $least, "{functions} functions");
        }
    )*};
}

same! {
    the_quickstart calc::Calc "examples/quickstart/calc.json" "../../examples/quickstart/calc" 5
    arrays_and_their_lengths arrays::KeysArrays "tests/fixtures/keys-arrays/tool.json" "keys_arrays" 5
    what_is_freed_and_codes owned::KeysOwned "tests/fixtures/keys-owned/tool.json" "keys_owned" 5
    pointers_and_optional_parameters shapes::Shapes "tests/fixtures/shapes/tool.json" "shapes" 5
    structs_by_value_and_pointer structs::KeysStructs "tests/fixtures/keys-structs/tool.json" "keys_structs" 5
    text_in_every_encoding text::KeysText "tests/fixtures/keys-text/tool.json" "keys_text" 5
    every_c_type types::Types "tests/fixtures/types/tool.json" "types" 5
    defaults_enums_and_constants values::KeysValues "tests/fixtures/keys-values/tool.json" "keys_values" 3
}

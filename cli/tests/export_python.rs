//! `opendyn export --format python`: the text of the scripts, and their answers with a server.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use command::{argument, assert_golden, documents, folder, opendyn, opendyn_with};
use opentool::{Map, MapTool, ToolError, Value};
use opentool_python::{Interpreter, check_all};
use opentool_server::Server;
use serde_json::json;

/// A function with an argument of each kind.
const DOCUMENT: &str = r##"{
  "opendyn": "1.0.0",
  "info": { "title": "all", "version": "1.0.0", "callingConvention": "cdecl" },
  "functions": [
    {
      "name": "take-all",
      "description": "Takes \"\"\"everything\"\"\".\\n",
      "parameters": [
        { "name": "small", "schema": { "type": "integer", "cType": { "type": "unsigned char", "isPointer": false } }, "isIn": true, "required": true },
        { "name": "wide", "schema": { "type": "integer", "cType": { "type": "long long", "isPointer": false } }, "isIn": true, "required": false },
        { "name": "real", "schema": { "type": "number", "cType": { "type": "float", "isPointer": false } }, "isIn": true, "required": false },
        { "name": "flag", "schema": { "type": "boolean", "cType": { "type": "bool", "isPointer": false } }, "isIn": true, "required": false },
        { "name": "text", "schema": { "type": "string", "cType": { "type": "char", "isPointer": true } }, "isIn": true, "required": false },
        { "name": "letter", "schema": { "type": "string", "cType": { "type": "char", "isPointer": false } }, "isIn": true, "required": false },
        { "name": "mode", "schema": { "type": "integer", "enum": [1, 2], "x-enumNames": ["One", "Two"], "cType": { "type": "int", "isPointer": false } }, "isIn": true, "required": false },
        { "name": "key", "x-length": { "const": 2 }, "schema": { "type": "string", "x-encoding": "hex", "cType": { "type": "unsigned char", "isPointer": true } }, "isIn": true, "required": false },
        { "name": "xs", "x-length": "n", "schema": { "type": "array", "cType": { "type": "short", "isPointer": true } }, "isIn": true, "required": false },
        { "name": "n", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } }, "isIn": true, "required": true },
        { "name": "point", "schema": { "$ref": "#/schemas/Point" }, "isIn": true, "required": false }
      ],
      "return": { "name": "result", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } }
    }
  ],
  "schemas": {
    "Point": {
      "type": "object",
      "properties": {
        "x": { "type": "integer", "cType": { "type": "int", "isPointer": false } },
        "y": { "type": "integer", "cType": { "type": "int", "isPointer": false } }
      },
      "cType": { "type": "void", "isPointer": true }
    }
  }
}"##;

/// A server that returns its arguments, and fails for 13.
fn server() -> String {
    let (told, address) = mpsc::channel();
    std::thread::spawn(move || {
        let echo = MapTool::new(|name: &str, arguments: &Map<String, Value>| match arguments.get("small") {
            Some(small) if small == 13 => Err(ToolError::call_failed_with(13, "bad luck")),
            _ => {
                Ok(Map::from_iter([("echo".to_owned(), json!(arguments)), ("name".to_owned(), json!(name))]))
            }
        });
        let server = Server::serial(echo).port(0).key("secret");
        server.run(|address| told.send(address).expect("the test waits")).expect("it ends well");
    });
    format!("http://{}", address.recv().expect("it listens"))
}

/// The results of the script at `path` for each of `inputs`.
fn returned(path: &Path, function: &str, inputs: &Value, environment: &[(&str, &str)]) -> Vec<Value> {
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let code = "import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('tool', sys.argv[1])
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)
print(json.dumps([getattr(tool, sys.argv[2])(each) for each in json.loads(sys.argv[3])]))";
    let output = Command::new(python)
        .args(["-c", code, argument(path), function, &inputs.to_string()])
        .env_remove("OPENTOOL_API_KEY")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("no_proxy", "*")
        .envs(environment.iter().copied())
        .output()
        .expect("Python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn script(name: &str) -> std::path::PathBuf {
    let run = opendyn_with(&["export", "-", "--format", "python"], DOCUMENT);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let path = folder(name).join("take.py");
    std::fs::write(&path, run.stdout).expect("it can be written");
    path
}

#[test]
fn a_script_is_as_it_was_read() {
    let run =
        opendyn(&["export", "examples/quickstart/calc.json", "--format", "python", "--function", "greet"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_golden("export/greet.py", &run.stdout);
}

#[test]
fn a_script_has_one_function_so_that_it_has_to_be_named() {
    let run = opendyn(&["export", "examples/quickstart/calc.json", "--format", "python"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("--function NAME"), "{}", run.stderr);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn what_is_right_is_called_and_answered() {
    let url = server();
    let environment = [("OPENTOOL_URL", url.as_str()), ("OPENTOOL_API_KEY", "secret")];
    let inputs = json!([
        { "small": 255 },
        { "small": 3.0, "wide": "9007199254740993", "real": 1.5, "flag": true, "text": "é", "letter": "a" },
        { "small": 0, "wide": null, "mode": 2, "key": "00fF", "xs": [1, -2], "point": { "x": 1, "y": 2 } },
        { "small": 13 },
    ]);
    let answers = returned(&script("python-right"), "take_all", &inputs, &environment);
    for (input, answer) in inputs.as_array().expect("inputs").iter().zip(&answers).take(3) {
        let data = json!({ "echo": input, "name": "take-all" });
        assert_eq!(*answer, json!({ "success": true, "message": "ok", "data": data }));
    }
    assert_eq!(answers[3]["success"], false);
    assert!(answers[3]["message"].as_str().is_some_and(|text| text.contains("bad luck")), "{}", answers[3]);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn what_is_wrong_is_refused_before_any_call() {
    let cases = [
        (json!({}), "/small: missing"),
        (json!({ "small": null }), "/small: missing"),
        (json!({ "small": 256 }), "/small: 256 is not between 0 and 255"),
        (json!({ "small": -1 }), "/small: -1 is not between 0 and 255"),
        (json!({ "small": 1.5 }), "/small: expected an integer"),
        (json!({ "small": true }), "/small: expected an integer"),
        (json!({ "small": "1" }), "/small: expected an integer"),
        (json!({ "small": 1, "wide": "9223372036854775808" }), "/wide: 9223372036854775808 is not between"),
        (json!({ "small": 1, "real": 1e39 }), "/real: the number is too large"),
        (json!({ "small": 1, "real": "1" }), "/real: expected a number"),
        (json!({ "small": 1, "flag": 1 }), "/flag: expected a boolean"),
        (json!({ "small": 1, "text": 1 }), "/text: expected a string"),
        (json!({ "small": 1, "letter": "ab" }), "/letter: expected a string of one byte"),
        (json!({ "small": 1, "mode": 3 }), "/mode: 3 is not one of 1, 2"),
        (json!({ "small": 1, "key": "0g" }), "/key: not base16"),
        (json!({ "small": 1, "key": "00" }), "/key: 1 bytes, expected 2"),
        (json!({ "small": 1, "xs": [1, 40000] }), "/xs/1: 40000 is not between -32768 and 32767"),
        (json!({ "small": 1, "xs": 1 }), "/xs: expected an array"),
        (json!({ "small": 1, "point": { "x": 1 } }), "/point/y: missing"),
        (json!({ "small": 1, "point": { "x": 1, "y": 1, "z": 1 } }), "/point/z: unknown"),
        (json!({ "small": 1, "n": 1 }), "/n: unknown; expected small, wide"),
        (json!({ "small": 1, "a/b": 1 }), "/a~1b: unknown"),
        (json!([1]), "the arguments: expected an object"),
    ];
    let inputs: Value = cases.iter().map(|(input, _)| input.clone()).collect();
    // Nothing listens there: a script that does call it gets another message.
    let environment = [("OPENTOOL_URL", "http://127.0.0.1:9")];
    let answers = returned(&script("python-wrong"), "take_all", &inputs, &environment);
    for ((input, expected), answer) in cases.iter().zip(&answers) {
        let message = answer["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("invalid arguments: {expected}")), "{input}: {message}");
        assert_eq!((&answer["success"], &answer["data"]), (&json!(false), &Value::Null));
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_server_that_refuses_or_is_not_there_is_no_exception() {
    let url = server() + "/opentool";
    let path = script("python-refused");
    let refused = returned(&path, "take_all", &json!([{ "small": 1 }]), &[("OPENTOOL_URL", &url)]);
    assert!(refused[0]["message"].as_str().is_some_and(|text| text.contains("401")), "{}", refused[0]);
    let absent =
        returned(&path, "take_all", &json!([{ "small": 1 }]), &[("OPENTOOL_URL", "http://127.0.0.1:9")]);
    assert!(absent[0]["message"].as_str().is_some_and(|text| text.starts_with("no answer")), "{}", absent[0]);
}

#[test]
#[cfg_attr(quick, ignore = "exports over 600 scripts; set OPENDYN_TEST_ALL=1")]
fn every_function_of_every_document_becomes_a_script_that_keeps_every_rule() {
    let folder = folder("python-all");
    for (index, document) in documents().iter().enumerate() {
        for form in [&[][..], &["--direct", "--library", "libanything.so"]] {
            let folder = folder.join(format!("{index}-{}", form.len()));
            let arguments = ["export", argument(document), "--format", "python", "-o", argument(&folder)];
            let run = opendyn(&[&arguments, form].concat());
            // Functions that cannot call C directly are listed.
            let most = if form.is_empty() { 0 } else { 1 };
            assert!(run.status <= most && run.stdout.is_empty(), "{} {}", run.status, run.stderr);
        }
    }
    let scripts: Vec<(String, String)> = std::fs::read_dir(&folder)
        .expect("a folder")
        .flat_map(|inner| std::fs::read_dir(inner.expect("an entry").path()).expect("a folder"))
        .map(|file| {
            let path = file.expect("an entry").path();
            let source = std::fs::read_to_string(&path).expect("a script");
            (argument(&path).to_owned(), source)
        })
        .collect();
    assert!(scripts.len() > 600, "{}", scripts.len());
    let named: Vec<(&str, &String)> = scripts.iter().map(|(name, source)| (name.as_str(), source)).collect();
    let python = Interpreter::find().expect("there is one");
    let reports = check_all(&named, &python, Duration::from_secs(120)).expect("it works");
    for report in reports {
        assert_eq!(report.findings.iter().map(ToString::to_string).collect::<String>(), "");
        assert!(report.script().is_some());
    }
    builtins_are_not_hidden(&folder);
}

/// A function with the name of a builtin or a module would hide it from the script.
fn builtins_are_not_hidden(folder: &Path) {
    let code = "import ast, builtins, pathlib, sys
for script in pathlib.Path(sys.argv[1]).rglob('*.py'):
    tree = ast.parse(script.read_text(encoding='utf-8'))
    public = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != '_']
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imported = {name.name.split('.')[0] for node in tree.body if isinstance(node, ast.Import) for name in node.names}
    assert not set(public) & used & (imported | set(dir(builtins))), script";
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(python).args(["-c", code, argument(folder)]).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[cfg(unix)]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_is_a_tool_like_any_other() {
    use opentool::Tool;
    use opentool_python::{PythonTool, Workers};

    let workers = Workers::builder()
        .environment("OPENTOOL_URL", server())
        .environment("OPENTOOL_API_KEY", "secret")
        .environment("no_proxy", "*")
        .build()
        .expect("there is a Python");
    let tool =
        PythonTool::builder(script("python-tool")).workers(&workers).build().expect("it keeps the rules");
    let given = r#"{"small": 7, "wide": "9007199254740993"}"#;
    let reply: Value =
        serde_json::from_str(&tool.call_json("take_all", given).expect("a reply")).expect("JSON");
    let echo: Value = serde_json::from_str(given).expect("JSON");
    assert_eq!(reply["data"], json!({ "echo": echo, "name": "take-all" }));
    for (given, message) in [
        (r#"{"small": 256}"#, "invalid arguments: /small: 256 is not between 0 and 255"),
        (r#"{"small": 13}"#, "bad luck"),
    ] {
        let error = tool.call_json("take_all", given).expect_err("it fails").to_string();
        assert!(error.contains(message), "{error}");
    }
}

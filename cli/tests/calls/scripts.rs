//! Python scripts: called alone, served together with a library, and one that calls both.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::mcp::official_with;
use crate::serve::Server;
use crate::{DOCUMENT, failed, folder, library, opendyn, succeeded};

/// Calls the library, and the other script.
const REPORT: &str = "import importlib


def execute(tool_input: dict) -> dict:
    \"\"\"Adds by the library, and greets by a script.

    Args:
        a (int): A number.
        b (int): Another.
    \"\"\"
    print('reporting')
    InterClient = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    added = InterClient.tool_exe('add', 'add', dict(a=tool_input['a'], b=tool_input['b']))
    if not added['success']:
        return added
    greeted = InterClient.tool_exe('hello', 'hello', dict(name=str(added['data']['sum'])))
    return dict(success=True, message='ok', data=greeted['data'])
";
const HELLO: &str = "def execute(tool_input: dict) -> dict:
    \"\"\"Greets.

    Args:
        name (str): Who.
    \"\"\"
    return dict(success=True, message='ok', data='Hello, ' + tool_input['name'])
";
const BAD: &str = "from os import path\n\n\ndef execute(tool_input: dict) -> dict:\n    return dict(success=True, message='', data=path.sep)\n";

const SEEN: &str = "import os


def execute(tool_input: dict) -> dict:
    \"\"\"The values of its environment.\"\"\"
    return dict(success=True, message='', data=' '.join(sorted(os.environ.values())))
";

/// A folder with these scripts.
fn scripts(name: &str) -> [String; 3] {
    let folder = folder(name);
    [("report.py", REPORT), ("hello.py", HELLO), ("bad.py", BAD)].map(|(file, text)| {
        let path = folder.join(file);
        std::fs::write(&path, text).expect("it can be written");
        path.to_str().expect("text").to_owned()
    })
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_alone_is_called() {
    let [report, hello, bad] = scripts("scripts-alone");
    let reply = "{\"success\": true, \"message\": \"ok\", \"data\": \"Hello, Ada\"}\n";
    assert_eq!(succeeded(&mut opendyn(&["call", &hello, r#"{"name": "Ada"}"#])), reply);
    assert_eq!(succeeded(&mut opendyn(&["call", &hello, "hello", r#"{"name": "Ada"}"#])), reply);
    let listed = succeeded(&mut opendyn(&["call", &report, "--list"]));
    assert!(listed.starts_with("report(a: integer, b: integer) -> {"), "{listed}");

    let said = failed(&mut opendyn(&["call", &hello]), 1);
    assert!(said.contains("hello.py:7: KeyError: 'name'"), "{said}");
    let said = failed(&mut opendyn(&["call", &hello, "execute", "{}"]), 1);
    assert!(said.contains("unknown function `execute`"), "its tool is named after its file: {said}");
    let said = failed(&mut opendyn(&["call", &bad, "{}"]), 1);
    assert!(said.starts_with(&format!("{bad}:1:1: error[P004]: ")), "{said}");
    let said = failed(&mut opendyn(&["call", &report, r#"{"a": 1, "b": 2}"#]), 1);
    assert!(said.contains("report.py: reporting\n") && said.contains("unknown function `add`"), "{said}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_batch_of_a_script_keeps_its_worker() {
    let [_, hello, _] = scripts("scripts-batch");
    let mut child = opendyn(&["call", &hello, "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    for name in ["A", "B"] {
        writeln!(input, "{}", json!({"function": "hello", "arguments": {"name": name}})).expect("it reads");
    }
    drop(input);
    let output = crate::text(&child.wait_with_output().expect("it ends").stdout);
    assert!(output.contains("Hello, A") && output.contains("Hello, B"), "{output}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn what_is_wrong_with_scripts_is_said_before_a_library_is_opened() {
    let [report, hello, bad] = scripts("scripts-wrong");
    let said = failed(&mut opendyn(&["serve", DOCUMENT, &bad, &report, "--library", "libnowhere.so"]), 1);
    assert!(said.starts_with(&format!("{bad}:1:1: error[P004]: ")), "{said}");
    assert!(said.ends_with("1 error, 0 warnings\n"), "{said}");

    let add = Path::new(&hello).with_file_name("add.py");
    std::fs::write(&add, HELLO).expect("it can be written");
    let add = add.to_str().expect("text");
    let said = failed(&mut opendyn(&["serve", DOCUMENT, add, "--library", "libnowhere.so"]), 1);
    assert!(said.contains(&format!("`add` is a function of `{DOCUMENT}` and `{add}`")), "{said}");
    let said = failed(&mut opendyn(&["mcp", &hello, &hello]), 1);
    assert!(said.contains("rename the file"), "{said}");

    let unnamed = Path::new(&hello).with_file_name("a b.py");
    std::fs::write(&unnamed, HELLO).expect("it can be written");
    let said = failed(&mut opendyn(&["serve", unnamed.to_str().expect("text")]), 1);
    assert!(said.contains("rename the file: 1 to 64 characters from A to Z"), "{said}");
    let said = failed(&mut opendyn(&["serve", "nowhere.py"]), 2);
    assert!(said.contains("the script `nowhere.py` does not exist"), "{said}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_is_served_beside_a_library_and_calls_it() {
    let [report, hello, _] = scripts("scripts-served");
    let mut server =
        Server::start(&mut opendyn(&["serve", DOCUMENT, &report, &hello, "--library", library()]));
    let client = server.client(None);
    let document = client.load().expect("it answers").expect("a document");
    assert_eq!((document.info.title.as_str(), document.functions.len()), ("shelf, report, hello", 10));
    let sum = |client: &opentool::client::Client| client.call_json("add", r#"{"a":2,"b":3}"#).expect("a sum");
    assert_eq!(sum(&client), r#"{"sum":5}"#);
    let reply = client.call_json("report", r#"{"a":2,"b":3}"#).expect("a report");
    assert!(reply.contains(r#""data": "Hello, 5""#) || reply.contains(r#""data":"Hello, 5""#), "{reply}");
    let error = client.call_json("report", r#"{"a":2,"b":"3"}"#).expect_err("it fails").to_string();
    assert!(error.contains("/b: \"3\" is a string"), "{error}");

    assert!(server.next_line().starts_with("report.py: reporting"), "what scripts print goes to stderr");
    server.end("-INT");
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_official_client_calls_scripts_and_the_library_over_both_transports() {
    let [report, hello, _] = scripts("scripts-mcp");
    let arguments = [DOCUMENT, &report, &hello, "--library", library()];
    official_with("scripts.py", &[&[env!("CARGO_BIN_EXE_opendyn"), "mcp"], &arguments[..]].concat());
    let server = Server::start(&mut opendyn(&[&["serve"], &arguments[..]].concat()));
    official_with("scripts.py", &[&format!("{}/mcp", server.url)]);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn scripts_do_not_see_the_keys_of_a_server_or_other_variables() {
    let script = folder("scripts-environment").join("seen.py");
    std::fs::write(&script, SEEN).expect("it can be written");
    let script = script.to_str().expect("text");
    let with_secrets = |arguments: &[&str]| {
        let mut command = opendyn(arguments);
        command.env("OPENDYN_API_KEY", "s3cret-1").env("OPENTOOL_API_KEY", "s3cret-2");
        command.env("AWS_SECRET_ACCESS_KEY", "s3cret-3").env("MY_SETTING", "mine");
        command
    };
    let said = succeeded(&mut with_secrets(&["call", script, "{}"]));
    assert!(!said.contains("s3cret") && !said.contains("mine"), "{said}");

    // Variables that the operator names are passed on, but never a key of the server.
    let named = ["call", script, "{}", "--env", "MY_SETTING", "--env", "NOT_SET"];
    let said = succeeded(&mut with_secrets(&named));
    assert!(!said.contains("s3cret") && said.contains("mine"), "{said}");
    let said = failed(&mut with_secrets(&["call", script, "{}", "--env", "OPENDYN_API_KEY"]), 2);
    assert!(said.contains("OPENDYN_API_KEY") && said.contains("scripts must not see"), "{said}");

    let mut command = with_secrets(&["serve", script, "--env", "MY_SETTING", "--api-key", "s3cret-5"]);
    let server = Server::start(&mut command);
    let said = server.client(Some("s3cret-5")).call_json("seen", "{}").expect("it is called");
    assert!(!said.contains("s3cret") && said.contains("mine"), "{said}");
    server.end("-TERM");
}

//! Documents and scripts that change while they are served.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::mcp::Session;
use crate::serve::Server;
use crate::{DOCUMENT, compiled, folder, library, opendyn};

const ADD: &str = r#"{"a":2,"b":3}"#;

/// A document that a test changes.
struct Changing {
    path: PathBuf,
    original: String,
}

impl Changing {
    fn new(name: &str) -> Self {
        Self::of(DOCUMENT, name)
    }

    fn of(document: &str, name: &str) -> Self {
        let path = folder(name).join("changing.json");
        let original = std::fs::read_to_string(document).expect("the document");
        std::fs::write(&path, &original).expect("it can be written");
        Self { path, original }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("text")
    }

    /// Replaces the first `from` of the original by `to`.
    fn change(&self, from: &str, to: &str) {
        assert!(self.original.contains(from));
        self.write(&self.original.replacen(from, to, 1));
    }

    fn write(&self, text: &str) {
        std::fs::write(&self.path, text).expect("it can be written");
    }
}

/// Reads stderr up to a line that says what is in use now.
fn heard(server: &mut Server) -> String {
    let mut said = String::new();
    while !said.lines().any(|line| line.starts_with("opendyn: ")) {
        let line = server.next_line();
        assert!(!line.is_empty(), "it ended: {said}");
        said += &line;
    }
    said
}

#[test]
fn a_changed_document_is_served_from_the_next_call_on() {
    let document = Changing::new("reload-serve");
    let mut server = Server::start(&mut opendyn(&["serve", document.path(), "--library", library()]));
    let client = server.client(None);
    assert_eq!(client.call_json("add", ADD).expect("a sum"), r#"{"sum":5}"#);

    // The result has another name: the call itself is of the new version.
    document.change("\"sum\"", "\"total\"");
    assert_eq!(client.call_json("add", ADD).expect("a sum"), r#"{"total":5}"#);
    assert_eq!(
        heard(&mut server),
        format!("opendyn: `{}` was read again; its handles are gone\n", document.path())
    );

    // So is a list, without a call before it.
    document.change("The sum of two numbers.", "Adds.");
    let listed = client.load().expect("it answers").expect("a document");
    assert_eq!(listed.function("add").expect("a function").description, "Adds.");
    heard(&mut server);

    // A function that is new can be called, and one that is gone cannot.
    document.change("\"name\": \"add\"", "\"name\": \"plus\", \"x-symbol\": \"add\"");
    assert_eq!(client.call_json("plus", ADD).expect("a sum"), r#"{"sum":5}"#);
    let error = client.call_json("add", ADD).expect_err("it is gone").to_string();
    assert!(error.contains("unknown function `add`"), "{error}");
    heard(&mut server);
    server.end("-INT");
}

#[test]
fn a_document_with_errors_leaves_the_last_good_one_in_use() {
    let document = Changing::new("reload-errors");
    let path = document.path().to_owned();
    let mut server = Server::start(&mut opendyn(&["serve", &path, "--library", library()]));
    let client = server.client(None);
    let opened = client.call_json("shelf_open", r#"{"books":3}"#).expect("a token");
    let stays = format!("opendyn: the last good version of `{path}` stays in use\n");

    // An editor may leave half a file for a moment; findings are shown once.
    for broken in [&document.original[..200], "", &document.original.replacen("\"int\"", "\"integral\"", 1)] {
        document.write(broken);
        for _ in 0..3 {
            assert_eq!(client.call_json("add", ADD).expect("a sum"), r#"{"sum":5}"#);
        }
        let said = heard(&mut server);
        assert!(said.starts_with(&format!("{path}:")) && said.ends_with(&stays), "{said}");
        assert_eq!(said.matches("errors, ").count() + said.matches("error, ").count(), 1, "{said}");
    }
    std::fs::remove_file(&document.path).expect("it is ours");
    assert_eq!(client.call_json("add", ADD).expect("a sum"), r#"{"sum":5}"#);
    let said = heard(&mut server);
    assert_eq!(said, format!("error: cannot read the document `{path}`\n{stays}"));

    // Its library lacks a function.
    document.change("\"name\": \"add\"", "\"name\": \"subtract\"");
    assert_eq!(client.call_json("add", ADD).expect("a sum"), r#"{"sum":5}"#);
    let said = heard(&mut server);
    assert!(said.contains("lacks 1 function of the document: subtract") && said.ends_with(&stays), "{said}");

    // The version in use is not read again, and keeps its handles.
    document.write(&document.original);
    assert_eq!(client.call_json("shelf_take", &opened).expect("a handle"), r#"{"left":2}"#);
    assert_eq!(heard(&mut server), format!("opendyn: `{path}` is the version in use again\n"));

    // What is fixed is used.
    document.change("\"sum\"", "\"total\"");
    assert_eq!(client.call_json("add", ADD).expect("a sum"), r#"{"total":5}"#);
    heard(&mut server);
    let error = client.call_json("shelf_take", &opened).expect_err("the handle is gone").to_string();
    assert!(error.contains("/shelf: "), "{error}");
    server.end("-TERM");
}

#[test]
fn a_call_of_the_last_version_ends_before_one_of_the_next_begins() {
    const BUSY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls/busy.json");
    let document = Changing::of(BUSY, "reload-busy");
    // With a second document, calls run on several threads.
    let libraries = ["--library", &compiled("busy"), "--library", library()];
    let server =
        Server::start(&mut opendyn(&[&["serve", document.path(), DOCUMENT], &libraries[..]].concat()));
    let long = server.client(None);
    let long = std::thread::spawn(move || long.call_json("busy", r#"{"milliseconds":3000}"#));
    std::thread::sleep(Duration::from_millis(1500));
    document.change("\"most\"", "\"highest\"");
    let client = server.client(None);
    assert_eq!(client.call_json("busy", r#"{"milliseconds":1}"#).expect("it waits"), r#"{"highest":1}"#);
    assert_eq!(long.join().expect("no panic").expect("a result"), r#"{"most":1}"#);
    server.end("-INT");
}

#[test]
fn clients_of_mcp_are_told_of_a_change() {
    let document = Changing::new("reload-mcp");
    let mut session = Session::start(&mut opendyn(&["mcp", document.path(), "--library", library()]));
    let names = |session: &mut Session| {
        let tools = session.ask("tools/list", json!({}));
        let tools = tools["tools"].as_array().expect("tools").clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert!(names(&mut session).contains(&"add".to_owned()));

    document.change("\"name\": \"add\"", "\"name\": \"plus\", \"x-symbol\": \"add\"");
    let sum = session.call("plus", json!({"a": 2, "b": 3}));
    assert_eq!(sum["structuredContent"], json!({"sum": 5}), "{sum}");
    assert_eq!(session.notices, [json!("notifications/tools/list_changed")]);
    assert!(names(&mut session).contains(&"plus".to_owned()));

    document.write("{");
    assert!(names(&mut session).contains(&"plus".to_owned()), "the last good version");
    assert!(session.notices.is_empty());
    let said = session.end();
    assert!(said.contains("was read again") && said.contains("stays in use"), "{said}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn changed_scripts_follow_the_same_rule_and_call_the_new_document() {
    const SCRIPT: &str = "import importlib


def execute(tool_input: dict) -> dict:
    \"\"\"Adds by the library.\"\"\"
    InterClient = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    return InterClient.tool_exe('add', 'add', dict(a=2, b=3))
";
    let document = Changing::new("reload-script");
    let script = Path::new(document.path()).with_file_name("report.py");
    std::fs::write(&script, SCRIPT).expect("it can be written");
    let script_name = script.to_str().expect("text").to_owned();
    let mut server =
        Server::start(&mut opendyn(&["serve", document.path(), &script_name, "--library", library()]));
    let client = server.client(None);
    let report = || client.call_json("report", "{}").map_err(|error| error.to_string());
    assert!(report().is_ok_and(|reply| reply.contains("\"sum\"")));
    let opened = client.call_json("shelf_open", r#"{"books":3}"#).expect("a token");

    std::fs::write(&script, SCRIPT.replace("Adds by", "Sums by")).expect("it can be written");
    assert!(report().is_ok());
    assert_eq!(heard(&mut server), format!("opendyn: `{script_name}` was read again\n"));
    let listed = client.load().expect("it answers").expect("a document");
    assert_eq!(listed.function("report").expect("a function").description, "Sums by the library.");
    assert_eq!(client.call_json("shelf_take", &opened).expect("another member"), r#"{"left":2}"#);

    std::fs::write(&script, SCRIPT.replace("import importlib", "from os import path"))
        .expect("it can be written");
    assert!(report().is_ok(), "the last good version");
    let said = heard(&mut server);
    assert!(said.starts_with(&format!("{script_name}:1:1: error[P004]: ")), "{said}");
    assert!(said.ends_with("stays in use\n"), "{said}");

    document.change("\"sum\"", "\"total\"");
    assert!(report().is_ok_and(|reply| reply.contains("\"total\"")));
    heard(&mut server);

    // Names that clash are not served, until they no longer do.
    document.change("\"name\": \"add\"", "\"name\": \"report\", \"x-symbol\": \"add\"");
    assert!(report().is_ok_and(|reply| reply.contains("\"total\"")));
    let said = heard(&mut server);
    assert!(said.contains("`report` is a function of") && said.ends_with("stays in use\n"), "{said}");
    server.end("-INT");
}

#[test]
fn the_library_does_not_end_between_two_versions() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls/begun.json");
    let document = Changing::of(source, "reload-begun");
    let library = compiled("begun");
    let mut server =
        Server::start(&mut opendyn(&["serve", document.path(), "--library", &library, "--in-process"]));
    let client = server.client(None);
    let state = || client.call_json("begun_state", "{}").expect("a state");
    assert_eq!(state(), r#"{"state":1001}"#);

    // The next version begins before the last one is dropped, and finds that the library has begun.
    document.change("What was called.", "What happened.");
    assert_eq!(state(), r#"{"state":1001}"#);
    heard(&mut server);
    assert_eq!(state(), r#"{"state":1001}"#);

    // With other arguments it begins again; nothing has ended.
    document.change("[1]", "[2]");
    assert_eq!(state(), r#"{"state":2003}"#);
    let error = client.call_json("begun_end", "{}").expect_err("callers cannot end it").to_string();
    assert!(error.contains("`x-init`") || error.contains("begun_end"), "{error}");
    assert_eq!(state(), r#"{"state":2003}"#);
}

//! `opendyn run`, and workflows that are served: with a library that is compiled here, with scripts, and the shipped ones.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod checked;
mod runs;
mod served;
mod shipped;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/counter.json");

/// Counts twice, with a function that callers are not offered.
const COUNT: &str = r##"{
  "openworkflow": "1.0.0",
  "info": {"title": "Count", "description": "The second number.", "version": "1.0.0"},
  "x-inputs": {"from": {"schema": {"type": "integer", "minimum": 0}, "default": 4}},
  "workflow": {
    "start": {"function": "counter_open", "arguments": {"value": "#/x-inputs/from"}, "results": {"counter": ""}, "next": "one"},
    "one": {"function": "counter_next", "arguments": {"counter": "#/start/results/counter"}, "results": {"number": 0}, "next": "two"},
    "two": {"function": "counter_next", "arguments": {"counter": "#/start/results/counter"}, "results": {}, "next": "end"}
  },
  "x-outputs": {"second": {"value": "#/two/results/number"}}
}"##;

/// One step, which is given `of`.
const HALF: &str = r##"{
  "openworkflow": "1.0.0", "info": {"title": "Half", "version": "1.0.0"},
  "x-inputs": {"of": {"schema": {"type": "integer"}}},
  "workflow": {"start": {"function": "half", "arguments": {"of": "#/x-inputs/of"}, "results": {}, "next": null}}
}"##;

/// A workflow of one step without arguments.
fn one(function: &str, arguments: &str) -> String {
    format!(
        r#"{{"openworkflow": "1.0.0", "info": {{"title": "One", "version": "1.0.0"}},
        "workflow": {{"start": {{"function": "{function}", "arguments": {arguments}, "results": {{}}, "next": null}}}}}}"#
    )
}

/// The compiled library.
fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = format!("{}/libcounter.so", env!("CARGO_TARGET_TMPDIR"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/counter.c");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let status =
            Command::new(&compiler).args(["-shared", "-fPIC", "-O1", "-o", &library, source]).status();
        assert!(status.expect("these tests need a C compiler").success());
        library
    })
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if let Err(error) = std::fs::remove_dir_all(&folder) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file in a new folder, which has the name of the test.
fn file(test: &str, name: &str, text: &str) -> String {
    let path = folder(test).join(name);
    std::fs::write(&path, text).expect("it can be written");
    path.to_str().expect("UTF-8").to_owned()
}

fn opendyn(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendyn"));
    command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// `run` with the library of the tests.
fn run(workflow: &str, arguments: &[&str]) -> Command {
    opendyn(&[&["run", workflow, DOCUMENT, "--library", library()], arguments].concat())
}

/// What a command said.
#[derive(Debug)]
struct Said {
    status: Option<i32>,
    out: String,
    err: String,
}

fn said(command: &mut Command) -> Said {
    of(command.output().expect("it starts"))
}

fn said_with(command: &mut Command, input: &str) -> Said {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("it reads");
    drop(pipe);
    of(child.wait_with_output().expect("it ends"))
}

fn of(output: Output) -> Said {
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Said { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The messages of a command that must end with status 1 and without a result.
#[track_caller]
fn refused(command: &mut Command) -> String {
    let said = said(command);
    assert_eq!((said.status, said.out.as_str()), (Some(1), ""), "{}", said.err);
    said.err
}

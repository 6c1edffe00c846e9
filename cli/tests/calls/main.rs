//! `call`, `serve` and `mcp` as users start them, with a library that is compiled here.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod call;
mod confined;
mod long;
mod mcp;
mod policy;
mod reload;
mod scripts;
mod serve;
mod streams;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls/shelf.json");
const CLASHING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls/clash.json");

/// The compiled library.
fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| compiled("shelf"))
}

/// Compiles a library from its C file, and returns its path.
fn compiled(name: &str) -> String {
    let library = format!("{}/lib{name}.so", env!("CARGO_TARGET_TMPDIR"));
    let source = format!("{}/tests/calls/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(&compiler).args(["-shared", "-fPIC", "-O1", "-o", &library, &source]).status();
    assert!(status.expect("these tests need a C compiler").success());
    library
}

/// The command, in a clean environment.
fn opendyn(arguments: &[&str]) -> Command {
    library();
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendyn"));
    command.args(arguments);
    for variable in ["OPENDYN_API_KEY", "OPENTOOL_LOG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command
}

/// The command `call` with the library of the tests.
fn call(arguments: &[&str]) -> Command {
    opendyn(&[&["call", DOCUMENT, "--library", library()], arguments].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).expect("text")
}

/// The output of a command that must succeed.
#[track_caller]
fn succeeded(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("it starts");
    assert!(status.success(), "{status}\n{}", text(&stderr));
    text(&stdout)
}

/// The messages of a command that must end with `code` and without a result.
#[track_caller]
fn failed(command: &mut Command, code: i32) -> String {
    let Output { status, stdout, stderr } = command.output().expect("it starts");
    assert_eq!(status.code(), Some(code), "{}", text(&stderr));
    assert_eq!(text(&stdout), "");
    text(&stderr)
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

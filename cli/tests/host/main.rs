//! `call`, `serve`, `mcp` and `cache` as users start them, with a library that is compiled here and one cache
//! for all tests. Cargo's files in it stay from run to run; the hosts are made anew.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod call;
mod failures;
mod mcp;
mod scripts;
mod serve;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/host-cache");
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host/shelf.json");
const CLASHING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host/clash.json");

/// The compiled library.
fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        if let Err(error) = std::fs::remove_dir_all(Path::new(CACHE).join("hosts")) {
            assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}");
        }
        let library = concat!(env!("CARGO_TARGET_TMPDIR"), "/libshelf.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host/shelf.c");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let status =
            Command::new(&compiler).args(["-shared", "-fPIC", "-O1", "-o", library, source]).status();
        assert!(status.expect("these tests need a C compiler").success());
        library.to_owned()
    })
}

/// The command with the cache of the tests.
fn opendyn(arguments: &[&str]) -> Command {
    library();
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendyn"));
    command.args(arguments).env("OPENDYN_CACHE", CACHE);
    for variable in ["OPENDYN_API_KEY", "OPENDYN_SOURCE", "OPENTOOL_LOG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command
}

/// The command `call` with the library of the tests.
fn call(arguments: &[&str]) -> Command {
    opendyn(&[&["call", DOCUMENT, "--library", library()], arguments].concat())
}

/// Compiles the hosts that several tests use, so that each test only measures its own subject.
fn prepared(kind: &str) {
    static CALL: OnceLock<()> = OnceLock::new();
    static SERVE: OnceLock<()> = OnceLock::new();
    match kind {
        "call" => CALL.get_or_init(|| drop(succeeded(&mut call(&["add", r#"{"a":0,"b":0}"#])))),
        _ => SERVE.get_or_init(|| {
            prepared("call");
            drop(succeeded(&mut opendyn(&["serve", DOCUMENT, "--library", library(), "--prepare"])));
        }),
    };
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

/// The document with another version, which makes it a different document.
fn variant(name: &str, version: &str) -> String {
    let path = folder(name).join("shelf.json");
    let document = std::fs::read_to_string(DOCUMENT).expect("the document");
    std::fs::write(&path, document.replace("2.3.4", version)).expect("it can be written");
    path.to_str().expect("text").to_owned()
}

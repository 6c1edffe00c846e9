//! The first minutes: `init`, `doctor`, `mcp --install`, bundles, and the note about a library in an executable.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod bundles;
#[path = "../command/mod.rs"]
mod command;
mod doctor;
mod init;
mod install;
mod note;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use command::Run;

/// A new folder with `libfoo.so` and `foo.h`, as a user has them.
fn foo(name: &str) -> PathBuf {
    let folder = command::folder(&format!("start-{name}"));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/start");
    std::fs::copy(library(), folder.join("libfoo.so")).expect("it was compiled");
    std::fs::copy(sources.join("foo.h"), folder.join("foo.h")).expect("it is there");
    folder
}

/// The library, compiled once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("start-libfoo.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/start/foo.c");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let arguments = ["-shared", "-fPIC", "-O1", "-Wl,-soname,libfoo.so", "-o"];
        let status = Command::new(compiler).args(arguments).arg(&library).arg(&source).status();
        assert!(status.expect("these tests need a C compiler").success());
        library
    })
}

/// The command in a folder, with the home of a new user.
fn at(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = command::command(arguments);
    command.current_dir(folder).env("HOME", folder).env("FOO_LEAVES", folder);
    command.env_remove("XDG_CONFIG_HOME").env_remove("FOO_LIBRARY");
    command
}

/// Runs it with these lines on stdin.
fn run(command: &mut Command, stdin: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A command that does not read stdin may have ended already.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        status: output.status.code().expect("no signal"),
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

/// What an MCP client does at its start: the names of the tools of the server that this command starts.
fn tools(command: &mut Command) -> Vec<String> {
    let client =
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
    let lines = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{client}}}\n\
         {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n\
         {{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}}\n"
    );
    let run = run(command, &lines);
    let replies =
        run.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let listed =
        replies.into_iter().find(|reply| reply["id"] == 2).unwrap_or_else(|| panic!("{}", run.stderr));
    let tools = listed["result"]["tools"].as_array().expect("tools").iter();
    tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

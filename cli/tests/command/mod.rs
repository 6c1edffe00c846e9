//! Runs the command as a user does.

#![allow(dead_code, reason = "each test uses what it needs")]
#![allow(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The result of a run.
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    /// The exit status.
    pub status: i32,
}

/// The command, run at the root of the workspace, without colours.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendyn"));
    command.args(arguments).current_dir(root()).env("NO_COLOR", "1").env_remove("COLUMNS");
    command
}

pub fn opendyn(arguments: &[&str]) -> Run {
    run(command(arguments).stdin(Stdio::null()).output().expect("it starts"))
}

/// The same, with text on stdin.
pub fn opendyn_with(arguments: &[&str], stdin: &str) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A command that does not read stdin may have ended already.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    run(child.wait_with_output().expect("it ends"))
}

fn run(output: Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        status: output.status.code().expect("no signal"),
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// An empty folder with this name for the files of one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// A path as an argument.
pub fn argument(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Documents that are known to be correct: those of the examples and of the goldens.
pub fn documents() -> Vec<PathBuf> {
    let mut documents = Vec::new();
    for folder in ["examples", "tests/fixtures"] {
        for inner in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let Ok(files) = std::fs::read_dir(inner.expect("an entry").path()) else { continue };
            let files = files.map(|file| file.expect("an entry").path());
            documents.extend(files.filter(|file| file.extension().is_some_and(|ending| ending == "json")));
        }
    }
    documents.sort();
    assert!(documents.len() > 20, "{documents:?}");
    documents
}

/// Asserts that the golden `name` equals `actual`; with `OPENDYN_BLESS=1` it is rewritten.
pub fn assert_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(name);
    if std::env::var("OPENDYN_BLESS").is_ok_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(&path, actual).expect("it can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = expected.lines().zip(actual.lines()).position(|(expected, actual)| expected != actual);
    let line = differing.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    assert!(
        expected == actual,
        "{}:{}: differs (OPENDYN_BLESS=1 rewrites it)\n  expected: {}\n  actual:   {}",
        path.display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("the end"),
        actual.lines().nth(line).unwrap_or("the end"),
    );
}

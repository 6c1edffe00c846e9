//! `check --try`: what C does that the document does not allow is caught, and said in words.
//!
//! Whether an access is a read or a write is known here; elsewhere the words are "read or wrote".

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

#[path = "../command/mod.rs"]
mod command;
mod faults;
mod honest;
mod usage;
mod zlib;

use std::process::Command;
use std::sync::OnceLock;

use command::{Run, opendyn};

const DOCUMENT: &str = "cli/tests/tried/tried.json";

/// The compiled library.
fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = format!("{}/libtried.so", env!("CARGO_TARGET_TMPDIR"));
        let source = format!("{}/tests/tried/tried.c", env!("CARGO_MANIFEST_DIR"));
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let status =
            Command::new(compiler).args(["-shared", "-fPIC", "-O1", "-o", &library, &source]).status();
        assert!(status.expect("these tests need a C compiler").success());
        library
    })
}

/// The command, with these calls.
fn run(calls: &[(&str, &str)], more: &[&str]) -> Run {
    let mut arguments = vec!["check", DOCUMENT, "--library", library()];
    for (function, values) in calls {
        arguments.extend(["--try", function, values]);
    }
    arguments.extend(more);
    opendyn(&arguments)
}

/// What was seen, without the place in the library.
#[track_caller]
fn seen(calls: &[(&str, &str)], more: &[&str]) -> (String, String) {
    let run = run(calls, more);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{}", run.stdout);
    assert!(!run.stdout.contains("no fault seen"), "{}", run.stdout);
    let line = run.stdout.lines().find(|line| line.contains(": error: ")).expect("a line about the fault");
    let (place, message) = line.trim().split_once(": error: ").expect("a place");
    let message = message.split(" (at lib").next().expect("text");
    (place.to_owned(), message.to_owned())
}

/// The message about one call.
#[track_caller]
fn caught(function: &str, arguments: &str) -> String {
    let (place, message) = seen(&[(function, arguments)], &[]);
    assert!(place.starts_with(&format!("{DOCUMENT}:")), "{place}");
    message
}

#[track_caller]
fn no_fault(calls: &[(&str, &str)]) {
    let run = run(calls, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(
        run.stdout.contains("\n  no fault seen with these arguments\n0 errors, 0 warnings\n"),
        "{}",
        run.stdout
    );
}

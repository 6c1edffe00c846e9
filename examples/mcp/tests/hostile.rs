//! A library that does its worst, behind a program with `serve!`. The tests are those of the command, which has another way
//! to the same workers, and some of this way.

#![cfg(unix)]

#[path = "../../../cli/tests/hostile/main.rs"]
mod hostile;

use std::process::{Command, Output, Stdio};

use hostile::clients::{Client, OpenTool, Server, workers_of};
use serde_json::json;

/// The program, without what serves.
fn program(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hostile-server"));
    command.args(arguments).stdin(Stdio::null()).output().expect("it starts")
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_has_neither_the_keys_nor_the_command_line_of_its_server() {
    let server = Server::start_with(
        &["--api-key", "one"],
        &[("OPENTOOL_API_KEY", "two"), ("OPENDYN_API_KEY", "three")],
    );
    for key in ["one", "two"] {
        assert_eq!(
            OpenTool::new(&server, key).call("add", json!({"a": 2, "b": 3})),
            Ok(json!({"result": 5}))
        );
    }
    let workers = workers_of(&server);
    assert_eq!(workers.len(), 2, "each key has a worker of its own");
    for worker in workers {
        let read = |name: &str| std::fs::read(format!("/proc/{worker}/{name}")).expect("it runs");
        let (environment, line) = (read("environ"), read("cmdline"));
        let has = |text: &[u8], part: &str| text.windows(part.len()).any(|window| window == part.as_bytes());
        assert!(
            has(&environment, "OPENTOOL_WORKER=") && !has(&environment, "_API_KEY"),
            "{}",
            environment.escape_ascii()
        );
        assert!(has(&line, "libhostile.so") && !has(&line, "one"), "{}", line.escape_ascii());
    }
}

#[test]
fn in_process_the_library_is_in_the_server_and_a_crash_ends_it() {
    let server = Server::start(&["--in-process"]);
    let mut client = OpenTool::at(&server.url, None);
    assert_eq!(client.call("add", json!({"a": 2, "b": 3})), Ok(json!({"result": 5})));
    assert!(workers_of(&server).is_empty());
    client.call("aborts", json!({})).expect_err("the server is gone");
    server.ends();
}

#[test]
fn in_process_a_call_has_a_deadline_too() {
    let server = Server::start(&["--in-process", "--deadline", "0.5"]);
    let error = OpenTool::at(&server.url, None).call("spin", json!({})).expect_err("it hangs");
    assert!(error.contains("did not end within 500 ms"), "{error}");
}

#[test]
fn options_that_contradict_each_other_are_status_2() {
    let output = program(&["--in-process", "--sessions", "3"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`--sessions` cannot be used with `--in-process`"), "{said}");
}

#[test]
fn a_library_that_cannot_be_opened_is_the_error_of_the_start() {
    for place in [&[][..], &["--in-process"]] {
        let output = program(&[&["--library", "/nowhere/libhostile.so"], place].concat());
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with("hostile-server: ") && said.contains("/nowhere/libhostile.so"), "{said}");
        assert!(!said.contains("call failed"), "{said}");
    }
}

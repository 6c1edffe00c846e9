//! A library that does its worst, behind a program with `serve!`: what it does to its process is an error of the call, and what
//! another client has lives on. The clients are those of the tests of the command.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

#[path = "../../../cli/tests/hostile/clients.rs"]
mod clients;
#[path = "../../../cli/tests/hostile/crashes.rs"]
mod crashes;
#[cfg(target_os = "linux")]
#[path = "../../../cli/tests/hostile/refused.rs"]
mod refused;
#[path = "../../../cli/tests/hostile/sessions.rs"]
mod sessions;

use std::process::{Command, Output, Stdio as Stream};
use std::time::{Duration, Instant};

use clients::{Client, Mcp, OpenTool, Server, Stdio, end, until_it_runs, worker_ids};
use serde_json::{Value, json};

/// The deadline of the servers here, in seconds.
const DEADLINE: &str = "3";

/// What the functions end in.
fn cases() -> [(&'static str, Value, &'static [&'static str]); 17] {
    [
        ("null_read", json!({}), &["SIGSEGV in `null_read`, at address 0x8"]),
        ("wild_write", json!({}), &["SIGSEGV in `wild_write`, at address 0x", "SIGBUS in `wild_write`"]),
        ("double_free", json!({}), &["SIGABRT in `double_free`"]),
        ("aborts", json!({}), &["SIGABRT in `aborts`"]),
        ("exits", json!({"status": 0}), &["`exits` ended it with exit status 0"]),
        ("overflow_stack", json!({}), &["SIGSEGV in `overflow_stack`, at address 0x"]),
        ("spin", json!({}), &["did not end within 3000 ms"]),
        ("blocks_signals", json!({}), &["did not end within 3000 ms"]),
        ("fakes", json!({}), &["`fakes` wrote to the worker's descriptor, which is not believed"]),
        ("closes", json!({}), &["`closes` closed the descriptor for its reply"]),
        ("allocates", json!({}), &["SIGSEGV in `allocates`, at address 0x0"]),
        ("throws", json!({}), &["SIGABRT in `throws`"]),
        ("returns_null", json!({}), &["NULL"]),
        ("not_text", json!({}), &["UTF-8"]),
        // Near overruns are found by the guard behind the buffer, far ones end the process.
        ("overrun", json!({"by": 1}), &["overrun", "wrote"]),
        ("overrun", json!({"by": 16}), &["overrun", "wrote"]),
        (
            "overrun",
            json!({"by": 4096}),
            &["overrun", "wrote", "SIGABRT in `overrun`", "SIGSEGV in `overrun`"],
        ),
    ]
}

/// Makes every call through `client`, while `other` has a box.
fn all_cases(client: &mut dyn Client, mut other: Option<&mut dyn Client>) {
    let boxed = other.as_mut().map(|other| other.call("box_new", json!({"value": 42})).expect("a box"));
    for (function, arguments, any) in cases() {
        let begin = Instant::now();
        let error = client.call(function, arguments.clone()).expect_err(function);
        let took = begin.elapsed();
        assert!(any.iter().any(|text| error.contains(text)), "{function} {arguments}: {error}");
        assert!(took < Duration::from_secs(3 + 15), "{function} {arguments} took {took:?}");
        let next = client.call("add", json!({"a": 2, "b": 3}));
        assert_eq!(next, Ok(json!({"result": 5})), "after {function} {arguments}");
        if let Some((other, boxed)) = other.as_mut().zip(boxed.as_ref()) {
            let value = other.call("box_value", boxed.clone());
            assert_eq!(value, Ok(json!({"result": 42})), "the other's box, after {function} {arguments}");
        }
    }
}

#[test]
fn opentool_over_http_survives_everything() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two", "--deadline", DEADLINE]);
    let (mut one, mut two) = (OpenTool::new(&server, "one"), OpenTool::new(&server, "two"));
    all_cases(&mut one, Some(&mut two));
}

#[test]
fn mcp_over_http_survives_everything() {
    let server = Server::start(&["--deadline", DEADLINE]);
    let [mut one, mut two] = [(); 2].map(|()| Mcp::in_session(&server, None));
    all_cases(&mut one, Some(&mut two));
}

#[test]
fn mcp_over_the_standard_streams_survives_everything() {
    let mut client = Stdio::start(&["--deadline", DEADLINE]);
    all_cases(&mut client, None);
    client.end();
}

#[test]
fn a_handle_that_is_lost_says_why() {
    let mut client = Stdio::start(&["--deadline", DEADLINE]);
    let first = client.call("box_new", json!({"value": 1})).expect("a box");
    client.call("aborts", json!({})).expect_err("it aborts");
    let second = client.call("box_new", json!({"value": 2})).expect("a box");
    client.call("spin", json!({})).expect_err("it hangs");
    for (boxed, why) in [
        (&first, "was lost: its worker ended (SIGABRT in `aborts`)"),
        (&second, "was lost: its worker ended (killed: `spin` did not end within 3000 ms)"),
        (&json!({"box": "box:1.0.1.0123456789abcdef"}), "is not a handle that this tool gave out"),
    ] {
        let lost = client.call("box_value", boxed.clone()).expect_err("it is lost");
        assert!(lost.contains(why), "{lost}");
    }
    client.end();
}

#[test]
fn opens_end_at_the_quota_and_handles_expire() {
    let mut client = Stdio::start(&["--handles", "3", "--idle", "0.3"]);
    let made: Vec<Value> =
        (0..3).map(|value| client.call("box_new", json!({"value": value})).expect("a box")).collect();
    let error = client.call("box_new", json!({"value": 3})).expect_err("too many");
    assert!(error.contains("this session has 3 handles, and may have no more"), "{error}");
    std::thread::sleep(Duration::from_millis(1000));
    let error = client.call("box_value", made[0].clone()).expect_err("it expired");
    assert!(error.contains("no call was made for"), "{error}");
    client.end();
}

#[test]
fn a_signal_ends_a_server_and_its_workers_whatever_c_does() {
    let server = Server::start(&["--deadline", "600"]);
    let url = server.url.clone();
    let caller = std::thread::spawn(move || OpenTool::at(&url, None).call("blocks_signals", json!({})));
    until_it_runs(&server, None);
    let workers = worker_ids(&server);
    // The first asks it to end, the second not to wait for requests.
    server.signal("-TERM");
    std::thread::sleep(Duration::from_secs(1));
    server.signal("-TERM");
    server.ends();
    assert!(caller.join().is_ok_and(|reply| reply.is_err()));
    end(&workers);
}

/// The program, without what serves.
fn program(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hostile-server"));
    command.args(arguments).stdin(Stream::null()).output().expect("it starts")
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_has_neither_the_keys_nor_the_command_line_of_its_server() {
    let keys = [
        ("OPENTOOL_API_KEY", "two"),
        ("OPENDYN_API_KEY", "three"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=four"),
        ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=five"),
    ];
    let server = Server::start_in(&keys, &["--api-key", "one"]);
    for key in ["one", "two"] {
        assert_eq!(
            OpenTool::new(&server, key).call("add", json!({"a": 2, "b": 3})),
            Ok(json!({"result": 5}))
        );
    }
    let workers = worker_ids(&server);
    assert_eq!(workers.len(), 2, "each key has a worker of its own");
    for worker in workers {
        let read = |name: &str| std::fs::read(format!("/proc/{worker}/{name}")).expect("it runs");
        let (environment, line) = (read("environ"), read("cmdline"));
        let has = |text: &[u8], part: &str| text.windows(part.len()).any(|window| window == part.as_bytes());
        assert!(
            has(&environment, "OPENTOOL_WORKER=")
                && !has(&environment, "_API_KEY")
                && !has(&environment, "_HEADERS"),
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
    assert!(worker_ids(&server).is_empty());
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
        assert!(!said.contains("--allow-read"), "no option helps a file that is not there: {said}");
    }
}

/// What the program says when it is started for a client that leaves at once.
fn said(library_path: Option<&str>, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hostile-server"));
    command.arg("--mcp-stdio").args(arguments).stdin(Stream::null()).env_remove("LD_LIBRARY_PATH");
    let output =
        command.envs(library_path.map(|path| ("LD_LIBRARY_PATH", path))).output().expect("it starts");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_allowed_is_said_at_the_start() {
    let nothing = "no network, no writing, reading the libraries and the system's data";
    for (flags, texts) in [
        (&[][..], &["hostile-server: sandbox: ", nothing][..]),
        (&["--allow-net", "--allow-write", "/tmp"], &["hostile-server: sandbox: network, writing `/tmp`, "]),
        (&["--no-sandbox"], &["hostile-server: no sandbox: what is served can do all"]),
        (&["--in-process"], &["hostile-server: no sandbox for libraries, which run in this process\n"]),
    ] {
        let (succeeds, said) = said(None, &[&["--library", clients::library()], flags].concat());
        assert!(succeeds && texts.iter().all(|text| said.contains(text)), "{flags:?}: {said}");
    }
    let (succeeds, said) = said(None, &["--library", clients::library(), "--allow-read", "/no/such"]);
    assert!(!succeeds && said.contains("hostile-server: --allow-read: `/no/such` does not exist"), "{said}");
}

/// The library that the program names is a name, for the loader to find.
#[cfg(target_os = "linux")]
#[test]
fn a_library_of_the_library_path_is_loaded_in_the_sandbox() {
    clients::library();
    let (succeeds, there) = said(Some(env!("CARGO_TARGET_TMPDIR")), &[]);
    assert!(succeeds && there.contains("hostile-server: sandbox: "), "{there}");
    let (succeeds, gone) = said(None, &[]);
    assert!(!succeeds && gone.contains("`--allow-read DIR` allows more"), "{gone}");
}

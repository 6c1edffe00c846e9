//! A library that does its worst, behind OpenTool over HTTP, MCP over HTTP and MCP over the standard streams: every call ends in
//! its own error within its deadline, the next one works, and what another client has lives on.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod clients;
mod crashes;
mod opens;
#[cfg(target_os = "linux")]
mod refused;
mod sessions;

use std::time::{Duration, Instant};

use clients::{Client, Mcp, OpenTool, Server, Stdio};
use serde_json::{Value, json};

/// The deadline of the servers here, in seconds.
const DEADLINE: &str = "3";
const LIMIT: Duration = Duration::from_secs(3);
/// What a machine with other work may take besides.
const SLACK: Duration = Duration::from_secs(15);

/// What a call must end in.
enum End {
    /// One of these texts is in the message.
    Says(&'static [&'static str]),
    /// A result, as the function did no harm that ends its process.
    Result,
}
use End::{Result as Works, Says};

/// The functions, their arguments, and what they end in.
fn cases() -> Vec<(&'static str, Value, End)> {
    let mut cases = vec![
        ("null_read", json!({}), Says(&["SIGSEGV in `null_read`, at address 0x8"])),
        (
            "wild_write",
            json!({}),
            Says(&["SIGSEGV in `wild_write`, at address 0x", "SIGBUS in `wild_write`"]),
        ),
        ("double_free", json!({}), Says(&["SIGABRT in `double_free`"])),
        ("aborts", json!({}), Says(&["SIGABRT in `aborts`"])),
        ("exits", json!({"status": 0}), Says(&["`exits` ended it with exit status 0"])),
        ("exits", json!({"status": 7}), Says(&["`exits` ended it with exit status 7"])),
        ("overflow_stack", json!({}), Says(&["SIGSEGV in `overflow_stack`, at address 0x"])),
        ("spin", json!({}), Says(&["did not end within 3000 ms"])),
        ("sleeps", json!({"seconds": 1}), Says(&["did not end within 3000 ms"])),
        ("blocks_signals", json!({}), Says(&["did not end within 3000 ms"])),
        #[cfg(target_os = "linux")]
        ("forks", json!({}), Says(&["Operation not permitted; sandbox: files outside"])),
        #[cfg(not(target_os = "linux"))]
        ("forks", json!({}), Works),
        ("fakes", json!({}), Says(&["`fakes` wrote to the worker's descriptor, which is not believed"])),
        ("closes", json!({}), Says(&["`closes` closed the descriptor for its reply"])),
        ("shuts", json!({"how": 0}), Says(&["`shuts` closed the descriptor for its reply"])),
        ("shuts", json!({"how": 1}), Says(&["`shuts` closed the descriptor for its reply"])),
        ("shuts", json!({"how": 2}), Says(&["`shuts` closed the descriptor for its reply"])),
        ("never_waits", json!({}), Works),
        ("allocates", json!({}), Says(&["SIGSEGV in `allocates`, at address 0x0"])),
        (
            "jumps",
            json!({}),
            Says(&["SIGSEGV in `jumps`", "SIGABRT in `jumps`", "SIGBUS in `jumps`", "SIGILL in `jumps`"]),
        ),
        ("throws", json!({}), Says(&["SIGABRT in `throws`"])),
        ("returns_null", json!({}), Says(&["NULL"])),
        ("not_text", json!({}), Says(&["UTF-8"])),
    ];
    for by in [1, 2, 4, 16, 17, 64, 256, 1024, 4096] {
        // Near overruns are found by the guard behind the buffer, far ones end the process.
        cases.push((
            "overrun",
            json!({"by": by}),
            Says(&["overrun", "wrote", "SIGABRT in `overrun`", "SIGSEGV in `overrun`"]),
        ));
    }
    cases
}

/// Makes every call through `client`, while `other` has a box.
fn all_cases(client: &mut dyn Client, other: Option<&mut dyn Client>) {
    let mut other = other.map(|other| {
        let made = other.call("box_new", json!({"value": 42})).expect("a box");
        (other, json!({"box": made["box"]}))
    });
    for (function, arguments, end) in cases() {
        let begin = Instant::now();
        let reply = client.call(function, arguments.clone());
        let took = begin.elapsed();
        match (end, &reply) {
            (Works, Ok(_)) => {}
            (Says(any), Err(message)) if any.iter().any(|text| message.contains(text)) => {}
            _ => panic!("{function} {arguments}: {reply:?}"),
        }
        assert!(took < LIMIT + SLACK, "{function} {arguments} took {took:?}");
        let next = client.call("add", json!({"a": 2, "b": 3}));
        assert_eq!(next, Ok(json!({"result": 5})), "after {function} {arguments}");
        if let Some((other, boxed)) = &mut other {
            let value = other.call("box_value", boxed.clone());
            assert_eq!(
                value,
                Ok(json!({"result": 42})),
                "another client's box, after {function} {arguments}"
            );
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
    let server = Server::start(&["--api-key", "one", "--api-key", "two", "--deadline", DEADLINE]);
    let (mut one, mut two) = (Mcp::new(&server, "one"), OpenTool::new(&server, "two"));
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
    let made = client.call("box_new", json!({"value": 1})).expect("a box");
    let first = json!({"box": made["box"]});
    client.call("aborts", json!({})).expect_err("it aborts");
    let lost = client.call("box_value", first.clone()).expect_err("it is lost");
    assert!(lost.contains("was lost: its worker ended (SIGABRT in `aborts`)"), "{lost}");
    let made = client.call("box_new", json!({"value": 2})).expect("a box");
    client.call("spin", json!({})).expect_err("it hangs");
    let lost = client.call("box_value", json!({"box": made["box"]})).expect_err("it is lost");
    assert!(
        lost.contains("was lost: its worker ended (killed: `spin` did not end within 3000 ms)"),
        "{lost}"
    );
    let lost = client.call("box_value", first).expect_err("it is lost");
    assert!(lost.contains("(SIGABRT in `aborts`)"), "the first reason stays: {lost}");
    let invented =
        client.call("box_value", json!({"box": "box:1.0.1.0123456789abcdef"})).expect_err("invented");
    assert!(invented.contains("is not a handle that this tool gave out"), "{invented}");
    client.end();
}

#[test]
fn handles_of_one_key_are_not_those_of_another() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two"]);
    let (mut one, mut two) = (OpenTool::new(&server, "one"), OpenTool::new(&server, "two"));
    let made = one.call("box_new", json!({"value": 1})).expect("a box");
    let boxed = json!({"box": made["box"]});
    let error = two.call("box_value", boxed.clone()).expect_err("not its own");
    assert!(error.contains("is not a handle that this tool gave out"), "{error}");
    assert_eq!(Mcp::new(&server, "one").call("box_value", boxed), Ok(json!({"result": 1})), "the key counts");
}

#[test]
fn opens_end_at_the_quota() {
    let mut client = Stdio::start(&["--handles", "100"]);
    for number in 0..100 {
        client.call("box_new", json!({"value": number})).expect("a box");
    }
    let error = client.call("box_new", json!({"value": 100})).expect_err("too many");
    assert!(error.contains("this session has 100 handles, and may have no more"), "{error}");
    assert_eq!(client.call("add", json!({"a": 1, "b": 1})), Ok(json!({"result": 2})));
    client.end();
}

#[test]
fn metrics_count_handles_and_workers_and_why_they_ended() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two"]);
    let (mut one, mut two) = (OpenTool::new(&server, "one"), Mcp::new(&server, "two"));
    let counted = || clients::counted(&server, "one");
    assert_eq!(counted(), ["opentool_handles 0", "opentool_workers 0", "opentool_workers_started_total 0"]);
    for _ in 0..3 {
        one.call("box_new", json!({"value": 1})).expect("a box");
    }
    let made = two.call("box_new", json!({"value": 1})).expect("a box");
    assert_eq!(counted(), ["opentool_handles 4", "opentool_workers 2", "opentool_workers_started_total 2"]);
    two.call("box_free", made).expect("it is freed");
    assert_eq!(counted()[0], "opentool_handles 3");
    for _ in 0..2 {
        one.call("aborts", json!({})).expect_err("it aborts");
    }
    two.call("exits", json!({"status": 1})).expect_err("it exits");
    assert_eq!(
        counted(),
        [
            "opentool_handles 0",
            "opentool_workers 0",
            "opentool_workers_started_total 3",
            "opentool_workers_ended_total{reason=\"SIGABRT\"} 2",
            "opentool_workers_ended_total{reason=\"exit\"} 1",
        ]
    );
}

#[test]
fn the_longest_idle_caller_gives_way_and_is_told() {
    let keys = ["--api-key", "one", "--api-key", "two", "--api-key", "three", "--sessions", "2"];
    let server = Server::start(&keys);
    let mut clients = ["one", "two", "three"].map(|key| OpenTool::new(&server, key));
    let boxes = clients.each_mut().map(|client| client.call("box_new", json!({"value": 5})).expect("a box"));
    let error = clients[0].call("box_value", boxes[0].clone()).expect_err("it gave way");
    assert!(error.contains("2 callers have a worker, and its own was idle longest"), "{error}");
}

#[test]
fn handles_expire() {
    let mut client = Stdio::start(&["--idle", "0.3"]);
    let made = client.call("box_new", json!({"value": 1})).expect("a box");
    std::thread::sleep(Duration::from_millis(1000));
    let error = client.call("box_value", made).expect_err("it expired");
    assert!(error.contains("no call was made for"), "{error}");
    client.end();
}

#[test]
fn a_client_that_leaves_takes_its_call_with_it() {
    let mut client = Stdio::start(&["--deadline", "600"]);
    client.begin("spin", json!({}));
    let begin = Instant::now();
    client.end();
    // Calls have five seconds to reply to a client that may still read.
    assert!(begin.elapsed() < Duration::from_secs(8) + SLACK, "{:?}", begin.elapsed());
}

#[test]
fn a_cancelled_call_ends_and_the_next_one_runs() {
    let mut client = Stdio::start(&["--deadline", "600"]);
    let id = client.begin("spin", json!({}));
    client.notify("notifications/cancelled", json!({"requestId": id}));
    let begin = Instant::now();
    assert_eq!(client.call("add", json!({"a": 2, "b": 3})), Ok(json!({"result": 5})));
    assert!(begin.elapsed() < SLACK, "{:?}", begin.elapsed());
    client.end();
}

#[test]
fn a_call_behind_another_says_so() {
    let mut client = Stdio::start(&["--deadline", DEADLINE]);
    let ids: Vec<u64> = (0..12).map(|_| client.send("spin", json!({}))).collect();
    let replies = client.replies(&ids);
    assert!(replies.iter().all(|reply| reply.contains("within 3000 ms")), "{replies:?}");
    // Those next in line may have begun when the first was killed.
    let never = |reply: &&String| reply.contains("never started within 3000 ms: waiting behind `spin`");
    assert!(replies.iter().filter(never).count() >= 2, "{replies:?}");
    client.end();
}

#[test]
fn a_signal_ends_a_server_whatever_c_does() {
    let server = Server::start(&["--deadline", "600", "--grace", "1"]);
    let url = server.url.clone();
    let caller = std::thread::spawn(move || OpenTool::at(&url, None).call("blocks_signals", json!({})));
    clients::until_it_runs(&server, None);
    let workers = clients::worker_ids(&server);
    let begin = Instant::now();
    server.signal("-TERM");
    server.ends();
    let took = begin.elapsed();
    assert!(took > Duration::from_millis(900), "the request had a second: {took:?}");
    assert!(took < Duration::from_secs(4) + SLACK, "{took:?}");
    let reply = caller.join().expect("it does not panic").expect_err("it hung");
    assert!(reply.contains("it was cancelled"), "its client is told: {reply}");
    clients::end(&workers);
}

#[test]
fn a_second_signal_ends_a_server_at_once() {
    let server = Server::start(&["--deadline", "600", "--grace", "600"]);
    let url = server.url.clone();
    let caller = std::thread::spawn(move || OpenTool::at(&url, None).call("blocks_signals", json!({})));
    clients::until_it_runs(&server, None);
    let workers = clients::worker_ids(&server);
    // The first asks it to end, the second not to wait for requests.
    server.signal("-TERM");
    std::thread::sleep(Duration::from_secs(1));
    server.signal("-TERM");
    server.ends();
    assert!(caller.join().is_ok_and(|reply| reply.is_err()));
    clients::end(&workers);
}

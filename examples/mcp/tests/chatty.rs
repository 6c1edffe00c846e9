//! A library that prints to standard output and reads standard input does not disturb the protocol.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

#[test]
fn the_output_and_input_of_a_library_are_not_part_of_the_protocol() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_mcp-fixture"))
        .arg("chatty")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = server.stdin.take().expect("piped");
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "chat", "arguments": {"times": 500}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "listen_in"}}),
    ] {
        writeln!(input, "{message}").expect("it reads");
    }
    let output = BufReader::new(server.stdout.take().expect("piped"));
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || output.lines().try_for_each(|line| sender.send(line)));
    // The client keeps our input open, so a library that read it would wait for more.
    let answer = |_| lines.recv_timeout(Duration::from_secs(20)).expect("an answer").expect("text");
    let lines_so_far: Vec<String> = (0..3).map(answer).collect();
    drop(input);
    let output = server.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(lines.recv().is_err(), "three answers are all");

    let parse = |line: &String| serde_json::from_str(line).expect("every line is a message");
    let mut results: Vec<Value> = lines_so_far.iter().map(parse).collect();
    // Calls run in parallel, and their answers come in any order.
    results.sort_by_key(|result| result["id"].as_u64());
    assert_eq!(results[1]["result"]["structuredContent"], json!({"printed": 500}));
    assert_eq!(results[2]["result"]["structuredContent"], json!({"byte": -1}));

    let printed = String::from_utf8(output.stderr).expect("text");
    assert_eq!(printed.matches(r#"{"jsonrpc":"2.0""#).count(), 1000, "what was printed is not lost");
}

//! `opendyn mcp` on every kind of standard stream that a client may start it with.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{DOCUMENT, folder, library, opendyn, text};

/// The messages of a client that calls once, one per line.
fn messages() -> String {
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let call = json!({"name": "add", "arguments": {"a": 2, "b": 3}});
    [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ]
    .map(|message| format!("{message}\n"))
    .concat()
}

fn server() -> Command {
    opendyn(&["mcp", DOCUMENT, "--library", library()])
}

/// That the output has both replies, whatever else is in it.
#[track_caller]
fn has_replies(output: &str) {
    let replies = output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let ids: Vec<Value> = replies.map(|reply| reply["id"].clone()).collect();
    assert_eq!(ids, [1, 2], "{output}");
    assert!(output.contains(r#""structuredContent":{"sum":5}"#), "{output}");
}

#[test]
fn sockets_are_served() {
    let (ours, theirs) = UnixStream::pair().expect("two sockets");
    let (input, output) = (theirs.try_clone().expect("a socket"), theirs);
    let mut command = server();
    command.stdin(Stdio::from(OwnedFd::from(input))).stdout(Stdio::from(OwnedFd::from(output)));
    let mut server = command.spawn().expect("it starts");
    drop(command);
    (&ours).write_all(messages().as_bytes()).expect("it reads");
    let mut lines = BufReader::new(&ours).lines();
    let replies: Vec<String> = (0..2).map(|_| lines.next().expect("a reply").expect("text")).collect();
    has_replies(&replies.join("\n"));
    ours.shutdown(std::net::Shutdown::Write).expect("a socket");
    assert!(server.wait().expect("it ends").success());
}

#[test]
fn files_are_served() {
    let folder = folder("streams");
    let (requests, replies) = (folder.join("requests"), folder.join("replies"));
    std::fs::write(&requests, messages()).expect("a file");
    let mut command = server();
    command.stdin(File::open(&requests).expect("a file")).stdout(File::create(&replies).expect("a file"));
    assert!(command.status().expect("it starts").success());
    has_replies(&std::fs::read_to_string(&replies).expect("text"));
}

#[test]
fn a_pipe_that_is_also_standard_error_is_served() {
    let (mut read, write) = std::io::pipe().expect("a pipe");
    let mut command = server();
    command.stdin(Stdio::piped()).stdout(write.try_clone().expect("a pipe")).stderr(write);
    let mut server = command.spawn().expect("it starts");
    drop(command);
    let mut input = server.stdin.take().expect("a pipe");
    input.write_all(messages().as_bytes()).expect("it reads");
    drop(input);
    let mut output = Vec::new();
    read.read_to_end(&mut output).expect("until it ends");
    has_replies(&text(&output));
    assert!(server.wait().expect("it ends").success());
}

/// Whoever reads or writes a pipe after the server finds it as it was.
#[test]
fn the_mode_of_a_pipe_is_restored() {
    let modes = |of: &dyn AsFd| rustix::fs::fcntl_getfl(of.as_fd()).expect("flags");
    let (read, mut write) = std::io::pipe().expect("a pipe");
    let (mut replies, output) = std::io::pipe().expect("a pipe");
    let before = (modes(&read), modes(&output));
    let mut command = server();
    command.stdin(read.try_clone().expect("a pipe")).stdout(output.try_clone().expect("a pipe"));
    let mut server = command.spawn().expect("it starts");
    drop(command);
    write.write_all(messages().as_bytes()).expect("it reads");
    let mut lines = BufReader::new(&mut replies).lines();
    lines.by_ref().take(2).for_each(|line| drop(line.expect("text")));
    assert_ne!((modes(&read), modes(&output)), before, "no thread waits for it");
    drop(write);
    assert!(server.wait().expect("it ends").success());
    assert_eq!((modes(&read), modes(&output)), before);
}

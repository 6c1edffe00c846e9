//! MCP: messages on the standard streams, and the official client for Python on both transports.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::serve::Server;
use crate::{DOCUMENT, library, opendyn, prepared};

const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/mcp-clients/python/bin/python");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host");

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn what_the_library_prints_is_not_of_the_protocol() {
    prepared("serve");
    let mut server = opendyn(&["mcp", DOCUMENT, "--library", library()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = server.stdin.take().expect("a pipe");
    let mut output = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let mut ask = |id: u64, method: &str, parameters: Value| -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters});
        writeln!(input, "{request}").expect("it reads");
        let line = output.next().expect("an answer").expect("text");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))
    };
    // The library has already printed when it was loaded.
    let begun = ask(1, "initialize", client);
    assert_eq!(begun["result"]["serverInfo"]["name"], "shelf", "{begun}");
    let chatted = ask(2, "tools/call", json!({"name": "chat", "arguments": {"times": 100}}));
    assert_eq!(chatted["result"]["structuredContent"], json!({"printed": 100}), "{chatted}");
    let heard = ask(3, "tools/call", json!({"name": "listen_in"}));
    assert_eq!(heard["result"]["structuredContent"], json!({"byte": -1}), "{heard}");
    drop(input);
    assert!(server.wait().expect("it ends").success());
}

fn official(target: &[&str]) {
    official_with("client.py", target);
}

/// Runs the client's script, which fails if something is wrong.
pub(crate) fn official_with(script: &str, target: &[&str]) {
    let output = Command::new(PYTHON)
        .arg(std::path::Path::new(FOLDER).join(script))
        .args(target)
        .env("OPENDYN_CACHE", crate::CACHE)
        .output()
        .expect("`.ci/mcp-clients` installs it");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", output.status);
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn the_official_client_starts_it_and_calls() {
    prepared("serve");
    official(&[env!("CARGO_BIN_EXE_opendyn"), "mcp", DOCUMENT, "--library", library()]);
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn the_official_client_calls_the_server() {
    prepared("serve");
    let server = Server::start(&mut opendyn(&["serve", DOCUMENT, "--library", library()]));
    official(&[&format!("{}/mcp", server.url)]);
}

//! MCP: messages on the standard streams, and the official client for Python on both transports.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::serve::Server;
use crate::{DOCUMENT, library, opendyn, text};

const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/mcp-clients/python/bin/python");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls");

#[test]
fn what_the_library_prints_is_not_of_the_protocol() {
    let mut session = Session::start(&mut opendyn(&["mcp", DOCUMENT, "--library", library()]));
    let chatted = session.call("chat", json!({"times": 100}));
    assert_eq!(chatted["structuredContent"], json!({"printed": 100}), "{chatted}");
    let heard = session.call("listen_in", json!({}));
    assert_eq!(heard["structuredContent"], json!({"byte": -1}), "{heard}");
    session.end();
}

/// A client that reads and writes lines, and a server that it started.
pub(crate) struct Session {
    server: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    /// The notifications that came before the last reply.
    pub(crate) notices: Vec<Value>,
    /// The same, with what they say.
    pub(crate) heard: Vec<Value>,
}

impl Session {
    /// Starts the server. The library has then printed already.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut server = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe")).lines();
        let mut session = Self { server, input, output, notices: Vec::new(), heard: Vec::new() };
        let client = json!({"name": "t", "version": "1"});
        let parameters = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        session.ask("initialize", parameters);
        writeln!(session.input, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)
            .expect("it reads");
        session
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters});
        writeln!(self.input, "{request}").expect("it reads");
        self.notices.clear();
        self.heard.clear();
        loop {
            let line = self.output.next().expect("an answer").expect("text");
            let reply: Value = serde_json::from_str(&line).expect(&line);
            if reply.get("id").is_some() {
                return reply["result"].clone();
            }
            self.notices.push(reply["method"].clone());
            self.heard.push(reply);
        }
    }

    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Closes its standard input, and returns what it said on standard error.
    pub(crate) fn end(self) -> String {
        drop(self.input);
        let output = self.server.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", output.status);
        text(&output.stderr)
    }
}

fn official(target: &[&str]) {
    official_with("client.py", target);
}

/// Runs the client's script, which fails if something is wrong.
pub(crate) fn official_with(script: &str, target: &[&str]) {
    let output = Command::new(PYTHON)
        .arg(std::path::Path::new(FOLDER).join(script))
        .args(target)
        .output()
        .expect("`.ci/mcp-clients` installs it");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", output.status);
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_official_client_starts_it_and_calls() {
    official(&[env!("CARGO_BIN_EXE_opendyn"), "mcp", DOCUMENT, "--library", library()]);
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_official_client_asks_a_person_over_both_transports() {
    let arguments = [DOCUMENT, "--library", library(), "--confirm", "require"];
    let server = Server::start(&mut opendyn(&[&["serve"], &arguments[..]].concat()));
    official_with("confirm.py", &[&format!("{}/mcp", server.url)]);
    official_with("confirm.py", &[&[env!("CARGO_BIN_EXE_opendyn"), "mcp"], &arguments[..]].concat());
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_official_client_calls_the_server() {
    let server = Server::start(&mut opendyn(&["serve", DOCUMENT, "--library", library()]));
    official(&[&format!("{}/mcp", server.url)]);
}

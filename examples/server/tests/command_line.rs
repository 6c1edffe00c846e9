//! The command line of the program. `OPENDYN_BLESS=1` writes the output of `--help` to `help.txt`.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

const HELP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/help.txt");

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_calc_server"));
    command.args(arguments).env_remove("OPENTOOL_API_KEY").env_remove("OPENTOOL_LOG");
    command
}

fn output(arguments: &[&str]) -> Output {
    program(arguments).output().expect("it starts")
}

/// A running server, which is killed if the test ends first.
struct Server {
    process: Child,
    stdout: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it prints");
        let address = line.trim_end().strip_prefix("calc_server listens on http://");
        let address =
            address.and_then(|rest| rest.strip_suffix("/opentool")).unwrap_or_else(|| panic!("{line:?}"));
        Self { process, stdout, address: address.to_owned() }
    }

    /// The response to a request that closes its connection.
    fn send(&self, line: &str, key: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it answers");
        response
    }

    /// Waits for the server to exit successfully.
    fn ends(&mut self) {
        let begin = Instant::now();
        let status = loop {
            match self.process.try_wait().expect("it is ours") {
                Some(status) => break status,
                None => assert!(begin.elapsed() < Duration::from_secs(30), "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("text");
        assert_eq!(rest, "", "nothing else goes to standard output");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const ADD: &str = r#"{"jsonrpc":"2.0","method":"add","params":{"a":2,"b":3},"id":"1"}"#;

#[test]
fn help_is_unchanged() {
    let output = output(&["--help"]);
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).expect("text");
    if std::env::var_os("OPENDYN_BLESS").is_some() {
        std::fs::write(HELP, printed).expect("it can be written");
    } else {
        assert_eq!(printed, std::fs::read_to_string(HELP).expect("OPENDYN_BLESS=1 writes it"));
    }
}

#[test]
fn version_is_that_of_the_crate() {
    let output = output(&["--version"]);
    assert_eq!(output.stdout, format!("calc_server {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn a_wrong_command_line_is_status_2_and_says_what_is_wrong() {
    for (arguments, message) in [
        (&["stop"][..], "unexpected argument \"stop\""),
        (&["--port", "80"], "invalid option '--port'"),
        (&["-t", "http"], "cannot parse argument \"http\""),
    ] {
        let output = output(arguments);
        let printed = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.starts_with(&format!("calc_server: {message}")), "{printed}");
        assert!(printed.ends_with("Try `calc_server --help`.\n"), "{printed}");
    }
}

#[test]
fn a_missing_library_is_status_1_and_is_named() {
    let output = output(&["start", "-t", "0", "--library", "/nowhere/libcalc.so"]);
    let printed = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("/nowhere/libcalc.so"), "{printed}");
}

#[test]
fn a_port_that_is_taken_is_status_1_and_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("it has an address").port().to_string();
    let output = output(&["-t", &port]);
    let printed = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains(&format!("cannot listen on 127.0.0.1 port {port}")), "{printed}");
}

#[test]
fn it_serves_with_the_keys_and_the_version_of_the_command_line_until_stopped() {
    let arguments = ["start", "-v", "7.8.9", "-t", "0", "-k", "one", "--apiKeys", "two"];
    let mut server = Server::start(program(&arguments).env("OPENTOOL_API_KEY", "three"));
    for key in ["one", "two", "three"] {
        let response = server.send("POST /opentool/call", key, ADD);
        assert!(
            response.ends_with(r#"{"jsonrpc":"2.0","result":{"result":5},"error":null,"id":"1"}"#),
            "{response}"
        );
    }
    let response = server.send("POST /opentool/call", "four", ADD);
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    assert!(server.send("GET /opentool/version", "one", "").ends_with(r#"{"version":"7.8.9"}"#));
    assert!(server.send("POST /opentool/stop", "one", "").ends_with(r#"{"status":"stopped"}"#));
    server.ends();
}

#[test]
#[cfg(unix)]
fn a_signal_ends_it_well() {
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start(&mut program(&["-t", "0"]));
        assert!(server.send("POST /opentool/call", "", ADD).contains(r#""result":{"result":5}"#));
        let sent = Command::new("kill").args([signal, &server.process.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        server.ends();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_is_only_in_workers_unless_they_are_turned_off() {
    for (options, is_here) in [(&["--workers", "1"][..], false), (&["--in-process"], true)] {
        let server = Server::start(&mut program(&[&["-t", "0"], options].concat()));
        assert!(server.send("POST /opentool/call", "", ADD).contains(r#""result":{"result":5}"#));
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", server.process.id())).expect("it runs");
        assert_eq!(maps.contains("libcalc.so"), is_here, "{options:?}");
    }
}

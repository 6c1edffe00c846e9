//! Servers over HTTP: several documents, keys, and how they end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use opentool::client::{Client, ClientError};

use crate::{CLASHING, DOCUMENT, failed, library, opendyn, text};

/// A running server, killed if the test ends first.
pub(crate) struct Server {
    process: Child,
    stderr: BufReader<ChildStderr>,
    /// Its output before it was ready.
    said: String,
    /// `http://127.0.0.1:1234`
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self::start_with(command.args(["--port", "0"]))
    }

    /// Like [`Server::start`], with all arguments in `command`.
    fn start_with(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stderr = BufReader::new(process.stderr.take().expect("a pipe"));
        let mut said = String::new();
        while !said.contains("Ctrl-C") {
            assert_ne!(stderr.read_line(&mut said).expect("text"), 0, "it ended: {said}");
        }
        let url = said.split_once(" at http://").expect("an address").1;
        let url = format!("http://{}", url.lines().next().unwrap_or_default());
        Self { process, stderr, said, url }
    }

    /// The next line on stderr. What the library prints when a worker loads it is passed over.
    pub(crate) fn next_line(&mut self) -> String {
        loop {
            let mut line = String::new();
            self.stderr.read_line(&mut line).expect("text");
            if line != "loaded\n" {
                return line;
            }
        }
    }

    pub(crate) fn client(&self, key: Option<&str>) -> Client {
        let builder = Client::builder(format!("{}/opentool", self.url));
        key.into_iter().fold(builder, |builder, key| builder.api_key(key)).build().expect("an address")
    }

    /// Ends it with a signal and waits: it must exit with success, and write nothing to stdout.
    pub(crate) fn end(mut self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.process.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let begin = Instant::now();
        let status = loop {
            match self.process.try_wait().expect("it is ours") {
                Some(status) => break status,
                None => assert!(begin.elapsed() < Duration::from_secs(30), "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut rest = String::new();
        self.stderr.read_to_string(&mut rest).expect("text");
        assert!(status.success(), "{status}: {rest}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has checked.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn one_document_is_served_as_it_is_until_a_signal_ends_it() {
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(&mut opendyn(&["serve", DOCUMENT, "--library", library()]));
        assert!(server.url.starts_with("http://127.0.0.1:"), "loopback unless asked: {}", server.url);
        let client = server.client(None);
        assert_eq!(client.version().expect("a version").version, "2.3.4");
        assert_eq!(client.call_json("add", r#"{"a":2,"b":3}"#).expect("a sum"), r#"{"sum":5}"#);
        let document = client.load().expect("it answers").expect("a document");
        assert_eq!((document.info.title.as_str(), document.functions.len()), ("shelf", 8));
        server.end(signal);
    }
}

/// The arguments with which the daemon of the SDKs starts a server.
#[test]
fn the_flags_of_the_daemon_are_taken() {
    let tag = ["--opentoolServerTag", "9.8.7", "--opentoolServerHost", "127.0.0.1"];
    let keys = ["--opentoolServerApiKeys", "one", "--opentoolServerApiKeys", "two"];
    let mut command = opendyn(&["serve", DOCUMENT, "--library", library()]);
    let server = Server::start_with(command.args(tag).args(keys).args(["--opentoolServerPort", "0"]));
    for key in ["one", "two"] {
        assert_eq!(server.client(Some(key)).version().expect("a version").version, "9.8.7");
    }
    assert_eq!(server.client(None).version(), Err(ClientError::Unauthorized));
    server.end("-TERM");
}

#[test]
fn the_request_to_try_works_as_it_is_printed() {
    let server = Server::start(&mut opendyn(&["serve", DOCUMENT, "--library", library()]));
    let line =
        server.said.lines().find_map(|line| line.trim_start().strip_prefix("try ")).expect("a request");
    let curl = Command::new("sh").args(["-c", line.trim()]).output().expect("a shell");
    // If curl is not installed, the shell returns 127.
    if curl.status.code() != Some(127) {
        assert!(line.contains("/opentool/call"), "{line}");
        assert!(text(&curl.stdout).contains(r#""error":null"#), "{line}: {}", text(&curl.stdout));
    }
    server.end("-INT");
}

#[test]
fn several_documents_are_served_with_their_titles_in_front() {
    let arguments = ["serve", DOCUMENT, CLASHING, "--library", library(), "--library", library(), "--prefix"];
    let server = Server::start(&mut opendyn(&arguments));
    let client = server.client(None);
    assert_eq!(client.call_json("shelf_add", r#"{"a":2,"b":3}"#).expect("a sum"), r#"{"sum":5}"#);
    assert_eq!(client.call_json("other_sums_add", r#"{"a":2,"b":3}"#).expect("a sum"), r#"{"total":5}"#);
    let document = client.load().expect("it answers").expect("a document");
    assert_eq!((document.info.title.as_str(), document.functions.len()), ("shelf, Other Sums", 9));
    server.end("-INT");
}

#[test]
fn documents_that_clash_are_refused_before_a_library_is_opened() {
    let nowhere = ["--library", "libnowhere.so", "--library", "libnowhere.so"];
    let said = failed(&mut opendyn(&[&["serve", DOCUMENT, CLASHING], &nowhere[..]].concat()), 1);
    assert!(said.contains(&format!("`add` is a function of `{DOCUMENT}` and `{CLASHING}`")), "{said}");
    assert!(said.contains("help: `--prefix` prefixes"), "{said}");
}

#[test]
fn keys_come_from_the_command_line_and_the_environment() {
    let arguments = ["serve", DOCUMENT, "--library", library(), "--api-key", "one", "--api-key", "two"];
    let server = Server::start(opendyn(&arguments).env("OPENDYN_API_KEY", "three"));
    for key in ["one", "two", "three"] {
        server.client(Some(key)).call_json("greet", r#"{"name":"Ada"}"#).expect("a greeting");
    }
    for key in [Some("four"), None] {
        let error = server.client(key).call_json("greet", r#"{"name":"Ada"}"#).expect_err("no such key");
        assert!(matches!(error, ClientError::Unauthorized), "{error:?}");
    }
    assert!(!server.said.contains("one") && server.said.contains("Bearer KEY"), "{}", server.said);
    // The help says so: only the key of the environment is hidden from the list of processes.
    let command_line = std::fs::read(format!("/proc/{}/cmdline", server.process.id())).unwrap_or_default();
    assert!(!text(&command_line).contains("three"), "the list of processes does not show this key");
    server.end("-TERM");
}

#[test]
fn a_server_that_cannot_be_is_refused_with_the_reason() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("it has one").port().to_string();
    let serve = |arguments: &[&str]| opendyn(&[&["serve", DOCUMENT], arguments].concat());
    let said = failed(&mut serve(&["--library", library(), "--port", &port]), 2);
    assert!(said.contains(&format!("cannot listen on 127.0.0.1 port {port}")), "{said}");
    let said = failed(&mut serve(&["--library", "libnowhere.so"]), 2);
    assert!(said.contains("cannot load `libnowhere.so`"), "{said}");
    let said = failed(&mut serve(&["--library", library(), "--library", library()]), 2);
    assert!(said.contains("2 libraries were given for 1 document"), "{said}");
    let said = failed(&mut serve(&["--library", library(), "--api-key", ""]), 2);
    assert!(said.contains("an API key is empty"), "{said}");
}

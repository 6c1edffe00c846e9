//! A server whose tool answers with texts, and requests to it on both ways.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use opentool::{CallContext, Map, OpenTool, Tool, ToolError};
use opentool_server::serve::server;
use opentool_server::{Asking, Confirm, Executor, Guarded, Limits, Rules};
use serde_json::{Value, json};

pub const TYPE: &str = "Content-Type: application/json\r\n";
pub const ACCEPT: &str = "Accept: application/json, text/event-stream\r\n";

const DOCUMENT: &str = r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[
  {"name":"echo","description":"d","parameters":[],"return":{"name":"box","schema":{"type":"string","x-handle":"box"}}},
  {"name":"blobs","description":"d","parameters":[],"return":{"name":"blobs","schema":
    {"type":"array","items":{"type":"string","x-encoding":"base64"}}}},
  {"name":"some","description":"d","parameters":[],"return":{"name":"key","schema":{"type":"string","x-encoding":"hex"}}},
  {"name":"many","description":"d","parameters":[],"return":{"name":"key","schema":{"type":"string","x-encoding":"hex"}}},
  {"name":"secret","description":"d","parameters":[]},
  {"name":"wipe","description":"d","parameters":[],"x-annotations":{"destructive":true}}]}"#;

/// Answers with a text that its function chooses.
#[derive(Default)]
pub struct Texts {
    /// The calls that were cancelled.
    pub ended: AtomicUsize,
}

impl Tool for Texts {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_for(&CallContext::default(), name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let arguments = std::str::from_utf8(arguments).expect("text");
        let text = match name {
            "echo" => arguments.to_owned(),
            "who" => json!({"caller": context.caller().to_string()}).to_string(),
            "values" => {
                json!({"arguments": serde_json::from_str::<Value>(arguments).expect("JSON")}).to_string()
            }
            "quoted" => json!({"arguments": arguments}).to_string(),
            "text" => r#"{"text":"é \"quoted\"\\ \n\u0001 😀"}"#.to_owned(),
            "spaced" => "{ \"a\" :\n [ 1.50 , {}, \"\\u0061\" ] }".to_owned(),
            "blobs" => r#"{"blobs":["YWI=",null,"YQ=="]}"#.to_owned(),
            "many" => format!(r#"{{"key":"{}"}}"#, "00".repeat(40_000)),
            "some" => {
                let outputs = Map::from_iter([("key".to_owned(), json!("0011"))]);
                return Err(ToolError::call_failed_with(5, "no more").with_details(None, outputs));
            }
            "twice" => r#"{"a":1,"a":2}"#.to_owned(),
            "huge" => format!(r#"{{"text":"{}"}}"#, "é".repeat(40_000)),
            "large" => r#"{"a":123456789012345678901234567890,"b":18446744073709551615,"c":-0}"#.to_owned(),
            "deep" => format!("{{\"a\":{}{}}}", "[".repeat(500), "]".repeat(500)),
            "broken" => r#"{"a":1}, "error": {"a":1}"#.to_owned(),
            "unpaired" => r#"{"a":"\ud800"}"#.to_owned(),
            "fails" => {
                let outputs = Map::from_iter([("waiting".to_owned(), json!(3))]);
                let error = ToolError::call_failed_with(5, "come back");
                return Err(error.with_details(Some("BUSY".to_owned()), outputs));
            }
            "bytes" => {
                out.extend_from_slice(b"{\"a\":\"\xff\"}");
                return Ok(());
            }
            "hang" => {
                let begin = Instant::now();
                while !context.is_cancelled() && begin.elapsed() < Duration::from_secs(20) {
                    std::thread::sleep(Duration::from_millis(2));
                }
                self.ended.fetch_add(usize::from(context.is_cancelled()), Ordering::SeqCst);
                "{}".to_owned()
            }
            _ => return Err(ToolError::unknown_function(name, ["echo", "secret"])),
        };
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        OpenTool::parse(DOCUMENT).ok()
    }
}

/// A server on a free port, as long as the test runs.
pub struct Running {
    pub address: SocketAddr,
    pub guarded: Guarded,
    pub tool: Arc<Texts>,
}

impl Running {
    pub fn start(limits: Limits, confirm: Asking) -> Self {
        let tool = Arc::new(Texts::default());
        let executor = Executor::parallel(Arc::clone(&tool), 4).with_limits(limits);
        let rules = Rules { deny: vec!["secret".to_owned()], ..Rules::default() };
        let guarded = Guarded::new(executor).rules(rules);
        let guarded = guarded.confirm(Confirm { asking: confirm, also: Vec::new() });
        let server = server(&guarded, "127.0.0.1").expect("a server").port(0);
        let (told, address) = mpsc::channel();
        std::thread::spawn(move || server.run(|address| told.send(address).expect("the test waits")));
        Self { address: address.recv_timeout(Duration::from_secs(30)).expect("it listens"), guarded, tool }
    }

    /// The head without the date, and the body.
    pub fn send(&self, headers: &str, body: &[u8]) -> (Vec<String>, String) {
        let mut stream = self.open(headers, body);
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
        let head = head.lines().filter(|line| !line.starts_with("date:")).map(str::to_owned);
        (head.collect(), body.to_owned())
    }

    pub fn open(&self, headers: &str, body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
        )
        .expect("it is read");
        stream.write_all(body).expect("it is read");
        stream
    }

    /// The reply, which is the same through `rmcp`, byte for byte.
    pub fn both(&self, headers: &str, body: &[u8]) -> String {
        let begin = body.escape_ascii().to_string();
        let begin = &begin[..begin.len().min(300)];
        let (head, text) = self.send(&format!("{ACCEPT}{headers}"), body);
        let (other_head, other) = self.send(&format!("{ACCEPT}{ACCEPT}{headers}"), body);
        assert_eq!((&head, &text), (&other_head, &other), "{headers}{begin}");
        format!("{}\n{text}", head[0])
    }
}

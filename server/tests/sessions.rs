//! Sessions of MCP over HTTP, byte by byte: who gets one, whose calls are whose, and what is left when one ends.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use opentool::{CallContext, Caller, OpenTool, Tool, ToolError};
use opentool_server::{Executor, Guarded, Server, mcp};
use serde_json::{Value, json};

/// Answers who calls, and knows who has left. `hang` ends when it is cancelled.
#[derive(Default)]
struct Callers {
    has_handles: bool,
    left: Mutex<Vec<String>>,
    hanging: AtomicUsize,
}

impl Tool for Callers {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_for(&CallContext::default(), name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        _: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        if name == "hang" {
            self.hanging.fetch_add(1, Ordering::Relaxed);
        }
        while name == "hang" && !context.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
        out.extend_from_slice(json!({"caller": context.caller().to_string()}).to_string().as_bytes());
        Ok(())
    }

    fn leave(&self, caller: &Caller) {
        self.left.lock().expect("no panic").push(caller.to_string());
    }

    fn load(&self) -> Option<OpenTool> {
        let returned = if self.has_handles {
            json!({"type": "string", "x-handle": "box"})
        } else {
            json!({"type": "string"})
        };
        let function = |name: &str| json!({"name": name, "description": "d", "parameters": [], "return": {"name": "caller", "schema": returned}});
        let functions = json!([function("who"), function("hang")]);
        let info = json!({"title": "t", "version": "1"});
        serde_json::from_value(json!({"opentool": "1.0.0", "info": info, "functions": functions})).ok()
    }
}

/// A server on a free port, as long as the test runs.
struct Running {
    address: SocketAddr,
    tool: Arc<Callers>,
}

impl Running {
    fn start(has_handles: bool, keys: &[&str]) -> Self {
        let tool = Arc::new(Callers { has_handles, ..Callers::default() });
        let guarded = Guarded::new(Executor::parallel(Arc::clone(&tool), 4));
        let mut options = mcp::HttpOptions::default();
        options.max_sessions = 8;
        let router = mcp::router(&guarded, options).expect("it can be listed");
        let server =
            keys.iter().fold(Server::new(guarded).routes(router).port(0), |server, key| server.key(key));
        let (told, address) = mpsc::channel();
        std::thread::spawn(move || server.run(|address| told.send(address).expect("the test waits")));
        Self { address: address.recv_timeout(Duration::from_secs(30)).expect("it listens"), tool }
    }

    /// The status, the session id of the reply, and its body.
    fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> (u16, Option<String>, Value) {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        )
        .expect("it is read");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).map(str::to_owned);
        (status, id, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn post(
        &self,
        key: &str,
        session: Option<&str>,
        version: &str,
        body: &Value,
    ) -> (u16, Option<String>, Value) {
        let key = format!("Bearer {key}");
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Authorization", key.as_str()),
            ("MCP-Protocol-Version", version),
        ];
        headers.extend(session.map(|id| ("Mcp-Session-Id", id)));
        self.send("POST /mcp", &headers, &body.to_string())
    }

    fn initialize(&self, key: &str) -> Option<String> {
        let about = json!({"name": "t", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let (status, id, reply) = self.post(key, None, "2025-11-25", &body);
        assert_eq!((status, &reply["result"]["protocolVersion"]), (200, &json!("2025-11-25")), "{reply}");
        id
    }

    fn call(&self, key: &str, session: Option<&str>, function: &str) -> (u16, Value) {
        let params = json!({"name": function, "arguments": {}});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let (status, id, reply) = self.post(key, session, "2025-11-25", &body);
        assert_eq!(id, None, "only `initialize` begins a session");
        (status, reply)
    }

    fn who(&self, key: &str, session: Option<&str>) -> Value {
        let (status, reply) = self.call(key, session, "who");
        assert_eq!(status, 200, "{reply}");
        reply["result"]["structuredContent"]["caller"].clone()
    }

    /// As clients send it: without a type.
    fn delete(&self, key: &str, session: &str) -> u16 {
        let key = format!("Bearer {key}");
        self.send("DELETE /mcp", &[("Authorization", &key), ("Mcp-Session-Id", session)], "").0
    }

    fn left(&self) -> Vec<String> {
        self.tool.left.lock().expect("no panic").clone()
    }

    /// Waits until so many calls of `hang` have begun.
    fn wait_for_hanging(&self, count: usize) {
        let begin = Instant::now();
        while self.tool.hanging.load(Ordering::Relaxed) < count {
            assert!(begin.elapsed() < Duration::from_secs(60), "the calls do not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn wait_for_left(&self, count: usize) -> Vec<String> {
        let begin = Instant::now();
        while self.left().len() < count && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.left()
    }
}

#[test]
fn each_session_is_a_caller_of_its_own() {
    let server = Running::start(true, &[]);
    let ids = [(); 2].map(|()| server.initialize("").expect("a session"));
    assert_eq!(server.who("", Some(&ids[0])), "anonymous, session 1");
    assert_eq!(server.who("", Some(&ids[1])), "anonymous, session 2");
    assert_eq!(server.who("", Some(&ids[0])), "anonymous, session 1");
    assert_eq!(server.who("", None), "anonymous", "a client without a session is that of its key");
    assert_eq!(server.left(), [""; 0]);
}

#[test]
fn a_key_cannot_use_or_end_the_session_of_another() {
    let server = Running::start(true, &["one", "two"]);
    let id = server.initialize("one").expect("a session");
    assert_eq!(server.who("one", Some(&id)), "api-key 1, session 1");
    let (status, reply) = server.call("two", Some(&id), "who");
    assert_eq!((status, &reply["error"]["code"]), (404, &json!(-32001)), "{reply}");
    assert_eq!(server.delete("two", &id), 404);
    assert_eq!(server.delete("", &id), 401);
    assert_eq!(server.who("one", Some(&id)), "api-key 1, session 1");
}

#[test]
fn a_session_that_is_deleted_is_left_once_and_gone() {
    let server = Running::start(true, &[]);
    let ids = [(); 2].map(|()| server.initialize("").expect("a session"));
    server.who("", Some(&ids[0]));
    assert_eq!(server.delete("", &ids[0]), 204);
    assert_eq!(server.delete("", &ids[0]), 404);
    assert_eq!(server.call("", Some(&ids[0]), "who").0, 404, "clients then send `initialize` again");
    assert_eq!(server.wait_for_left(1), ["anonymous, session 1"]);
    assert_eq!(server.who("", Some(&ids[1])), "anonymous, session 2");
    let (_, reply) = server.call("", Some("invented"), "who");
    assert!(reply["error"]["message"].as_str().is_some_and(|text| text.contains("initialize")), "{reply}");
}

#[test]
fn a_session_that_is_deleted_ends_its_calls() {
    let server = Running::start(true, &[]);
    let id = server.initialize("").expect("a session");
    std::thread::scope(|scope| {
        let hanging = scope.spawn(|| server.call("", Some(&id), "hang"));
        server.wait_for_hanging(1);
        assert_eq!(server.delete("", &id), 204);
        assert_eq!(hanging.join().expect("no panic").0, 200);
    });
    assert_eq!(server.wait_for_left(1), ["anonymous, session 1"]);
}

#[test]
fn a_client_cancels_its_own_call_and_no_other() {
    for has_handles in [true, false] {
        let server = Running::start(has_handles, &[]);
        let ids = [(); 2].map(|()| server.initialize("").expect("a session"));
        let cancel = |id: &str, request: i64| {
            let params = json!({"requestId": request, "reason": "no longer wanted"});
            let notice = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            server.post("", Some(id), "2025-11-25", &notice).0
        };
        std::thread::scope(|scope| {
            let server = &server;
            let [one, two] = ids.each_ref().map(|id| scope.spawn(|| server.call("", Some(id), "hang")));
            server.wait_for_hanging(2);
            // The call has the id 1.
            assert_eq!(cancel("invented", 1), if has_handles { 404 } else { 202 });
            assert_eq!([2, 1].map(|request| cancel(&ids[0], request)), [202, 202]);
            let (_, reply) = one.join().expect("no panic");
            let text = reply["result"]["content"][0]["text"].as_str().unwrap_or_default();
            assert!(text.contains("it was cancelled"), "{reply}");
            assert!(!two.is_finished(), "it is of another session");
            assert_eq!(cancel(&ids[1], 1), 202);
            two.join().expect("no panic");
        });
    }
}

#[test]
fn sessions_are_limited_and_those_that_give_way_are_left() {
    let server = Running::start(true, &[]);
    let ids: Vec<String> = (0..20).filter_map(|_| server.initialize("")).collect();
    let left = server.wait_for_left(12);
    assert_eq!((ids.len(), left.len()), (20, 12), "{left:?}");
    assert_eq!(server.call("", Some(&ids[0]), "who").0, 404);
    assert_eq!(server.who("", Some(&ids[19])), "anonymous, session 20");
}

#[test]
fn the_newest_revision_has_no_sessions() {
    let server = Running::start(true, &[]);
    let id = server.initialize("").expect("a session");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"}
    });
    let params = json!({"name": "who", "arguments": {}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let headers = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "who"),
        ("Mcp-Session-Id", &id),
    ];
    let (status, given, reply) = server.send("POST /mcp", &headers, &body);
    assert_eq!((status, given), (200, None), "{reply}");
    assert_eq!(reply["result"]["structuredContent"]["caller"], "anonymous");
}

#[test]
fn a_client_of_a_tool_without_handles_loses_nothing_with_its_session() {
    let server = Running::start(false, &[]);
    let id = server.initialize("").expect("a session");
    assert_eq!(server.who("", Some(&id)), "anonymous, session 1");
    assert_eq!(server.delete("", &id), 204);
    assert_eq!(server.who("", Some(&id)), "anonymous");
    assert_eq!(server.who("", None), "anonymous");
    assert_eq!(server.who("", Some("of a server that was here before")), "anonymous");
}

#[test]
fn a_page_of_another_origin_cannot_end_a_session() {
    let server = Running::start(true, &[]);
    let id = server.initialize("").expect("a session");
    let headers = [("Origin", "http://evil.example"), ("Mcp-Session-Id", id.as_str())];
    assert_eq!(server.send("DELETE /mcp", &headers, "").0, 403);
    assert_eq!(server.who("", Some(&id)), "anonymous, session 1");
}

//! A person confirms destructive calls, if the client can ask one: in every protocol and revision.

#![expect(clippy::expect_used, clippy::panic, reason = "test helpers may panic")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use opentool::{Map, MapTool, OpenTool};
use opentool_server::serve::server;
use opentool_server::{Asking, Audit, Confirm, Executor, Guarded, Rules, mcp};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

const DOCUMENT: &str = r#"{"opentool":"1.0.0","info":{"title":"store","version":"1.0.0"},"functions":[
  {"name":"get","description":"Reads.","parameters":[],"x-annotations":{"readOnly":true}},
  {"name":"wipe","description":"Deletes a shelf.","parameters":[{"name":"shelf","schema":{"type":"string"}}],
   "x-annotations":{"destructive":true}}]}"#;

const QUESTION: &str = "Call `wipe`?\nDeletes a shelf.\nIts document says that it cannot be undone.\nArguments: {\"shelf\":\"top\"}";

/// A store, and how often it was called.
fn store(asking: Asking) -> (Guarded, Arc<AtomicUsize>) {
    let document = OpenTool::parse(DOCUMENT).expect("a valid document");
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let tool = MapTool::new(move |name, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(Map::from_iter([("called".to_owned(), json!(name))]))
    });
    let guarded = Guarded::new(Executor::serial(tool.described_by(document)));
    (guarded.confirm(Confirm { asking, also: Vec::new() }), calls)
}

fn wipe() -> Value {
    json!({"name": "wipe", "arguments": {"shelf": "top"}})
}

fn text(reply: &Value) -> &str {
    assert_eq!(reply["result"]["isError"], json!(true), "{reply}");
    reply["result"]["content"][0]["text"].as_str().expect("a message")
}

/// A client over two streams that sends and receives lines.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    fn new(guarded: &Guarded) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(far);
        let guarded = guarded.clone();
        tokio::spawn(async move { mcp::serve(guarded, input, output).await });
        let (output, input) = tokio::io::split(near);
        Self { input, output: BufReader::new(output).lines() }
    }

    async fn initialized(guarded: &Guarded, capabilities: Value) -> Self {
        let mut client = Self::new(guarded);
        let about = json!({"name": "t", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": about});
        client.send(1, "initialize", params).await;
        client.next().await;
        client.write(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn write(&mut self, message: Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("it reads");
    }

    async fn send(&mut self, id: u64, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
    }

    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(30), self.output.next_line()).await;
        let line = line.expect("in time").expect("a stream").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }
}

#[tokio::test]
async fn a_destructive_call_is_made_only_if_the_person_accepts() {
    for (action, outcome) in [
        ("accept", Ok(())),
        ("decline", Err("`wipe` was not called: the user declined")),
        ("cancel", Err("`wipe` was not called: the user dismissed the question")),
    ] {
        let (guarded, calls) = store(Asking::Ask);
        let mut client = Client::initialized(&guarded, json!({"elicitation": {}})).await;
        client.send(2, "tools/call", wipe()).await;
        let asked = client.next().await;
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        assert_eq!(asked["params"]["message"], QUESTION);
        assert_eq!(asked["params"]["requestedSchema"], json!({"type": "object", "properties": {}}));
        assert_eq!(calls.load(Ordering::SeqCst), 0, "not before the answer");
        client
            .write(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": action, "content": {}}}))
            .await;
        let reply = client.next().await;
        assert_eq!(reply["id"], 2);
        match outcome {
            Ok(()) => assert_eq!(reply["result"]["structuredContent"]["called"], "wipe", "{reply}"),
            Err(message) => assert_eq!(text(&reply), message),
        }
        assert_eq!(calls.load(Ordering::SeqCst), usize::from(outcome.is_ok()));
        // What destroys nothing is not asked about.
        client.send(3, "tools/call", json!({"name": "get", "arguments": {}})).await;
        assert_eq!(client.next().await["result"]["structuredContent"]["called"], "get");
    }
}

#[tokio::test]
async fn a_question_that_the_client_refuses_is_no_consent() {
    let (guarded, calls) = store(Asking::Ask);
    let mut client = Client::initialized(&guarded, json!({"elicitation": {"form": {}}})).await;
    client.send(2, "tools/call", wipe()).await;
    let asked = client.next().await;
    client.write(json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "no"}})).await;
    let reply = client.next().await;
    assert!(
        text(&reply).starts_with("`wipe` was not called: the client did not answer the question"),
        "{reply}"
    );
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_client_that_cannot_ask_calls_as_before_unless_it_is_required() {
    let refusal = "`wipe` was not called: this server has `--confirm require`: a person must confirm it, and this \
                   client does not say that it can ask one";
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        for (asking, called) in [(Asking::Off, true), (Asking::Ask, true), (Asking::Require, false)] {
            let (guarded, calls) = store(asking);
            let mut client = Client::initialized(&guarded, capabilities.clone()).await;
            client.send(2, "tools/call", wipe()).await;
            let reply = client.next().await;
            if called {
                assert_eq!(reply["result"]["structuredContent"]["called"], "wipe", "{reply}");
            } else {
                assert_eq!(text(&reply), refusal);
            }
            assert_eq!(calls.load(Ordering::SeqCst), usize::from(called));
            client.send(3, "tools/call", json!({"name": "get", "arguments": {}})).await;
            assert_eq!(client.next().await["result"]["structuredContent"]["called"], "get");
        }
    }
}

#[tokio::test]
async fn without_confirmation_no_client_is_asked() {
    let (guarded, _) = store(Asking::Off);
    let mut client = Client::initialized(&guarded, json!({"elicitation": {}})).await;
    client.send(2, "tools/call", wipe()).await;
    assert_eq!(client.next().await["result"]["structuredContent"]["called"], "wipe");
}

#[tokio::test]
async fn a_call_that_is_not_allowed_is_refused_and_not_asked_about() {
    let (guarded, calls) = store(Asking::Ask);
    let guarded = guarded.rules(Rules { deny: vec!["wipe".to_owned()], ..Rules::default() });
    let mut client = Client::initialized(&guarded, json!({"elicitation": {}})).await;
    client.send(2, "tools/call", wipe()).await;
    let reply = client.next().await;
    assert_eq!(text(&reply), "`wipe` is not allowed: this server has `--deny 'wipe'`");
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

/// A call in the newest revision, and what is added to it.
fn stateless(call: &Value, more: &Value) -> Value {
    let mut call = call.clone();
    call["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"}
    });
    let more = more.as_object().into_iter().flatten();
    more.for_each(|(key, value)| call[key] = value.clone());
    call
}

/// Goes through the questions of the newest revision with any transport.
async fn answers(mut ask: impl AsyncFnMut(Value) -> Value, calls: &AtomicUsize) {
    let question = ask(stateless(&wipe(), &json!({}))).await;
    assert_eq!(question["result"]["resultType"], "input_required", "{question}");
    let asked = &question["result"]["inputRequests"]["confirm"];
    assert_eq!(
        (&asked["method"], &asked["params"]["message"]),
        (&json!("elicitation/create"), &json!(QUESTION))
    );
    let answer = |state: &Value, action: &str| json!({"requestState": state, "inputResponses": {"confirm": {"action": action, "content": {}}}});
    let accept = answer(&question["result"]["requestState"], "accept");

    let other = json!({"name": "wipe", "arguments": {"shelf": "all"}});
    let reply = ask(stateless(&other, &accept)).await;
    assert_eq!(reply["result"]["resultType"], "input_required", "the answer is to another question: {reply}");
    let invented = answer(&json!("0123456789abcdef0123456789abcdef"), "accept");
    let question = ask(stateless(&wipe(), &invented)).await;
    assert_eq!(question["result"]["resultType"], "input_required", "nobody was asked: {question}");
    assert_eq!(calls.load(Ordering::SeqCst), 0);

    let accept = answer(&question["result"]["requestState"], "accept");
    let reply = ask(stateless(&wipe(), &accept)).await;
    assert_eq!(reply["result"]["structuredContent"]["called"], "wipe", "{reply}");
    let again = ask(stateless(&wipe(), &accept)).await;
    assert_eq!(again["result"]["resultType"], "input_required", "an answer counts once: {again}");
    let decline = answer(&again["result"]["requestState"], "decline");
    let reply = ask(stateless(&wipe(), &decline)).await;
    assert_eq!(text(&reply), "`wipe` was not called: the user declined");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_newest_revision_asks_in_its_reply_over_streams() {
    let (guarded, calls) = store(Asking::Require);
    let mut client = Client::new(&guarded);
    let mut id = 0;
    answers(
        async |params| {
            id += 1;
            client.send(id, "tools/call", params).await;
            client.next().await
        },
        &calls,
    )
    .await;
}

/// A server on a free port, as long as the test runs.
fn start(guarded: &Guarded) -> SocketAddr {
    let (told, address) = mpsc::channel();
    let server = server(guarded.clone(), "127.0.0.1").expect("a server").port(0);
    std::thread::spawn(move || server.run(|address| told.send(address).expect("the test waits")));
    address.recv_timeout(Duration::from_secs(30)).expect("it listens")
}

fn post(address: SocketAddr, path: &str, headers: &str, body: &Value) -> Value {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is read");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    let (_, body) = reply.split_once("\r\n\r\n").expect("a head");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {reply}"))
}

#[tokio::test]
async fn the_newest_revision_asks_in_its_reply_over_http() {
    let (guarded, calls) = store(Asking::Require);
    let address = start(&guarded);
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wipe\r\n";
    answers(
        async |params| {
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            post(address, "/mcp", headers, &body)
        },
        &calls,
    )
    .await;
}

#[tokio::test]
async fn opentool_has_no_way_to_ask() {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "wipe", "params": {"shelf": "top"}});
    let (guarded, calls) = store(Asking::Ask);
    let reply = post(start(&guarded), "/opentool/call", "", &body);
    assert_eq!(reply["result"]["called"], "wipe", "{reply}");
    let (guarded, none) = store(Asking::Require);
    let reply = post(start(&guarded), "/opentool/call", "", &body);
    assert_eq!(reply["error"]["code"], 403);
    assert_eq!(
        reply["error"]["message"],
        "`wipe` was not called: this server has `--confirm require`: a person must confirm it, and OpenTool over \
         HTTP has no way to ask one"
    );
    assert_eq!((calls.load(Ordering::SeqCst), none.load(Ordering::SeqCst)), (1, 0));
}

#[tokio::test]
async fn the_audit_log_says_what_the_person_said() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("confirm.jsonl");
    let _ = std::fs::remove_file(&path);
    let (guarded, _) = store(Asking::Ask);
    let guarded = guarded.audit(Audit::open(&path).expect("a log"));
    let mut client = Client::initialized(&guarded, json!({"elicitation": {}})).await;
    for (id, action) in [(2, "accept"), (3, "decline")] {
        client.send(id, "tools/call", wipe()).await;
        let asked = client.next().await;
        client.write(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": action}})).await;
        client.next().await;
    }
    client.send(4, "tools/call", json!({"name": "get", "arguments": {}})).await;
    client.next().await;
    let log = std::fs::read_to_string(&path).expect("a log");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let said: Vec<Value> =
        lines.map(|line| json!([line["function"], line["outcome"], line["asked"]])).collect();
    assert_eq!(
        json!(said),
        json!([["wipe", "ok", true], ["wipe", "not_confirmed", true], ["get", "ok", null]])
    );
    assert!(guarded.metrics().contains("outcome=\"not_confirmed\"} 1"), "{}", guarded.metrics());
}

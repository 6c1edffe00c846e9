//! The client with a server that sends what the SDKs for Dart and TypeScript send, and with failing connections.

#![expect(clippy::expect_used, clippy::panic, reason = "test helpers may panic")]

mod server;
mod streams;
mod tls;

use std::time::{Duration, Instant};

use opentool::client::{Client, ClientBuilder, ClientError, NoAccess, RemoteTool};
use opentool::{FunctionCall, Tool, ToolError, ToolSet};
use serde_json::json;

use server::{Act, Server, json, reply};

fn client(server: &Server) -> Client {
    builder(server).build().expect("a client")
}

fn builder(server: &Server) -> ClientBuilder {
    Client::builder(&*server.url).retries(0).timeout(Duration::from_secs(20))
}

fn add() -> FunctionCall {
    let arguments = opentool::Map::from_iter([("a".to_owned(), json!(2)), ("b".to_owned(), json!(3))]);
    FunctionCall { id: "callId-0".to_owned(), name: "add".to_owned(), arguments }
}

fn no_access(error: ClientError) -> NoAccess {
    match error {
        ClientError::NoAccess(reason) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_follows_the_protocol() {
    let server = Server::new(vec![json(r#"{"jsonrpc":"2.0","result":{"sum":5},"id":"callId-0"}"#)]);
    let client = builder(&server).api_key("k3y").build().expect("a client");
    let answer = client.call(&add()).expect("an answer");
    assert_eq!(
        (answer.id.as_str(), serde_json::Value::Object(answer.result)),
        ("callId-0", json!({"sum": 5}))
    );
    let [request] = &server.seen()[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /opentool/call HTTP/1.1");
    assert_eq!(request.header("authorization"), Some("Bearer k3y"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.body, r#"{"jsonrpc":"2.0","method":"add","params":{"a":2,"b":3},"id":"callId-0"}"#);
}

#[test]
fn without_a_key_none_is_sent() {
    let server = Server::new(vec![json(r#"{"version":"1.0.0"}"#)]);
    assert_eq!(client(&server).version().expect("a version").version, "1.0.0");
    let [request] = &server.seen()[..] else { panic!("one request") };
    assert_eq!(request.line, "GET /opentool/version HTTP/1.1");
    assert_eq!(request.header("authorization"), None);
}

#[test]
fn text_is_not_changed() {
    let server =
        Server::new(vec![json(r#"{"result":{"n": 123456789012345678901234567890},"error":null,"id":"1"}"#)]);
    let answer = client(&server).call_json("f", r#"{"n": 1e400}"#).expect("an answer");
    assert_eq!(answer, r#"{"n": 123456789012345678901234567890}"#);
    assert!(server.seen()[0].body.contains(r#""params":{"n": 1e400}"#));
}

#[test]
fn the_five_errors_are_told_apart() {
    let html = "<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1></body></html>";
    let page = "<!DOCTYPE html> <html><body><h1>502 Bad Gateway</h1></body></html>".to_owned();
    for (act, expected) in [
        (json(""), ClientError::ResponseNull { status: 200 }),
        (json(r#"{"jsonrpc":"2.0","id":"callId-0"}"#), ClientError::ErrorNull { status: 200 }),
        (reply("401 Unauthorized", "text/plain", "Unauthorized"), ClientError::Unauthorized),
        (
            reply("404 Not Found", "text/plain", "Route not found"),
            ClientError::NoAccess(NoAccess::Status { status: 404, page: "Route not found".to_owned() }),
        ),
        (
            reply("502 Bad Gateway", "text/html", html),
            ClientError::NoAccess(NoAccess::Status { status: 502, page }),
        ),
        (
            Act::Send(
                b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".to_vec(),
            ),
            ClientError::NoAccess(NoAccess::Status { status: 302, page: String::new() }),
        ),
        (
            json(
                r#"{"jsonrpc":"2.0","result":{},"error":{"code":500,"message":"division by zero"},"id":"callId-0"}"#,
            ),
            ClientError::Call {
                code: Some(500),
                message: "division by zero".to_owned(),
                pointer: None,
                function_code: None,
                details: None,
            },
        ),
    ] {
        let server = Server::new(vec![act]);
        assert_eq!(client(&server).call(&add()), Err(expected));
    }
}

#[test]
fn a_missing_server_is_no_access() {
    let gone = Server::new(Vec::new());
    // The listener is dropped at once, so the port is free.
    std::thread::sleep(Duration::from_millis(50));
    let error = client(&gone).call(&add()).expect_err("no server is there");
    assert!(matches!(no_access(error.clone()), NoAccess::NotConnected { .. }), "{error:?}");
    assert!(error.to_string().starts_with("Please check OpenTool Server is RUNNING or NOT ("), "{error}");
}

#[test]
fn a_slow_reply_times_out() {
    let server = Server::new(vec![Act::Wait(Duration::from_secs(5))]);
    let client = builder(&server).timeout(Duration::from_millis(100)).build().expect("a client");
    let start = Instant::now();
    assert_eq!(no_access(client.call(&add()).expect_err("it is slow")), NoAccess::TimedOut { limit_ms: 100 });
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn a_reply_that_drips_times_out() {
    let pieces = std::iter::once(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".to_vec())
        .chain(std::iter::repeat_n(b" ".to_vec(), 100))
        .collect();
    let server = Server::new(vec![Act::Pieces(Duration::from_millis(50), pieces)]);
    let client = builder(&server).timeout(Duration::from_millis(200)).build().expect("a client");
    assert_eq!(no_access(client.call(&add()).expect_err("it is slow")), NoAccess::TimedOut { limit_ms: 200 });
}

#[test]
fn a_reply_may_be_as_long_as_the_limit_and_no_longer() {
    let body = r#"{"result":{"a":"b"}}"#;
    for (limit, fits) in [(body.len(), true), (body.len() - 1, false)] {
        let server = Server::new(vec![json(body)]);
        let client = builder(&server).response_limit(limit as u64).build().expect("a client");
        assert_eq!(client.call(&add()).is_ok(), fits, "{limit}");
    }
    let server = Server::new(vec![Act::Flood]);
    let client = builder(&server).response_limit(1 << 20).build().expect("a client");
    assert_eq!(no_access(client.call(&add()).expect_err("it floods")), NoAccess::TooLong { limit: 1 << 20 });
}

#[test]
fn a_call_is_not_sent_again() {
    let cut = || Act::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"result\":".to_vec());
    let none = || Act::Send(Vec::new());
    for act in [cut(), none()] {
        let server = Server::new(vec![act, json(r#"{"result":{}}"#)]);
        let client = builder(&server).retries(3).build().expect("a client");
        let error = no_access(client.call(&add()).expect_err("it is cut"));
        assert!(matches!(error, NoAccess::Broken { .. }), "{error:?}");
        assert_eq!(server.seen().len(), 1);
    }
}

#[test]
fn requests_without_effects_are_retried() {
    let cut = || Act::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"vers".to_vec());
    let server = Server::new(vec![cut(), Act::Send(Vec::new()), json(r#"{"version":"2.1.0"}"#)]);
    let client = builder(&server).retries(2).build().expect("a client");
    assert_eq!(client.version().expect("the third time").version, "2.1.0");
    assert_eq!(server.seen().len(), 3);

    let server = Server::new(vec![cut(), cut(), json("{}")]);
    let client = builder(&server).retries(1).build().expect("a client");
    assert!(matches!(no_access(client.load().expect_err("twice is all")), NoAccess::Broken { .. }));
}

#[test]
fn a_call_waits_for_a_server_that_starts() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    drop(listener);
    let starting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        let listener = std::net::TcpListener::bind(address).expect("the port is still free");
        let (mut stream, _) = listener.accept().expect("the client comes");
        let mut request = [0; 4096];
        std::io::Read::read(&mut stream, &mut request).expect("a request");
        let reply = b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{\"result\":{}}";
        std::io::Write::write_all(&mut stream, reply).expect("it listens");
    });
    let client = Client::builder(format!("http://{address}")).retries(6).build().expect("a client");
    let answer = client.call_json("now", "{}");
    starting.join().expect("the server ran");
    assert_eq!(answer.as_deref(), Ok("{}"));
}

#[test]
fn load_is_none_if_there_is_no_document() {
    for body in ["{}", "", "null", " { } "] {
        let server = Server::new(vec![json(body)]);
        assert_eq!(client(&server).load(), Ok(None), "{body}");
    }
    let server = Server::new(vec![json(r#"{"opentool":"1.0.0"}"#)]);
    let error = no_access(client(&server).load().expect_err("half a document"));
    assert!(matches!(&error, NoAccess::NotOpenTool { reason } if reason.contains("info")), "{error:?}");
}

/// The reply of Dart and TypeScript servers if the tool has no document, or an unreadable one.
#[test]
fn an_exception_in_place_of_a_document_is_none_and_its_message_is_kept() {
    let exception = r#"{"code":500,"message":"JsonParserException: tool.json"}"#;
    let server = Server::new(vec![json(exception), json(exception), json(exception)]);
    let client = client(&server);
    assert_eq!(client.load(), Ok(None));
    let loaded = client.load_or_reason().expect("it answers");
    assert_eq!((loaded.document, loaded.message.as_deref()), (None, Some("JsonParserException: tool.json")));
    let remote = RemoteTool::connect(client).expect("it answers");
    assert_eq!(remote.load(), None);
    assert_eq!(remote.no_document(), Some("JsonParserException: tool.json"));
}

#[test]
fn documents_of_the_sdks_are_read_whatever_version_they_name() {
    for (version, written) in [("1.0.0", "1.0.0"), ("1.1.0", "1.1.0"), ("2.0.0", "1.0.0")] {
        let document = json!({
            "opentool": version, "info": {"title": "remote", "version": "1.0.0"},
            "functions": [{"name": "add", "description": "", "parameters": [],
                "stream": {"part": {"name": "n", "schema": {"type": "integer"}}}}],
        });
        opentool::OpenTool::parse(&document.to_string()).expect(version);
        let server = Server::new(vec![json(&document.to_string())]);
        let remote = RemoteTool::connect(client(&server)).expect("a document");
        assert_eq!(remote.load().expect("a document").opentool, version);
        let set = ToolSet::builder().add("remote", remote).build().expect("one member");
        assert_eq!(set.load().expect("a document").opentool, written);
    }
}

/// The reply of the SDKs' samples: a result, not an error.
#[test]
fn a_result_that_says_function_not_supported_is_an_error() {
    let result = r#"{"code":405,"message":"Function Not Supported: ad"}"#;
    let server = Server::new(vec![
        json(&format!(r#"{{"jsonrpc":"2.0.0","result":{result},"id":"callId-0"}}"#)),
        json(r#"{"result":{"code":405,"message":"a count"},"id":"callId-0"}"#),
        json(r#"{"result":{"code":405,"message":"Function Not Supported: ad","more":1},"id":"callId-0"}"#),
    ]);
    let client = client(&server);
    let error = client.call(&add()).expect_err("not supported");
    assert_eq!(error.to_string(), "the server answered with error 405: Function Not Supported: ad");
    assert!(client.call(&add()).is_ok(), "a function may return a code and a message");
    assert!(client.call(&add()).is_ok());
}

#[test]
fn stop_is_posted() {
    let server = Server::new(vec![json(r#"{"status":"stopped"}"#)]);
    assert_eq!(client(&server).stop(), Ok(()));
    assert_eq!(server.seen()[0].line, "POST /opentool/stop HTTP/1.1");
    let server = Server::new(vec![reply("401 Unauthorized", "text/plain", "")]);
    assert_eq!(client(&server).stop(), Err(ClientError::Unauthorized));
}

#[test]
fn a_server_is_a_member_of_a_set() {
    let document = json!({
        "opentool": "1.0.0",
        "info": {"title": "remote", "version": "1.0.0"},
        "functions": [{"name": "add", "description": "", "parameters": [], "return": null}],
    });
    let server = Server::new(vec![
        json(&document.to_string()),
        json(r#"{"jsonrpc":"2.0","result":{"sum":5},"error":null,"id":"1"}"#),
        json(r#"{"jsonrpc":"2.0","result":{},"error":{"code":400,"message":"no a"},"id":"2"}"#),
    ]);
    let remote = RemoteTool::connect(client(&server)).expect("it is there");
    let set = ToolSet::builder().add_prefixed("calc", remote).build().expect("one member");
    assert_eq!(set.call_json("calc_add", r#"{"a":2,"b":3}"#).as_deref(), Ok(r#"{"sum":5}"#));
    assert_eq!(set.call_json("calc_add", "{}"), Err(ToolError::invalid_arguments("", "no a")));
    let asked: Vec<String> = server.seen().into_iter().map(|request| request.line).collect();
    assert_eq!(
        asked,
        ["GET /opentool/load HTTP/1.1", "POST /opentool/call HTTP/1.1", "POST /opentool/call HTTP/1.1"]
    );
}

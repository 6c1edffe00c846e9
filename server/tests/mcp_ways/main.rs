//! A call over MCP and HTTP gets the same reply on both ways: from text to text, and through `rmcp`. A second `Accept`
//! header, which changes no reply, sends a request through `rmcp`.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

mod running;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use opentool_server::{Asking, Limits};
use serde_json::{Value, json};

use running::{ACCEPT, Running, TYPE};

fn request(params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
}

fn any() -> Running {
    Running::start(Limits::default(), Asking::Ask)
}

#[test]
fn the_two_ways_are_two() {
    let server = any();
    let body = request(r#"{"name":"quoted","arguments":{ "a" : 1.50 }}"#);
    let arguments = |accept: &str| {
        let (_, reply) = server.send(&format!("{TYPE}{accept}"), body.as_bytes());
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        reply["result"]["structuredContent"]["arguments"].clone()
    };
    assert_eq!(arguments(ACCEPT), r#"{ "a" : 1.50 }"#, "the text of the client");
    assert_eq!(arguments(&ACCEPT.repeat(2)), r#"{"a":1.5}"#, "the text of `rmcp`");
}

#[test]
fn results_errors_and_refusals_are_the_same() {
    let server = any();
    for (name, expected) in [
        ("echo", r#""structuredContent":{},"isError":false"#),
        ("text", r#""isError":false"#),
        ("twice", r#""structuredContent":{"a":2}"#),
        ("large", r#""isError":false"#),
        ("deep", "the result is not a JSON object"),
        ("broken", "the result is not a JSON object"),
        ("unpaired", "the result is not a JSON object"),
        ("bytes", "the result is not a JSON object"),
        ("fails", r#"{\"outputs\":{\"waiting\":3}}"#),
        ("ech", r#""error":{"code":-32602,"message":"unknown function `ech`; did you mean `echo`?""#),
        ("secre", r#""message":"unknown function `secre`""#),
        ("secret", "is not allowed: this server has `--deny 'secret'`"),
    ] {
        let reply = server.both(TYPE, request(&format!(r#"{{"name":"{name}"}}"#)).as_bytes());
        assert!(reply.starts_with("HTTP/1.1 200") && reply.contains(expected), "{name}: {reply}");
    }
    let (_, reply) = server.send(&format!("{TYPE}{ACCEPT}"), request(r#"{"name":"spaced"}"#).as_bytes());
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    assert_eq!(reply["result"]["structuredContent"], json!({"a": [1.5, {}, "a"]}));
}

#[test]
fn the_lengths_of_bytes_are_the_same() {
    let server = any();
    for (name, expected) in [
        (
            "blobs",
            r#"},{"type":"text","text":"`blobs[0]`: 2 bytes, `blobs[2]`: 1 byte"}],"structuredContent":{"blobs":["#,
        ),
        ("some", r#"{"type":"text","text":"`key`: 2 bytes"}],"isError":true"#),
    ] {
        let reply = server.both(TYPE, request(&format!(r#"{{"name":"{name}"}}"#)).as_bytes());
        assert!(reply.contains(expected), "{name}: {reply}");
    }
    let ways = [ACCEPT.to_owned(), ACCEPT.repeat(2)].map(|accept| {
        without_id(server.send(&format!("{TYPE}{accept}"), request(r#"{"name":"many"}"#).as_bytes()))
    });
    assert_eq!(ways[0], ways[1]);
    assert!(ways[0].1.contains(r#"{"type":"text","text":"`key`: 40000 bytes"}"#), "{}", ways[0].1);
    // A function without bytes says nothing of them.
    let reply = server.both(TYPE, request(r#"{"name":"text"}"#).as_bytes());
    assert_eq!(reply.matches(r#""type":"text""#).count(), 1, "{reply}");
}

#[test]
fn arguments_that_are_or_are_not_are_the_same() {
    let server = any();
    let deep = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let keys: Vec<String> = (0..200).map(|number| format!("\"k{number}\":0")).collect();
    for arguments in [
        "{}",
        "null",
        "[]",
        "1",
        r#""text""#,
        r#"{"a":1,"b":[true,null,"é\u00e9\ud83d\ude00"],"c":{"d":-1.5}}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":{"b":1,"\u0062":2}}"#,
        r#"{"a":123456789012345678901234567890}"#,
        r#"{"a":1e999}"#,
        r#"{"a":-0}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":01}"#,
        &deep(60),
        &deep(100),
        &deep(140),
        &deep(100_000),
        &format!("{{{}}}", keys.join(",")),
    ] {
        // The text that the tool gets is another one only where a character is written in another way.
        let function = if arguments.contains("u00e9") { "values" } else { "quoted" };
        let params = format!(r#"{{"name":"{function}","arguments":{arguments}}}"#);
        server.both(TYPE, request(&params).as_bytes());
    }
}

#[test]
fn every_envelope_gets_the_same_reply() {
    let server = any();
    for params in [
        "{}",
        "null",
        "[]",
        r#"["echo"]"#,
        r#"{"name":null}"#,
        r#"{"name":7}"#,
        r#"{"name":"\u0065cho"}"#,
        r#"{"name":"echo","name":"echo"}"#,
        r#"{"name":"echo","more":1}"#,
        r#"{"name":"echo","task":{"ttl":1}}"#,
        r#"{"name":"echo","requestState":"x","inputResponses":{}}"#,
        r#"{"name":"echo","_meta":null}"#,
        r#"{"name":"echo","_meta":[]}"#,
        r#"{"name":"echo","_meta":{"progressToken":1,"a":{"b":1}}}"#,
        r#"{"name":"echo","_meta":{"traceparent":1,"tracestate":null}}"#,
        r#"{"name":"echo","_meta":{"a":1,"a":2},"arguments":{"x":1}}"#,
        r#"{"name":"echo","_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}"#,
        r#"{"name":"echo","_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}"#,
        r#"{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}}"#,
    ] {
        server.both(TYPE, request(params).as_bytes());
    }
    for id in ["\"\"", "\"a\\u0062\"", "\"é\"", "0", "-7", "-0", "1.0", "1e2", "1.5", "null", "true", "[1]"]
    {
        server.both(
            TYPE,
            request(r#"{"name":"echo"}"#).replace("\"id\":1", &format!("\"id\":{id}")).as_bytes(),
        );
    }
    for id in ["9223372036854775807", "9223372036854775808", "123456789012345678901234567890"] {
        server.both(
            TYPE,
            request(r#"{"name":"echo"}"#).replace("\"id\":1", &format!("\"id\":{id}")).as_bytes(),
        );
    }
    let call = request(r#"{"name":"echo"}"#);
    for body in [
        "",
        "nonsense",
        "[]",
        &format!("[{call}]"),
        &format!("{call}{call}"),
        &format!(" \n{call}\t "),
        &call.replace("\"id\":1,", ""),
        &call.replace("\"id\":1,", "\"id\":1,\"id\":2,"),
        &call.replace("\"jsonrpc\":\"2.0\",", ""),
        &call.replace("2.0", "1.0"),
        &call.replace("tools/call", "tools\\/call"),
        &call.replace("tools/call", "tools/none"),
        &call.replace("tools/call", "notifications/initialized"),
        &call.replace("\"id\":1", "\"id\":1,\"more\":[]"),
        &call.replace("\"id\":1", "\"id\":1,\"result\":{}"),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        &request(&format!(r#"{{"name":"{}"}}"#, "x".repeat(1 << 20))),
    ] {
        server.both(TYPE, body.as_bytes());
    }
    server.both(
        TYPE,
        b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"}}",
    );
    server.both(
        TYPE,
        request(&format!(r#"{{"name":"echo","arguments":{{"a":"{}"}}}}"#, "y".repeat(4 << 20))).as_bytes(),
    );
}

#[test]
fn every_header_gets_the_same_reply() {
    let server = any();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"}
    });
    let call = |name: &str, meta: &Value| {
        request(&json!({"name": name, "arguments": {"a": 1}, "_meta": meta}).to_string())
    };
    let newest = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n";
    let mut statuses = Vec::new();
    for (headers, body) in [
        (String::new(), call("echo", &json!({}))),
        ("MCP-Protocol-Version: 2025-06-18\r\n".to_owned(), call("echo", &json!({}))),
        ("MCP-Protocol-Version: 1999-01-01\r\n".to_owned(), call("echo", &json!({}))),
        (
            "MCP-Protocol-Version: 2025-06-18\r\nMCP-Protocol-Version: x\r\n".to_owned(),
            call("echo", &json!({})),
        ),
        ("MCP-Protocol-Version: 2025-06-18\r\n".to_owned(), call("echo", &meta)),
        (String::new(), call("echo", &meta)),
        (newest.to_owned(), call("echo", &meta)),
        (format!("{newest}Mcp-Name: echo\r\n"), call("echo", &json!({}))),
        (format!("{newest}Mcp-Name: echo\r\n"), call("echo", &meta)),
        (format!("{newest}Mcp-Name: fails\r\n"), call("fails", &meta)),
        (format!("{newest}Mcp-Name: twice\r\n"), call("twice", &meta)),
        (format!("{newest}Mcp-Name: ech\r\n"), call("ech", &meta)),
        (format!("{newest}Mcp-Name: other\r\n"), call("echo", &meta)),
        (format!("{newest}Mcp-Name: =?base64?ZWNobw==?=\r\n"), call("echo", &meta)),
        (format!("{newest}Mcp-Name: echo\r\nMcp-Name: echo\r\n"), call("echo", &meta)),
        (format!("{newest}Mcp-Name: echo\r\nMcp-Param-A: 2\r\n"), call("echo", &meta)),
        (format!("{}Mcp-Name: echo\r\n", newest.replace("call", "list")), call("echo", &meta)),
        ("Mcp-Session-Id: invented\r\n".to_owned(), call("echo", &json!({}))),
        ("Expect: 100-continue\r\n".to_owned(), call("echo", &json!({}))),
    ] {
        let reply = server.both(&format!("{TYPE}{headers}"), body.as_bytes());
        statuses.push(reply[9..12].to_owned());
    }
    // Capabilities that cannot be read, and a version in the body that is not the one of the header.
    for (key, value) in [("clientCapabilities", json!(1)), ("protocolVersion", json!("2025-11-25"))] {
        let mut meta = meta.clone();
        meta[format!("io.modelcontextprotocol/{key}")] = value;
        let reply = server.both(&format!("{TYPE}{newest}Mcp-Name: echo\r\n"), call("echo", &meta).as_bytes());
        statuses.push(reply[9..12].to_owned());
    }
    assert_eq!(
        statuses.join(" "),
        "200 200 400 200 400 400 400 400 200 200 200 200 400 200 400 200 400 404 100 400 400"
    );
    for headers in ["Content-Type: text/plain\r\n", "", "Content-Type: application/json; charset=utf-8\r\n"] {
        server.both(headers, call("echo", &json!({})).as_bytes());
    }
    // Without a usable `Accept`, and with another origin, both ways refuse.
    for headers in ["Accept: application/json\r\n", "", "Accept: */*\r\nOrigin: http://evil.example\r\n"] {
        let (head, _) = server.send(&format!("{TYPE}{headers}"), call("echo", &json!({})).as_bytes());
        assert!(head[0].contains("406") || head[0].contains("403"), "{head:?}");
    }
}

#[test]
fn a_call_that_a_person_must_confirm_is_asked_about() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}
    });
    let body = request(&json!({"name": "wipe", "_meta": meta}).to_string());
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wipe\r\n";
    for (asking, expected) in [(Asking::Ask, "input_required"), (Asking::Off, "unknown function `wipe`")] {
        let server = Running::start(Limits::default(), asking);
        let (_, reply) = server.send(&format!("{TYPE}{ACCEPT}{headers}"), body.as_bytes());
        assert!(reply.contains(expected), "{asking:?}: {reply}");
    }
    let server = Running::start(Limits::default(), Asking::Require);
    let reply = server.both(TYPE, request(r#"{"name":"wipe"}"#).as_bytes());
    assert!(reply.contains("this client does not say that it can ask one"), "{reply}");
}

#[test]
fn a_deadline_ends_a_call_on_both_ways() {
    let limits = Limits { deadline: Some(Duration::from_millis(150)), ..Limits::default() };
    let server = Running::start(limits, Asking::Ask);
    let reply = server.both(TYPE, request(r#"{"name":"hang"}"#).as_bytes());
    assert!(reply.contains(r#""isError":true"#) && reply.contains("150 ms"), "{reply}");
}

#[test]
fn a_client_that_hangs_up_ends_its_call_on_both_ways() {
    let server = any();
    for (accept, ended) in [(ACCEPT.to_owned(), 1), (ACCEPT.repeat(2), 2)] {
        let stream = server.open(&format!("{TYPE}{accept}"), request(r#"{"name":"hang"}"#).as_bytes());
        wait(|| server.guarded.executor().running() == 1);
        drop(stream);
        wait(|| server.tool.ended.load(Ordering::SeqCst) == ended);
    }
    let counted = r#"{function="",protocol="mcp-http",outcome="cancelled"} 2"#;
    wait(|| server.guarded.metrics().contains(counted));
}

#[test]
fn a_session_is_found_on_both_ways() {
    let server = any();
    let about = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
    let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let (head, _) = server.send(&format!("{TYPE}{ACCEPT}"), body.to_string().as_bytes());
    let id = head.iter().find(|line| line.starts_with("mcp-session-id: ")).expect("a session");
    let reply = server.both(&format!("{TYPE}{id}\r\n"), request(r#"{"name":"who"}"#).as_bytes());
    assert!(reply.contains(r#"{"caller":"anonymous, session 1"}"#), "{reply}");
}

#[test]
fn a_body_that_breaks_or_arrives_in_parts_is_read_on_both_ways() {
    let server = any();
    let call = request(r#"{"name":"echo"}"#);
    for accept in [ACCEPT.to_owned(), ACCEPT.repeat(2)] {
        let mut stream = TcpStream::connect(server.address).expect("it listens");
        let head = format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{TYPE}{accept}");
        write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n").expect("it is read");
        for part in [&call[..20], &call[20..]] {
            write!(stream, "{:x}\r\n{part}\r\n", part.len()).expect("it is read");
            std::thread::sleep(Duration::from_millis(20));
        }
        stream.write_all(b"0\r\n\r\n").expect("it is read");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        assert!(reply.starts_with("HTTP/1.1 200") && reply.contains(r#""isError":false"#), "{reply}");

        let mut stream = TcpStream::connect(server.address).expect("it listens");
        write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n").expect("it is read");
        let part = format!("{:x}\r\n{}\r\n", 1 << 20, "x".repeat(1 << 20)).repeat(4);
        // The byte beyond the limit is the last one, so that nothing is left to read when the server closes.
        stream.write_all(part.as_bytes()).expect("it is read");
        stream.write_all(b"1\r\nx").expect("it is read");
        let mut reply = [0; 12];
        stream.read_exact(&mut reply).expect("a reply");
        assert_eq!(&reply, b"HTTP/1.1 413");

        let mut stream = TcpStream::connect(server.address).expect("it listens");
        write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n5\r\n{{\"a\":\r\nno\r\n")
            .expect("it is read");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        assert!(reply.starts_with("HTTP/1.1 500") && reply.contains("Failed to read"), "{reply}");
    }
}

#[track_caller]
fn wait(until: impl Fn() -> bool) {
    let begin = Instant::now();
    while !until() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it did not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The reply without what is random in it: the id of a result that is kept.
fn without_id((head, text): (Vec<String>, String)) -> (Vec<String>, String) {
    let id = text.split_once("result://").and_then(|(_, rest)| rest.get(..24)).expect("an id").to_owned();
    (head, text.replace(&id, "ID"))
}

#[test]
fn a_result_that_is_too_large_is_named_on_both_ways() {
    let server = any();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    });
    let newest = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: huge\r\n";
    let params = json!({"name": "huge", "_meta": meta}).to_string();
    for (headers, params, has_link) in [
        ("", r#"{"name":"huge"}"#, false),
        ("MCP-Protocol-Version: 2025-06-18\r\n", r#"{"name":"huge"}"#, true),
        (newest, &params, true),
    ] {
        let body = request(params);
        let ways = [ACCEPT.to_owned(), ACCEPT.repeat(2)]
            .map(|accept| without_id(server.send(&format!("{TYPE}{accept}{headers}"), body.as_bytes())));
        assert_eq!(ways[0], ways[1], "{headers}");
        let text = &ways[0].1;
        assert!(text.contains(r#"{"largeResult":{"id":"ID","uri":"result://ID","bytes":80011}}"#), "{text}");
        assert_eq!(text.contains("resource_link"), has_link, "{text}");
        assert!(text.len() < 5000, "{text}");
    }
}

//! With the feature `otel`, every call is a span of its caller's trace, and a collector on this machine receives it.

#![expect(clippy::expect_used, clippy::panic, reason = "test helpers may panic")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as AnyValue;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentool::{Map, MapTool, ToolError};
use opentool_server::serve::server;
use opentool_server::{Executor, traces_from_environment};
use prost::Message;
use serde_json::{Value, json};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// Tells the child what to do: this test starts itself again, because the exporter reads the environment.
const CHILD: &str = "OPENTOOL_TRACES_TEST";

fn traceparent(flags: &str) -> String {
    format!("00-{TRACE}-{PARENT}-{flags}")
}

fn post(address: SocketAddr, path: &str, headers: &str, body: &Value) {
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
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
}

/// Serves, makes calls, and ends, which sends the spans.
fn serve_and_call() {
    let traces = traces_from_environment().expect("an environment that can be used");
    let tool = MapTool::new(|name, _| match name {
        "fails" => Err(ToolError::call_failed("it fails")),
        _ => Ok(Map::new()),
    });
    let (told, address) = mpsc::channel();
    let server = server(Executor::serial(tool), "127.0.0.1").expect("a server").port(0);
    std::thread::spawn(move || server.run(|address| told.send(address).expect("the test waits")));
    let address = address.recv_timeout(Duration::from_secs(30)).expect("it listens");

    let call = |method: &str| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}});
    let header = format!("traceparent: {}\r\n", traceparent("01"));
    post(address, "/opentool/call", &header, &call("by_header"));
    post(address, "/opentool/call", &header, &call("fails"));
    post(address, "/opentool/call", &format!("traceparent: {}\r\n", traceparent("00")), &call("not_sampled"));
    post(address, "/opentool/call", "traceparent: 00-zz\r\n", &call("alone"));
    let params = json!({"name": "by_meta", "arguments": {}, "_meta": {"traceparent": traceparent("01")}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    post(address, "/mcp", "", &body);
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "by_mcp_header"}});
    post(address, "/mcp", &header, &body);
    assert_eq!(traces.is_some(), std::env::var(CHILD).expect("set") == "sends");
}

/// This test again, in a process with another environment.
fn child(expects: &str, test: &str, variables: &[(&str, &str)]) {
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("OTEL_")) {
        child.env_remove(name);
    }
    child.args(["--exact", test, "--nocapture"]).env(CHILD, expects).envs(variables.iter().copied());
    let output = child.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stdout));
}

/// Accepts exports until the process that sends them has ended, and returns their spans.
fn collect(listener: TcpListener) -> Vec<Span> {
    let mut spans = Vec::new();
    for stream in listener.incoming() {
        let mut stream = BufReader::new(stream.expect("a connection"));
        // A connection may bring several requests.
        while let Some((line, body)) = request(&mut stream) {
            if line.starts_with("GET /end") {
                return spans;
            }
            assert!(line.starts_with("POST /v1/traces "), "{line}");
            let request = ExportTraceServiceRequest::decode(&*body).expect("an export");
            let scopes = request.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
            spans.extend(scopes.flat_map(|scope| scope.spans));
            stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").expect("it is read");
        }
    }
    spans
}

fn request(stream: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let (mut first, mut line, mut length) = (String::new(), String::new(), 0);
    stream.read_line(&mut first).ok().filter(|count| *count > 0)?;
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((first, body))
}

fn attribute<'s>(span: &'s Span, key: &str) -> &'s str {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key);
    match attribute.and_then(|attribute| attribute.value.as_ref()).and_then(|value| value.value.as_ref()) {
        Some(AnyValue::StringValue(value)) => value,
        other => panic!("{key}: {other:?}"),
    }
}

#[test]
fn a_collector_receives_a_span_of_the_callers_trace_for_every_call() {
    if std::env::var_os(CHILD).is_some() {
        return serve_and_call();
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let collector = std::thread::spawn(move || collect(listener));
    let test = "a_collector_receives_a_span_of_the_callers_trace_for_every_call";
    child("sends", test, &[("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{address}"))]);
    TcpStream::connect(address)
        .and_then(|mut stream| stream.write_all(b"GET /end\r\n\r\n"))
        .expect("it listens");
    let spans = collector.join().expect("every request is an export");

    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(
        names,
        ["by_header", "fails", "alone", "by_meta", "by_mcp_header"],
        "the caller decides what is sampled"
    );
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (span, (protocol, outcome)) in spans.iter().zip([
        ("opentool", "ok"),
        ("opentool", "call_failed"),
        ("opentool", "ok"),
        ("mcp-http", "ok"),
        ("mcp-http", "ok"),
    ]) {
        let parent = (hexadecimal(&span.trace_id), hexadecimal(&span.parent_span_id));
        if span.name == "alone" {
            assert_ne!(parent.0, TRACE);
            assert_eq!(parent.1, "");
        } else {
            assert_eq!(parent, (TRACE.to_owned(), PARENT.to_owned()), "{}", span.name);
        }
        assert_eq!(attribute(span, "opentool.function"), span.name);
        assert_eq!(attribute(span, "opentool.protocol"), protocol);
        assert_eq!(attribute(span, "opentool.outcome"), outcome);
        assert_eq!(attribute(span, "opentool.key"), "anonymous");
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano);
    }
    let status = spans[1].status.as_ref().expect("it failed");
    assert_eq!((status.code, status.message.as_str()), (2, "the call failed: it fails"));
}

#[test]
fn without_a_collector_in_the_environment_nothing_is_sent() {
    if std::env::var_os(CHILD).is_some() {
        return serve_and_call();
    }
    let test = "without_a_collector_in_the_environment_nothing_is_sent";
    child("sends nothing", test, &[]);
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    child("sends nothing", test, &[endpoint, ("OTEL_TRACES_EXPORTER", "none")]);
    child("sends nothing", test, &[endpoint, ("OTEL_SDK_DISABLED", "true")]);
}

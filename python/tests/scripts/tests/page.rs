//! The four samples of the specification run unchanged.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use opentool::{Map, MapTool, OpenTool, Tool, ToolSet};
use opentool_python::{Peers, PythonTool, PythonToolBuilder, Workers};
use opentool_python_tests::folder;
use serde_json::{Value, json};

const DONE: &str = r#"{"success": true, "message": "执⾏完成", "data": "执⾏结果"}"#;

type Log = Arc<Mutex<Vec<String>>>;

fn sample(name: &str) -> (PythonToolBuilder, Log) {
    let log = Log::default();
    let seen = Arc::clone(&log);
    let workers = Workers::builder().module_folder(folder("modules")).build().expect("Python");
    let builder = PythonTool::builder(folder("page").join(name)).workers(&workers).log(move |line| {
        seen.lock().expect("nobody panicked").push(format!("{}: {}", line.script, line.text))
    });
    (builder, log)
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_plain_sample_runs() {
    let (builder, _) = sample("plain.py");
    assert_eq!(builder.build().expect("valid").call_json("execute", "{}").as_deref(), Ok(DONE));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_sample_with_importlib_finds_modules_beside_ours() {
    let (builder, log) = sample("importlib.py");
    assert_eq!(builder.build().expect("valid").call_json("execute", "{}").as_deref(), Ok(DONE));
    assert_eq!(*log.lock().expect("nobody panicked"), ["importlib.py: cleared xxx"]);
}

#[test]
#[cfg_attr(no_requests, ignore = "needs python3 with the package requests")]
fn the_rest_sample_posts_to_the_url_that_the_host_defines() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a request");
        let mut request = Vec::new();
        while !request.ends_with(b"}") {
            let mut part = [0; 4096];
            let count = stream.read(&mut part).expect("a request");
            assert!(count > 0, "the request ends early");
            request.extend_from_slice(&part[..count]);
        }
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
            .expect("sent");
        String::from_utf8(request).expect("text")
    });
    let (builder, _) = sample("rest.py");
    let tool = builder.global("url", url).build().expect("valid");
    assert_eq!(tool.call_json("execute", "{}").as_deref(), Ok(DONE));
    let request = server.join().expect("it answered");
    assert!(request.starts_with("POST / HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with(r#"{"param1": "param1", "param2": "param2"}"#), "{request}");
}

#[test]
#[cfg_attr(no_requests, ignore = "needs python3 with the package requests")]
fn the_rest_sample_fails_at_its_line_without_the_url() {
    let (builder, log) = sample("rest.py");
    let error = builder.build().expect("valid").call_json("execute", "{}").expect_err("no `url`");
    assert_eq!(error.to_string(), "the call failed: rest.py:7: NameError: name 'url' is not defined");
    let log = log.lock().expect("nobody panicked");
    assert!(log.iter().any(|line| line.contains("Traceback")), "{log:?}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_sample_with_another_tool_calls_it() {
    let document = json!({
        "opentool": "1.0.0",
        "info": {"title": "cpu", "version": "1"},
        "functions": [{"name": "current_cpu_query", "description": "d", "parameters": []}],
    });
    let document: OpenTool = serde_json::from_value(document).expect("a document");
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let cpu = MapTool::new(move |_, arguments: &Map<String, Value>| {
        seen.lock().expect("nobody panicked").push(Value::Object(arguments.clone()));
        Ok(Map::from_iter([("cpu".to_owned(), json!(0.5))]))
    })
    .described_by(document);
    let peers = Peers::new();
    let (builder, _) = sample("inter-client.py");
    let script = builder.peers(&peers).build().expect("valid");
    let set =
        Arc::new(ToolSet::builder().add("script", script).add("cpu", cpu).build().expect("no two alike"));
    peers.are(&set);
    let reply = set.call_json("execute", r#"{"cluster": "north", "appId": 7}"#);
    assert_eq!(reply.as_deref(), Ok(DONE));
    assert_eq!(*asked.lock().expect("nobody panicked"), [json!({"cluster": "north", "appId": 7})]);
    let error = set.call_json("execute", r#"{"appId": 7}"#).expect_err("no cluster");
    assert_eq!(error.to_string(), "the call failed: inter-client.py:5: KeyError: 'cluster'");
}

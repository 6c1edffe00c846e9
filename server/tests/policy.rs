//! Rules of a server and of its keys, the audit log and the metrics: the same for every protocol.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use opentool::{Map, MapTool, OpenTool};
use opentool_server::serve::server;
use opentool_server::{Audit, Executor, Guarded, KeyFile, Rules, Server, mcp};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

const DOCUMENT: &str = r#"{"opentool":"1.0.0","info":{"title":"store","version":"1.0.0"},"functions":[
  {"name":"store_get","description":"Reads.","parameters":[],"x-annotations":{"readOnly":true}},
  {"name":"store_set","description":"Writes.","parameters":[]},
  {"name":"store_wipe","description":"Deletes.","parameters":[],"x-annotations":{"destructive":true}}]}"#;

fn guarded() -> Guarded {
    let document = OpenTool::parse(DOCUMENT).expect("a valid document");
    let tool = MapTool::new(|name, _| match document_has(name) {
        true => Ok(Map::from_iter([("called".to_owned(), json!(name))])),
        false => Err(opentool::ToolError::unknown_function(name, ["store_get", "store_set", "store_wipe"])),
    });
    Guarded::new(Executor::serial(tool.described_by(document)))
}

fn document_has(name: &str) -> bool {
    DOCUMENT.contains(&format!("\"{name}\""))
}

fn globs(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
}

/// A server on a free port, as long as the test runs.
fn start(server: Server) -> SocketAddr {
    let (told, address) = mpsc::channel();
    std::thread::spawn(move || server.port(0).run(|address| told.send(address).expect("the test waits")));
    address.recv_timeout(Duration::from_secs(30)).expect("it listens")
}

/// The status and the body of the reply.
fn send(address: SocketAddr, line: &str, key: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is read");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).unwrap_or_else(|_| json!(body)))
}

fn call(address: SocketAddr, key: &str, function: &str) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": function, "params": {}});
    let (status, reply) = send(address, "POST /opentool/call", key, &body);
    assert_eq!(status, 200, "{reply}");
    reply
}

/// A request of MCP, in a revision without sessions.
fn ask_mcp(address: SocketAddr, key: &str, method: &str, params: &Value) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let (status, reply) = send(address, "POST /mcp", key, &body);
    assert_eq!(status, 200, "{reply}");
    reply
}

fn names(functions: &Value) -> Vec<&str> {
    functions.as_array().into_iter().flatten().filter_map(|function| function["name"].as_str()).collect()
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("opentool-policy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_not_allowed_is_neither_listed_nor_called_in_any_protocol() {
    let rules = Rules { deny: globs(&["*_wipe"]), ..Rules::default() };
    let guarded = guarded().rules(rules);
    let address = start(server(guarded.clone(), "127.0.0.1").expect("a server"));
    let refusal = "`store_wipe` is not allowed: this server has `--deny '*_wipe'`";

    let (_, document) = send(address, "GET /opentool/load", "", &Value::Null);
    assert_eq!(names(&document["functions"]), ["store_get", "store_set"]);
    assert_eq!(call(address, "", "store_set")["result"]["called"], "store_set");
    let error = &call(address, "", "store_wipe")["error"];
    assert_eq!((&error["code"], &error["message"]), (&json!(403), &json!(refusal)));
    // Nor is it suggested.
    assert_eq!(call(address, "", "store_wip")["error"]["message"], "unknown function `store_wip`");
    assert_eq!(
        call(address, "", "store_gett")["error"]["message"],
        "unknown function `store_gett`; did you mean `store_get`?"
    );

    let listed = ask_mcp(address, "", "tools/list", &json!({}));
    assert_eq!(names(&listed["result"]["tools"]), ["store_get", "store_set"]);
    let reply = ask_mcp(address, "", "tools/call", &json!({"name": "store_wipe", "arguments": {}}));
    assert_eq!(
        (&reply["result"]["isError"], &reply["result"]["content"][0]["text"]),
        (&json!(true), &json!(refusal))
    );

    let (listed, reply) = over_streams(&guarded, "store_wipe");
    assert_eq!(names(&listed["result"]["tools"]), ["store_get", "store_set"]);
    assert_eq!(reply["result"]["content"][0]["text"], refusal);
}

/// What `tools/list` and a call answer over two streams.
fn over_streams(guarded: &Guarded, function: &str) -> (Value, Value) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(far);
        let guarded = guarded.clone();
        let served = tokio::spawn(async move { mcp::serve(guarded, input, output).await });
        let (read, mut write) = tokio::io::split(near);
        let mut lines = BufReader::new(read).lines();
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let mut replies = Vec::new();
        for (method, params) in [
            ("initialize", about),
            ("tools/list", json!({})),
            ("tools/call", json!({"name": function, "arguments": {}})),
        ] {
            let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            write.write_all(format!("{request}\n").as_bytes()).await.expect("it is read");
            let line = lines.next_line().await.expect("text").expect("a reply");
            replies.push(serde_json::from_str::<Value>(&line).expect("JSON"));
            if method == "initialize" {
                let notice = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
                write.write_all(format!("{notice}\n").as_bytes()).await.expect("it is read");
            }
        }
        drop((lines, write));
        served.await.expect("no panic").expect("it ends well");
        (replies[1].clone(), replies[2].clone())
    })
}

#[test]
fn read_only_allows_what_the_document_says_changes_nothing() {
    let rules = Rules { read_only: true, ..Rules::default() };
    let address = start(server(guarded().rules(rules), "127.0.0.1").expect("a server"));
    let (_, document) = send(address, "GET /opentool/load", "", &Value::Null);
    assert_eq!(names(&document["functions"]), ["store_get"]);
    assert_eq!(call(address, "", "store_get")["error"], Value::Null);
    for function in ["store_set", "store_wipe"] {
        let error = call(address, "", function)["error"].clone();
        assert_eq!(error["code"], 403);
        assert!(error["message"].as_str().is_some_and(|text| text.contains("`--read-only`")), "{error}");
    }
}

fn key_file(path: &Path, keys: &[(&str, Rules, bool)]) -> Vec<String> {
    let mut file = KeyFile::default();
    let added =
        keys.iter().map(|(name, rules, stop)| file.add(name, rules.clone(), *stop).expect("a key")).collect();
    file.write(path).expect("it is written");
    added
}

#[test]
fn each_key_has_its_own_rights_and_stop_is_one_of_them() {
    let folder = Folder::new("rights");
    let path = folder.0.join("keys.json");
    let reader = Rules { read_only: true, ..Rules::default() };
    let setter = Rules { allow: globs(&["*_set"]), ..Rules::default() };
    let keys = key_file(&path, &[("reader", reader, false), ("setter", setter, true)]);
    let address = start(server(guarded(), "127.0.0.1").expect("a server").key_file(&path));
    let (reader, setter) = (keys[0].as_str(), keys[1].as_str());

    for (key, expected) in [(reader, "store_get"), (setter, "store_set")] {
        let (_, document) = send(address, "GET /opentool/load", key, &Value::Null);
        assert_eq!(names(&document["functions"]), [expected]);
        let listed = ask_mcp(address, key, "tools/list", &json!({}));
        assert_eq!(names(&listed["result"]["tools"]), [expected]);
        assert_eq!(call(address, key, expected)["error"], Value::Null);
    }
    assert_eq!(
        call(address, setter, "store_get")["error"]["message"],
        "`store_get` is not allowed: the key `setter` has only `--allow '*_set'`"
    );
    let reply = ask_mcp(address, reader, "tools/call", &json!({"name": "store_set", "arguments": {}}));
    assert_eq!(reply["result"]["isError"], true);
    assert_eq!(send(address, "GET /opentool/version", "opendyn_wrong", &Value::Null).0, 401);

    let (status, reply) = send(address, "POST /opentool/stop", reader, &Value::Null);
    assert_eq!(
        (status, &reply["error"]["message"]),
        (403, &json!("the key `reader` has no right to stop this server"))
    );
    assert_eq!(send(address, "POST /opentool/stop", setter, &Value::Null).0, 200);
}

#[test]
fn a_key_that_is_removed_is_refused_while_the_server_runs() {
    let folder = Folder::new("removed");
    let path = folder.0.join("keys.json");
    let keys = key_file(&path, &[("one", Rules::default(), false), ("two", Rules::default(), false)]);
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(keys.iter().all(|key| !text.contains(key.as_str()) && !text.contains(&key[8..])), "only hashes");
    let address = start(Server::new(guarded()).key_file(&path));
    let status = |key: &str| send(address, "GET /opentool/version", key, &Value::Null).0;
    assert_eq!((status(&keys[0]), status(&keys[1])), (200, 200));

    let mut file = KeyFile::read(&path).expect("a key file");
    assert!(file.remove("one") && !file.remove("one"));
    file.write(&path).expect("it is written");
    let begin = Instant::now();
    while status(&keys[0]) == 200 {
        assert!(begin.elapsed() < Duration::from_secs(10), "it is still accepted");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!((status(&keys[0]), status(&keys[1])), (401, 200));
    // A file with a mistake leaves the last keys.
    std::fs::write(&path, "{").expect("it is written");
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!((status(&keys[0]), status(&keys[1])), (401, 200));
}

#[test]
#[cfg(unix)]
fn a_key_file_that_others_can_read_or_change_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("permissions");
    let path = folder.0.join("keys.json");
    key_file(&path, &[("one", Rules::default(), false)]);
    let mode =
        |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    for (bits, allowed) in [(0o600, true), (0o640, true), (0o660, false), (0o604, false), (0o602, false)] {
        mode(bits);
        let read = KeyFile::read(&path).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(read.is_ok(), allowed, "{bits:o}: {read:?}");
        assert!(read.is_ok() || read.is_err_and(|error| error.contains("chmod 600")));
    }
}

#[test]
fn every_protocol_is_audited_and_counted() {
    let folder = Folder::new("audit");
    let path = folder.0.join("audit.jsonl");
    let rules = Rules { deny: globs(&["*_wipe"]), ..Rules::default() };
    let guarded = guarded().rules(rules).audit(Audit::open(&path).expect("a file"));
    let address = start(server(guarded.clone(), "127.0.0.1").expect("a server").key("secret"));
    call(address, "secret", "store_get");
    call(address, "secret", "store_wipe");
    ask_mcp(
        address,
        "secret",
        "tools/call",
        &json!({"name": "store_set", "arguments": {"password": "hidden"}}),
    );
    over_streams(&guarded, "store_get");

    let text = std::fs::read_to_string(&path).expect("a file");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told: Vec<[&str; 4]> = lines
        .iter()
        .map(|line| ["key", "protocol", "function", "outcome"].map(|name| line[name].as_str().unwrap_or("")))
        .collect();
    assert_eq!(
        told,
        [
            ["api-key 1", "opentool", "store_get", "ok"],
            ["api-key 1", "opentool", "store_wipe", "forbidden"],
            ["api-key 1", "mcp-http", "store_set", "ok"],
            ["stdio", "mcp-stdio", "store_get", "ok"],
        ]
    );
    assert!(lines.iter().all(|line| line["time"].is_string() && line["duration_us"].is_u64()), "{text}");
    assert!(!text.contains("hidden") && !text.contains("secret"), "{text}");

    let (_, metrics) = send(address, "GET /metrics", "secret", &Value::Null);
    for (protocol, function, outcome) in [
        ("opentool", "store_wipe", "forbidden"),
        ("mcp-http", "store_set", "ok"),
        ("mcp-stdio", "store_get", "ok"),
    ] {
        let line = format!(
            "opentool_calls_total{{function=\"{function}\",protocol=\"{protocol}\",outcome=\"{outcome}\"}} 1\n"
        );
        assert!(metrics.as_str().is_some_and(|text| text.contains(&line)), "{line}\nis not in\n{metrics}");
    }
}

#[test]
fn arguments_are_audited_only_if_asked_for() {
    let folder = Folder::new("arguments");
    let path = folder.0.join("audit.jsonl");
    let audit = Audit::open(&path).expect("a file").with_arguments();
    let address = start(server(guarded().audit(audit), "127.0.0.1").expect("a server"));
    ask_mcp(address, "", "tools/call", &json!({"name": "store_set", "arguments": {"a": [1]}}));
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(text.ends_with("\"arguments\":{\"a\":[1]}}\n"), "{text}");
}

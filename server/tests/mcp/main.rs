//! A tool served over the Model Context Protocol, checked message by message.

#![expect(clippy::expect_used, clippy::panic, reason = "test helpers may panic")]

mod jobs;
mod tasks;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentool::{Map, MapTool, OpenTool, ToolError};
use opentool_server::mcp::{self, HttpOptions};
use opentool_server::{Executor, Guarded};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::net::{TcpListener, TcpStream};

fn executor() -> Executor {
    let document: OpenTool = serde_json::from_value(json!({
        "opentool": "1.0.0",
        "info": {"title": "greeter", "description": "Greets.", "version": "2.1.0"},
        "functions": [{
            "name": "greet",
            "description": "A greeting.",
            "parameters": [{"name": "who", "schema": {"type": "string"}}],
            "return": {"name": "greeting", "schema": {"type": "string"}},
            "x-annotations": {"readOnly": true}
        }]
    }))
    .expect("a document");
    let tool = MapTool::new(|name, arguments| match (name, arguments.get("who")) {
        ("greet", Some(Value::String(who))) if who == "nobody" => panic!("nobody is there"),
        ("greet", Some(Value::String(who))) if who == "the busy" => {
            let outputs = Map::from_iter([("waiting".to_owned(), json!(3))]);
            Err(ToolError::call_failed_with(5, "come back").with_details(Some("BUSY".to_owned()), outputs))
        }
        ("greet", Some(Value::String(who))) => {
            if who == "the slow" {
                std::thread::sleep(Duration::from_millis(300));
            }
            Ok(Map::from_iter([("greeting".to_owned(), json!(format!("Hello, {who}!")))]))
        }
        ("greet", _) => Err(ToolError::invalid_arguments("/who", "expected a string")),
        _ => Err(ToolError::unknown_function(name, ["greet"])),
    });
    Executor::parallel(tool.described_by(document), 4)
}

/// Results of any size are shown.
fn unlimited() -> Guarded {
    Guarded::new(executor()).large_results(None)
}

/// A client that sends and receives lines.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    fn connect() -> Self {
        Self::connect_to(executor())
    }

    fn connect_to(guarded: impl Into<Guarded>) -> Self {
        let guarded = guarded.into();
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(async move { mcp::serve(&guarded, input, output).await });
        let (output, input) = tokio::io::split(ours);
        Self { input, output: BufReader::new(output).lines() }
    }

    async fn initialized() -> Self {
        Self::initialized_with(executor()).await
    }

    async fn initialized_with(guarded: impl Into<Guarded>) -> Self {
        let mut client = Self::connect_to(guarded);
        client.ask("initialize", initialize("2025-06-18")).await;
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})).await;
        let line = self.output.next_line().await.expect("the server answers").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    async fn next(&mut self) -> Value {
        let line = self.output.next_line().await.expect("the server answers").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    async fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments})).await
    }
}

fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

#[tokio::test]
async fn the_server_is_the_document() {
    for (asked, answered) in
        [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")]
    {
        let reply = Client::connect().ask("initialize", initialize(asked)).await;
        let result = &reply["result"];
        assert_eq!(result["serverInfo"], json!({"name": "greeter", "version": "2.1.0"}));
        assert_eq!(result["instructions"], "Greets.");
        assert_eq!(result["protocolVersion"], answered);
        assert!(result["capabilities"]["tools"].is_object(), "{reply}");
    }
}

#[tokio::test]
async fn a_client_of_the_newest_revision_needs_no_handshake() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}
    });
    let mut client = Client::connect();
    let reply = client.ask("server/discover", json!({"_meta": meta})).await;
    let versions = reply["result"]["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!("2026-07-28")), "{reply}");
    let params = json!({"name": "greet", "arguments": {"who": "Ada"}, "_meta": meta});
    let reply = client.ask("tools/call", params).await;
    assert_eq!(reply["result"]["structuredContent"], json!({"greeting": "Hello, Ada!"}), "{reply}");
}

#[tokio::test]
async fn the_list_has_schemas_and_hints() {
    let reply = Client::initialized_with(unlimited()).await.ask("tools/list", json!({})).await;
    assert_eq!(
        reply["result"]["tools"],
        json!([{
            "name": "greet", "description": "A greeting.",
            "inputSchema": {
                "type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"],
                "additionalProperties": false
            },
            "outputSchema": {
                "type": "object", "properties": {"greeting": {"type": "string"}}, "required": ["greeting"]
            },
            "annotations": {"readOnlyHint": true}
        }])
    );
    assert_eq!(reply["result"].get("nextCursor"), None);
    let reply = Client::initialized().await.ask("tools/list", json!({"cursor": "nowhere"})).await;
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
}

#[tokio::test]
async fn functions_that_change_are_listed_anew_and_announced() {
    let document = Arc::new(Mutex::new(executor().load()));
    let now = Arc::clone(&document);
    let executor = executor().described_by(move || now.lock().expect("no panic").clone());
    let mut client = Client::connect_to(executor);
    let reply = client.ask("initialize", initialize("2025-06-18")).await;
    assert_eq!(reply["result"]["capabilities"]["tools"], json!({"listChanged": true}));
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let name = |reply: &Value| reply["result"]["tools"][0]["name"].clone();
    assert_eq!(name(&client.ask("tools/list", json!({})).await), "greet");

    let mut changed = OpenTool::clone(document.lock().expect("no panic").as_ref().expect("a document"));
    changed.functions[0].name = "welcome".to_owned();
    *document.lock().expect("no panic") = Some(Arc::new(changed));
    let notice = client.call("greet", json!({"who": "Ada"})).await;
    assert_eq!(notice["method"], "notifications/tools/list_changed", "{notice}");
    assert_eq!(client.next().await["result"]["isError"], false);
    assert_eq!(name(&client.ask("tools/list", json!({})).await), "welcome");
    let reply = client.call("greet", json!({"who": "Ada"})).await;
    assert_eq!(reply["result"]["isError"], false, "it is announced once: {reply}");
}

#[tokio::test]
async fn a_result_is_structured_and_text() {
    let reply = Client::initialized().await.call("greet", json!({"who": "Ada"})).await;
    let text = json!([{"type": "text", "text": r#"{"greeting":"Hello, Ada!"}"#}]);
    let structured = json!({"greeting": "Hello, Ada!"});
    assert_eq!(reply["result"], json!({"content": text, "structuredContent": structured, "isError": false}));
}

#[tokio::test]
async fn what_a_model_can_correct_is_a_result_and_not_an_error() {
    let mut client = Client::initialized().await;
    for (arguments, message) in [
        (json!({"who": 7}), "invalid arguments: /who: expected a string"),
        (json!({}), "invalid arguments: /who: expected a string"),
        (json!({"who": "nobody"}), "the call failed: the tool panicked: nobody is there"),
    ] {
        let reply = client.call("greet", arguments).await;
        assert_eq!(reply["result"], json!({"content": [{"type": "text", "text": message}], "isError": true}));
    }
}

#[tokio::test]
async fn a_failed_call_has_its_code_its_name_and_its_outputs() {
    let mut client = Client::initialized().await;
    let reply = client.call("greet", json!({"who": "the busy"})).await;
    let text = |text: &str| json!({"type": "text", "text": text});
    let content =
        [text("the call failed with code 5 (BUSY): come back"), text(r#"{"outputs":{"waiting":3}}"#)];
    assert_eq!(reply["result"], json!({"content": content, "isError": true}));
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let reply = Client::initialized().await.call("gret", json!({})).await;
    assert_eq!(
        reply["error"],
        json!({"code": -32602, "message": "unknown function `gret`; did you mean `greet`?"})
    );
}

#[tokio::test]
async fn only_tools_are_supported_where_every_result_is_shown() {
    let mut client = Client::initialized_with(unlimited()).await;
    let complete =
        json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}});
    for (method, params) in [
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("completion/complete", complete),
        ("logging/setLevel", json!({"level": "info"})),
    ] {
        let reply = client.ask(method, params).await;
        assert_eq!(reply["error"]["code"], -32601, "{method}: {reply}");
    }
    assert_eq!(client.ask("ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn a_client_that_leaves_is_not_an_error() {
    for before in [&b""[..], b"not JSON\n", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"] {
        mcp::serve(&executor(), before, tokio::io::sink()).await.expect("it just left");
    }
}

#[tokio::test]
async fn calls_before_the_end_of_input_get_replies() {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    let served = tokio::spawn(async move { mcp::serve(&executor(), input, output).await });
    let (mut output, mut input) = tokio::io::split(ours);
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize("2025-06-18")}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "greet", "arguments": {"who": "the slow"}}}),
    ] {
        input.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }
    input.shutdown().await.expect("no more");
    let mut text = String::new();
    output.read_to_string(&mut text).await.expect("until it closes");
    assert!(text.contains("Hello, the slow!"), "{text}");
    served.await.expect("no panic").expect("no error");
}

/// The protocol does not allow it, but the servers of the Python and TypeScript SDKs reply to all of them too.
#[tokio::test]
async fn requests_with_the_same_id_all_get_replies() {
    for id in [json!(5), json!("five")] {
        let mut client = Client::initialized().await;
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "greet", "arguments": {"who": "Ada"}}});
        let (mut input, count) = (client.input, 1000);
        let text = format!("{call}\n").repeat(count);
        let writing = tokio::spawn(async move {
            input.write_all(text.as_bytes()).await.expect("the server reads");
            input
        });
        for number in 0..count {
            let line = tokio::time::timeout(Duration::from_secs(20), client.output.next_line()).await;
            let line = line.unwrap_or_else(|_| panic!("no reply after {number}")).expect("a stream");
            let reply: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
            assert_eq!(reply["id"], id);
            assert_eq!(reply["result"]["structuredContent"], json!({"greeting": "Hello, Ada!"}), "{reply}");
        }
        writing.await.expect("no panic");
    }
}

#[tokio::test]
async fn a_call_is_cancelled_by_the_id_of_the_client() {
    let mut client = Client::initialized().await;
    for message in [
        json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call",
            "params": {"name": "greet", "arguments": {"who": "the slow"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}}),
    ] {
        client.send(message).await;
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(client.ask("ping", json!({})).await, json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
}

#[tokio::test]
async fn a_name_of_a_megabyte_is_refused_in_a_short_message() {
    let mut client = Client::initialized().await;
    let long = "x".repeat(1 << 20);
    for reply in [
        client.call(&long, json!({})).await,
        client.call("greet", json!({"who": "Ada", &*long: 1})).await,
        client.ask("tools/list", json!({"cursor": long})).await,
        client.ask(&long, json!({})).await,
    ] {
        assert!(reply.to_string().len() < 5000, "{:.300}", reply.to_string());
    }
}

/// One request with the given headers.
async fn post(options: HttpOptions, headers: &str, body: &str) -> (u16, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = mcp::router(executor(), options).expect("it can be listed");
    tokio::spawn(async move { axum::serve(listener, router).await });
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{headers}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.expect("it answers");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    (head[9..12].parse().expect("a status"), body.to_owned())
}

const CALL: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"who":"Ada"}}}"#;

#[tokio::test]
async fn http_answers_without_a_session() {
    let (status, body) = post(HttpOptions::default(), "Host: localhost:17001\r\n", CALL).await;
    assert_eq!(status, 200, "{body}");
    let reply: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(reply["result"]["structuredContent"], json!({"greeting": "Hello, Ada!"}));
}

#[tokio::test]
async fn http_refuses_unknown_hosts_and_origins() {
    for (headers, expected) in [
        ("Host: 127.0.0.1:9\r\n", 200),
        ("Host: [::1]:9\r\n", 200),
        ("Host: evil.example\r\n", 403),
        ("Host: localhost\r\nOrigin: http://localhost:8080\r\n", 200),
        ("Host: localhost\r\nOrigin: https://evil.example\r\n", 403),
        ("Host: localhost\r\nOrigin: null\r\n", 403),
    ] {
        let (status, body) = post(HttpOptions::default(), headers, CALL).await;
        assert_eq!(status, expected, "{headers:?}: {body}");
    }
    let mut options = HttpOptions::default();
    options.allowed_hosts = vec!["tools.example".to_owned()];
    options.allowed_origins = Vec::new();
    assert_eq!(post(options.clone(), "Host: tools.example\r\n", CALL).await.0, 200);
    assert_eq!(post(options, "Host: tools.example\r\nOrigin: http://localhost\r\n", CALL).await.0, 403);
}

#[tokio::test]
async fn http_refuses_a_body_that_is_too_large() {
    let mut options = HttpOptions::default();
    options.max_body = CALL.len() - 1;
    assert_eq!(post(options.clone(), "Host: localhost\r\n", CALL).await.0, 413);
    options.max_body = CALL.len();
    assert_eq!(post(options, "Host: localhost\r\n", CALL).await.0, 200);
}

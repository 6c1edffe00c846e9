//! Our client with our server, over a real connection.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::sync::mpsc;
use std::thread;

use opentool::client::{Client, ClientError, RemoteTool, StreamEvent};
use opentool::{FunctionCall, Map, MapTool, OpenTool, Tool, ToolError, ToolSet, Value};
use opentool_server::Server;
use opentool_workflow::Workflow;
use serde_json::json;

const DOCUMENT: &str = r#"{"opentool":"1.0.0","info":{"title":"sums","version":"1.0.0"},"functions":[
  {"name":"add","description":"The sum.","parameters":[
    {"name":"a","schema":{"type":"integer"},"required":true},
    {"name":"b","schema":{"type":"integer"},"required":true}],
   "return":{"name":"sum","schema":{"type":"integer"}}},
  {"name":"divide","description":"Quotient and remainder.","parameters":[],
   "return":{"name":"results","schema":{"type":"object","properties":{
     "quotient":{"type":"integer"},"remainder":{"type":"integer"}}},"x-spread":true}},
  {"name":"point","description":"An object that is called results.","parameters":[],
   "return":{"name":"results","schema":{"type":"object","properties":{"x":{"type":"number"}}}}},
  {"name":"close","description":"Closes a handle.","parameters":[
    {"name":"db","schema":{"type":"string","x-handle":"db"},"required":true}],"return":null}]}"#;

fn sums() -> impl Tool + Send + Sync + 'static {
    let document = OpenTool::parse(DOCUMENT).expect("a valid document");
    let sums = MapTool::new(|name: &str, arguments: &Map<String, Value>| {
        if name != "add" {
            return Err(ToolError::unknown_function(name, ["add"]));
        }
        let number = |key: &str| {
            let value = arguments.get(key).and_then(Value::as_i64);
            value.ok_or_else(|| ToolError::invalid_arguments(format!("/{key}"), "not an integer"))
        };
        let sum = number("a")?
            .checked_add(number("b")?)
            .ok_or_else(|| ToolError::call_failed_with(7, "overflow"))?;
        Ok(Map::from_iter([("sum".to_owned(), json!(sum))]))
    });
    sums.described_by(document)
}

/// A server on a free port, until a client stops it.
fn server() -> (String, thread::JoinHandle<()>) {
    let (told, address) = mpsc::channel();
    let running = thread::spawn(move || {
        let server = Server::serial(sums()).port(0).version("3.1.4").key("secret");
        server.run(|address| told.send(address).expect("the test waits")).expect("it ends well");
    });
    (format!("http://{}/opentool", address.recv().expect("it listens")), running)
}

fn call(a: i64, b: i64) -> FunctionCall {
    let arguments = Map::from_iter([("a".to_owned(), json!(a)), ("b".to_owned(), json!(b))]);
    FunctionCall { id: "7".to_owned(), name: "add".to_owned(), arguments }
}

#[test]
fn the_client_understands_the_server() {
    let (url, running) = server();
    let client = Client::builder(&url).api_key("secret").build().expect("an address");
    assert_eq!(client.version().expect("a version").version, "3.1.4");
    assert_eq!(client.load().expect("a document"), sums().load());

    let reply = client.call(&call(2, 3)).expect("a sum");
    assert_eq!((reply.id.as_str(), Value::Object(reply.result)), ("7", json!({"sum": 5})));
    let events: Vec<StreamEvent> =
        client.stream_call(&call(2, 3)).expect("a stream").map(|event| event.expect("an event")).collect();
    assert!(matches!(
        events.as_slice(),
        [StreamEvent::Start { .. }, StreamEvent::Data(data), StreamEvent::Done { .. }]
            if data.result["sum"] == 5
    ));

    let stranger = Client::new(&url).expect("an address");
    assert!(matches!(stranger.call(&call(1, 1)), Err(ClientError::Unauthorized)));
    client.stop().expect("it stops");
    running.join().expect("no panic");
    assert!(matches!(client.call(&call(1, 1)), Err(ClientError::NoAccess(_))));
}

#[test]
fn a_remote_tool_has_the_errors_of_the_tool_itself() {
    let (url, running) = server();
    let client = Client::builder(&url).api_key("secret").build().expect("an address");
    let remote = RemoteTool::connect(client).expect("a document");
    for (name, arguments) in [
        ("add", json!({"a": 1, "b": 2})),
        ("add", json!({"a": 1})),
        ("add", json!({"a": i64::MAX, "b": 1})),
        ("ad", json!({})),
    ] {
        let here = sums().call_json(name, &arguments.to_string());
        let there = remote.call_json(name, &arguments.to_string());
        match (here, there) {
            (Ok(here), Ok(there)) => assert_eq!(here, there),
            (Err(here), Err(there)) => assert_eq!(here.code(), there.code(), "{name} {arguments}: {there}"),
            (here, there) => panic!("{name} {arguments}: {here:?} here, {there:?} there"),
        }
    }

    // It can also be a member of a set that a workflow calls.
    let set = ToolSet::builder().add("remote", remote).build().expect("no collision");
    let workflow = Workflow::parse(
        r##"{"openworkflow":"1.0.0","info":{"title":"t","version":"1.0.0"},"workflow":{
          "start":{"function":"add","arguments":{"a":1,"b":2},"results":{"sum":0},"next":"again"},
          "again":{"function":"add","arguments":{"a":"#/start/results/sum","b":4},"results":{"sum":0},"next":"null"}}}"##,
    )
    .expect("a workflow");
    let record = workflow.run(&set, |_| {}).expect("two sums");
    let record = serde_json::to_value(record).expect("JSON").to_string();
    assert!(record.contains(r#""sum":7"#), "{record}");

    Client::builder(&url).api_key("secret").build().expect("an address").stop().expect("it stops");
    running.join().expect("no panic");
}

#[test]
fn a_remote_document_keeps_x_spread_and_x_handle() {
    let (url, running) = server();
    let client = Client::builder(&url).api_key("secret").build().expect("an address");
    let remote = RemoteTool::connect(client).expect("a document");
    let document = remote.load().expect("a document");
    let tools = opentool::export::mcp_tools(&document).expect("every function can be exported");
    let output = |index: usize| tools[index]["outputSchema"]["properties"].clone();
    assert_eq!(output(1), json!({"quotient": {"type": "integer"}, "remainder": {"type": "integer"}}));
    assert_eq!(output(2), json!({"results": {"type": "object", "properties": {"x": {"type": "number"}}}}));
    let handle = document.function("close").and_then(|close| close.parameters[0].schema.handle.as_deref());
    assert_eq!(handle, Some("db"));
    remote.client().stop().expect("it stops");
    running.join().expect("no panic");
}

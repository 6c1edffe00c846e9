//! The responses of the routes.

use opendyn::opentool::{MapTool, ToolError};
use opendyn::server::Server;
use serde_json::json;

use crate::http::{Connection, call, get, post, rpc, start};
use crate::server;

const DIVIDE: &str = r#"{"a":17,"b":5}"#;

#[test]
fn version_is_what_the_server_was_given() {
    let running = start(server().version("2.3.4"));
    let response = running.send(&get("/opentool/version"));
    assert_eq!((response.status, response.text()), (200, r#"{"version":"2.3.4"}"#));
    assert_eq!(response.header("content-type"), Some("application/json"));
}

#[test]
fn load_is_the_document_or_an_empty_object() {
    let document = start(server()).send(&get("/opentool/load")).json();
    assert_eq!(document["info"]["title"], "shapes");
    assert!(document["functions"].as_array().is_some_and(|functions| functions.len() > 10));
    let bare = start(Server::serial(MapTool::new(|_, arguments| Ok(arguments.clone()))));
    assert_eq!(bare.send(&get("/opentool/load")).text(), "{}");
}

#[test]
fn a_call_is_answered_with_result_and_error_both() {
    let response = start(server()).send(&call("shape_divide", DIVIDE, r#""x""#));
    assert_eq!(
        (response.status, response.text()),
        (200, r#"{"jsonrpc":"2.0","result":{"code":0,"quotient":3,"remainder":2},"error":null,"id":"x"}"#)
    );
}

#[test]
fn ids_come_back_as_they_came() {
    let running = start(server());
    for id in [r#""\u0078 \"""#, "7", "1.50", "123456789012345678901234567890", "null"] {
        let response = running.send(&call("shape_get", "{}", id));
        assert!(response.text().ends_with(&format!(r#""id":{id}}}"#)), "{}", response.text());
    }
    let without = running.send(&post("/opentool/call", r#"{"jsonrpc":"2.0","method":"shape_get"}"#));
    assert!(without.text().ends_with(r#","error":null,"id":null}"#), "{}", without.text());
}

#[test]
fn a_stream_is_start_then_data_or_error_then_done() {
    let running = start(server());
    let response = running.send(&post("/opentool/streamCall", rpc("shape_divide", DIVIDE, "1")));
    assert_eq!((response.status, response.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(
        response.text(),
        "event:start\ndata:{\"start\":\"shape_divide\"}\n\n\
         event:data\ndata:{\"jsonrpc\":\"2.0\",\"result\":{\"code\":0,\"quotient\":3,\"remainder\":2},\"error\":null,\"id\":1}\n\n\
         event:done\ndata:{\"done\":\"shape_divide\"}\n\n"
    );
    let response = running.send(&post("/opentool/streamCall", rpc("shape_divid", DIVIDE, "1")));
    let events: Vec<&str> = response.text().lines().filter(|line| line.starts_with("event:")).collect();
    assert_eq!((response.status, events), (200, vec!["event:start", "event:error", "event:done"]));
    assert!(response.text().contains("did you mean `shape_divide`?"), "{}", response.text());
}

#[test]
fn stop_ends_the_server() {
    let running = start(server().key("k"));
    let response = running.send(&post("/opentool/stop", "").key("k"));
    assert_eq!((response.status, response.text()), (200, r#"{"status":"stopped"}"#));
    let address = running.address;
    running.ended();
    assert!(Connection::open(address).is_err(), "the port is closed");
}

#[test]
fn metrics_count_calls_by_function_and_outcome() {
    let running = start(server());
    for arguments in [DIVIDE, DIVIDE, r#"{"a":1}"#] {
        running.send(&call("shape_divide", arguments, "1"));
    }
    running.send(&call("made_up", "{}", "1"));
    let response = running.send(&get("/metrics"));
    assert_eq!(response.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in [
        "opentool_calls_total{function=\"shape_divide\",protocol=\"opentool\",outcome=\"ok\"} 2",
        "opentool_calls_total{function=\"shape_divide\",protocol=\"opentool\",outcome=\"invalid_arguments\"} 1",
        "opentool_calls_total{function=\"\",protocol=\"opentool\",outcome=\"unknown_function\"} 1",
        "opentool_call_duration_seconds_count{function=\"shape_divide\"} 3",
        "opentool_calls_waiting 0",
        "opentool_calls_running 0",
    ] {
        assert!(response.text().lines().any(|found| found == line), "{line}\nis not in\n{}", response.text());
    }
}

#[test]
fn a_panic_of_the_tool_is_an_error_and_the_server_continues() {
    let tool = MapTool::new(|name, arguments| match name {
        "echo" => Ok(arguments.clone()),
        _ => Err(ToolError::call_failed(format!("{}", [0][name.len()]))),
    });
    let running = start(Server::serial(tool));
    let (status, code, message) = running.send(&call("panic", "{}", "1")).error();
    assert_eq!((status, code), (200, 500));
    assert!(message.contains("the tool panicked: index out of bounds"), "{message}");
    assert_eq!(running.send(&call("echo", r#"{"a":1}"#, "1")).json()["result"], json!({"a": 1}));
}

#[test]
fn a_connection_serves_many_requests() {
    let running = start(server());
    let mut connection = running.connect();
    for number in 0..100 {
        let response = connection.send(&call("shape_divide", DIVIDE, &number.to_string()));
        assert_eq!(response.expect("the connection is kept").json()["id"], number);
    }
    // Also after errors.
    let refused = connection.send(&post("/opentool/call", "nonsense")).expect("the connection is kept");
    assert_eq!(refused.status, 400);
    assert_eq!(connection.send(&get("/opentool/version")).expect("the connection is kept").status, 200);
}

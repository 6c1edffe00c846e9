//! Calls that take long, for clients that know tasks and for those that do not.

use std::time::Duration;

use opentool::{CallContext, OpenTool, Progress, Tool, ToolError};
use opentool_server::Executor;
use serde_json::{Value, json};

use super::{Client, initialize};

/// A client of the newest revision that knows tasks.
fn with_tasks(params: Value) -> Value {
    let Value::Object(mut params) = params else { panic!("an object") };
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}
    });
    params.insert("_meta".to_owned(), meta);
    Value::Object(params)
}

/// Waits as long as it is told, unless it is cancelled, and tells how far it is.
pub(crate) struct Waits;

impl Tool for Waits {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_for(&CallContext::default(), name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let arguments: Value = serde_json::from_slice(arguments).expect("JSON");
        if name != "wait" {
            return Err(ToolError::unknown_function(name, ["wait"]));
        }
        let steps = arguments["steps"].as_u64().unwrap_or_default();
        for step in 1..=steps {
            context.report(Progress { done: step as f64, total: Some(steps as f64), message: None });
            std::thread::sleep(Duration::from_millis(100));
            if context.is_cancelled() {
                return Err(ToolError::call_failed("it was stopped"));
            }
        }
        out.extend_from_slice(json!({"waited": steps}).to_string().as_bytes());
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        serde_json::from_value(json!({
            "opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": [{
                "name": "wait", "description": "Waits.",
                "parameters": [{"name": "steps", "schema": {"type": "integer"}}],
                "return": {"name": "waited", "schema": {"type": "integer"}}
            }]
        }))
        .ok()
    }
}

#[tokio::test]
async fn a_long_call_is_a_task_for_a_client_that_knows_tasks() {
    let mut client = Client::connect_to(Executor::parallel(Waits, 4));
    let short = with_tasks(json!({"name": "wait", "arguments": {"steps": 1}}));
    let reply = client.ask("tools/call", short).await;
    assert_eq!(reply["result"]["structuredContent"], json!({"waited": 1}), "{reply}");
    let wait = |steps: u64| with_tasks(json!({"name": "wait", "arguments": {"steps": steps}}));
    let begun = client.ask("tools/call", wait(40)).await["result"].clone();
    assert_eq!((&begun["resultType"], &begun["status"]), (&json!("task"), &json!("working")), "{begun}");
    let of = |begun: &Value| with_tasks(json!({"taskId": begun["taskId"]}));
    let now = client.ask("tasks/get", of(&begun)).await["result"].clone();
    assert!(now["statusMessage"].as_str().is_some_and(|message| message.ends_with(" of 40")), "{now}");
    let mut ended = now;
    while ended["status"] == "working" {
        tokio::time::sleep(Duration::from_millis(100)).await;
        ended = client.ask("tasks/get", of(&begun)).await["result"].clone();
    }
    assert_eq!(ended["status"], "completed", "{ended}");
    assert_eq!(ended["result"]["structuredContent"], json!({"waited": 40}), "{ended}");

    let endless = client.ask("tools/call", wait(100_000)).await["result"].clone();
    let cancelled = client.ask("tasks/cancel", of(&endless)).await;
    assert!(cancelled["error"].is_null(), "{cancelled}");
    let state = client.ask("tasks/get", of(&endless)).await["result"].clone();
    assert_eq!(state["status"], "cancelled", "{state}");
    let unknown = client.ask("tasks/get", with_tasks(json!({"taskId": "invented"}))).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[tokio::test]
async fn a_client_that_knows_no_tasks_waits() {
    let mut client = Client::initialized_with(Executor::parallel(Waits, 4)).await;
    let reply = client.call("wait", json!({"steps": 35})).await;
    assert_eq!(reply["result"]["structuredContent"], json!({"waited": 35}), "{reply}");
}

#[tokio::test]
async fn a_client_that_begins_with_a_handshake_can_know_tasks_too() {
    let mut client = Client::connect_to(Executor::parallel(Waits, 4));
    let mut hello = initialize("2025-11-25");
    hello["capabilities"]["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
    client.ask("initialize", hello).await;
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let begun = client.call("wait", json!({"steps": 40})).await["result"].clone();
    let mut now = client.ask("tasks/get", json!({"taskId": begun["taskId"]})).await["result"].clone();
    assert_eq!(now["status"], "working", "{begun}");
    while now["status"] == "working" {
        tokio::time::sleep(Duration::from_millis(100)).await;
        now = client.ask("tasks/get", json!({"taskId": begun["taskId"]})).await["result"].clone();
    }
    assert_eq!(now["result"]["structuredContent"], json!({"waited": 40}), "{now}");
}

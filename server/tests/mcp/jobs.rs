//! Calls that go on after the client has a reply: the rules and the audit log are those of any call.

use std::time::Duration;

use opentool_server::{Audit, Executor, Guarded, Limits, Rules};
use serde_json::{Value, json};

use super::Client;
use super::tasks::Waits;

/// A server whose calls may take long.
fn patient() -> Guarded {
    let limits = Limits { deadline: None, ..Limits::default() };
    Guarded::new(Executor::parallel(Waits, 4).with_limits(limits))
}

/// What `call_tool` replies, as text.
async fn asked(client: &mut Client, arguments: Value) -> String {
    let reply = client.call("call_tool", arguments).await;
    reply["result"]["content"][0]["text"].as_str().expect("text").to_owned()
}

#[tokio::test]
async fn a_job_is_written_to_the_audit_log_when_it_is_cancelled() {
    let path = std::env::temp_dir().join(format!("opentool-jobs-{}.log", std::process::id()));
    let audit = Audit::open(&path).expect("a file");
    let mut client = Client::initialized_with(patient().audit(audit)).await;
    let begun = asked(&mut client, json!({"name": "wait", "arguments": {"steps": 100_000}, "wait": 0.2}));
    let begun: Value = serde_json::from_str(&begun.await).expect("JSON");
    assert_eq!((&begun["state"], &begun["function"]), (&json!("running"), &json!("wait")), "{begun}");
    let log = || std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(log(), "", "it runs");
    let cancelled = asked(&mut client, json!({"job": begun["job"], "cancel": true})).await;
    assert!(cancelled.contains("cancelled"), "{cancelled}");
    for _ in 0..500 {
        if !log().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let line: Value = serde_json::from_str(log().trim_end()).expect("one line");
    assert_eq!((&line["function"], &line["outcome"]), (&json!("wait"), &json!("cancelled")), "{line}");
    std::fs::remove_file(&path).expect("it is ours");
}

#[tokio::test]
async fn a_job_is_refused_where_its_call_would_be() {
    let rules = Rules { deny: vec!["wa*".to_owned()], ..Rules::default() };
    let mut client = Client::initialized_with(patient().rules(rules)).await;
    let refused = asked(&mut client, json!({"name": "wait", "arguments": {"steps": 1}, "wait": 30})).await;
    assert_eq!(refused, "`wait` is not allowed: this server has `--deny 'wa*'`");
}

#[tokio::test]
async fn another_client_has_no_job_of_this_one() {
    let guarded = patient();
    let mut one = Client::initialized_with(guarded.clone()).await;
    let mut other = Client::initialized_with(guarded).await;
    let begun = asked(&mut one, json!({"name": "wait", "arguments": {"steps": 10}, "wait": 0.1})).await;
    let begun: Value = serde_json::from_str(&begun).expect("JSON");
    let unknown = asked(&mut other, json!({"job": begun["job"]})).await;
    assert!(unknown.contains("there is no job"), "{unknown}");
    let ended = asked(&mut one, json!({"job": begun["job"], "wait": 60})).await;
    assert_eq!(ended, r#"{"waited":10}"#);
}

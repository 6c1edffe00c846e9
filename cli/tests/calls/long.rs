//! Calls that take long, and results that are large: what clients get, from a library in a worker and from one in this
//! process.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::mcp::{Session, official_with};
use crate::serve::Server;
use crate::{compiled, opendyn};

const STEPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls/steps.json");

fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| compiled("steps"))
}

/// `serve` or `mcp`, with these options.
fn served(command: &str, options: &[&str]) -> Vec<String> {
    let all = [&[command, STEPS, "--library", library()], options].concat();
    all.into_iter().map(str::to_owned).collect()
}

fn start(arguments: &[String]) -> std::process::Command {
    opendyn(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The text of a reply.
fn text(reply: &Value) -> &str {
    reply["content"][0]["text"].as_str().expect("text")
}

#[test]
fn a_client_that_asks_is_told_how_far_a_call_is() {
    for options in [&[][..], &["--in-process"]] {
        let mut session = Session::start(&mut start(&served("mcp", options)));
        let call = json!({"name": "steps", "arguments": {"count": 4, "milliseconds": 150}});
        let reply = session.ask("tools/call", call.clone());
        assert_eq!((&reply["structuredContent"], session.notices.len()), (&json!({}), 0), "it did not ask");
        let mut asking = call;
        asking["_meta"] = json!({"progressToken": "é"});
        let reply = session.ask("tools/call", asking);
        assert_eq!(reply["structuredContent"], json!({}), "{reply}");
        let told: Vec<Value> = session.heard.iter().map(|notice| notice["params"].clone()).collect();
        let step = |done: u8, message: &str| json!({"progressToken": "é", "progress": f64::from(done), "total": 4.0, "message": message});
        assert_eq!((told.first(), told.last()), (Some(&step(1, "stepping")), Some(&step(4, "arrived"))));
        assert!(session.notices.iter().all(|method| method == "notifications/progress"));
        session.end();
    }
}

#[test]
fn a_stream_of_opentool_tells_how_far_a_call_is() {
    let server = Server::start(&mut start(&served("serve", &[])));
    let address = server.url.strip_prefix("http://").expect("an address");
    let body =
        json!({"jsonrpc": "2.0", "id": "1", "method": "steps", "params": {"count": 3, "milliseconds": 150}});
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(
        stream,
        "POST /opentool/streamCall HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("text");
    let events: Vec<&str> = reply.lines().filter(|line| line.starts_with("event:")).collect();
    assert_eq!(events.first(), Some(&"event:start"), "{reply}");
    assert!(events.iter().filter(|event| **event == "event:progress").count() >= 2, "{reply}");
    assert_eq!(events[events.len() - 2..], ["event:data", "event:done"], "{reply}");
    let last = r#"data:{"done":3,"total":3,"message":"arrived"}"#;
    assert!(
        reply.contains(r#"data:{"done":1,"total":3,"message":"stepping"}"#) && reply.contains(last),
        "{reply}"
    );
    server.end("-TERM");
}

#[test]
fn a_large_result_is_read_in_parts() {
    for options in [&["--large-result", "1000"][..], &["--large-result", "1000", "--list", "search"]] {
        let mut session = Session::start(&mut start(&served("mcp", options)));
        let reply = match options.len() {
            2 => session.call("repeated", json!({"count": 5000})),
            _ => session.call("call_tool", json!({"name": "repeated", "arguments": {"count": 5000}})),
        };
        assert!(text(&reply).contains("has 5011 bytes") && text(&reply).len() < 2000, "{reply}");
        let uri = reply["content"][1]["uri"].as_str().expect("a link").to_owned();
        let id = uri.strip_prefix("result://").expect("a result");
        let part = session.call("read_result", json!({"id": id, "offset": 9, "length": 4}));
        assert_eq!(
            (text(&part), &part["content"][1]["text"]),
            ("xxxx", &json!("4998 more bytes: go on at offset 13."))
        );
        let whole = session.ask("resources/read", json!({"uri": uri}));
        let whole: Value =
            serde_json::from_str(whole["contents"][0]["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(whole, json!({"text": "x".repeat(5000)}));
        assert_eq!(reply["content"][1]["size"], 5011, "{reply}");
        let listed = session.ask("resources/list", json!({}));
        assert_eq!(listed["resources"], json!([]), "it is known to whoever made the call");
        session.end();
    }
    let mut session = Session::start(&mut start(&served("mcp", &["--large-result", "0"])));
    let reply = session.call("repeated", json!({"count": 500_000}));
    assert_eq!(reply["structuredContent"]["text"].as_str().map(str::len), Some(500_000));
    session.end();
}

#[test]
fn a_call_goes_on_as_a_job_that_is_waited_for_or_cancelled() {
    for options in [&["--deadline", "120"][..], &["--deadline", "120", "--list", "search", "--in-process"]] {
        let mut session = Session::start(&mut start(&served("mcp", options)));
        let mut begin = |count: u64| {
            let steps = json!({"count": count, "milliseconds": 200});
            let reply = session.call("call_tool", json!({"name": "steps", "arguments": steps, "wait": 1}));
            serde_json::from_str::<Value>(text(&reply)).expect("JSON")
        };
        let (short, long) = (begin(20), begin(500));
        assert_eq!(
            (&short["state"], &short["progress"]["total"]),
            (&json!("running"), &json!(20)),
            "{short}"
        );
        let ended = session.call("call_tool", json!({"job": short["job"], "wait": 30}));
        assert_eq!((text(&ended), &ended["isError"]), ("{}", &json!(false)), "{ended}");
        let running = session.call("call_tool", json!({"job": long["job"], "wait": 0}));
        assert!(text(&running).contains(r#""state":"running""#), "{running}");
        let cancelled = session.call("call_tool", json!({"job": long["job"], "cancel": true}));
        assert!(text(&cancelled).contains(r#""state":"cancelled""#), "{cancelled}");
        for gone in [&short["job"], &long["job"], &json!("invented")] {
            let reply = session.call("call_tool", json!({"job": gone}));
            assert!(reply["isError"] == true && text(&reply).contains("there is no job"), "{reply}");
        }
        // It is not waited for at the end: `stop` of the callback has ended it.
        session.end();
    }
    let mut session = Session::start(&mut start(&served("mcp", &[])));
    let listed = session.ask("tools/list", json!({})).to_string();
    assert!(!listed.contains("call_tool"), "a minute is not long: {listed}");
    session.end();
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_official_client_is_told_reads_parts_and_waits_for_jobs_over_both_transports() {
    let options = ["--deadline", "120", "--large-result", "1000"];
    let server = Server::start(&mut start(&served("serve", &options)));
    official_with("long.py", &[&format!("{}/mcp", server.url)]);
    let mut command = vec![env!("CARGO_BIN_EXE_opendyn").to_owned()];
    command.extend(served("mcp", &options));
    official_with("long.py", &command.iter().map(String::as_str).collect::<Vec<_>>());
}

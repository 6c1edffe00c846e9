//! Numbers keep their value on every path that parses them into a tree of values.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::fmt::Write;

use opentool::{MapTool, OpenTool, Tool, ToolError};
use opentool_server::mcp::{self, HttpOptions};
use opentool_server::{Executor, Guarded};
use opentool_workflow::Workflow;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Returns the text of its arguments.
struct Echo;

impl Tool for Echo {
    fn call_into(&self, _: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        out.extend_from_slice(arguments);
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        let xs = r#"{"name":"xs","schema":{"type":"array","items":{"type":"number"}},"required":true}"#;
        let document = format!(
            r#"{{"opentool":"1.0.0","info":{{"title":"t","version":"1"}},"functions":[
              {{"name":"echo","description":"The same.","parameters":[{xs}],"return":{xs}}}]}}"#
        );
        serde_json::from_str(&document).ok()
    }
}

/// A server that shows results of any size.
fn shown() -> Guarded {
    Guarded::new(Executor::serial(Echo)).large_results(None)
}

/// Doubles of all magnitudes, in several spellings, and integers that a double cannot represent.
fn numbers() -> Vec<String> {
    let mut numbers: Vec<String> = ["3.42823e38", "5e-324", "2.2250738585072011e-308", "0.1", "-0.0"]
        .into_iter()
        .chain(["1.7976931348623157e308", "9007199254740993", "18446744073709551615", "-9223372036854775808"])
        .map(str::to_owned)
        .collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..2000 {
        let bits = random();
        let double = f64::from_bits(bits);
        if double.is_finite() {
            numbers.extend([format!("{double:e}"), format!("{double:.17e}")]);
        }
        let ordinary = (bits >> 11) as f64 / 1e12;
        numbers.extend([format!("{ordinary:?}"), bits.to_string(), (bits as i64).to_string()]);
    }
    numbers
}

fn object(numbers: &[String]) -> String {
    format!(r#"{{"xs":[{}]}}"#, numbers.join(","))
}

/// Compares the numbers of a reply: integers as text, doubles by value.
fn assert_same(numbers: &[String], object: &str, what: &str) {
    let (_, list) = object.split_once('[').expect(what);
    let (list, _) = list.split_once(']').expect(what);
    let came: Vec<&str> = list.split(',').map(str::trim).collect();
    assert_eq!(came.len(), numbers.len(), "{what}");
    let mut wrong = String::new();
    for (sent, came) in numbers.iter().zip(came) {
        let is_same = match sent.contains(['.', 'e']) {
            true => {
                let bits = |text: &str| text.parse::<f64>().map(f64::to_bits);
                bits(sent) == bits(came)
            }
            false => sent == came,
        };
        if !is_same && wrong.len() < 500 {
            let _ = write!(wrong, " {sent} became {came};");
        }
    }
    assert!(wrong.is_empty(), "{what}:{wrong}");
}

#[derive(Deserialize)]
struct Reply<'a> {
    #[serde(borrow)]
    result: CallResult<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    #[serde(borrow)]
    structured_content: &'a RawValue,
    content: Vec<Content>,
}

#[derive(Deserialize)]
struct Content {
    text: String,
}

fn request(numbers: &[String]) -> String {
    let arguments = object(numbers);
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#
    )
}

fn assert_same_reply(numbers: &[String], reply: &str, what: &str) {
    let Reply { result } = serde_json::from_str(reply).expect("a result");
    assert_same(numbers, result.structured_content.get(), &format!("structuredContent over {what}"));
    assert_same(numbers, &result.content[0].text, &format!("text over {what}"));
}

#[test]
fn call_json_passes_numbers_unchanged() {
    let numbers = numbers();
    let reply = Echo.call_json("echo", &object(&numbers)).expect("an echo");
    assert_eq!(reply, object(&numbers));
}

#[tokio::test]
async fn mcp_over_stdio_passes_numbers_unchanged() {
    let numbers = numbers();
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let input = format!("{hello}\n{ready}\n{}\n", request(&numbers));
    let (ours, theirs) = tokio::io::duplex(1 << 22);
    let (reader, writer) = tokio::io::split(theirs);
    let served = tokio::spawn(async move { mcp::serve(&shown(), reader, writer).await });
    let (mut output, mut sink) = tokio::io::split(ours);
    sink.write_all(input.as_bytes()).await.expect("it reads");
    sink.shutdown().await.expect("no more");
    let mut text = String::new();
    output.read_to_string(&mut text).await.expect("until it closes");
    served.await.expect("no panic").expect("no error");
    assert_same_reply(&numbers, text.lines().nth(1).expect("two replies"), "stdio");
}

#[tokio::test]
async fn mcp_over_http_passes_numbers_unchanged() {
    let numbers = numbers();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = mcp::router(shown(), HttpOptions::default()).expect("a router");
    tokio::spawn(async move { axum::serve(listener, router).await });
    let body = request(&numbers);
    let head = format!(
        "POST /mcp HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all((head + &body).as_bytes()).await.expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.expect("it answers");
    assert_same_reply(&numbers, reply.split_once("\r\n\r\n").expect("a head").1, "HTTP");
}

#[test]
fn maps_pass_numbers_unchanged() {
    let numbers = numbers();
    let tool = MapTool::new(|_, arguments| Ok(arguments.clone()));
    let reply = tool.call_json("echo", &object(&numbers)).expect("an echo");
    assert_same(&numbers, &reply, "a map");
}

#[test]
fn a_workflow_passes_numbers_unchanged() {
    let numbers = numbers();
    let workflow = Workflow::parse(&format!(
        r##"{{"openworkflow":"1.0.0","info":{{"title":"t","version":"1.0.0"}},"workflow":{{
          "start":{{"function":"echo","arguments":{},"results":{{"xs":[]}},"next":"again"}},
          "again":{{"function":"echo","arguments":{{"xs":"#/start/results/xs"}},"results":{{"xs":[]}},"next":"null"}}}}}}"##,
        object(&numbers)
    ))
    .expect("a workflow");
    let record = workflow.run(&Echo, |_| {}).expect("two echoes");
    let record = serde_json::to_string(&record).expect("JSON");
    let last = record.rsplit_once(r#""xs":"#).expect("a result").1;
    assert_same(&numbers, last, "a workflow");
}

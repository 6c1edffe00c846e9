//! A workflow beside a library, as a tool of an MCP server.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::{COUNT, DOCUMENT, HALF, file, library, opendyn, refused};

/// A client on the standard streams.
struct Client {
    server: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Client {
    fn start(arguments: &[&str]) -> Self {
        let mut command = opendyn(&[&["mcp"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("it starts");
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe")).lines();
        let mut client = Self { server, input, output };
        let about = json!({"name": "t", "version": "1"});
        client.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}),
        );
        writeln!(client.input, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)
            .expect("it reads");
        client
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        writeln!(self.input, "{request}").expect("it reads");
        loop {
            let line = self.output.next().expect("it answers").expect("text");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message.get("id").is_some() {
                return message;
            }
        }
    }

    fn tools(&mut self) -> Vec<Value> {
        self.ask("tools/list", json!({}))["result"]["tools"].as_array().expect("a list").clone()
    }

    fn names(&mut self) -> Vec<String> {
        self.tools().iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))["result"].clone()
    }

    /// Ends the server, and returns what it said.
    fn end(self) -> String {
        let Self { mut server, input, .. } = self;
        drop(input);
        let mut said = String::new();
        server.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        server.wait().expect("it ends");
        said
    }
}

#[test]
fn a_workflow_is_a_tool_with_its_inputs_and_outputs() {
    let workflow = file("run-served", "count.json", COUNT);
    let mut client = Client::start(&[&workflow, DOCUMENT, "--library", library()]);
    let tools = client.tools();
    let count = tools.iter().find(|tool| tool["name"] == "count").expect("it is listed");
    assert_eq!(count["description"], "The second number.");
    assert_eq!(count["inputSchema"]["properties"]["from"]["type"], "integer");
    assert_eq!(count["inputSchema"]["properties"]["from"]["minimum"], 0);
    assert_eq!(count["inputSchema"].get("required").cloned().unwrap_or(json!([])), json!([]));
    assert_eq!(count["outputSchema"]["properties"]["second"]["type"], "integer");

    assert_eq!(client.call("count", json!({"from": 10}))["structuredContent"], json!({"second": 12}));
    let refused = client.call("count", json!({"from": -1}));
    assert_eq!(refused["isError"], true);
    assert!(
        refused["content"][0]["text"].as_str().is_some_and(|text| text.contains("/from: -1")),
        "{refused}"
    );
    client.end();
}

#[test]
fn functions_that_it_uses_can_be_hidden() {
    let workflow = file("run-hidden", "count.json", COUNT);
    let mut client = Client::start(&[&workflow, DOCUMENT, "--library", library()]);
    // `x-tool` in the document.
    assert!(!client.names().contains(&"counter_next".to_owned()));
    client.end();

    // Rules of the operator.
    let mut client = Client::start(&[&workflow, DOCUMENT, "--library", library(), "--allow", "count"]);
    assert_eq!(client.names(), ["count"]);
    assert_eq!(client.call("count", json!({}))["structuredContent"], json!({"second": 6}));
    let refused = client.call("half", json!({"of": 2}));
    assert_eq!(refused["isError"], true, "{refused}");
    client.end();
}

#[test]
fn a_failing_step_is_an_error_that_names_it() {
    let workflow = file("run-served-failing", "halve.json", HALF);
    let mut client = Client::start(&[&workflow, DOCUMENT, "--library", library()]);
    let failed = client.call("halve", json!({"of": 7}));
    let text = failed["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert!(failed["isError"] == true && text.contains("step `start`"), "{failed}");
    assert!(text.contains("Give an even number."), "{failed}");
    client.end();
}

#[test]
fn a_changed_workflow_is_used_and_one_with_errors_is_not() {
    let workflow = file("run-reloaded", "halve.json", HALF);
    let mut client = Client::start(&[&workflow, DOCUMENT, "--library", library()]);
    let half = |client: &mut Client| client.call("halve", json!({"of": 8}))["structuredContent"].clone();
    assert_eq!(half(&mut client), json!({"half": 4}));

    let outputs = r##""x-outputs": {"it": {"value": "#/start/results/half"}}, "workflow""##;
    std::fs::write(&workflow, HALF.replace("\"workflow\"", outputs)).expect("it can be written");
    assert_eq!(half(&mut client), json!({"it": 4}));
    std::fs::write(&workflow, HALF.replace("\"half\"", "\"halve\"")).expect("it can be written");
    assert_eq!(half(&mut client), json!({"it": 4}));
    let said = client.end();
    assert!(said.contains("halve.json` was read again"), "{said}");
    assert!(said.contains("halve.json:4:38: there is no function"), "{said}");
    assert!(said.contains("the last good version of"), "{said}");
}

#[test]
fn a_workflow_that_does_not_fit_is_not_served() {
    let text = COUNT.replace("counter_open", "counter_opn");
    let workflow = file("run-unfit", "count.json", &text);
    let said = refused(&mut opendyn(&["serve", &workflow, DOCUMENT, "--library", library()]));
    assert!(said.contains("count.json:6:27: there is no function"), "{said}");
    assert!(!said.contains("loaded"), "{said}");

    let clashing = file("run-clash", "half.json", HALF);
    let said = refused(&mut opendyn(&["serve", &clashing, DOCUMENT, "--library", library()]));
    assert!(said.contains("`half` is a function of") && said.contains("--prefix"), "{said}");
}

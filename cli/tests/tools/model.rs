//! A client that knows only what a model is shown: the instructions, the list, and what its searches found.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub(crate) struct Model {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The instructions.
    pub(crate) instructions: String,
    /// The tools of the list.
    pub(crate) listed: Vec<Value>,
    /// The functions whose arguments it was shown.
    known: HashSet<String>,
    /// What the last reply said beside its result.
    pub(crate) beside: Vec<String>,
    /// How many tools it has called.
    pub(crate) calls: usize,
}

impl Model {
    /// At `opendyn mcp` with these arguments; documents and scripts are those of `examples`.
    pub(crate) fn at(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_opendyn"));
        command.arg("mcp").args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("it starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let mut model = Self {
            process,
            input,
            output,
            instructions: String::new(),
            listed: Vec::new(),
            known: HashSet::new(),
            beside: Vec::new(),
            calls: 0,
        };
        let about = json!({"name": "test", "version": "1"});
        let begun = model.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}),
        );
        model.instructions = begun["result"]["instructions"].as_str().unwrap_or_default().to_owned();
        model.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let reply = model.ask("tools/list", &json!({}));
        model.listed = reply["result"]["tools"].as_array().expect("a list").clone();
        let names = model.listed.iter().filter_map(|tool| tool["name"].as_str());
        model.known = names.map(str::to_owned).collect();
        model
    }

    fn say(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("open until the end");
        writeln!(input, "{message}").expect("it reads");
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a reply");
        serde_json::from_str(&line).expect("JSON")
    }

    /// One call of a tool, as text.
    fn tool(&mut self, name: &str, arguments: &Value) -> Result<String, String> {
        self.calls += 1;
        let reply = self.ask("tools/call", &json!({"name": name, "arguments": arguments}));
        let result = &reply["result"];
        let blocks = result["content"].as_array().into_iter().flatten();
        let mut texts = blocks.filter_map(|block| block["text"].as_str().map(str::to_owned));
        let text = texts.next().unwrap_or_else(|| panic!("{reply}"));
        self.beside = texts.collect();
        if result["isError"] == json!(true) { Err(text) } else { Ok(text) }
    }

    /// The names of the functions that a search shows, whose arguments are then known.
    pub(crate) fn search(&mut self, query: &str) -> Vec<String> {
        let reply = self.tool("search_tools", &json!({"query": query})).expect("a search");
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        let names = reply["tools"].as_array().into_iter().flatten();
        let names: Vec<String> = names.filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect();
        self.known.extend(names.iter().cloned());
        names
    }

    /// Calls a function, which it must have seen.
    pub(crate) fn call(&mut self, function: &str, arguments: Value) -> Value {
        self.tried(function, arguments).unwrap_or_else(|error| panic!("{function}: {error}"))
    }

    /// What a call that cannot succeed says.
    pub(crate) fn mistake(&mut self, function: &str, arguments: Value) -> String {
        self.tried(function, arguments).expect_err("it is a mistake")
    }

    fn tried(&mut self, function: &str, arguments: Value) -> Result<Value, String> {
        assert!(self.known.contains(function), "nobody showed `{function}`");
        let is_listed = self.listed.iter().any(|tool| tool["name"] == function);
        let text = match is_listed {
            true => self.tool(function, &arguments),
            false => self.tool("call_tool", &json!({"name": function, "arguments": arguments})),
        }?;
        Ok(serde_json::from_str(&text).expect("JSON"))
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.wait();
    }
}

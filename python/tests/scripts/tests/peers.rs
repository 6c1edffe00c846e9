//! Scripts that call other tools: `InterClient.tool_exe`.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use opentool::client::{Client, RemoteTool};
use opentool::{Map, MapTool, OpenTool, Tool, ToolError, ToolSet, Value};
use opentool_python::{Peers, PythonTool, Workers};
use opentool_python_tests::Written;
use opentool_server::Server;
use serde_json::json;

/// Calls the tool that `tool` names with its other arguments, and returns the result.
const ASK: &str = "import importlib
def execute(tool_input: dict) -> dict:
    InterClient = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    tool = tool_input.pop('tool')
    return dict(success=True, message='asked', data=InterClient.tool_exe(tool, tool, tool_input))
";

/// Calls a list of tools, each from the previous one, and passes failures on.
const CHAIN: &str = "import importlib
def execute(tool_input: dict) -> dict:
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')()
    chain = tool_input['chain']
    if not chain:
        return dict(success=True, message='the end', data=[])
    result = client.tool_exe(chain[0], None, dict(chain=chain[1:]))
    if not result['success']:
        return result
    return dict(success=True, message='', data=[chain[0]] + result['data'])
";

struct Scripts {
    written: Written,
    peers: Peers,
    set: Option<opentool::ToolSetBuilder>,
}

impl Scripts {
    fn new() -> Self {
        Self {
            written: Written::new().expect("a folder"),
            peers: Peers::new(),
            set: Some(ToolSet::builder()),
        }
    }

    fn script(mut self, name: &str, source: &str, workers: Option<&Workers>) -> Self {
        let path = self.written.write(&format!("{name}.py"), source).expect("room for a script");
        let mut builder = PythonTool::builder(path)
            .named(name)
            .peers(&self.peers)
            .deadline(Duration::from_secs(20))
            .log(|_| {});
        if let Some(workers) = workers {
            builder = builder.workers(workers);
        }
        let tool = builder.build().expect("a valid script");
        self.set = self.set.map(|set| set.add(name, tool));
        self
    }

    fn tool(mut self, name: &str, tool: impl Tool + Send + Sync + 'static) -> Self {
        self.set = self.set.map(|set| set.add(name, tool));
        self
    }

    fn build(self) -> (Arc<ToolSet>, Written) {
        let set = Arc::new(self.set.expect("a set").build().expect("no two alike"));
        self.peers.are(&set);
        (set, self.written)
    }
}

fn data(set: &ToolSet, name: &str, arguments: Value) -> Value {
    let reply = set.call_json(name, &arguments.to_string()).expect("it works");
    serde_json::from_str::<Value>(&reply).expect("JSON")["data"].take()
}

/// A tool that is not a script.
fn sums() -> impl Tool + Send + Sync + 'static {
    let document = json!({
        "opentool": "1.0.0",
        "info": {"title": "sums", "version": "1"},
        "functions": [{
            "name": "add",
            "description": "d",
            "parameters": [{"name": "a", "schema": {"type": "integer"}}, {"name": "b", "schema": {"type": "integer"}}],
        }],
    });
    let document: OpenTool = serde_json::from_value(document).expect("a document");
    MapTool::new(|_, arguments: &Map<String, Value>| {
        let number = |key: &str| {
            let value = arguments.get(key).and_then(Value::as_i64);
            value.ok_or_else(|| ToolError::invalid_arguments(format!("/{key}"), "not an integer"))
        };
        Ok(Map::from_iter([("sum".to_owned(), json!(number("a")? + number("b")?))]))
    })
    .described_by(document)
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_reaches_libraries_scripts_and_servers() {
    let (told, address) = mpsc::channel();
    let remote_sums = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by({
        let mut document = sums().load().expect("a document");
        document.functions[0].name = "far".to_owned();
        document
    });
    let running = thread::spawn(move || {
        let server = Server::serial(remote_sums).port(0).key("secret");
        server.run(|address| told.send(address).expect("the test waits")).expect("it ends well");
    });
    let url = format!("http://{}/opentool", address.recv().expect("it listens"));
    let client = || Client::builder(&url).api_key("secret").build().expect("an address");
    let remote = RemoteTool::connect(client()).expect("a server");

    let echo = "def execute(tool_input: dict) -> dict:\n    return dict(success=True, message='echo', data=tool_input)\n";
    let (set, _written) = Scripts::new()
        .script("ask", ASK, None)
        .script("echo", echo, None)
        .tool("sums", sums())
        .tool("far", remote)
        .build();
    assert_eq!(
        data(&set, "ask", json!({"tool": "add", "a": 2, "b": 3})),
        json!({"success": true, "message": "", "data": {"sum": 5}})
    );
    assert_eq!(
        data(&set, "ask", json!({"tool": "echo", "x": [1]})),
        json!({"success": true, "message": "echo", "data": {"x": [1]}})
    );
    assert_eq!(
        data(&set, "ask", json!({"tool": "far", "a": 1})),
        json!({"success": true, "message": "", "data": {"a": 1}})
    );
    client().stop().expect("it stops");
    running.join().expect("it ended");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_failed_call_is_a_dict_with_a_flat_message() {
    let fail = "def execute(tool_input: dict) -> dict:\n    raise ValueError('\"quoted\"')\n";
    let (set, _written) =
        Scripts::new().script("ask", ASK, None).script("fail", fail, None).tool("sums", sums()).build();
    let failed = |message: &str| json!({"success": false, "message": message, "data": null});
    for (arguments, message) in [
        (json!({"tool": "nobody"}), "unknown function `nobody`"),
        (json!({"tool": "add", "a": "x", "b": 1}), "invalid arguments: /a: not an integer"),
        (json!({"tool": "fail"}), "fail.py:2: ValueError: \"quoted\""),
        (json!({"tool": 5}), "tool_exe: `tool_id` and `tool_name` must be str"),
        (json!({"tool": ["add"], "a": true}), "invalid arguments: /a: not an integer"),
    ] {
        assert_eq!(data(&set, "ask", arguments), failed(message));
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_tool_is_found_by_its_id_and_then_by_its_name() {
    let ask = ASK.replace("tool_exe(tool, tool,", "tool_exe(('no_such_id',), tool,");
    let (set, _written) = Scripts::new().script("ask", &ask, None).tool("sums", sums()).build();
    let answer = data(&set, "ask", json!({"tool": "add", "a": 2, "b": 3}));
    assert_eq!(answer["data"], json!({"sum": 5}));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn without_peers_a_call_of_a_tool_says_so() {
    let written = Written::new().expect("a folder");
    let path = written.write("ask.py", ASK).expect("room");
    let tool = PythonTool::load(path).expect("valid");
    let reply = tool.call_json("execute", r#"{"tool": "add"}"#).expect("it works");
    assert!(reply.contains("this script has no peers"), "{reply}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn scripts_call_each_other_within_one_worker_and_between_two() {
    let workers = Workers::new().expect("Python");
    let (set, _written) = Scripts::new()
        .script("a", CHAIN, Some(&workers))
        .script("b", CHAIN, Some(&workers))
        .script("c", CHAIN, None)
        .build();
    let chain = json!(["b", "c", "a", "a", "c", "b", "c"]);
    for _ in 0..20 {
        assert_eq!(data(&set, "a", json!({"chain": chain})), chain);
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_cycle_ends_in_an_error_that_names_it() {
    let workers = Workers::new().expect("Python");
    let (set, _written) =
        Scripts::new().script("a", CHAIN, Some(&workers)).script("b", CHAIN, Some(&workers)).build();
    let chain = |length: usize| {
        let chain: Vec<&str> = ["b", "a"].into_iter().cycle().take(length).collect();
        json!({"chain": chain})
    };
    assert_eq!(data(&set, "a", chain(15)), chain(15)["chain"]);
    let error = set.call_json("a", &chain(16).to_string()).expect_err("too deep");
    assert_eq!(
        error.to_string(),
        "the call failed: tools call each other more than 16 levels deep, last a -> b -> a -> b -> a; \
         is there a cycle?"
    );
    assert_eq!(data(&set, "a", chain(3)), chain(3)["chain"]);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_waiting_script_gets_the_reason_why_its_worker_ended() {
    let exit = "import os\ndef execute(tool_input: dict) -> dict:\n    os._exit(5)\n";
    let workers = Workers::new().expect("Python");
    let (set, _written) =
        Scripts::new().script("ask", ASK, Some(&workers)).script("exit", exit, Some(&workers)).build();
    for _ in 0..3 {
        let error = set.call_json("ask", r#"{"tool": "exit"}"#).expect_err("the worker is gone");
        assert_eq!(
            error.to_string(),
            "the process that ran the call ended: ask.py: `exit`, which it called in the same worker: exit status 5"
        );
    }
    // In its own worker it is only a failed call.
    let (set, _written) = Scripts::new().script("ask", ASK, None).script("exit", exit, None).build();
    let answer = data(&set, "ask", json!({"tool": "exit"}));
    assert_eq!(answer["message"], "the process that ran the call ended: exit.py: exit status 5");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_deadline_of_the_first_call_applies_to_all() {
    let hang = "import time\ndef execute(tool_input: dict) -> dict:\n    time.sleep(600)\n";
    let written = Written::new().expect("a folder");
    let peers = Peers::new();
    let tool = |name: &str, source: &str, seconds: u64| {
        let path = written.write(&format!("{name}.py"), source).expect("room");
        let deadline = Duration::from_secs(seconds);
        PythonTool::builder(path)
            .named(name)
            .peers(&peers)
            .deadline(deadline)
            .log(|_| {})
            .build()
            .expect("valid")
    };
    let set = ToolSet::builder().add("ask", tool("ask", ASK, 1)).add("hang", tool("hang", hang, 600));
    let set = Arc::new(set.build().expect("no two alike"));
    peers.are(&set);
    let start = Instant::now();
    let error = set.call_json("ask", r#"{"tool": "hang"}"#).expect_err("too long");
    assert_eq!(error, ToolError::TimedOut { limit_ms: 1000 });
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn threads_of_a_script_can_all_call() {
    let many = "import concurrent.futures, importlib
def execute(tool_input: dict) -> dict:
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(client.tool_exe, tool_input['tool'], '', dict(n=n)) for n in range(40)]
        return dict(success=True, message='', data=[call.result()['data'] for call in calls])
";
    // The called script calls from several threads too.
    let inner = "import importlib, threading
def execute(tool_input: dict) -> dict:
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    results = []
    def call():
        results.append(client.tool_exe('add', 'add', dict(a=tool_input['n'], b=1))['data']['sum'])
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return dict(success=True, message='', data=results[0])
";
    let workers = Workers::new().expect("Python");
    let (set, _written) = Scripts::new()
        .script("many", many, Some(&workers))
        .script("inner", inner, Some(&workers))
        .tool("sums", sums())
        .build();
    for _ in 0..3 {
        let expected: Vec<u32> = (1..=40).collect();
        assert_eq!(data(&set, "many", json!({"tool": "inner"})), json!(expected));
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn an_alarm_during_a_call_of_another_tool_is_delivered_after_it() {
    let alarm = "import importlib, signal
def execute(tool_input: dict) -> dict:
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    def late(*_): raise TimeoutError('too late')
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        result = client.tool_exe('slow', '', {})
        return dict(success=True, message='', data='not interrupted')
    except TimeoutError as error:
        return dict(success=True, message='', data=str(error))
";
    let slow = MapTool::new(|_, arguments: &Map<String, Value>| {
        thread::sleep(Duration::from_millis(200));
        Ok(arguments.clone())
    });
    let mut document = sums().load().expect("a document");
    document.functions[0].name = "slow".to_owned();
    let (set, _written) =
        Scripts::new().script("alarm", alarm, None).tool("slow", slow.described_by(document)).build();
    for _ in 0..3 {
        assert_eq!(data(&set, "alarm", json!({})), json!("too late"));
    }
}

//! Clients of the three protocols, and the servers that they call.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio as Stream};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The folder of the library, from the package of the command and from that of the program with `serve!`.
const FOLDER: &str = match option_env!("CARGO_BIN_EXE_opendyn") {
    Some(_) => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile"),
    None => concat!(env!("CARGO_MANIFEST_DIR"), "/../../cli/tests/hostile"),
};

/// The option for the port, of the command and of `serve!`.
const PORT: &str = if option_env!("CARGO_BIN_EXE_opendyn").is_some() { "--port" } else { "--toolPort" };

/// The compiled library.
pub(crate) fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = format!("{}/libhostile.so", env!("CARGO_TARGET_TMPDIR"));
        let object = format!("{}/hostile.o", env!("CARGO_TARGET_TMPDIR"));
        let compile = |compiler: &str, arguments: &[&str]| {
            let status = Command::new(compiler).args(arguments).status();
            assert!(status.expect("these tests need C and C++ compilers").success());
        };
        let flags = ["-fPIC", "-O0", "-w", "-fno-stack-protector"];
        compile("cc", &[&flags[..], &["-c", "-o", &object, &format!("{FOLDER}/hostile.c")]].concat());
        let throws = format!("{FOLDER}/throws.cpp");
        compile("c++", &[&flags[..], &["-shared", "-o", &library, &throws, &object]].concat());
        library
    })
}

/// The hostile document and its library, on a command line.
fn hostile() -> [&'static str; 3] {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    [DOCUMENT.get_or_init(|| format!("{FOLDER}/hostile.json")), "--library", library()]
}

fn opendyn(subcommand: &str, tool: &[&str], arguments: &[&str]) -> Command {
    let mut command = match option_env!("CARGO_BIN_EXE_opendyn") {
        Some(opendyn) => {
            let mut command = Command::new(opendyn);
            command.arg(subcommand).args(tool).args(arguments);
            command
        }
        None => served(subcommand, tool, arguments),
    };
    for variable in ["OPENDYN_API_KEY", "OPENTOOL_API_KEY", "OPENTOOL_LOG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command
}

/// The program with `serve!`, which has a document, and other names for some options.
fn served(subcommand: &str, tool: &[&str], arguments: &[&str]) -> Command {
    let mut command = Command::new(option_env!("CARGO_BIN_EXE_hostile-server").unwrap_or("hostile-server"));
    let renamed = |argument: &&str| match *argument {
        "--api-key" => "--apiKeys".to_owned(),
        other => other.to_owned(),
    };
    command.args(&tool[1..]).args(arguments.iter().map(renamed));
    command.args(if subcommand == "mcp" { &["--mcp-stdio"][..] } else { &[] });
    command
}

/// A client of some protocol. An error is its message.
pub(crate) trait Client {
    fn call(&mut self, function: &str, arguments: Value) -> Result<Value, String>;
}

/// A server over HTTP, killed if the test ends first.
pub(crate) struct Server {
    process: std::sync::Mutex<Child>,
    /// `127.0.0.1:1234`
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::of(&hostile(), arguments)
    }

    /// A server of another document.
    pub(crate) fn of(tool: &[&str], arguments: &[&str]) -> Self {
        Self::with(opendyn("serve", tool, arguments))
    }

    /// The hostile library, with environment variables.
    pub(crate) fn start_in(variables: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut command = opendyn("serve", &hostile(), arguments);
        command.envs(variables.iter().copied());
        Self::with(command)
    }

    fn with(mut command: Command) -> Self {
        // The command says the address on one stream, the program with `serve!` on the other.
        let (ours, theirs) = std::io::pipe().expect("a pipe");
        command.stdout(theirs.try_clone().expect("a pipe")).stderr(theirs);
        let process = command.args([PORT, "0"]).spawn().expect("it starts");
        drop(command);
        let mut stream = BufReader::new(ours);
        let mut said = String::new();
        while !said.contains("http://") {
            assert_ne!(stream.read_line(&mut said).expect("text"), 0, "it ended: {said}");
        }
        // What libraries print must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut stream, &mut std::io::sink()));
        let url = said.split_once("http://").expect("an address").1;
        let url = url.split(['/', '\n']).next().unwrap_or_default().to_owned();
        Self { process: std::sync::Mutex::new(process), url }
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.lock().expect("only used here").id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }

    pub(crate) fn ends(&self) {
        until("it does not end", || {
            self.process.lock().expect("only used here").try_wait().expect("it is ours").is_some()
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let process = self.process.get_mut().expect("only used here");
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// How many processes have this server as their parent, and have not ended.
pub(crate) fn workers_of(server: &Server) -> usize {
    worker_ids(server).len()
}

/// The processes that have this server as their parent and have not ended.
pub(crate) fn worker_ids(server: &Server) -> Vec<u32> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|&id| parent(id) == Some(server.id())).collect()
}

/// The parent of a process that has not ended.
fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (state, rest) = stat.rsplit_once(") ")?.1.split_once(' ')?;
    (state != "Z").then(|| rest.split(' ').next()?.parse().ok())?
}

/// Waits until these processes have ended, which outlived their server for a moment at most.
pub(crate) fn end(workers: &[u32]) {
    assert!(!workers.is_empty(), "there were workers");
    until("a worker outlives its server", || workers.iter().all(|&worker| parent(worker).is_none()));
}

/// One request with one connection of its own.
fn post(url: &str, path: &str, headers: &str, body: &Value) -> Result<Value, String> {
    let mut stream = request(url, path, headers, body)?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).map_err(|error| error.to_string())?;
    let (_, body) = reply.split_once("\r\n\r\n").ok_or_else(|| format!("no reply: {reply}"))?;
    let body = body.get(body.find('{').unwrap_or(0)..=body.rfind('}').unwrap_or(0)).unwrap_or_default();
    serde_json::from_str(body).map_err(|error| format!("{error}: {reply}"))
}

/// A connection with a request, to which the reply comes.
fn request(url: &str, path: &str, headers: &str, body: &Value) -> Result<TcpStream, String> {
    let mut stream = TcpStream::connect(url).map_err(|error| error.to_string())?;
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {url}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    Ok(stream)
}

/// How long is waited for what happens at once on a machine without other work.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until this holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the server makes a call, in a worker that has begun.
#[track_caller]
pub(crate) fn until_it_runs(server: &Server, with: Option<&str>) {
    let is_running = || metrics(server, with).lines().any(|line| line == "opentool_calls_running 1");
    // Workers are counted where `/proc` is.
    let has_worker = || !cfg!(target_os = "linux") || workers_of(server) > 0;
    until("the call does not begin", || is_running() && has_worker());
    // What is left is to hand it to the worker.
    std::thread::sleep(Duration::from_millis(100));
}

/// What `/metrics` says of workers and handles: `opentool_handles 3`, one per line.
pub(crate) fn counted(server: &Server, with: &str) -> Vec<String> {
    let reply = metrics(server, Some(with));
    let lines = reply
        .lines()
        .filter(|line| ["opentool_worker", "opentool_handles"].iter().any(|of| line.starts_with(of)));
    lines.map(str::to_owned).collect()
}

fn metrics(server: &Server, with: Option<&str>) -> String {
    let url = &server.url;
    let mut stream = TcpStream::connect(url).expect("it listens");
    let headers = key(with);
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: {url}\r\n{headers}Connection: close\r\n\r\n")
        .expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    reply
}

fn key(key: Option<&str>) -> String {
    key.map_or_else(String::new, |key| format!("Authorization: Bearer {key}\r\n"))
}

/// OpenTool over HTTP.
#[derive(Clone)]
pub(crate) struct OpenTool {
    url: String,
    headers: String,
}

impl OpenTool {
    pub(crate) fn new(server: &Server, key: &str) -> Self {
        Self::at(&server.url, Some(key))
    }

    pub(crate) fn at(url: &str, with: Option<&str>) -> Self {
        Self { url: url.to_owned(), headers: key(with) }
    }

    /// Begins a call, which is cancelled when the connection is dropped.
    pub(crate) fn begin(&self, function: &str, arguments: Value) -> TcpStream {
        let body = json!({"jsonrpc": "2.0", "id": "1", "method": function, "params": arguments});
        request(&self.url, "/opentool/call", &self.headers, &body).expect("it listens")
    }
}

impl Client for OpenTool {
    fn call(&mut self, function: &str, arguments: Value) -> Result<Value, String> {
        let body = json!({"jsonrpc": "2.0", "id": "1", "method": function, "params": arguments});
        let reply = post(&self.url, "/opentool/call", &self.headers, &body)?;
        match reply["error"]["message"].as_str() {
            Some(message) => Err(message.to_owned()),
            None => Ok(reply["result"].clone()),
        }
    }
}

/// OpenTool over one connection, for many calls.
pub(crate) struct Connected {
    stream: BufReader<TcpStream>,
    headers: String,
}

impl Connected {
    pub(crate) fn new(server: &Server, with: &str) -> Self {
        let stream = TcpStream::connect(&server.url).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        let headers =
            format!("Host: {}\r\nContent-Type: application/json\r\n{}", server.url, key(Some(with)));
        Self { stream: BufReader::new(stream), headers }
    }
}

impl Client for Connected {
    fn call(&mut self, function: &str, arguments: Value) -> Result<Value, String> {
        let body = json!({"jsonrpc": "2.0", "id": "1", "method": function, "params": arguments}).to_string();
        let (headers, length) = (&self.headers, body.len());
        let request =
            format!("POST /opentool/call HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        self.stream.get_mut().write_all(request.as_bytes()).map_err(|error| error.to_string())?;
        let (mut line, mut length) = (String::new(), 0);
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).map_err(|error| error.to_string())?;
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(|_| line.clone())?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).map_err(|error| error.to_string())?;
        let reply: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        match reply["error"]["message"].as_str() {
            Some(message) => Err(message.to_owned()),
            None => Ok(reply["result"].clone()),
        }
    }
}

/// What a reply of MCP says.
fn outcome(reply: &Value) -> Result<Value, String> {
    let result = &reply["result"];
    if result["isError"] == json!(true) || !reply["error"].is_null() {
        let text = result["content"][0]["text"].as_str().or_else(|| reply["error"]["message"].as_str());
        return Err(text.unwrap_or_default().to_owned());
    }
    Ok(result["structuredContent"].clone())
}

/// MCP over HTTP.
#[derive(Clone)]
pub(crate) struct Mcp(OpenTool);

impl Mcp {
    pub(crate) fn new(server: &Server, key: &str) -> Self {
        Self(OpenTool::new(server, key))
    }

    /// In a session of its own.
    pub(crate) fn in_session(server: &Server, with: Option<&str>) -> Self {
        let OpenTool { url, mut headers } = OpenTool::at(&server.url, with);
        let about = json!({"name": "t", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let mut reply = String::new();
        let mut stream = request(&url, "/mcp", &headers, &body).expect("it listens");
        stream.read_to_string(&mut reply).expect("a reply");
        let id = reply.lines().find(|line| line.starts_with("mcp-session-id: ")).expect("a session");
        headers.push_str(&format!("{id}\r\n"));
        Self(OpenTool { url, headers })
    }

    /// The same session, with another key.
    pub(crate) fn with_key(&self, other: &str) -> Self {
        let (_, session) = self.0.headers.split_once("\r\n").expect("a key");
        Self(OpenTool { url: self.0.url.clone(), headers: key(Some(other)) + session })
    }

    /// Ends the session, and returns the status.
    pub(crate) fn leave(&self) -> String {
        let OpenTool { url, headers } = &self.0;
        let mut stream = TcpStream::connect(url).expect("it listens");
        let request = format!("DELETE /mcp HTTP/1.1\r\nHost: {url}\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        reply.split(' ').nth(1).unwrap_or_default().to_owned()
    }
}

impl Client for Mcp {
    fn call(&mut self, function: &str, arguments: Value) -> Result<Value, String> {
        let params = json!({"name": function, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let headers = format!("{}MCP-Protocol-Version: 2025-11-25\r\n", self.0.headers);
        outcome(&post(&self.0.url, "/mcp", &headers, &body)?)
    }
}

/// MCP over the standard streams.
pub(crate) struct Stdio {
    server: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    id: u64,
}

impl Stdio {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::of(&hostile(), arguments)
    }

    /// A server of another document.
    pub(crate) fn of(tool: &[&str], arguments: &[&str]) -> Self {
        let mut command = opendyn("mcp", tool, arguments);
        command.stdin(Stream::piped()).stdout(Stream::piped()).stderr(Stream::null());
        let mut server = command.spawn().expect("it starts");
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().expect("a pipe")).lines();
        let mut client = Self { server, input, output, id: 0 };
        let about = json!({"name": "t", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        client.write(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        client.reply(0);
        client.notify("notifications/initialized", json!({}));
        client
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input.as_mut().expect("not ended"), "{message}").expect("it reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Calls without waiting, and returns the id of the request.
    pub(crate) fn send(&mut self, function: &str, arguments: Value) -> u64 {
        self.id += 1;
        let params = json!({"name": function, "arguments": arguments});
        self.write(&json!({"jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": params}));
        self.id
    }

    /// Sends a call that does not return, and waits until the server has read it and had time to begin it.
    pub(crate) fn begin(&mut self, function: &str, arguments: Value) -> u64 {
        let call = self.send(function, arguments);
        self.id += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.id, "method": "ping"}));
        self.reply(self.id);
        std::thread::sleep(Duration::from_millis(500));
        call
    }

    /// The reply to a request. Those to earlier ones are passed over.
    fn reply(&mut self, id: u64) -> Value {
        loop {
            let line = self.output.next().expect("a reply").expect("text");
            let reply: Value = serde_json::from_str(&line).expect(&line);
            if reply["id"] == json!(id) {
                return reply;
            }
        }
    }

    /// The messages of calls that fail, in any order.
    pub(crate) fn replies(&mut self, ids: &[u64]) -> Vec<String> {
        let next = |_| {
            let line = self.output.next().expect("a reply").expect("text");
            let reply: Value = serde_json::from_str(&line).expect(&line);
            assert!(ids.iter().any(|id| reply["id"] == json!(id)), "{reply}");
            outcome(&reply).expect_err("it fails")
        };
        ids.iter().map(next).collect()
    }

    /// Closes its standard input, and waits for its end.
    pub(crate) fn end(mut self) {
        self.input = None;
        assert!(self.server.wait().expect("it is ours").success());
    }
}

impl Client for Stdio {
    fn call(&mut self, function: &str, arguments: Value) -> Result<Value, String> {
        let id = self.send(function, arguments);
        outcome(&self.reply(id))
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

//! A small blocking client that sends exact bytes, and a server for it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use opendyn::server::{Server, Stop};
use serde_json::Value;

/// Longer than any test takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a separate port, which is stopped when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub stop: Stop,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// Starts `server`.
pub fn start(server: Server) -> Running {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let listening = server.port(0).bind().await?;
            let _ = sender.send((listening.address()?, listening.stop_handle()));
            listening.run().await
        })
    });
    let (address, stop) = receiver.recv_timeout(PATIENCE).expect("it listens");
    Running { address, stop, thread: Some(thread) }
}

impl Running {
    pub fn connect(&self) -> Connection {
        Connection::open(self.address).expect("it listens")
    }

    /// One request on a new connection.
    pub fn send(&self, request: &Request) -> Response {
        self.connect().send(request).expect("a response")
    }

    /// Waits until it has ended.
    pub fn ended(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("no panic").expect("no error");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if !std::thread::panicking() {
            self.join();
        }
    }
}

/// A request, line by line.
#[derive(Clone, Debug)]
pub struct Request {
    line: String,
    headers: String,
    body: Option<Vec<u8>>,
}

pub fn get(path: &str) -> Request {
    Request { line: format!("GET {path}"), headers: String::new(), body: None }
}

pub fn post(path: &str, body: impl AsRef<[u8]>) -> Request {
    Request { line: format!("POST {path}"), headers: String::new(), body: Some(body.as_ref().to_vec()) }
}

/// A JSON-RPC request to call `method`; `params` and `id` are JSON.
pub fn call(method: &str, params: &str, id: &str) -> Request {
    post("/opentool/call", rpc(method, params, id))
}

pub fn rpc(method: &str, params: &str, id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":{id}}}"#)
}

impl Request {
    pub fn method(mut self, method: &str) -> Self {
        let path = self.line.split_once(' ').map(|(_, path)| path.to_owned()).unwrap_or_default();
        self.line = format!("{method} {path}");
        self
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    pub fn key(self, key: &str) -> Self {
        self.header("Authorization", &format!("Bearer {key}"))
    }

    fn bytes(&self) -> Vec<u8> {
        let length = self
            .body
            .as_ref()
            .map(|body| format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
        let head = format!(
            "{} HTTP/1.1\r\nHost: localhost\r\n{}{}\r\n",
            self.line,
            self.headers,
            length.unwrap_or_default()
        );
        [head.as_bytes(), self.body.as_deref().unwrap_or_default()].concat()
    }
}

/// A connection that is kept open.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self(BufReader::new(stream)))
    }

    pub fn send(&mut self, request: &Request) -> io::Result<Response> {
        self.write(&request.bytes())?;
        self.read()
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }

    pub fn read(&mut self) -> io::Result<Response> {
        let head = self.lines()?;
        let status = head.first().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
        let status = status.ok_or(io::ErrorKind::InvalidData)?;
        let headers = head.iter().skip(1).filter_map(|line| line.split_once(": "));
        let headers: Vec<(String, String)> =
            headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        let mut response = Response { status, headers, body: Vec::new() };
        if let Some(length) = response.header("content-length") {
            let length = length.parse().map_err(|_| io::ErrorKind::InvalidData)?;
            response.body.resize(length, 0);
            self.0.read_exact(&mut response.body)?;
        } else if response.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk()? {
                response.body.extend(chunk);
            }
        }
        Ok(response)
    }

    /// Lines up to an empty one.
    fn lines(&mut self) -> io::Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match line.trim_end() {
                "" => return Ok(lines),
                line => lines.push(line.to_owned()),
            }
        }
    }

    fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut size = String::new();
        self.0.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim_end(), 16).map_err(|_| io::ErrorKind::InvalidData)?;
        let mut chunk = vec![0; size + 2];
        self.0.read_exact(&mut chunk)?;
        chunk.truncate(size);
        Ok((size > 0).then_some(chunk))
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The status, and the code and the message of the error.
    pub fn error(&self) -> (u16, i64, String) {
        let reply = self.json();
        assert_eq!(reply["jsonrpc"], "2.0", "{reply}");
        assert_eq!(reply["result"], serde_json::json!({}), "{reply}");
        let (code, message) = (reply["error"]["code"].as_i64(), reply["error"]["message"].as_str());
        (self.status, code.expect("a code"), message.expect("a message").to_owned())
    }
}

//! Any body of a request has a reply: a status, and JSON. The server is a real one, on a connection of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Mutex, OnceLock, mpsc};
use std::time::Duration;

use opentool::{MapTool, OpenTool};
use opentool_server::Server;

const TOOL: &str = include_str!("../../../fuzz/seeds/tool.json");

/// Gives the bytes to the reader.
pub fn run(body: &[u8]) {
    static STREAM: Mutex<Option<BufReader<TcpStream>>> = Mutex::new(None);
    let mut stream = STREAM.lock().expect("the target did not panic before");
    let connected = stream.get_or_insert_with(|| {
        let stream = TcpStream::connect(address()).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout can be set");
        stream.set_nodelay(true).expect("a connection can be set");
        BufReader::new(stream)
    });
    let keeps = exchange(connected, body);
    if !keeps {
        *stream = None;
    }
}

/// Sends a request and reads its reply. Whether the connection can be used again.
fn exchange(stream: &mut BufReader<TcpStream>, body: &[u8]) -> bool {
    let head = format!(
        "POST /opentool/call HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut request = head.into_bytes();
    request.extend_from_slice(body);
    stream.get_mut().write_all(&request).expect("the server reads");
    let mut line = String::new();
    stream.read_line(&mut line).expect("the server answers");
    assert!(line.starts_with("HTTP/1.1 200") || line.starts_with("HTTP/1.1 4"), "{line}");
    let (mut length, mut keeps) = (0, true);
    loop {
        line.clear();
        stream.read_line(&mut line).expect("a reply has headers");
        let header = line.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length is a number");
        }
        keeps &= header != "connection: close";
    }
    let mut reply = vec![0; length];
    stream.read_exact(&mut reply).expect("a reply is complete");
    serde_json::from_slice::<serde_json::Value>(&reply).expect("a reply is JSON");
    keeps
}

fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (told, address) = mpsc::channel();
        std::thread::spawn(move || {
            let document = OpenTool::parse(TOOL).expect("the document of the tool is valid");
            let tool = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document);
            Server::serial(tool).port(0).run(|address| told.send(address).expect("the target waits"))
        });
        address.recv().expect("the server starts")
    })
}

//! A server that sends given bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The reaction to one request.
pub enum Act {
    /// Sends these bytes and closes the connection.
    Send(Vec<u8>),
    /// Sends these parts in turn, with a pause between them.
    Pieces(Duration, Vec<Vec<u8>>),
    /// Waits, and sends nothing.
    Wait(Duration),
    /// Sends without end.
    Flood,
}

/// A request as it was received.
#[derive(Debug)]
pub struct Request {
    pub line: String,
    pub headers: Vec<String>,
    pub body: String,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|header| {
            let (key, value) = header.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// A server that reacts to each connection with the next act and records the requests. After the last act it is
/// gone.
pub struct Server {
    pub url: String,
    pub requests: Receiver<Request>,
}

impl Server {
    pub fn new(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (sender, requests) = channel();
        std::thread::spawn(move || {
            for act in acts {
                let Ok((stream, _)) = listener.accept() else { return };
                answer(stream, act, &sender);
            }
        });
        Self { url, requests }
    }

    /// All requests, after the server has ended.
    pub fn seen(self) -> Vec<Request> {
        self.requests.try_iter().collect()
    }
}

fn answer(mut stream: TcpStream, act: Act, seen: &Sender<Request>) {
    let Some(request) = read(&stream) else { return };
    // The receiver may be gone.
    let _ = seen.send(request);
    let _ = match act {
        Act::Send(bytes) => stream.write_all(&bytes),
        Act::Pieces(pause, pieces) => pieces.iter().enumerate().try_for_each(|(index, piece)| {
            if index > 0 {
                std::thread::sleep(pause);
            }
            stream.write_all(piece)
        }),
        Act::Wait(pause) => {
            std::thread::sleep(pause);
            Ok(())
        }
        Act::Flood => {
            let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"result\":{\"x\":\"";
            stream.write_all(head).and_then(|()| {
                loop {
                    stream.write_all(&[b'x'; 4096])?;
                }
            })
        }
    };
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        Some(line.trim_end().to_owned())
    };
    let first = line()?;
    let mut headers = Vec::new();
    loop {
        match line()? {
            header if header.is_empty() => break,
            header => headers.push(header),
        }
    }
    let mut request = Request { line: first, headers, body: String::new() };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

/// A reply with a length.
pub fn reply(status: &str, kind: &str, body: &str) -> Act {
    let length = body.len();
    Act::Send(
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
            .into_bytes(),
    )
}

/// A JSON reply, as express and shelf send it.
pub fn json(body: &str) -> Act {
    reply("200 OK", "application/json; charset=utf-8", body)
}

/// A reply with events, without a length.
pub fn events(body: &str) -> Act {
    Act::Send(
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n{body}")
            .into_bytes(),
    )
}

//! Connections that clients leave idle or half-sent, overload, and requests that a web page could send.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use opentool::MapTool;
use opentool_server::serve::server;
use opentool_server::{Executor, HttpLimits, OpenToAll, Server, Stop};

const VERSION: &str = "GET /opentool/version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\n\r\n";

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of `echo` and `sleep`, stopped at the end.
struct Running {
    address: SocketAddr,
    stop: Stop,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn tool() -> Executor {
    let tool = MapTool::new(|name, arguments| {
        if name == "sleep" {
            std::thread::sleep(Duration::from_millis(1500));
        }
        Ok(arguments.clone())
    });
    Executor::parallel(tool, 4)
}

fn start(configure: impl FnOnce(Server) -> Server) -> Running {
    let server = configure(server(tool(), "127.0.0.1").expect("a server").port(0));
    let (told, started) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let listening = server.bind().await.expect("a free port");
            told.send((listening.address().expect("an address"), listening.stop_handle()))
                .expect("the test waits");
            listening.run().await
        })
    });
    let (address, stop) = started.recv_timeout(PATIENCE).expect("it listens");
    Running { address, stop }
}

impl Running {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect_timeout(&self.address, PATIENCE).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream
    }

    /// The whole reply to a request that is the last of its connection.
    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = self.connect();
        let length = body.len();
        write!(stream, "{head}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}")
            .expect("it is read");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("text");
        reply
    }
}

/// Allows this process to have both ends of thousands of connections.
#[cfg(unix)]
fn raise_descriptors() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(16_384, |hard| hard.min(16_384));
    if limit.current.is_some_and(|soft| soft < wanted) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).expect("up to the hard limit");
    }
}

/// Sends a request on a connection that stays open.
fn version(stream: &mut TcpStream) -> io::Result<String> {
    stream.write_all(VERSION.as_bytes())?;
    let mut reply = vec![0; 4096];
    let length = stream.read(&mut reply)?;
    reply.truncate(length);
    Ok(String::from_utf8_lossy(&reply).into_owned())
}

/// Waits until the server has closed the connection, and returns when that was.
fn closed(stream: &mut TcpStream) -> Instant {
    let mut rest = [0; 1024];
    while matches!(stream.read(&mut rest), Ok(length) if length > 0) {}
    Instant::now()
}

/// 2,000 idle and 1,000 half-sent connections against a server for `limit` connections.
#[cfg(unix)]
fn crowd(limit: usize) {
    raise_descriptors();
    let (header, idle) = (Duration::from_secs(4), Duration::from_secs(6));
    let limits = HttpLimits { connections: limit, header, idle, ..HttpLimits::default() };
    let running = start(|server| server.key("k").http_limits(limits));
    let mut kept = running.connect();
    assert!(version(&mut kept).expect("a reply").starts_with("HTTP/1.1 200"));

    let mut crowd: Vec<TcpStream> = Vec::new();
    for number in 0..3000 {
        let mut stream = running.connect();
        if number % 3 == 0 {
            // The server may have closed it to make room.
            let _ = stream.write_all(b"POST /opentool/call HTTP/1.1\r\nHost: local");
        }
        crowd.push(stream);
        if number % 500 == 0 {
            assert!(version(&mut kept).expect("it is kept").starts_with("HTTP/1.1 200"));
        }
    }
    let opened = Instant::now();
    for _ in 0..20 {
        let begin = Instant::now();
        assert!(version(&mut running.connect()).expect("a reply").starts_with("HTTP/1.1 200"));
        assert!(begin.elapsed() < header, "it waits for no other: {:?}", begin.elapsed());
    }
    assert!(version(&mut kept).expect("it is kept").starts_with("HTTP/1.1 200"));
    let last = crowd.iter_mut().map(closed).max().expect("3,000 connections");
    assert!(last < opened + header + Duration::from_secs(20), "{:?}", last - opened);
    // The connection with a key has made a request, so it may be silent for longer, but not for good.
    let used = Instant::now();
    let silent = match version(&mut kept) {
        Ok(_) => closed(&mut kept) - used,
        // It was silent for longer than allowed while the others were closed.
        Err(_) => idle,
    };
    assert!(silent >= idle && silent < idle + Duration::from_secs(20), "{silent:?}");
}

#[test]
#[cfg(unix)]
fn three_thousand_connections_do_not_lock_out_a_key_and_are_gone_after_their_time() {
    crowd(4000);
}

#[test]
#[cfg(unix)]
fn beyond_the_limit_connections_without_a_key_are_closed_first() {
    crowd(256);
}

#[test]
fn a_body_that_does_not_arrive_is_given_up() {
    let limits = HttpLimits { body: Duration::from_millis(300), ..HttpLimits::default() };
    let running = start(|server| server.http_limits(limits));
    for path in ["/opentool/call", "/opentool/streamCall", "/mcp"] {
        let mut stream = running.connect();
        let begin = Instant::now();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{{"
        )
        .expect("it is read");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("text");
        assert!(begin.elapsed() < Duration::from_secs(10), "{path}: {:?}", begin.elapsed());
        assert!(!reply.starts_with("HTTP/1.1 200"), "{path}: {reply}");
        assert!(path == "/mcp" || reply.starts_with("HTTP/1.1 408"), "{path}: {reply}");
    }
}

#[test]
fn a_reply_that_nobody_reads_is_given_up() {
    let limits = HttpLimits { idle: Duration::from_millis(300), ..HttpLimits::default() };
    let running = start(|server| server.http_limits(limits).body_limit(32 << 20));
    let mut stream = running.connect();
    let text = "x".repeat(24 << 20);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"echo","params":{{"text":"{text}"}}}}"#);
    let head = "POST /opentool/call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).expect("it is read");
    // The reply has begun. What the system has buffered arrives; the rest does not.
    assert_eq!(stream.peek(&mut [0]).expect("a reply"), 1);
    std::thread::sleep(Duration::from_secs(4));
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    assert!(reply.len() < body.len(), "{}", reply.len());
}

#[test]
fn too_many_requests_are_shed_with_503() {
    let limits = HttpLimits { requests: 1, ..HttpLimits::default() };
    let running = start(|server| server.http_limits(limits));
    let head = "POST /opentool/call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let stream = head.replace("/call", "/streamCall");
    let body = |method| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{}}}}"#);
    for head in [head, &stream] {
        std::thread::scope(|scope| {
            // Whichever of the two arrives while the other is in progress is shed.
            let slow = scope.spawn(|| {
                let mut replies = std::iter::repeat_with(|| running.send(head, &body("sleep")));
                replies.find(|reply| !reply.starts_with("HTTP/1.1 503")).unwrap_or_default()
            });
            let shed = std::iter::repeat_with(|| running.send(head, &body("echo")))
                .find(|reply| slow.is_finished() || reply.starts_with("HTTP/1.1 503"))
                .expect("it repeats until then");
            assert!(shed.starts_with("HTTP/1.1 503") && shed.contains("retry-after: 1\r\n"), "{shed}");
            assert!(shed.ends_with(r#""error":{"code":503,"message":"too many requests are in progress; try again later"},"id":null}"#), "{shed}");
            // The operator can still look.
            let metrics = running.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n", "");
            assert!(metrics.starts_with("HTTP/1.1 200"), "{metrics}");
            assert!(slow.join().expect("no panic").starts_with("HTTP/1.1 200"));
        });
        assert!(running.send(head, &body("echo")).starts_with("HTTP/1.1 200"));
    }
}

/// A key sends requests whose bodies never end, as many as there may be requests or connections; another one is answered.
fn unended(limits: HttpLimits, is_refused: bool) {
    let running = start(|server| server.key("k").key("other").http_limits(limits));
    let head = |path: &str, key: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nAuthorization: Bearer {key}\r\n"
        )
    };
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{}}"#;
    let call = |key| running.send(&head("/opentool/call", key), body);
    let begin = |number: usize| {
        let mut stream = running.connect();
        let path = if number.is_multiple_of(2) { "/opentool/call" } else { "/mcp" };
        write!(stream, "{}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n", head(path, "k"))
            .expect("it is read");
        stream
    };
    let kept: Vec<TcpStream> = (0..64).map(begin).collect();
    let since = Instant::now();
    while is_refused && !call("k").starts_with("HTTP/1.1 503") {
        assert!(since.elapsed() < PATIENCE, "so many requests are not in progress");
        std::thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..20 {
        let reply = call("other");
        assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    }
    drop(kept);
}

#[test]
fn a_key_with_requests_that_never_end_locks_out_only_itself() {
    unended(HttpLimits { requests: 16, ..HttpLimits::default() }, true);
}

#[test]
fn a_key_with_bodies_that_never_end_leaves_connections_to_others() {
    unended(HttpLimits { connections: 32, ..HttpLimits::default() }, false);
}

#[test]
fn a_foreign_host_name_is_refused_on_every_route() {
    let running = start(|server| server.key("k").host_name("tools.example"));
    for line in [
        "GET /opentool/version",
        "GET /opentool/load",
        "POST /opentool/call",
        "POST /opentool/streamCall",
        "POST /opentool/stop",
        "GET /metrics",
        "POST /mcp",
        "GET /elsewhere",
    ] {
        for host in ["Host: evil.example\r\n", "Host: localhost\r\nHost: evil.example\r\n", ""] {
            let reply = running.send(&format!("{line} HTTP/1.1\r\n{host}Authorization: Bearer k\r\n"), "");
            assert!(
                reply.starts_with("HTTP/1.1 403") || reply.starts_with("HTTP/1.1 400"),
                "{line} {host}: {reply}"
            );
        }
    }
    for host in ["tools.example", "tools.example:443", "127.0.0.1", "[::1]:80", "localhost"] {
        let line = format!("GET /opentool/version HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer k\r\n");
        assert!(running.send(&line, "").starts_with("HTTP/1.1 200"), "{host}");
    }
}

#[test]
fn without_keys_a_call_must_say_that_it_is_json() {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{}}"#;
    let head =
        |content_type: &str| format!("POST /opentool/call HTTP/1.1\r\nHost: localhost\r\n{content_type}");
    let (open, keyed) = (start(|server| server), start(|server| server.key("k")));
    // What a page can send without asking the browser first.
    for content_type in [
        "",
        "Content-Type: text/plain\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: text/plain; application/json\r\n",
        "Content-Type: application/json\r\nContent-Type: text/plain\r\n",
    ] {
        let reply = open.send(&head(content_type), body);
        assert!(reply.starts_with("HTTP/1.1 415"), "{content_type}: {reply}");
        // A page does not have the key.
        let reply = keyed.send(&head(&format!("{content_type}Authorization: Bearer k\r\n")), body);
        assert!(reply.starts_with("HTTP/1.1 200"), "{content_type}: {reply}");
    }
    for content_type in ["application/json", "Application/JSON; charset=utf-8"] {
        let reply = open.send(&head(&format!("Content-Type: {content_type}\r\n")), body);
        assert!(reply.starts_with("HTTP/1.1 200"), "{content_type}: {reply}");
    }
}

#[test]
fn an_address_that_others_reach_needs_a_key_unless_that_is_wanted() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let bind = |server: Server| runtime.block_on(server.host("0.0.0.0").port(0).bind());
    let error = bind(Server::new(tool())).expect_err("nobody said so");
    let inner = error.get_ref().and_then(|error| error.downcast_ref::<OpenToAll>());
    assert!(inner.is_some_and(|open| open.address.ip().is_unspecified()), "{error:?}");
    assert!(error.to_string().starts_with("without an API key, everyone who can reach 0.0.0.0:"), "{error}");
    assert!(bind(Server::new(tool()).key("k")).is_ok());
    assert!(bind(Server::new(tool()).allow_no_key(true)).is_ok());
}

//! The page for people: which of its parts need a key, what a browser is told, and who may call.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use opentool::{MapTool, OpenTool};
use opentool_server::axum::{Router, routing};
use opentool_server::serve::server;
use opentool_server::{Executor, Guarded, KeyFile, Rules, Server};
use serde_json::{Value, json};

const FILES: [&str; 4] = ["/", "/page/main.js", "/page/style.css", "/page/icon.svg"];

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"get","params":{}}"#;

fn guarded() -> Guarded {
    let document = json!({
        "opentool": "1.0.0", "info": {"title": "store", "version": "1.0.0"},
        "functions": [
            {"name": "get", "description": "Reads.", "parameters": []},
            {"name": "wipe", "description": "Deletes.", "parameters": []},
            {"name": "inner", "description": "For scripts.", "parameters": [], "x-tool": false},
        ],
        "x-refused": [{"name": "raw", "reason": "no length", "questions": ["How long is `xs`?"]}],
    });
    let document = OpenTool::parse(&document.to_string()).expect("a valid document");
    let tool = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document);
    let rules = Rules { deny: vec!["wipe".to_owned()], ..Rules::default() };
    Guarded::new(Executor::serial(tool)).rules(rules)
}

/// A server on a free port, as long as the test runs.
fn start(configure: impl FnOnce(Server) -> Server) -> SocketAddr {
    let server = configure(server(guarded(), "127.0.0.1").expect("a server"));
    let (told, address) = mpsc::channel();
    std::thread::spawn(move || server.port(0).run(|address| told.send(address).expect("the test waits")));
    address.recv_timeout(Duration::from_secs(30)).expect("it listens")
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect(&self.body)
    }
}

/// Sends a request with further headers; each ends with a line break.
fn send(address: SocketAddr, line: &str, headers: &str, body: &str) -> Reply {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let host = if headers.contains("Host: ") { String::new() } else { format!("Host: {address}\r\n") };
    write!(
        stream,
        "{line} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is read");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

fn get(address: SocketAddr, path: &str, headers: &str) -> Reply {
    send(address, &format!("GET {path}"), headers, "")
}

fn call_from(address: SocketAddr, origin: &str) -> u16 {
    let headers = format!("Origin: {origin}\r\nContent-Type: application/json\r\n");
    send(address, "POST /opentool/call", &headers, CALL).status
}

#[test]
fn the_files_of_the_page_need_no_key_and_its_data_does() {
    let address = start(|server| server.key("secret"));
    for path in FILES {
        let reply = get(address, path, "");
        assert_eq!(reply.status, 200, "{path}");
        assert!(!reply.body.contains("secret") && !reply.body.contains("store"), "{path}");
        assert_eq!(send(address, &format!("POST {path}"), "", "").status, 401, "{path}");
    }
    for path in ["/page/data", "/page/", "/page/none.js", "/page/../opentool/load", "/page/main.js/", "//"] {
        assert_eq!(get(address, path, "").status, 401, "{path}");
    }
    assert_eq!(get(address, "/page/data", "Authorization: Bearer secret\r\n").status, 200);
    assert!(get(address, "/", "").body.contains(r#"data-key="required""#));
    assert!(get(start(|server| server), "/", "").body.contains(r#"data-key="none""#));
}

#[test]
fn a_browser_runs_nothing_but_the_files_and_shows_them_in_no_frame() {
    let address = start(|server| server);
    for path in FILES {
        let reply = get(address, path, "");
        let policy = reply.header("content-security-policy").expect("a policy");
        for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(rule), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[test]
fn the_page_calls_its_own_server_and_pages_of_others_do_not() {
    let address = start(|server| server);
    assert_eq!(call_from(address, &format!("http://{address}")), 200);
    for origin in
        ["http://127.0.0.1:1", "http://localhost", "http://evil.example", "null", "https://evil.example"]
    {
        assert_eq!(call_from(address, origin), 403, "{origin}");
        assert_eq!(get(address, "/", &format!("Origin: {origin}\r\n")).status, 403, "{origin}");
        assert_eq!(get(address, "/page/data", &format!("Origin: {origin}\r\n")).status, 403, "{origin}");
    }
    // Without a page no page is the server's own.
    let address = start(|server| server.page(false));
    assert_eq!(call_from(address, &format!("http://{address}")), 403);
}

#[test]
fn a_foreign_host_name_gets_no_file_and_is_no_own_origin() {
    let address = start(|server| server);
    for path in FILES {
        assert_eq!(get(address, path, "Host: evil.example\r\n").status, 403, "{path}");
    }
    let headers = "Host: evil.example\r\nOrigin: http://evil.example\r\nContent-Type: application/json\r\n";
    assert_eq!(send(address, "POST /opentool/call", headers, CALL).status, 403);
}

#[test]
fn without_the_page_its_paths_are_free_for_other_routes() {
    let address = start(|server| server.page(false));
    for path in FILES.into_iter().chain(["/page/data"]) {
        assert_eq!(get(address, path, "").status, 404, "{path}");
    }
    let own = Router::new().route("/", routing::get(|| async { "mine" }));
    let address = start(|server| server.page(false).key("secret").routes(own));
    assert_eq!(get(address, "/", "").status, 401);
    assert_eq!(get(address, "/", "Authorization: Bearer secret\r\n").body, "mine");
}

#[test]
fn the_data_says_which_functions_are_refused_and_why() {
    let data = get(start(|server| server), "/page/data", "").json();
    assert_eq!(
        data,
        json!({
            "caller": "anonymous",
            "mcp": if cfg!(feature = "mcp") { json!("/mcp") } else { Value::Null },
            "refused": [
                {"name": "raw", "reason": "no length", "questions": ["How long is `xs`?"], "by": "document"},
                {"name": "wipe", "reason": "this server has `--deny 'wipe'`", "questions": [], "by": "server"},
                {"name": "inner", "reason": "its document does not offer it (`x-tool`)", "questions": [], "by": "document"},
            ],
        })
    );
    let document = get(start(|server| server), "/opentool/load", "").body;
    assert!(!document.contains("raw") && !document.contains("wipe"), "{document}");
}

#[test]
fn a_key_with_limits_learns_no_names_of_refused_functions() {
    let path = std::env::temp_dir().join(format!("opendyn-page-keys-{}", std::process::id()));
    let mut file = KeyFile::default();
    let limited = Rules { allow: vec!["get".to_owned()], ..Rules::default() };
    let limited = file.add("limited", limited, false).expect("a name");
    let free = file.add("free", Rules::default(), false).expect("a name");
    file.write(&path).expect("it is written");
    let address = start(|server| server.key_file(&path));
    let refused = |key: &str| {
        let data = get(address, "/page/data", &format!("Authorization: Bearer {key}\r\n")).json();
        data["refused"].as_array().map(Vec::len)
    };
    assert_eq!((refused(&limited), refused(&free)), (Some(0), Some(3)));
    std::fs::remove_file(&path).expect("it is ours");
}

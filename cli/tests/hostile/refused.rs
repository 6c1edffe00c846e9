//! What the sandbox of a library refuses, in every protocol: the error names the flag, and with the flag the call works.

use std::net::TcpListener;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::clients::{Client, Mcp, OpenTool, Server, Stdio};

/// The program with `serve!` has the same tests, which can run at the same time.
const FOLDERS: &str = concat!("hostile-folders-of-", env!("CARGO_PKG_NAME"));

/// A folder of the operator, with a file.
fn folder(name: &str) -> (PathBuf, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(FOLDERS).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let secret = folder.join("secret.txt");
    std::fs::write(&secret, "secret").expect("a file can be written");
    (folder, secret.to_str().expect("text").to_owned())
}

/// The three protocols, with the flags of the server.
fn with_every_client(flags: &[&str], mut test: impl FnMut(&mut dyn Client)) {
    let server = Server::start(&[&["--api-key", "one"], flags].concat());
    test(&mut OpenTool::new(&server, "one"));
    test(&mut Mcp::new(&server, "one"));
    let mut stdio = Stdio::start(flags);
    test(&mut stdio);
    stdio.end();
}

fn done() -> Result<Value, String> {
    Ok(json!({"result": 1}))
}

#[track_caller]
fn refused(reply: Result<Value, String>, texts: &[&str]) {
    let message = reply.expect_err("the sandbox refuses it");
    assert!(texts.iter().all(|text| message.contains(text)), "{message}");
}

#[test]
fn a_file_is_refused_with_the_flag_that_allows_it() {
    let (folder, secret) = folder("read");
    let folder = folder.to_str().expect("text");
    let read = json!({"path": secret, "write": 0});
    let flag =
        format!("`{secret}` cannot be read or written here: --allow-read {secret} or --allow-write {folder}");
    with_every_client(&[], |client| {
        refused(client.call("opens", read.clone()), &["code 13: Permission denied", &flag]);
    });
    with_every_client(&["--allow-read", folder], |client| {
        assert_eq!(client.call("opens", read.clone()), done());
    });
}

#[test]
fn writing_is_refused_with_the_flag_that_allows_it() {
    let (folder, secret) = folder("write");
    let new = format!("{}/new.txt", folder.display());
    let folder = folder.to_str().expect("text");
    with_every_client(&["--allow-read", folder], |client| {
        let flag = format!("`{secret}` cannot be written here: --allow-write {folder} allows it");
        refused(client.call("opens", json!({"path": secret, "write": 1})), &["code 13", &flag]);
        refused(client.call("opens", json!({"path": new, "write": 1})), &["code 13", "--allow-write"]);
    });
    assert!(!PathBuf::from(&new).exists());
    with_every_client(&["--allow-write", folder], |client| {
        assert_eq!(client.call("opens", json!({"path": new, "write": 1})), done());
        assert_eq!(client.call("opens", json!({"path": secret, "write": 0})), done(), "it can be read too");
    });
}

#[test]
fn a_connection_is_refused_with_the_flag_that_allows_it() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = json!({"port": listener.local_addr().expect("an address").port()});
    with_every_client(&[], |client| {
        refused(client.call("connects", port.clone()), &["code 13", "nor network connections (--allow-net)"]);
    });
    with_every_client(&["--allow-net"], |client| assert_eq!(client.call("connects", port.clone()), done()));
}

#[test]
fn processes_are_refused_and_only_without_the_sandbox_there_are_any() {
    let program = json!({"path": "/bin/true"});
    with_every_client(&[], |client| {
        let flag = ["Operation not permitted", "processes and UNIX sockets need --no-sandbox"];
        refused(client.call("forks", json!({})), &flag);
        refused(client.call("runs", program.clone()), &flag);
    });
    with_every_client(&["--no-sandbox"], |client| {
        assert_eq!(client.call("runs", program.clone()), done());
        assert_eq!(client.call("forks", json!({})), done());
    });
}

#[test]
fn the_environment_of_the_server_is_refused() {
    with_every_client(&[], |client| {
        refused(client.call("reads_environment", json!({})), &["code 13: Permission denied", "sandbox: "]);
    });
    with_every_client(&["--no-sandbox"], |client| {
        assert_eq!(client.call("reads_environment", json!({})), done());
    });
}

#[test]
fn a_crash_after_a_refusal_names_the_flag_too() {
    let (folder, secret) = folder("crash");
    with_every_client(&[], |client| {
        let crash = ["SIGSEGV in `unlocks`, at address 0x", "--allow-read"];
        refused(client.call("unlocks", json!({"path": secret})), &crash);
    });
    with_every_client(&["--allow-read", folder.to_str().expect("text")], |client| {
        assert_eq!(client.call("unlocks", json!({"path": secret})), Ok(json!({"result": i32::from(b's')})));
    });
}

#[test]
fn the_end_by_the_filter_of_system_calls_is_said() {
    with_every_client(&[], |client| {
        let why =
            "SIGSYS in `calls_32_bit`: the sandbox ends a process for a system call of another architecture";
        refused(client.call("calls_32_bit", json!({})), &[why]);
        assert_eq!(
            client.call("add", json!({"a": 2, "b": 3})),
            Ok(json!({"result": 5})),
            "the next call works"
        );
    });
}

#[test]
fn a_folder_that_is_gone_keeps_no_worker_from_starting() {
    let (folder, secret) = folder("gone");
    let mut client = Stdio::start(&["--allow-read", folder.to_str().expect("text")]);
    assert_eq!(client.call("opens", json!({"path": secret, "write": 0})), done());
    std::fs::remove_dir_all(&folder).expect("it is ours");
    client.call("exits", json!({"status": 1})).expect_err("it ends its worker");
    assert_eq!(client.call("add", json!({"a": 2, "b": 3})), Ok(json!({"result": 5})));
    client.end();
}

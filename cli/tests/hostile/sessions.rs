//! MCP clients over HTTP with sessions of their own.

use serde_json::json;

use crate::clients::{Client, Mcp, OpenTool, Server};
#[cfg(target_os = "linux")]
use crate::clients::{until, until_it_runs, workers_of};

#[test]
fn two_sessions_without_a_key_share_no_handles() {
    let server = Server::start(&[]);
    let [mut one, mut two] = [(); 2].map(|()| Mcp::in_session(&server, None));
    let made = one.call("box_new", json!({"value": 1})).expect("a box");
    let error = two.call("box_value", made.clone()).expect_err("not its own");
    assert!(error.contains("is not a handle that this tool gave out"), "{error}");
    let error = OpenTool::at(&server.url, None).call("box_value", made.clone()).expect_err("not its own");
    assert!(error.contains("is not a handle that this tool gave out"), "{error}");

    two.call("null_read", json!({})).expect_err("it crashes");
    assert_eq!(one.call("box_value", made), Ok(json!({"result": 1})), "the crash of another session");
}

#[test]
#[cfg(target_os = "linux")]
fn a_session_that_ends_frees_its_handles_and_its_worker() {
    let server = Server::start(&["--deadline", "600"]);
    let [mut one, mut two] = [(); 2].map(|()| Mcp::in_session(&server, None));
    let kept = two.call("box_new", json!({"value": 2})).expect("a box");
    one.call("box_new", json!({"value": 1})).expect("a box");
    assert_eq!(workers_of(&server), 2);
    let ended = |count: usize| until("the worker does not end", || workers_of(&server) <= count);
    assert_eq!(one.leave(), "204");
    ended(1);
    assert_eq!(two.call("box_value", kept), Ok(json!({"result": 2})));

    // Also while it makes a call.
    std::thread::scope(|scope| {
        let mut hanging = Mcp::in_session(&server, None);
        let leaving = hanging.clone();
        let call = scope.spawn(move || hanging.call("spin", json!({})));
        until_it_runs(&server, None);
        assert_eq!(leaving.leave(), "204");
        let error = call.join().expect("no panic").expect_err("it was ended");
        assert!(error.contains("it was cancelled"), "{error}");
    });
    ended(1);
}

#[test]
fn a_key_with_many_sessions_takes_no_worker_of_another_key() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two", "--sessions", "3"]);
    let mut other = Mcp::in_session(&server, Some("two"));
    let kept = other.call("box_new", json!({"value": 7})).expect("a box");
    let mut many: Vec<_> = (0..6).map(|_| Mcp::in_session(&server, Some("one"))).collect();
    let boxes: Vec<_> =
        many.iter_mut().map(|one| one.call("box_new", json!({"value": 1})).expect("a box")).collect();
    assert_eq!(other.call("box_value", kept), Ok(json!({"result": 7})));
    assert_eq!(many[5].call("box_value", boxes[5].clone()), Ok(json!({"result": 1})));
    let error = many[0].call("box_value", boxes[0].clone()).expect_err("it gave way");
    assert!(error.contains("was lost: its worker ended (3 callers have a worker"), "{error}");
}

#[test]
fn a_session_is_of_no_use_with_another_key() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two"]);
    let mut one = Mcp::in_session(&server, Some("one"));
    let made = one.call("box_new", json!({"value": 1})).expect("a box");
    let mut thief = one.with_key("two");
    let error = thief.call("box_value", made.clone()).expect_err("a session of another key");
    assert!(error.contains("there is no such session"), "{error}");
    assert_eq!(thief.leave(), "404");
    assert_eq!(one.call("box_value", made), Ok(json!({"result": 1})));
}

//! Many crashes in a row, while another client calls.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::clients::{Client, OpenTool, Server, until};

/// As many as CI makes with `OPENDYN_TEST_ALL`, or fewer.
fn count() -> u32 {
    if std::env::var_os("OPENDYN_TEST_ALL").is_some() { 1000 } else { 200 }
}

pub(crate) fn descriptors(server: &Server) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", server.id())).map_or(0, Iterator::count)
}

/// The memory of the server itself, in KiB.
pub(crate) fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

#[test]
fn crashes_in_a_row_lose_and_swap_no_reply_of_another_client() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two"]);
    let mut crasher = OpenTool::new(&server, "one");
    let crash = |crasher: &mut OpenTool| {
        let error = crasher.call("null_read", json!({})).expect_err("it crashes");
        assert!(error.contains("SIGSEGV in `null_read`"), "{error}");
    };
    (0..20).for_each(|_| crash(&mut crasher));
    let before = (descriptors(&server), memory(&server));
    let done = AtomicBool::new(false);
    let calls = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut other = OpenTool::new(&server, "two");
            let made = other.call("box_new", json!({"value": 7})).expect("a box");
            let mut calls = 0;
            while !done.load(Ordering::Relaxed) {
                let sum = other.call("add", json!({"a": calls, "b": 1}));
                assert_eq!(sum, Ok(json!({"result": calls + 1})), "no reply is lost or swapped");
                assert_eq!(other.call("box_value", made.clone()), Ok(json!({"result": 7})));
                calls += 1;
            }
            calls
        });
        (0..count()).for_each(|_| crash(&mut crasher));
        done.store(true, Ordering::Relaxed);
        other.join().expect("every reply is right")
    });
    assert!(calls > 20, "{calls} calls were made beside the crashes");
    // The connection of a request may not be closed yet; the other client has a worker now.
    until("descriptors are left", || descriptors(&server) <= before.0 + 4);
    let after = memory(&server);
    assert!(after <= before.1 + 8 * 1024, "memory in KiB: {before:?} {after:?}");
}

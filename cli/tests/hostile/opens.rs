//! A client that opens as much as it can.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::clients::{Client, Connected, OpenTool, Server, counted, workers_of};
use crate::crashes::{descriptors, memory};

/// Waits until no caller has a worker, and no process of one is left: the system needs a moment for a killed process.
fn until_expired(server: &Server) {
    let begin = Instant::now();
    loop {
        let left = (counted(server, "two").swap_remove(1), workers_of(server));
        if left.0 == "opentool_workers 0" && left.1 == 0 {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "the count, and the processes: {left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn twenty_thousand_opens_end_at_the_quota_and_leave_nothing_behind() {
    let server = Server::start(&["--api-key", "one", "--api-key", "two", "--idle", "2"]);
    // What the server keeps after its first calls is not of the client.
    Connected::new(&server, "one").call("box_new", json!({"value": 0})).expect("a box");
    until_expired(&server);
    let before = (descriptors(&server), memory(&server));

    let mut greedy = Connected::new(&server, "one");
    let (mut opened, mut refused) = (0, 0);
    for number in 0..20_000 {
        match greedy.call("box_new", json!({"value": number})) {
            Ok(_) => opened += 1,
            Err(error) => {
                assert!(error.contains("this session has 10000 handles, and may have no more"), "{error}");
                refused += 1;
            }
        }
    }
    assert_eq!((opened, refused), (10_000, 10_000));
    assert_eq!(counted(&server, "two")[0], "opentool_handles 10000");
    assert_eq!(greedy.call("add", json!({"a": 1, "b": 1})), Ok(json!({"result": 2})), "it may call on");
    let mut other = OpenTool::new(&server, "two");
    other.call("box_new", json!({"value": 1})).expect("another client has a quota of its own");

    drop(greedy);
    until_expired(&server);
    assert_eq!(counted(&server, "two")[0], "opentool_handles 0");
    let after = (descriptors(&server), memory(&server));
    // Connections may not be closed yet.
    assert!(after.0 <= before.0 + 4, "descriptors: {before:?} {after:?}");
    assert!(after.1 <= before.1 + 4 * 1024, "memory in KiB: {before:?} {after:?}");
}

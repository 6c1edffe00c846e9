//! A client that opens as much as it can.

use serde_json::json;

use crate::clients::{Client, Connected, OpenTool, Server, counted, until, workers_of};
use crate::crashes::{descriptors, memory};

/// Waits until no caller has a worker, and no process of one is left: the system needs a moment for a killed process.
fn until_expired(server: &Server) {
    until("a worker is left", || {
        counted(server, "two")[1] == "opentool_workers 0" && workers_of(server) == 0
    });
}

#[test]
fn twenty_thousand_opens_end_at_the_quota_and_leave_nothing_behind() {
    // Longer than any pause between two calls of a client that does nothing else, also on a busy machine.
    let server = Server::start(&["--api-key", "one", "--api-key", "two", "--idle", "8"]);
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
    // Connections may not be closed yet.
    until("a descriptor is left", || descriptors(&server) <= before.0);
    let after = memory(&server);
    assert!(after <= before.1 + 4 * 1024, "memory in KiB: {before:?} {after:?}");
}

//! Calls of real libraries that never return, through the command: each ends at its deadline and when it is cancelled, and
//! the next call works. A call that the library itself can end (`x-cancel`) costs its caller nothing else.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

#[path = "../hostile/clients.rs"]
mod clients;

use std::time::{Duration, Instant};

use clients::{Client, OpenTool, Server, Stdio};
use serde_json::{Value, json};

const SQLITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/sqlite/sqlite.json");
const ZLIB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/zlib/zlib.json");

/// The document of zlib without the limit that keeps negative lengths from `crc32_combine`.
fn unlimited() -> &'static str {
    static PATH: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    PATH.get_or_init(|| {
        let shipped = std::fs::read_to_string(ZLIB).expect("it is there");
        let unlimited = shipped.replace("\"minimum\": 0, ", "");
        assert_ne!(unlimited, shipped, "the shipped document has the limit");
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unlimited-zlib.json");
        std::fs::write(&path, unlimited).expect("written");
        path.to_string_lossy().into_owned()
    })
}

/// A call that never ends is given so long.
const SOON: &[&str] = &["--deadline", "3"];
/// It is cancelled before.
const NEVER: &[&str] = &["--deadline", "600", "--workers", "1"];
/// How long a machine with other work may take besides.
const SLACK: Duration = Duration::from_secs(15);

/// It has no end, and no row before its end.
const ENDLESS: &str =
    "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";

/// A client of `opendyn serve`, and one of `opendyn mcp`, one after the other. What the first needs lives with it.
fn each(document: &str, arguments: &[&str], test: impl Fn(&mut dyn Client)) {
    let server = Server::of(&[document], arguments);
    test(&mut OpenTool::at(&server.url, None));
    let mut client = Stdio::of(&[document], arguments);
    test(&mut client);
    client.end();
}

/// The error of a call that ends at its deadline of three seconds.
fn ends(client: &mut dyn Client, function: &str, arguments: Value) {
    let begin = Instant::now();
    let error = client.call(function, arguments).expect_err("it has no end");
    assert!(error.contains("did not end within 3000 ms"), "{function}: {error}");
    assert!(begin.elapsed() < Duration::from_secs(3) + SLACK, "{function}: {:?}", begin.elapsed());
}

/// Begins a call that never ends, and cancels it: over HTTP the client leaves, over the streams it says so.
fn cancels_over_http(server: &Server, function: &str, arguments: Value) {
    let connection = OpenTool::at(&server.url, None).begin(function, arguments);
    clients::until_it_runs(server, None);
    drop(connection);
}

fn cancels_over_stdio(client: &mut Stdio, function: &str, arguments: Value) {
    let id = client.begin(function, arguments);
    client.notify("notifications/cancelled", json!({"requestId": id}));
}

/// A call that must not wait for one that was cancelled longer than that one is given.
fn next(client: &mut dyn Client, function: &str, arguments: Value) -> Value {
    let begin = Instant::now();
    let reply = client.call(function, arguments).expect("the next call works");
    assert!(begin.elapsed() < SLACK, "{function}: {:?}", begin.elapsed());
    reply
}

fn negative() -> Value {
    json!({"crc1": 1, "crc2": 2, "len2": -1})
}

fn combines(client: &mut dyn Client) {
    let reply = next(client, "crc32_combine", json!({"crc1": 1, "crc2": 2, "len2": 0}));
    assert_eq!(reply, json!({"checksum": 3}));
}

#[test]
fn the_shipped_document_refuses_a_negative_length_at_once() {
    each(ZLIB, NEVER, |client| {
        let error = client.call("crc32_combine", negative()).expect_err("it has no end");
        assert!(error.contains("/len2: -1"), "{error}");
        combines(client);
    });
}

#[test]
fn crc32_combine_with_a_negative_length_ends_at_its_deadline() {
    each(unlimited(), SOON, |client| {
        ends(client, "crc32_combine", negative());
        combines(client);
    });
}

#[test]
fn crc32_combine_with_a_negative_length_ends_when_it_is_cancelled() {
    let server = Server::of(&[unlimited()], NEVER);
    cancels_over_http(&server, "crc32_combine", negative());
    combines(&mut OpenTool::at(&server.url, None));
    let mut client = Stdio::of(&[unlimited()], NEVER);
    cancels_over_stdio(&mut client, "crc32_combine", negative());
    combines(&mut client);
    client.end();
}

/// A database in memory, which is gone with its worker.
fn database(client: &mut dyn Client) -> Value {
    let db = client.call("sqlite3_open", json!({"filename": ":memory:"})).expect("it opens")["db"].clone();
    let sql = "create table planets(name); insert into planets values ('Saturn')";
    client.call("sqlite3_exec", json!({"db": db, "sql": sql})).expect("it runs");
    db
}

fn statement(client: &mut dyn Client, db: &Value) -> Value {
    let prepared = client.call("sqlite3_prepare_v2", json!({"db": db, "sql": ENDLESS}));
    prepared.expect("it is prepared")["stmt"].clone()
}

fn has_saturn(client: &mut dyn Client, db: &Value) {
    let query = json!({"db": db, "sql": "select name from planets"});
    let reply = next(client, "sqlite3_exec", query);
    assert_eq!(reply["rows"][0]["values"], json!(["Saturn"]));
}

#[test]
fn an_endless_query_ends_at_its_deadline_and_its_connection_lives_on() {
    each(SQLITE, SOON, |client| {
        let db = database(client);
        ends(client, "sqlite3_exec", json!({"db": db, "sql": ENDLESS}));
        has_saturn(client, &db);
        // It has only the statement: the connection is the one that it lives in.
        let stmt = statement(client, &db);
        ends(client, "sqlite3_step", json!({"stmt": stmt}));
        has_saturn(client, &db);
        next(client, "sqlite3_finalize", json!({"stmt": stmt}));
        next(client, "sqlite3_close", json!({"db": db}));
    });
}

#[test]
fn an_endless_query_ends_when_it_is_cancelled_and_its_connection_lives_on() {
    let server = Server::of(&[SQLITE], NEVER);
    let mut client = OpenTool::at(&server.url, None);
    let db = database(&mut client);
    cancels_over_http(&server, "sqlite3_exec", json!({"db": db, "sql": ENDLESS}));
    has_saturn(&mut client, &db);
    let stmt = statement(&mut client, &db);
    cancels_over_http(&server, "sqlite3_step", json!({"stmt": stmt}));
    has_saturn(&mut client, &db);
    let mut client = Stdio::of(&[SQLITE], NEVER);
    let db = database(&mut client);
    cancels_over_stdio(&mut client, "sqlite3_exec", json!({"db": db, "sql": ENDLESS}));
    has_saturn(&mut client, &db);
    let stmt = statement(&mut client, &db);
    cancels_over_stdio(&mut client, "sqlite3_step", json!({"stmt": stmt}));
    has_saturn(&mut client, &db);
    client.end();
}

#[test]
fn an_endless_query_in_the_process_of_the_server_is_ended_too() {
    each(SQLITE, &["--in-process", "--deadline", "3"], |client| {
        let db = database(client);
        ends(client, "sqlite3_exec", json!({"db": db, "sql": ENDLESS}));
        has_saturn(client, &db);
        let stmt = statement(client, &db);
        ends(client, "sqlite3_step", json!({"stmt": stmt}));
        has_saturn(client, &db);
    });
}

/// A backup between two connections that share their cache. It waits for a lock that it holds itself, and SQLite does not
/// listen to anything.
fn backup(client: &mut dyn Client) -> (Value, Value) {
    let mut open = || {
        let uri = json!({"filename": "file::memory:?cache=shared", "flags": 2 | 4 | 64});
        client.call("sqlite3_open_v2", uri).expect("it opens")["db"].clone()
    };
    let (from, to) = (open(), open());
    let sql = "create table planets(name); insert into planets values ('Saturn')";
    client.call("sqlite3_exec", json!({"db": from, "sql": sql})).expect("it runs");
    let begun = client.call("sqlite3_backup_init", json!({"destination": to, "source": from}));
    (from, json!({"backup": begun.expect("it begins")["backup"]}))
}

/// Its connections are gone, and say why; others can be opened.
fn is_lost(client: &mut dyn Client, db: &Value, why: &str) {
    let query = json!({"db": db, "sql": "select name from planets"});
    let error = client.call("sqlite3_exec", query).expect_err("it is lost");
    assert!(error.contains(why), "{error}");
    let db = database(client);
    has_saturn(client, &db);
}

#[test]
fn a_backup_between_connections_with_one_cache_ends_at_its_deadline() {
    each(SQLITE, SOON, |client| {
        let (db, backup) = backup(client);
        ends(client, "sqlite3_backup_step", backup);
        is_lost(client, &db, "killed: `sqlite3_backup_step` did not end within 3000 ms");
    });
}

#[test]
fn a_backup_between_connections_with_one_cache_ends_when_it_is_cancelled() {
    let why = "killed: `sqlite3_backup_step` was cancelled";
    let server = Server::of(&[SQLITE], NEVER);
    let mut client = OpenTool::at(&server.url, None);
    let (db, begun) = backup(&mut client);
    cancels_over_http(&server, "sqlite3_backup_step", begun);
    is_lost(&mut client, &db, why);
    let mut client = Stdio::of(&[SQLITE], NEVER);
    let (db, begun) = backup(&mut client);
    cancels_over_stdio(&mut client, "sqlite3_backup_step", begun);
    is_lost(&mut client, &db, why);
    client.end();
}

#[test]
fn a_client_that_leaves_does_not_wait_for_calls_in_the_process_of_the_server() {
    let mut client = Stdio::of(&[unlimited()], &["--in-process", "--deadline", "600"]);
    client.begin("crc32_combine", negative());
    let begin = Instant::now();
    client.end();
    // Five seconds to reply, and three for the call to end.
    assert!(begin.elapsed() < Duration::from_secs(8) + SLACK, "{:?}", begin.elapsed());
}

#[test]
fn a_signal_ends_a_server_whose_own_process_hangs() {
    let server = Server::of(&[unlimited()], &["--in-process", "--deadline", "600", "--grace", "1"]);
    let _open = OpenTool::at(&server.url, None).begin("crc32_combine", negative());
    std::thread::sleep(Duration::from_millis(500));
    let begin = Instant::now();
    server.signal("-TERM");
    server.ends();
    assert!(begin.elapsed() < Duration::from_secs(4) + SLACK, "{:?}", begin.elapsed());
}

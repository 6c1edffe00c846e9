//! Clients that others wrote, as models and agents use them: each lists, searches, calls, sees errors and cancels, over the
//! standard streams and over HTTP. `.ci/mcp-clients` installs them.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]
#![cfg(target_os = "linux")]

#[path = "../hostile/clients.rs"]
mod clients;

use std::process::Command;

use clients::{Server, library};
use serde_json::{Map, Value, json};

const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/mcp-clients");
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients");
const SQLITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/sqlite/sqlite.json");
const ZLIB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/zlib/zlib.json");
const HOSTILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/hostile.json");

/// Far beyond what a call may take here: a call that is cancelled does not end because of it.
const DEADLINE: [&str; 2] = ["--deadline", "600"];

/// The tasks of `tasks.py`, each with the tool that it is done with, and its options.
fn tasks(searched: &'static str) -> [(&'static str, Vec<&'static str>); 4] {
    [
        (searched, [&[SQLITE][..], &DEADLINE].concat()),
        ("listed", vec![SQLITE, "--list", "all"]),
        ("unsigned", vec![ZLIB, "--list", "all"]),
        ("killed", [&[HOSTILE, "--library", library()][..], &DEADLINE].concat()),
    ]
}

/// Runs a client twice: it starts the servers, and they run already.
fn each(program: &str, arguments: &[&str], searched: &'static str) {
    let streams = tasks(searched).into_iter().map(|(task, tool)| {
        let command = [&[env!("CARGO_BIN_EXE_opendyn"), "mcp"][..], &tool].concat();
        (task.to_owned(), json!(command))
    });
    run(program, arguments, streams.collect(), &[]);
    let servers = tasks(searched).map(|(task, tool)| (task, Server::of(&tool, &[])));
    let urls = servers
        .iter()
        .map(|(task, server)| ((*task).to_owned(), json!(format!("http://{}/mcp", server.url))));
    let ids: Vec<u32> = servers.iter().map(|(_, server)| server.id()).collect();
    run(program, arguments, urls.collect(), &ids);
}

/// The script fails if something is wrong. What it prints are complaints, about our schemas among others, and what our servers
/// say when they start.
fn run(program: &str, arguments: &[&str], servers: Map<String, Value>, ids: &[u32]) {
    let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
    let output = Command::new(format!("{INSTALLED}/{program}"))
        .args(arguments)
        .arg(Value::Object(servers).to_string())
        .env("SERVERS", ids.join(" "))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("`.ci/mcp-clients` installs it");
    let said =
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    assert!(output.status.success(), "{}\n{said}", output.status);
    let complaints: Vec<&str> = said.lines().filter(|line| !line.starts_with("opendyn: sandbox: ")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn python(environment: &str, script: &str, searched: &'static str) {
    each(&format!("{environment}/bin/python"), &[&format!("{SCRIPTS}/{script}")], searched);
}

fn typescript(package: &str) {
    let arguments = [&format!("{SCRIPTS}/typescript.mjs"), INSTALLED, package];
    each("node_modules/.bin/node", &arguments, "searched_and_cancelled");
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn fastmcp_lists_searches_calls_and_cancels() {
    python("python", "fastmcp_client.py", "searched_and_cancelled");
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn pydantic_ai_lists_searches_calls_and_cancels() {
    python("python", "pydantic_client.py", "searched_and_cancelled");
}

/// It cancels a session, and with it what it has: `langchain_client.py` says why.
#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn langchain_lists_searches_calls_and_cancels() {
    python("langchain", "langchain_client.py", "searched");
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_typescript_sdk_lists_searches_calls_and_cancels() {
    typescript("@modelcontextprotocol/client");
}

/// Which most programs still have.
#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_first_typescript_sdk_lists_searches_calls_and_cancels() {
    typescript("@modelcontextprotocol/sdk");
}

//! Third-party clients list and call the examples, over both transports. `.ci/mcp-clients` installs
//! them.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test code may panic")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

const CALC: &str = env!("CARGO_BIN_EXE_calc-mcp");
const SQLITE: &str = env!("CARGO_BIN_EXE_sqlite-mcp");
const CLIENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/mcp-clients");

/// A server that ends with the test.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(program: &str, arguments: &[&str]) -> Self {
        let mut process =
            Command::new(program).args(arguments).stdout(Stdio::piped()).spawn().expect("it starts");
        let output = process.stdout.take().expect("piped");
        let url = BufReader::new(output).lines().next().expect("a line").expect("text");
        Self { process, url }
    }

    fn example(program: &str, options: &[&str]) -> Self {
        let mut server = Self::start(program, &[&["--toolPort", "0"], options].concat());
        let at = server.url.find("http://").expect("an address");
        server.url = server.url[at..].replace("/opentool", "/mcp");
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; the test has noticed that.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(format!("{CLIENTS}/{program}"))
        .args(arguments)
        // The inspector writes a file to the home folder.
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("`.ci/mcp-clients` installs it")
}

#[track_caller]
fn printed(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{out}\n{err}", output.status);
    out.into_owned()
}

/// Beside the program, where a document's library is looked for first, there is none.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(no_sqlite, ignore = "this system has no SQLite (libsqlite3.so.0)")]
fn a_library_that_the_document_names_is_loaded_in_the_sandbox() {
    let mut command = Command::new(SQLITE);
    let output = command.arg("--mcp-stdio").stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let nothing = "sandbox: no network, no writing, reading the libraries and the system's data";
    assert!(output.status.success() && said.contains(nothing), "{said}");
}

/// The SDK for Python, on both transports.
fn sdk(tests: &str, program: &str, options: &[&str]) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk.py");
    printed(&run("python/bin/python", &[&[script, tests, program, "--mcp-stdio"], options].concat()));
    printed(&run("python/bin/python", &[script, tests, &Server::example(program, options).url]));
}

/// Many functions are listed only if that is wanted.
const ALL: &[&str] = &["--list", "all"];

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
fn the_python_sdk_calls_the_bundled_library() {
    sdk("calc", CALC, &[]);
}

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
#[cfg_attr(all(no_sqlite, not(no_clients)), ignore = "this system has no SQLite (libsqlite3.so.0)")]
fn the_python_sdk_calls_sqlite() {
    sdk("sqlite", SQLITE, ALL);
}

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
#[cfg_attr(all(no_sqlite, not(no_clients)), ignore = "this system has no SQLite (libsqlite3.so.0)")]
fn the_python_sdk_searches_for_functions_and_calls_what_it_finds() {
    sdk("search", SQLITE, &[]);
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
#[cfg_attr(all(no_sqlite, not(no_clients)), ignore = "this system has no SQLite (libsqlite3.so.0)")]
fn clients_of_the_python_sdk_have_sessions_and_leave_nothing_behind() {
    let server = Server::example(SQLITE, &[]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk.py");
    printed(&run("python/bin/python", &[script, "sessions", &server.url]));
    // Only that of the clients without a session stays: they share the handles of everybody without a key.
    let children = format!("/proc/{0}/task", server.process.id());
    let workers = || -> usize {
        let tasks = std::fs::read_dir(&children).expect("it runs").flatten();
        let lists =
            tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        lists.map(|list| list.split_whitespace().count()).sum()
    };
    let begin = std::time::Instant::now();
    while workers() > 1 && begin.elapsed() < std::time::Duration::from_secs(10) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(workers(), 1);
}

/// One request of the inspector, with its exit code: 5 means that the result is an error.
fn inspect(target: &[&str], arguments: &[&str]) -> (Option<i32>, Value) {
    let script = format!("{CLIENTS}/node_modules/.bin/mcp-inspector");
    let all = [&[script.as_str(), "--cli"], target, arguments].concat();
    let output = run("node_modules/.bin/node", &all);
    let text = String::from_utf8_lossy(&output.stdout);
    let value = serde_json::from_str(&text);
    let value = value.unwrap_or_else(|_| json!(format!("{text}{}", String::from_utf8_lossy(&output.stderr))));
    (output.status.code(), value)
}

/// Lists the functions of a library and calls `name`, on both transports.
fn inspected(program: &str, name: &str, arguments: &[&str], expected: &Value) {
    let server = Server::example(program, ALL);
    let call: Vec<&str> = ["--method", "tools/call", "--tool-name", name]
        .into_iter()
        .chain(arguments.iter().flat_map(|argument| ["--tool-arg", argument]))
        .collect();
    for target in [&[&[program, "--mcp-stdio"], ALL].concat()[..], &[&server.url]] {
        // With `--strict`, a schema that clients would refuse is a failure.
        let (code, list) = inspect(target, &["--method", "tools/list", "--strict"]);
        assert_eq!(code, Some(0), "{list}");
        let tools = list["tools"].as_array().expect("a list");
        assert!(tools.iter().any(|tool| tool["name"] == name), "{list}");
        // All but the tool of the server itself, which reads on in large results.
        let functions = || tools.iter().filter(|tool| tool["name"] != "read_result");
        assert!(functions().all(|tool| tool["outputSchema"]["type"] == "object"), "{list}");

        let (code, result) = inspect(target, &call);
        assert_eq!((code, &result["structuredContent"]), (Some(0), expected), "{result}");
        let (code, result) = inspect(target, &[&call[..], &["--tool-arg", "surplus=1"]].concat());
        assert_eq!((code, &result["isError"]), (Some(5), &json!(true)), "{result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains("surplus"), "{text}");
    }
}

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
fn the_inspector_calls_the_bundled_library() {
    inspected(CALC, "add", &["a=2", "b=3"], &json!({"result": 5}));
}

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
#[cfg_attr(all(no_sqlite, not(no_clients)), ignore = "this system has no SQLite (libsqlite3.so.0)")]
fn the_inspector_calls_sqlite() {
    inspected(SQLITE, "sqlite3_complete", &["sql=SELECT 1;"], &json!({"complete": true}));
}

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
fn the_keys_of_the_server_are_those_of_mcp() {
    let server = Server::example(CALC, &["--apiKeys", "secret"]);
    let list = |header: &[&str]| {
        let header: Vec<&str> = header.iter().flat_map(|header| ["--header", header]).collect();
        inspect(&[&server.url], &[&["--method", "tools/list"], &header[..]].concat())
    };
    let (code, reply) = list(&["Authorization: Bearer secret"]);
    assert_eq!(code, Some(0), "{reply}");
    for header in [&[][..], &["Authorization: Bearer guess"]] {
        let (code, reply) = list(header);
        // This is how the inspector reports status 401.
        assert!(code == Some(3) && reply.to_string().contains("auth_required"), "{code:?}: {reply}");
    }
}

/// The scenarios for a server that has only tools, by revision.
const SCENARIOS: &[(&str, &[&str])] = &[
    (
        "2025-11-25",
        &[
            "server-initialize",
            "ping",
            "tools-list",
            "tools-call-simple-text",
            "tools-call-error",
            "dns-rebinding-protection",
        ],
    ),
    (
        "2026-07-28",
        &[
            "tools-list",
            "tools-call-simple-text",
            "tools-call-error",
            "dns-rebinding-protection",
            "server-sse-multiple-streams",
            "http-header-validation",
        ],
    ),
];

fn conform(server: &Server, revision: &str, scenario: &str) -> Output {
    let script = format!("{CLIENTS}/node_modules/.bin/conformance");
    let arguments = ["server", "--url", &server.url, "--spec-version", revision, "--scenario", scenario];
    run("node_modules/.bin/node", &[&[script.as_str()], &arguments[..]].concat())
}

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
fn the_conformance_scenarios_for_tools_pass() {
    let server = Server::start(env!("CARGO_BIN_EXE_mcp-fixture"), &["conformance"]);
    for (revision, scenarios) in SCENARIOS {
        for scenario in *scenarios {
            let report = printed(&conform(&server, revision, scenario));
            let passed = report.lines().find(|line| line.starts_with("Passed: ")).unwrap_or(&report);
            assert!(passed.ends_with(" 0 failed, 0 warnings"), "{scenario} of {revision}: {report}");
            assert!(!passed.starts_with("Passed: 0/"), "{scenario} of {revision}: {report}");
        }
    }
}

/// Scenarios of the newest revision that also need features that we lack: prompts, and tools
/// that request something from the client. Each has the checks that fail because of that.
const IN_PART: &[(&str, &[&str])] = &[
    (
        "server-stateless",
        &[
            "sep-2575-server-rejects-undeclared-capability",
            "sep-2575-missing-capability-http-400",
            "sep-2575-http-server-no-independent-requests-on-stream",
            "sep-2575-server-no-log-without-loglevel",
        ],
    ),
    ("caching", &["sep-2549-prompts-list-caching-hints"]),
];

#[test]
#[cfg_attr(no_clients, ignore = "`.ci/mcp-clients` has not installed the clients")]
fn the_other_conformance_scenarios_pass_except_for_features_that_we_lack() {
    let server = Server::start(env!("CARGO_BIN_EXE_mcp-fixture"), &["conformance"]);
    for (scenario, not_for_us) in IN_PART {
        let output = conform(&server, "2026-07-28", scenario);
        let report = String::from_utf8_lossy(&output.stdout);
        let failed: Vec<&str> = report.lines().filter(|line| line.contains("FAILURE")).collect();
        for check in *not_for_us {
            assert!(failed.iter().any(|line| line.contains(check)), "{check} can be asked now: {report}");
        }
        assert_eq!(failed.len(), not_for_us.len(), "{scenario}: {failed:#?}");
        assert!(report.contains(&format!(", {} failed, 0 warnings", failed.len())), "{scenario}: {report}");
    }
}

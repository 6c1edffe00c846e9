//! Arguments and results of scripts, and the lifetime of their workers.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use opentool::{OpenTool, Tool, ToolError};
use opentool_python::{PythonError, PythonTool, PythonToolBuilder, Workers, WorkersBuilder};
use opentool_python_tests::Written;
use serde_json::{Value, json};

/// A script that returns an expression as its data.
fn returning(expression: &str) -> String {
    format!(
        "import os, sys, time\n\ndef execute(tool_input: dict) -> dict:\n    return dict(success=True, message='', data={expression})\n"
    )
}

fn builder(written: &Written, name: &str, source: &str) -> PythonToolBuilder {
    PythonTool::builder(written.write(name, source).expect("room for a script")).log(|_| {})
}

fn data(tool: &PythonTool, arguments: &str) -> Result<Value, ToolError> {
    let reply = tool.call_json("execute", arguments)?;
    Ok(serde_json::from_str::<Value>(&reply).expect("JSON")["data"].take())
}

fn runs(pid: &Value) -> bool {
    Path::new(&format!("/proc/{pid}/stat")).exists()
}

fn until_gone(pids: &[Value]) {
    let start = Instant::now();
    while pids.iter().any(runs) {
        assert!(start.elapsed() < Duration::from_secs(20), "{pids:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn document(parameters: Value, returns: Value) -> OpenTool {
    let document = json!({
        "opentool": "1.0.0",
        "info": {"title": "t", "version": "1"},
        "functions": [{"name": "execute", "description": "d", "parameters": parameters, "return": returns}],
    });
    OpenTool::parse(&document.to_string()).expect("a document")
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn arguments_arrive_unchanged() {
    let written = Written::new().expect("a folder");
    let tool = builder(&written, "a.py", &returning("repr(tool_input)")).build().expect("valid");
    let arguments = "{\n\"a\": 123456789012345678901234567890,\r\n \"b\": [1.5, null, true, \"\\n中\"]}";
    let expected = "{'a': 123456789012345678901234567890, 'b': [1.5, None, True, '\\n中']}";
    assert_eq!(data(&tool, arguments), Ok(json!(expected)));
    for wrong in ["", "[1]", "{} {}", "{\"a\": NaN}", "null"] {
        let error = data(&tool, wrong).expect_err(wrong);
        assert!(matches!(&error, ToolError::InvalidArguments(_)), "{wrong}: {error}");
    }
    let error = tool.call_json("exekute", "{}").expect_err("no such function");
    assert_eq!(error.to_string(), "unknown function `exekute`; did you mean `execute`?");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn arguments_and_data_are_checked_against_a_written_document() {
    let written = Written::new().expect("a folder");
    let parameters = json!([{"name": "n", "schema": {"type": "integer"}, "required": true}]);
    let returns = json!({"name": "data", "schema": {"type": "array", "items": {"type": "string"}}});
    let described = document(parameters, returns);
    let source = returning("['x'] * (tool_input['n'] - 1) + [tool_input['n']]");
    let given = builder(&written, "given.py", &source).document(described.clone()).build().expect("valid");
    written.write("beside.json", &described.to_string_pretty()).expect("room");
    let beside = builder(&written, "beside.py", &source).build().expect("valid");
    for tool in [&given, &beside] {
        let error = data(tool, r#"{"n": "1"}"#).expect_err("a string");
        assert_eq!(error.to_string(), "invalid arguments: /n: \"1\" is a string; expected an integer");
        let error = data(tool, "{}").expect_err("missing");
        assert_eq!(error.to_string(), "invalid arguments: /n: missing; expected an integer");
        let error = data(tool, r#"{"n": 1, "m": 1}"#).expect_err("unknown");
        assert_eq!(error.to_string(), "invalid arguments: /m: unknown argument; this function takes n");
        let name = tool.path().file_name().expect("a file").to_string_lossy();
        let error = data(tool, r#"{"n": 3}"#).expect_err("not a string");
        let expected = format!("the call failed: {name}: /data/2: 3 is a number; expected a string");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_derived_description_is_not_used_for_checks() {
    let written = Written::new().expect("a folder");
    let tool = builder(&written, "a.py", &returning("tool_input['n']")).build().expect("valid");
    assert_eq!(data(&tool, r#"{"n": [1], "m": 2}"#), Ok(json!([1])));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_document_describes_only_data() {
    let written = Written::new().expect("a folder");
    let described = document(json!([]), json!({"name": "sum", "schema": {"type": "integer"}}));
    let error = builder(&written, "a.py", &returning("1")).document(described).build().expect_err("not data");
    assert!(matches!(&error, PythonError::Return { name, .. } if name == "sum"), "{error}");
    assert!(error.to_string().contains("call it `data`"), "{error}");
    written.write("b.json", "{").expect("room");
    let error = builder(&written, "b.py", &returning("1")).build().expect_err("no document");
    assert!(matches!(&error, PythonError::Document(_)), "{error}");
    let error = builder(&written, "c.py", "from os import path\n").build().expect_err("not valid");
    assert!(matches!(&error, PythonError::Invalid(_)), "{error}");
    let error = PythonTool::load(written.path().join("d.py")).expect_err("not there");
    assert!(matches!(&error, PythonError::Unreadable { .. }), "{error}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn output_is_logged_before_the_call_returns_under_the_name_of_its_script() {
    let written = Written::new().expect("a folder");
    let log = Arc::new(Mutex::new(Vec::new()));
    let workers = Workers::new().expect("Python");
    let noisy = "import os, sys, subprocess
print('loaded')
def execute(tool_input: dict) -> dict:
    print('printed')
    print('to the error', file=sys.stderr)
    os.write(1, b'written\\n')
    os.system('echo from the shell')
    subprocess.run([sys.executable, '-c', 'print(\"from a child\")'])
    print('中\\ud800 without an end', end='')
    return dict(success=True, message='', data=None)
";
    let tool = |name: &str| {
        let log = Arc::clone(&log);
        builder(&written, name, noisy)
            .workers(&workers)
            .log(move |line| {
                let line = format!("{}: {}", line.script, line.text);
                log.lock().expect("nobody panicked").push(line);
            })
            .build()
            .expect("valid")
    };
    let (one, other) = (tool("one.py"), tool("other.py"));
    let lines =
        ["printed", "to the error", "written", "from the shell", "from a child", "中\\ud800 without an end"];
    for round in 0..20 {
        for (name, tool) in [("one", &one), ("other", &other)] {
            log.lock().expect("nobody panicked").clear();
            assert_eq!(data(tool, "{}"), Ok(Value::Null));
            let first = (round == 0).then_some("loaded");
            let expected: Vec<String> =
                first.into_iter().chain(lines).map(|line| format!("{name}.py: {line}")).collect();
            assert_eq!(*log.lock().expect("nobody panicked"), expected);
        }
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn late_output_of_a_thread_is_not_logged_for_the_next_script() {
    let written = Written::new().expect("a folder");
    let log = Arc::new(Mutex::new(Vec::new()));
    let workers = Workers::new().expect("Python");
    let late = "import threading, time
def execute(tool_input: dict) -> dict:
    def later():
        time.sleep(0.1)
        print('late')
    threading.Thread(target=later, daemon=True).start()
    return dict(success=True, message='', data=None)
";
    let tool = |name: &str, source: &str| {
        let log = Arc::clone(&log);
        let sink = move |line: opentool_python::LogLine<'_>| {
            log.lock().expect("nobody panicked").push(format!("{}: {}", line.script, line.text));
        };
        builder(&written, name, source).workers(&workers).log(sink).build().expect("valid")
    };
    let (late, next) = (tool("late.py", late), tool("next.py", &returning("1")));
    assert_eq!(data(&late, "{}"), Ok(Value::Null));
    thread::sleep(Duration::from_millis(500));
    assert_eq!(data(&next, "{}"), Ok(json!(1)));
    assert_eq!(*log.lock().expect("nobody panicked"), ["late.py: late"]);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_is_read_again_when_it_changes() {
    let written = Written::new().expect("a folder");
    let workers = Workers::new().expect("Python");
    let other = builder(
        &written,
        "other.py",
        "seen = []\ndef execute(tool_input: dict) -> dict:\n    seen.append(1)\n    return dict(success=True, message='', data=len(seen))\n",
    );
    let other = other.workers(&workers).build().expect("valid");
    let tool = builder(&written, "a.py", &returning("1")).workers(&workers).build().expect("valid");
    assert_eq!((data(&tool, "{}"), data(&other, "{}")), (Ok(json!(1)), Ok(json!(1))));
    // As long as the first version, and written within the same second.
    written.write("a.py", &returning("2")).expect("room");
    assert_eq!((data(&tool, "{}"), data(&other, "{}")), (Ok(json!(2)), Ok(json!(2))));

    written.write("a.py", "from os import path\n").expect("room");
    for _ in 0..2 {
        let error = data(&tool, "{}").expect_err("not valid").to_string();
        assert!(
            error.starts_with("the call failed: a.py was changed and can no longer run: a.py:1:1"),
            "{error}"
        );
        assert!(error.contains("importlib"), "{error}");
    }
    std::fs::remove_file(tool.path()).expect("it was there");
    let error = data(&tool, "{}").expect_err("not there").to_string();
    assert!(error.contains("can no longer run") && error.contains("a.py: "), "{error}");

    written.write("a.py", &returning("3")).expect("room");
    assert_eq!((data(&tool, "{}"), data(&other, "{}")), (Ok(json!(3)), Ok(json!(3))));
    let returns = json!({"name": "data", "schema": {"type": "string"}});
    written.write("a.json", &document(json!([]), returns).to_string_pretty()).expect("room");
    let error = data(&tool, "{}").expect_err("not a string").to_string();
    assert_eq!(error, "the call failed: a.py: /data: 3 is a number; expected a string");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_that_is_read_once_stays_as_it_was() {
    let written = Written::new().expect("a folder");
    let tool = builder(&written, "a.py", &returning("1")).read_once().build().expect("valid");
    for changed in [&returning("2"), "from os import path\n"] {
        written.write("a.py", changed).expect("room");
        assert_eq!(data(&tool, "{}"), Ok(json!(1)));
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_that_fails_to_load_is_loaded_again() {
    let written = Written::new().expect("a folder");
    let source =
        format!("import os\nif not os.path.exists(flag): raise RuntimeError('not yet')\n{}", returning("1"));
    let flag = written.path().join("flag");
    let tool = builder(&written, "a.py", &source).global("flag", flag.to_str()).build().expect("valid");
    for _ in 0..2 {
        let error = data(&tool, "{}").expect_err("not yet");
        assert_eq!(error.to_string(), "the call failed: a.py:2: RuntimeError: not yet");
    }
    written.write("flag", "").expect("room");
    assert_eq!(data(&tool, "{}"), Ok(json!(1)));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_with_a_declared_encoding_runs() {
    let written = Written::new().expect("a folder");
    let path = written.path().join("latin.py");
    let mut source = b"# -*- coding: latin-1 -*-\ndef execute(tool_input: dict) -> dict:\n    return dict(success=True, message='', data='".to_vec();
    source.extend(b"\xe9')\n");
    std::fs::write(&path, source).expect("room");
    assert_eq!(data(&PythonTool::load(path).expect("valid"), "{}"), Ok(json!("é")));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_worker_has_the_configured_environment_and_folders() {
    let written = Written::new().expect("a folder");
    written.write("modules/beside.py", "VALUE = 7\n").expect("room");
    let workers = Workers::builder()
        .environment("OPENTOOL_TEST", "set")
        .module_folder(written.path().join("modules"))
        .current_folder(written.path())
        .build()
        .expect("Python");
    let source = format!(
        "import beside\n{}",
        returning("[os.environ['OPENTOOL_TEST'], os.getcwd(), beside.VALUE, limit]")
    );
    let tool =
        builder(&written, "a.py", &source).workers(&workers).global("limit", 3).build().expect("valid");
    let folder = written.path().canonicalize().expect("a folder");
    assert_eq!(data(&tool, "{}"), Ok(json!(["set", folder.to_str(), 7, 3])));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_does_not_get_the_environment_of_the_host() {
    let written = Written::new().expect("a folder");
    let names = |workers: WorkersBuilder| -> Vec<String> {
        let workers = workers.build().expect("Python");
        let tool = builder(&written, "a.py", &returning("sorted(os.environ)")).workers(&workers).build();
        let data = data(&tool.expect("valid"), "{}").expect("names");
        serde_json::from_value(data).expect("strings")
    };
    // Cargo sets many variables for a test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let own = ["HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"];
    for name in names(Workers::builder()) {
        let is_known = own.contains(&name.as_str()) || name.starts_with("LC_") || name.contains("CF_USER");
        assert!(is_known, "{name}");
    }
    assert!(names(Workers::builder()).contains(&"PATH".to_owned()));
    let inherited = names(Workers::builder().inherit("CARGO_MANIFEST_DIR").inherit("NOT_THERE"));
    assert!(inherited.contains(&"CARGO_MANIFEST_DIR".to_owned()), "{inherited:?}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn calls_wait_for_one_worker_and_run_simultaneously_in_several() {
    let written = Written::new().expect("a folder");
    let processes = |size: usize| {
        let workers = Workers::builder().size(size).build().expect("Python");
        let tool = builder(&written, "a.py", &returning("[os.getpid(), time.sleep(0.05)][0]"));
        let tool = tool.workers(&workers).build().expect("valid");
        let mut seen: Vec<Value> = thread::scope(|scope| {
            let calls: Vec<_> =
                (0..12).map(|_| scope.spawn(|| data(&tool, "{}").expect("it works"))).collect();
            calls.into_iter().map(|call| call.join().expect("it ended")).collect()
        });
        seen.sort_by_key(Value::as_u64);
        seen.dedup();
        seen.len()
    };
    assert_eq!(processes(1), 1);
    assert_eq!(processes(3), 3);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_call_that_waits_too_long_for_a_worker_times_out() {
    let written = Written::new().expect("a folder");
    let workers = Workers::new().expect("Python");
    let slow =
        builder(&written, "slow.py", &returning("time.sleep(1.5)")).workers(&workers).build().expect("valid");
    let quick = builder(&written, "quick.py", &returning("1"));
    let quick = quick.workers(&workers).deadline(Duration::from_millis(300)).build().expect("valid");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| data(&slow, "{}"));
        thread::sleep(Duration::from_millis(500));
        assert_eq!(data(&quick, "{}"), Err(ToolError::TimedOut { limit_ms: 300 }));
        assert_eq!(waiting.join().expect("it ended"), Ok(Value::Null));
    });
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
fn a_worker_and_its_children_end_with_the_last_tool() {
    let written = Written::new().expect("a folder");
    let source = "import os, subprocess
def execute(tool_input: dict) -> dict:
    child = subprocess.Popen(['sleep', '600'])
    return dict(success=True, message='', data=[os.getpid(), child.pid])
";
    let tool = builder(&written, "a.py", source).build().expect("valid");
    let pids = data(&tool, "{}").expect("it works");
    let pids = pids.as_array().expect("two");
    assert!(pids.iter().all(runs), "{pids:?}");
    drop(tool);
    until_gone(pids);
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
fn a_script_that_never_ends_does_not_outlive_a_host_that_is_killed() {
    let written = Written::new().expect("a folder");
    let source = "import os, subprocess
def execute(tool_input: dict) -> dict:
    print(os.getpid(), subprocess.Popen(['sleep', '600']).pid)
    while True: pass
";
    let path = written.write("a.py", source).expect("room");
    let mut host =
        Command::new(env!("CARGO_BIN_EXE_host")).arg(path).stdout(Stdio::piped()).spawn().expect("a host");
    let mut line = String::new();
    BufReader::new(host.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let pids: Vec<Value> =
        line.split_whitespace().map(|pid| serde_json::from_str(pid).expect("a number")).collect();
    assert!(pids.len() == 2 && pids.iter().all(runs), "{line}");
    host.kill().expect("it runs");
    host.wait().expect("it ran");
    until_gone(&pids);
}

#[test]
fn tools_and_workers_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<PythonTool>();
    shared::<Workers>();
    shared::<opentool_python::Peers>();
}

//! Calls: results and errors, batches, and the cost of a second start.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{CACHE, DOCUMENT, call, failed, folder, library, opendyn, prepared, succeeded, text, variant};

/// The output for `input` on stdin.
fn with_input(command: &mut Command, input: &str) -> (Option<i32>, String) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // The command need not read stdin, and may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), text(&output.stdout))
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn a_result_is_one_line_of_json_and_nothing_else() {
    // The library prints when it is loaded, and when it is called.
    assert_eq!(succeeded(&mut call(&["add", r#"{"a": 2, "b": 3}"#])), "{\"sum\":5}\n");
    assert_eq!(succeeded(&mut call(&["chat", r#"{"times": 3}"#])), "{\"printed\":3}\n");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn arguments_come_from_standard_input_which_the_library_does_not_see() {
    prepared("call");
    let sum = with_input(&mut call(&["add", "-"]), "{\"a\": 20,\n \"b\": 22}\n");
    assert_eq!(sum, (Some(0), "{\"sum\":42}\n".to_owned()));
    assert_eq!(with_input(&mut call(&["listen_in"]), "x"), (Some(0), "{\"byte\":-1}\n".to_owned()));
    assert_eq!(with_input(&mut call(&["listen_in", "-"]), ""), (Some(0), "{\"byte\":-1}\n".to_owned()));
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn wrong_calls_are_status_1_and_say_what_is_wrong() {
    prepared("call");
    for (arguments, message) in [
        (&["ad", "{}"][..], "error: unknown function `ad`; did you mean `add`?\n"),
        (&["add", r#"{"a": 1}"#], "error: invalid arguments: /b: missing"),
        (
            &["add", r#"{"a": 1, "b": 3000000000}"#],
            "error: invalid arguments: /b: 3000000000 does not fit int",
        ),
        (&["add", "[1, 2]"], "error: invalid arguments: "),
        (&["add", "{"], "error: invalid arguments: "),
    ] {
        let said = failed(&mut call(arguments), 1);
        assert!(said.contains(message), "{said}");
        assert!(!said.contains("--batch"), "{said}");
    }
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn a_token_of_another_process_is_refused_with_the_way_out() {
    prepared("call");
    let token = succeeded(&mut call(&["shelf_open", r#"{"books": 3}"#]));
    let said = failed(&mut call(&["shelf_take", &token]), 1);
    assert!(said.contains("is not a handle that this tool gave out"), "{said}");
    assert!(said.contains("help: ") && said.contains("`--batch`"), "{said}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn handles_live_through_a_batch() {
    prepared("call");
    let mut child = call(&["--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("a pipe")));
    // Each answer arrives before the next call, so its result can be used in it.
    let mut ask = |line: String| {
        writeln!(input, "{line}").expect("it reads");
        output.next().expect("an answer").expect("text")
    };
    let opened = ask(r#"{"function": "shelf_open", "arguments": {"books": 3}}"#.to_owned());
    let token =
        opened.strip_prefix(r#"{"result":"#).and_then(|rest| rest.strip_suffix('}')).expect("a result");
    let take = format!(r#"{{"function": "shelf_take", "arguments": {token}}}"#);
    assert_eq!(ask(take.clone()), r#"{"result":{"left":2}}"#);
    assert_eq!(ask(take.clone()), r#"{"result":{"left":1}}"#);
    assert_eq!(ask(format!(r#"{{"function": "shelf_close", "arguments": {token}}}"#)), r#"{"result":{}}"#);
    let refused = ask(take);
    assert!(
        refused.starts_with(r#"{"error":{"code":400,"message":"invalid arguments: /shelf: "#),
        "{refused}"
    );
    assert_eq!(ask(r#"{"function": "listen_in"}"#.to_owned()), r#"{"result":{"byte":-1}}"#);
    for wrong in ["add", r#"{"name": "add"}"#, r#"{"function": "add", "arguments": [1]}"#] {
        let refused = ask(wrong.to_owned());
        assert!(refused.starts_with(r#"{"error":{"code":400,"#), "{refused}");
    }
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "some calls failed");
}

#[test]
fn the_functions_are_listed_without_a_compiler() {
    let listed = succeeded(opendyn(&["call", DOCUMENT, "--list"]).env("PATH", ""));
    assert!(
        listed.starts_with("add(a: integer, b: integer) -> {sum: integer}\n    The sum of two numbers.\n")
    );
    assert!(listed.contains("shelf_take(shelf: handle of shelf) -> {left: integer}\n"), "{listed}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn a_library_is_found_where_the_user_says() {
    prepared("call");
    let beside = std::path::Path::new(library()).parent().expect("a folder");
    let call = |library: &str| {
        let mut command = opendyn(&["call", DOCUMENT, "--library", library, "add", r#"{"a":1,"b":1}"#]);
        command.current_dir(beside);
        command
    };
    assert_eq!(succeeded(&mut call("./libshelf.so")), "{\"sum\":2}\n");
    let bare = failed(&mut call("libshelf.so"), 2);
    assert!(bare.contains("write `--library ./libshelf.so`"), "{bare}");
    let missing = failed(&mut call("nowhere/libshelf.so"), 2);
    assert_eq!(missing, "error: the library `nowhere/libshelf.so` does not exist\n");
    let none = failed(&mut opendyn(&["call", DOCUMENT, "die"]), 2);
    assert!(none.contains("names no library") && none.contains("--library"), "{none}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn a_library_without_the_functions_is_refused_with_their_names() {
    prepared("call");
    let said = failed(&mut opendyn(&["call", DOCUMENT, "--library", "libc.so.6", "add", "{}"]), 2);
    assert!(said.contains("`libc.so.6` lacks 8 functions of the document: add, chat, "), "{said}");
    assert!(said.contains("x-optional"), "{said}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn a_signal_that_ends_the_library_is_seen_by_the_caller() {
    prepared("call");
    let status = call(&["die"]).stderr(Stdio::null()).status().expect("it starts");
    assert_eq!(status.signal(), Some(6), "SIGABRT, as if there were nothing in between");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn the_second_start_runs_no_compiler_and_is_as_fast_as_the_host() {
    prepared("call");
    let arguments = ["add", r#"{"a":2,"b":3}"#];
    // There is no cargo on the path, and no home folder.
    let without = |command: &mut Command| {
        command.env("PATH", "").env("HOME", "/nowhere").env_remove("CARGO_HOME").env_remove("CARGO");
    };
    let mut command = call(&arguments);
    without(&mut command);
    assert_eq!(succeeded(&mut command), "{\"sum\":5}\n");

    let program = program_of("call").expect("it was compiled");
    let direct = ["call", "--document", "d", "--library", library(), "--", arguments[0], arguments[1]];
    let best = |make: &dyn Fn() -> Command| {
        let time = |_| {
            let mut command = make();
            let start = Instant::now();
            succeeded(&mut command);
            start.elapsed()
        };
        (0..20).map(time).min().unwrap_or(Duration::MAX)
    };
    let host = best(&|| {
        let mut command = Command::new(&program);
        command.args(direct);
        command
    });
    let whole = best(&|| call(&arguments));
    println!("the host takes {host:?}, the command {whole:?}");
    assert!(whole < host + Duration::from_millis(20), "the host takes {host:?}, the command {whole:?}");
}

/// The host of this role for the document.
fn program_of(role: &str) -> Option<std::path::PathBuf> {
    let hosts = std::fs::read_dir(std::path::Path::new(CACHE).join("hosts")).expect("there are hosts");
    hosts.flatten().map(|host| host.path()).find_map(|host| {
        let about = std::fs::read_to_string(host.join("host.json")).ok()?;
        let is_it =
            about.contains(&format!("\"role\": \"{role}\"")) && about.contains(&format!("{DOCUMENT:?}"));
        (is_it && host.join("host").exists()).then(|| host.join("host"))
    })
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn two_starts_at_once_compile_once() {
    prepared("call");
    let document = variant("at-once", "9.9.9");
    let start = || {
        opendyn(&["call", &document, "--library", library(), "add", r#"{"a":1,"b":1}"#])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    };
    let outputs = [start(), start()].map(|child| child.wait_with_output().expect("it ends"));
    let compiled =
        outputs.iter().filter(|output| text(&output.stderr).contains("opendyn: compiled in ")).count();
    assert_eq!(compiled, 1);
    for output in outputs {
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "{\"sum\":2}\n".to_owned()));
    }
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn a_host_is_compiled_without_a_network() {
    prepared("call");
    let document = variant("offline", "8.8.8");
    let mut command = opendyn(&["call", &document, "--library", library(), "add", r#"{"a":1,"b":1}"#]);
    assert_eq!(succeeded(command.env("CARGO_NET_OFFLINE", "true")), "{\"sum\":2}\n");
}

#[test]
fn the_faults_of_a_document_are_shown_by_its_own_name_before_anything_is_compiled() {
    let path = folder("faulty").join("faulty.json");
    let document = std::fs::read_to_string(DOCUMENT).expect("the document");
    std::fs::write(&path, document.replacen("\"int\"", "\"integral\"", 2)).expect("it can be written");
    let path = path.to_str().expect("text");
    for arguments in [&["call", path, "add"][..], &["serve", path], &["mcp", path], &["call", path, "--list"]]
    {
        let said = failed(opendyn(arguments).env("PATH", ""), 1);
        assert_eq!(said.matches(&format!("{path}:")).count(), 2, "{said}");
        assert!(said.ends_with("2 errors, 0 warnings\n"), "{said}");
    }
}

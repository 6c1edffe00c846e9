//! Calls: results and errors, batches, and where a library is found.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::{DOCUMENT, call, failed, folder, library, opendyn, succeeded, text};

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
fn a_result_is_one_line_of_json_and_nothing_else() {
    // The library prints when it is loaded, and when it is called.
    assert_eq!(succeeded(&mut call(&["add", r#"{"a": 2, "b": 3}"#])), "{\"sum\":5}\n");
    assert_eq!(succeeded(&mut call(&["chat", r#"{"times": 3}"#])), "{\"printed\":3}\n");
}

#[test]
fn arguments_come_from_standard_input_which_the_library_does_not_see() {
    let sum = with_input(&mut call(&["add", "-"]), "{\"a\": 20,\n \"b\": 22}\n");
    assert_eq!(sum, (Some(0), "{\"sum\":42}\n".to_owned()));
    assert_eq!(with_input(&mut call(&["listen_in"]), "x"), (Some(0), "{\"byte\":-1}\n".to_owned()));
    assert_eq!(with_input(&mut call(&["listen_in", "-"]), ""), (Some(0), "{\"byte\":-1}\n".to_owned()));
}

#[test]
fn wrong_calls_are_status_1_and_say_what_is_wrong() {
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
fn a_token_of_another_process_is_refused_with_the_way_out() {
    let token = succeeded(&mut call(&["shelf_open", r#"{"books": 3}"#]));
    let said = failed(&mut call(&["shelf_take", &token]), 1);
    assert!(said.contains("is not a handle that this tool gave out"), "{said}");
    assert!(said.contains("help: ") && said.contains("`--batch`"), "{said}");
}

#[test]
fn handles_live_through_a_batch() {
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
fn the_functions_are_listed_without_the_library() {
    let listed = succeeded(&mut opendyn(&["call", DOCUMENT, "--list"]));
    assert!(
        listed.starts_with("add(a: integer, b: integer) -> {sum: integer}\n    The sum of two numbers.\n")
    );
    assert!(listed.contains("shelf_take(shelf: handle of shelf) -> {left: integer}\n"), "{listed}");
}

#[test]
fn a_library_is_found_where_the_user_says() {
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
fn a_library_without_the_functions_is_refused_with_their_names() {
    let said =
        failed(&mut opendyn(&["call", DOCUMENT, "--library", "libc.so.6", "add", r#"{"a":1,"b":1}"#]), 2);
    assert!(said.contains("`libc.so.6` lacks 8 functions of the document: add, chat, "), "{said}");
    assert!(said.contains("x-optional"), "{said}");
}

#[test]
fn a_signal_that_ends_the_library_is_seen_by_the_caller() {
    let status = call(&["die"]).stderr(Stdio::null()).status().expect("it starts");
    assert_eq!(status.signal(), Some(6), "SIGABRT, as if there were nothing in between");
}

#[test]
fn a_call_needs_no_other_program_and_no_home() {
    let mut command = call(&["add", r#"{"a":2,"b":3}"#]);
    command.env_clear().env("PATH", "").env("HOME", "/nowhere");
    assert_eq!(succeeded(&mut command), "{\"sum\":5}\n");
}

#[test]
fn wrong_calls_are_told_although_the_library_does_not_exist() {
    for (arguments, message) in [
        (["ad", "{}"], "error: unknown function `ad`; did you mean `add`?\n  help: `opendyn call "),
        (["add", r#"{"a": 1}"#], "error: invalid arguments: /b: missing"),
        (["shelf_take", r#"{"shelf": 1}"#], "error: invalid arguments: /shelf: "),
    ] {
        for library in [&["--library", "nowhere/libshelf.so"][..], &["--library", "libnowhere.so"], &[]] {
            let said = failed(&mut opendyn(&[&["call", DOCUMENT], library, &arguments].concat()), 1);
            assert!(said.starts_with(message), "{said}");
        }
    }
}

#[test]
fn only_what_the_function_needs_must_be_right() {
    let path = folder("half-faulty").join("shelf.json");
    let document = std::fs::read_to_string(DOCUMENT).expect("the document");
    let (first, rest) = document.split_once("\"chat\"").expect("a second function");
    let faulty = format!("{first}\"chat\"{}", rest.replacen("\"int\"", "\"integral\"", 1));
    std::fs::write(&path, faulty).expect("it can be written");
    let path = path.to_str().expect("text");
    let call = |arguments: &[&str]| opendyn(&[&["call", path, "--library", library()], arguments].concat());
    assert_eq!(succeeded(&mut call(&["add", r#"{"a":2,"b":3}"#])), "{\"sum\":5}\n");
    let unknown = failed(&mut call(&["chatt"]), 1);
    assert!(unknown.starts_with("error: unknown function `chatt`; did you mean `chat`?\n"), "{unknown}");
    for arguments in [&["chat", "{}"][..], &["--batch"], &["--list"]] {
        let said = failed(&mut call(arguments), 1);
        assert!(said.ends_with("1 error, 0 warnings\n"), "{said}");
    }
}

#[test]
fn a_reader_that_leaves_is_not_an_error() {
    let line = format!(
        "yes '{}' | head -n 10000 | '{}' call '{DOCUMENT}' --library '{}' --batch | head -n 1",
        r#"{"function": "listen_in"}"#,
        env!("CARGO_BIN_EXE_opendyn"),
        library()
    );
    let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    assert_eq!(text(&output.stdout), "{\"result\":{\"byte\":-1}}\n");
    assert!(!text(&output.stderr).contains("error"), "{}", text(&output.stderr));
}

#[test]
fn the_faults_of_a_document_are_shown_by_its_own_name() {
    let path = folder("faulty").join("faulty.json");
    let document = std::fs::read_to_string(DOCUMENT).expect("the document");
    std::fs::write(&path, document.replacen("\"int\"", "\"integral\"", 2)).expect("it can be written");
    let path = path.to_str().expect("text");
    for arguments in [&["call", path, "add"][..], &["serve", path], &["mcp", path], &["call", path, "--list"]]
    {
        let said = failed(&mut opendyn(arguments), 1);
        assert_eq!(said.matches(&format!("{path}:")).count(), 2, "{said}");
        assert!(said.ends_with("2 errors, 0 warnings\n"), "{said}");
    }
}

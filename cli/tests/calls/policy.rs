//! `--allow`, `--deny`, `--read-only`, `--audit`, and the keys of `opendyn keys`.

use opentool::client::ClientError;

use crate::mcp::Session;
use crate::serve::Server;
use crate::{DOCUMENT, failed, folder, library, opendyn, text};

/// The message of a refusal; anything else in full.
fn message(error: ClientError) -> String {
    match error {
        ClientError::Call { code: Some(403), message, .. } => message,
        other => format!("{other:?}"),
    }
}

#[test]
fn serve_refuses_what_its_flags_do_not_allow() {
    let arguments = ["serve", DOCUMENT, "--library", library(), "--allow", "a*", "--allow", "greet"];
    let server = Server::start(opendyn(&arguments).args(["--deny", "greet"]));
    let client = server.client(None);
    assert_eq!(client.call_json("add", r#"{"a":2,"b":3}"#).expect("a sum"), r#"{"sum":5}"#);
    let error = client.call_json("greet", r#"{"name":"Ada"}"#).expect_err("it is denied");
    assert_eq!(message(error), "`greet` is not allowed: this server has `--deny 'greet'`");
    let document = client.load().expect("it answers").expect("a document");
    assert!(document.functions.iter().all(|function| function.name.starts_with('a')), "{document:?}");
    server.end("-INT");
}

#[test]
fn mcp_refuses_what_its_flags_do_not_allow() {
    let mut session = Session::start(&mut opendyn(&["mcp", DOCUMENT, "--library", library(), "--read-only"]));
    let listed = session.ask("tools/list", serde_json::json!({}));
    let names: Vec<&str> =
        listed["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(!names.contains(&"greet"), "{names:?}");
    let reply = session.ask("tools/call", serde_json::json!({"name": "greet", "arguments": {"name": "Ada"}}));
    assert_eq!(reply["isError"], true);
    assert!(reply["content"][0]["text"].as_str().is_some_and(|text| text.contains("--read-only")), "{reply}");
    session.end();
}

#[test]
fn serve_and_mcp_refuse_what_nobody_can_confirm_if_that_is_required() {
    let required = ["--confirm", "require", "--confirm-also", "gre*"];
    let arguments = |command| [&[command, DOCUMENT, "--library", library()], &required[..]].concat();
    let because = "was not called: this server has `--confirm require`: a person must confirm it";
    let server = Server::start(&mut opendyn(&arguments("serve")));
    let client = server.client(None);
    assert_eq!(client.call_json("add", r#"{"a":2,"b":3}"#).expect("a sum"), r#"{"sum":5}"#);
    let shelf = client.call_json("shelf_open", r#"{"books":1}"#).expect("a shelf");
    for (function, arguments) in [("shelf_take", &*shelf), ("greet", r#"{"name":"Ada"}"#)] {
        let said = message(client.call_json(function, arguments).expect_err("nobody can confirm"));
        assert_eq!(said, format!("`{function}` {because}, and OpenTool over HTTP has no way to ask one"));
    }
    server.end("-INT");
    let mut session = Session::start(&mut opendyn(&arguments("mcp")));
    let reply = session.call("greet", serde_json::json!({"name": "Ada"}));
    let said = reply["content"][0]["text"].as_str().unwrap_or_default();
    assert_eq!(said, format!("`greet` {because}, and this client does not say that it can ask one"));
    session.end();
}

#[test]
fn a_key_of_the_file_has_the_rights_that_it_was_added_with() {
    let folder = folder("policy");
    let (file, audit) = (folder.join("keys.json"), folder.join("audit.jsonl"));
    let (file, audit) = (file.to_str().expect("text"), audit.to_str().expect("text"));
    let keys = |arguments: &[&str]| {
        let output =
            opendyn(&[&["keys"], arguments, &["--file", file]].concat()).output().expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).trim().to_owned()
    };
    let limited = keys(&["add", "ci", "--allow", "add", "--stop"]);
    let full = keys(&["add", "ops"]);
    assert_eq!(keys(&["list"]), "ci --allow 'add' --stop\nops");
    let again = failed(&mut opendyn(&["keys", "add", "ci", "--file", file]), 2);
    assert!(again.contains("there is a key `ci` already"), "{again}");

    let arguments = ["serve", DOCUMENT, "--library", library(), "--keys", file, "--audit", audit];
    let server = Server::start(&mut opendyn(&arguments));
    assert!(matches!(server.client(None).version(), Err(ClientError::Unauthorized)));
    let (limited, full) = (server.client(Some(&limited)), server.client(Some(&full)));
    for client in [&limited, &full] {
        assert_eq!(client.call_json("add", r#"{"a":2,"b":3}"#).expect("a sum"), r#"{"sum":5}"#);
    }
    full.call_json("greet", r#"{"name":"Ada"}"#).expect("a greeting");
    let error = limited.call_json("greet", r#"{"name":"Ada"}"#).expect_err("not its right");
    assert_eq!(message(error), "`greet` is not allowed: the key `ci` has only `--allow 'add'`");
    let lines = std::fs::read_to_string(audit).expect("a file");
    let outcomes: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|line| format!("{} {} {}", line["key"], line["function"], line["outcome"]).replace('"', ""))
        .collect();
    assert_eq!(outcomes, ["ci add ok", "ops add ok", "ops greet ok", "ci greet forbidden"]);
    assert!(!lines.contains("Ada"), "{lines}");
    assert!(full.stop().is_err(), "it was added without the right");
    limited.stop().expect("it has the right");
    assert_eq!(keys(&["remove", "ops"]), "");
    assert!(failed(&mut opendyn(&["keys", "remove", "ops", "--file", file]), 2).contains("no key `ops`"));
}

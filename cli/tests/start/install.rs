//! `opendyn mcp --install`: the change is shown and asked about, everything else in the file stays, and the entry works.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::command::Run;
use crate::{at, foo, read, run, tools};

/// A folder with the library and a document of it.
fn documented(name: &str) -> PathBuf {
    let folder = foo(name);
    assert_eq!(run(&mut at(&folder, &["init", "libfoo.so", "foo.h"]), "").status, 0);
    folder
}

fn install(folder: &Path, client: &str, more: &[&str], stdin: &str) -> Run {
    let line = [&["mcp", "foo.json", "--library", "./libfoo.so", "--install", client], more].concat();
    run(&mut at(folder, &line), stdin)
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&read(path)).expect("JSON")
}

/// What users have: tabs, keys in an order of their own, a number that a program would write differently.
const THEIRS: &str = "{\n\t\"zoom\": 1.0,\n\t\"mcpServers\": {\n\t\t\"other\": { \"command\": \"x\" }\n\t},\n\t\"a\": [ ]\n}\n";

#[test]
fn an_entry_is_added_and_taken_out_and_all_else_stays() {
    let folder = documented("install");
    let file = folder.join(".cursor/mcp.json");
    std::fs::create_dir_all(folder.join(".cursor")).expect("a folder");
    std::fs::write(&file, THEIRS).expect("a file");
    let added = install(&folder, "cursor", &["--yes"], "");
    assert_eq!((added.status, added.stdout.as_str()), (0, ""), "{}", added.stderr);
    assert!(added.stderr.contains("+\t\t\"foo\": {\n"), "the change is shown: {}", added.stderr);
    assert!(!added.stderr.contains("-\t\"zoom\""), "{}", added.stderr);
    let here = std::fs::canonicalize(&folder).expect("it is there");
    let there = |file: &str| folder.join(file).display().to_string();
    assert_eq!(
        json_of(&file)["mcpServers"]["foo"],
        json!({
            "type": "stdio",
            "command": env!("CARGO_BIN_EXE_opendyn"),
            "args": ["mcp", there("foo.json"), "--library", there("libfoo.so")],
        }),
        "{}",
        here.display()
    );
    assert!(
        read(&file).starts_with(
            "{\n\t\"zoom\": 1.0,\n\t\"mcpServers\": {\n\t\t\"other\": { \"command\": \"x\" },\n"
        )
    );
    let again = install(&folder, "cursor", &["--yes"], "");
    assert!(again.status == 0 && again.stderr.contains("is already in"), "{}", again.stderr);

    let removed = install(&folder, "cursor", &["--remove", "--yes"], "");
    assert_eq!(removed.status, 0, "{}", removed.stderr);
    assert_eq!(read(&file), THEIRS);
    std::fs::remove_file(folder.join("libfoo.so")).expect("it was there");
    let without = install(&folder, "cursor", &["--remove", "--yes"], "");
    assert!(without.status == 2 && without.stderr.contains("--as NAME"), "{}", without.stderr);
    let gone = install(&folder, "cursor", &["--remove", "--yes", "--as", "foo"], "");
    assert!(gone.status == 0 && gone.stderr.contains("is not in"), "{}", gone.stderr);
}

#[test]
fn nothing_is_written_unless_a_person_or_a_script_says_so() {
    let folder = documented("install-asks");
    let file = folder.join(".mcp.json");
    let no = install(&folder, "claude-code", &[], "n\n");
    assert!(no.status == 2 && no.stderr.contains("Write this? [y/N]") && !file.exists(), "{}", no.stderr);
    let nobody = install(&folder, "claude-code", &[], "");
    assert!(nobody.status == 2 && nobody.stderr.contains("--yes writes without asking"), "{}", nobody.stderr);
    assert!(!file.exists());
    let yes = install(&folder, "claude-code", &[], "y\n");
    assert!(yes.status == 0 && file.exists(), "{}", yes.stderr);
}

#[test]
fn a_file_with_comments_is_left_alone_and_the_entry_is_shown() {
    let folder = documented("install-comments");
    let file = folder.join(".config/Code/User/mcp.json");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    let theirs = "{\n  // my servers\n  \"servers\": {},\n}\n";
    std::fs::write(&file, theirs).expect("a file");
    for more in [&["--yes"][..], &["--yes", "--remove"]] {
        let run = install(&folder, "vscode", more, "");
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("line 2 is not plain JSON"), "{}", run.stderr);
        assert!(run.stderr.contains("by hand"), "{}", run.stderr);
        assert_eq!(read(&file), theirs);
    }
    assert!(install(&folder, "vscode", &[], "").stderr.contains("\"command\": "), "the entry can be copied");
    let project = install(&folder, "vscode", &["--project", "--yes"], "");
    assert_eq!(project.status, 0, "{}", project.stderr);
    assert_eq!(json_of(&folder.join(".vscode/mcp.json"))["servers"]["foo"]["type"], "stdio");
}

#[test]
fn the_entry_starts_a_server_from_any_folder_with_any_path() {
    let folder = documented("install-works");
    let more = ["--deny", "foo_add", "--as", "mine", "--yes"];
    assert_eq!(install(&folder, "claude-code", &more, "").status, 0);
    let entry = &json_of(&folder.join(".mcp.json"))["mcpServers"]["mine"];
    let arguments = entry["args"].as_array().expect("arguments").iter();
    let mut client = Command::new(entry["command"].as_str().expect("a path"));
    client.args(arguments.map(|argument| argument.as_str().expect("text")));
    assert_eq!(tools(client.current_dir("/").env_clear()), ["foo_count"]);
}

#[test]
fn a_file_keeps_its_permissions_and_a_link_stays_one() {
    let folder = documented("install-link");
    let (file, link) = (folder.join("dotfiles.json"), folder.join(".mcp.json"));
    std::fs::write(&file, "{}").expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    assert_eq!(install(&folder, "claude-code", &["--yes"], "").status, 0);
    assert!(link.is_symlink() && json_of(&file)["mcpServers"]["foo"].is_object());
    let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_entry_of_somebody_else_is_neither_replaced_nor_removed() {
    let folder = documented("install-theirs");
    let file = folder.join(".mcp.json");
    let theirs = r#"{"mcpServers": {"foo": {"command": "foo", "args": ["mcp"]}}}"#;
    std::fs::write(&file, theirs).expect("a file");
    let added = install(&folder, "claude-code", &["--yes"], "");
    assert!(added.status == 2 && added.stderr.contains("--as NAME"), "{}", added.stderr);
    let removed = install(&folder, "claude-code", &["--yes", "--remove"], "");
    assert!(removed.status == 2 && removed.stderr.contains("by hand"), "{}", removed.stderr);
    assert_eq!(read(&file), theirs);
    assert_eq!(install(&folder, "claude-code", &["--yes", "--as", "mine"], "").status, 0);
    let other = install(&folder, "claude-code", &["--yes", "--as", "mine", "--read-only"], "");
    assert_eq!(other.status, 0, "one of its own is replaced: {}", other.stderr);
    assert!(read(&file).starts_with(theirs.strip_suffix("}}").expect("its end")), "{}", read(&file));
}

#[test]
fn what_would_not_work_is_not_installed() {
    let folder = documented("install-refused");
    std::fs::write(folder.join("broken.json"), "{}").expect("a file");
    let run_of = |line: &[&str]| run(&mut at(&folder, line), "");
    let broken = run_of(&["mcp", "broken.json", "--install", "cursor", "--yes"]);
    assert!(broken.status == 1 && broken.stderr.contains("error["), "{}", broken.stderr);
    let library = run_of(&["mcp", "foo.json", "--library", "./libgone.so", "--install", "cursor", "--yes"]);
    assert!(library.status == 2 && library.stderr.contains("does not exist"), "{}", library.stderr);
    let pipe = run_of(&["mcp", "-", "--install", "cursor", "--yes"]);
    assert_eq!(pipe.status, 2, "{}", pipe.stderr);
    assert!(!folder.join(".cursor").exists());
    let unused = run_of(&["mcp", "foo.json", "--remove"]);
    assert_eq!(unused.status, 2, "{}", unused.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn claude_desktop_is_only_configured_where_it_is() {
    let folder = documented("install-claude");
    let none = install(&folder, "claude", &["--yes"], "");
    assert!(none.status == 2 && none.stderr.contains("`--install claude-code`"), "{}", none.stderr);
    std::fs::create_dir_all(folder.join(".config/Claude")).expect("a folder");
    assert_eq!(install(&folder, "claude", &["--yes"], "").status, 0);
    let entry = &json_of(&folder.join(".config/Claude/claude_desktop_config.json"))["mcpServers"]["foo"];
    assert!(entry.get("type").is_none() && entry["command"].is_string(), "{entry}");
    let elsewhere = install(&folder, "claude", &["--yes", "--config", "mine.json"], "");
    assert!(elsewhere.status == 0 && folder.join("mine.json").is_file(), "{}", elsewhere.stderr);
}

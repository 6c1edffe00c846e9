//! Failures before a host exists, and their messages. Cargo is a script here, or missing.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::{DOCUMENT, failed, folder, library, opendyn};

/// A call with an empty cache, and with only the programs of one folder.
fn call(name: &str, programs: Option<&str>) -> (Command, PathBuf) {
    let folder = folder(name);
    let bin = folder.join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    if let Some(script) = programs {
        let cargo = bin.join("cargo");
        std::fs::write(&cargo, format!("#!/bin/sh\n{script}")).expect("it can be written");
        std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let mut command = opendyn(&["call", DOCUMENT, "--library", library(), "add", "{}"]);
    command.env("OPENDYN_CACHE", folder.join("cache")).env("PATH", &bin).env("HOME", &folder);
    command.env_remove("CARGO_HOME");
    (command, folder)
}

#[test]
fn without_cargo_it_says_where_to_get_rust() {
    let (mut command, folder) = call("no-cargo", None);
    let said = failed(&mut command, 2);
    assert!(said.starts_with("error: cargo was not found"), "{said}");
    assert!(said.contains("help: install Rust from https://rustup.rs"), "{said}");
    assert!(!folder.join("cache").exists(), "nothing is left behind");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn cargo_is_found_where_rustup_puts_it() {
    let (mut command, folder) = call("rustup", Some("echo cargo 1.0.0"));
    let home = folder.join(".cargo/bin");
    std::fs::create_dir_all(&home).expect("a folder");
    std::fs::rename(folder.join("bin/cargo"), home.join("cargo")).expect("it is ours");
    assert!(failed(&mut command, 2).contains("this is 1.0.0"));
}

#[test]
fn an_old_rust_is_told_from_a_new_one() {
    let said = failed(&mut call("old-rust", Some("echo 'cargo 1.80.1 (376290515 2024-07-16)'")).0, 2);
    let needed = env!("CARGO_PKG_RUST_VERSION");
    assert!(
        said.starts_with(&format!("error: Rust {needed} or newer is needed, but this is 1.80.1\n")),
        "{said}"
    );
    assert!(said.contains("rustup update"), "{said}");
}

/// A sufficient version, with all crates available.
const SCRIPT: &str = r#"case $1 in
  --version) echo cargo 99.0.0 ;;
  metadata) echo '{"resolve": {"nodes": [1, 2, 3]}}' ;;
  *) for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "line $i" >&2; done; exit 101 ;;
esac
"#;

#[test]
#[cfg_attr(quick, ignore = "compiles a program for minutes; set OPENDYN_TEST_ALL=1")]
fn what_does_not_compile_is_a_defect_with_a_log() {
    let (mut command, folder) = call("no-compile", Some(SCRIPT));
    let said = failed(&mut command, 2);
    assert!(said.contains("the program does not compile (exit status: 101)"), "{said}");
    assert!(said.contains("| line 20\n") && !said.contains("line 5\n"), "only the end is shown: {said}");
    let log = said.split('`').rev().nth(1).expect("the path of the log");
    assert!(log.starts_with(folder.to_str().expect("text")), "{said}");
    assert!(std::fs::read_to_string(log).expect("the log").contains("line 1\n"));
}

#[test]
fn without_crates_and_network_it_says_what_helps() {
    let home = folder("no-crates");
    let mut command = opendyn(&["call", DOCUMENT, "--library", library(), "add", "{}"]);
    command.env("OPENDYN_CACHE", home.join("cache")).env("CARGO_HOME", home).env("CARGO_NET_OFFLINE", "true");
    let said = failed(&mut command, 2);
    assert!(said.contains("are not on this machine and cannot be fetched"), "{said}");
    assert!(said.contains("help: run it once with a network"), "{said}");
}

#[test]
fn sources_that_are_not_there_are_named() {
    let mut command = opendyn(&["call", DOCUMENT, "--library", library(), "add", "{}"]);
    let said = failed(command.env("OPENDYN_SOURCE", "/nowhere"), 2);
    assert!(said.contains("OPENDYN_SOURCE is `/nowhere`"), "{said}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let file = folder("no-cache").join("file");
    std::fs::write(&file, "").expect("it can be written");
    let mut command = opendyn(&["call", DOCUMENT, "--library", library(), "add", "{}"]);
    let said = failed(command.env("OPENDYN_CACHE", file.join("cache")), 2);
    assert!(said.contains("no-cache/file/cache") && said.contains("OPENDYN_CACHE"), "{said}");
}

#[test]
fn a_cache_is_cleaned_of_what_was_put_there_alone() {
    let (mut command, folder) = call("clean", Some(SCRIPT));
    failed(&mut command, 2);
    let cache = folder.join("cache");
    std::fs::write(cache.join("mine.txt"), "mine").expect("it can be written");
    let clean = |action: &str| {
        let output = opendyn(&["cache", action]).env("OPENDYN_CACHE", &cache).output().expect("it starts");
        assert!(output.status.success());
        crate::text(&output.stdout)
    };
    assert_eq!(clean("path"), format!("{}\n", cache.display()));
    assert_eq!(clean("list"), "", "what did not compile is no host");
    clean("clean");
    assert!(cache.join("mine.txt").exists() && !cache.join("hosts").exists());
}

//! `opendyn doctor`: what is missing, the command that installs it, and the exit status.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::command::{Run, folder};
use crate::{at, foo, run};

/// A folder for PATH with only these programs, which do nothing.
fn programs(name: &str, programs: &[&str]) -> PathBuf {
    let folder = folder(&format!("start-path-{name}"));
    for program in programs {
        let file = folder.join(program);
        std::fs::write(&file, "#!/bin/sh\nexit 1\n").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    folder
}

/// The findings on a machine with only these programs.
fn without(path: &Path, arguments: &[&str]) -> (i32, Vec<Value>) {
    let folder = foo("doctor");
    let arguments = [&["doctor", "--format", "json"], arguments].concat();
    let mut command = at(&folder, &arguments);
    let Run { status, stdout, stderr } =
        run(command.env("PATH", path).env_remove("CC").env_remove("OPENDYN_PYTHON"), "");
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
    assert_eq!(report["ok"], json!(status == 0));
    (status, report["findings"].as_array().expect("findings").clone())
}

fn part<'f>(found: &'f [Value], part: &str) -> &'f Value {
    found.iter().find(|finding| finding["part"] == part).unwrap_or_else(|| panic!("{part} in {found:?}"))
}

#[test]
fn what_is_missing_has_the_command_of_the_package_manager_that_is_there() {
    for (manager, compiler, make, python) in [
        ("apt-get", "apt-get install gcc libc6-dev", "apt-get install make", "apt-get install python3"),
        ("dnf", "dnf install gcc glibc-devel", "dnf install make", "dnf install python3"),
        ("pacman", "pacman -S gcc", "pacman -S make", "pacman -S python"),
    ] {
        let (status, found) = without(&programs(manager, &[manager]), &[]);
        assert_eq!(status, 0, "a machine without these can still call libraries");
        for (name, command) in [("C compiler", compiler), ("make", make), ("Python", python)] {
            let finding = part(&found, name);
            assert_eq!(finding["state"], "lacking", "{finding}");
            assert_eq!(finding["help"], format!("as root: {command}"), "{finding}");
        }
        assert_eq!(part(&found, "Rust")["state"], "lacking");
    }
    let (_, found) = without(&programs("none", &[]), &[]);
    assert_eq!(part(&found, "C compiler")["help"], Value::Null, "no command is made up");
}

#[test]
fn a_compiler_is_only_enough_with_the_headers_of_the_c_library() {
    let folder = foo("doctor-here");
    let here = run(&mut at(&folder, &["doctor"]), "");
    assert_eq!(here.status, 0, "{}{}", here.stdout, here.stderr);
    assert!(here.stdout.contains("ok       C compiler "), "{}", here.stdout);
    assert!(here.stdout.contains("<stdio.h> can be read"), "{}", here.stdout);
    let bare = run(at(&folder, &["doctor"]).env("CC", "cc -nostdinc"), "");
    assert!(bare.stdout.contains("lacking  C headers "), "{}", bare.stdout);
}

#[test]
fn a_document_needs_its_library() {
    let folder = foo("doctor-library");
    assert_eq!(run(&mut at(&folder, &["init", "libfoo.so", "foo.h"]), "").status, 0);
    let good = run(&mut at(&folder, &["doctor", "foo.json", "--library", "./libfoo.so"]), "");
    assert_eq!(good.status, 0, "{}{}", good.stdout, good.stderr);
    assert!(good.stdout.contains("foo.json: 3 functions, 2 of them callable with JSON"), "{}", good.stdout);
    assert!(good.stdout.contains("ok       contract "), "{}", good.stdout);
    assert!(good.stdout.contains("debug info"), "{}", good.stdout);
    let gone = run(&mut at(&folder, &["doctor", "foo.json"]), "");
    assert_eq!(gone.status, 1);
    assert!(gone.stdout.contains("failed   library      no library libfoo.so was found"), "{}", gone.stdout);
    assert!(!folder.join("loaded").exists(), "the library is read, not loaded");

    std::fs::copy("/bin/sh", folder.join("other.so")).expect("every system has a shell");
    let other = run(&mut at(&folder, &["doctor", "foo.json", "--library", "./other.so"]), "");
    assert_eq!(other.status, 1);
    assert!(other.stdout.contains("failed   contract "), "{}", other.stdout);
    std::fs::write(folder.join("foo.json"), "{}").expect("it is ours");
    let wrong = run(&mut at(&folder, &["doctor", "foo.json"]), "");
    assert!(
        wrong.status == 1 && wrong.stdout.contains("to see them: opendyn check foo.json"),
        "{}",
        wrong.stdout
    );
}

#[test]
fn a_missing_library_has_the_command_that_finds_its_package() {
    let folder = foo("doctor-package");
    assert_eq!(run(&mut at(&folder, &["init", "libfoo.so", "foo.h"]), "").status, 0);
    let document = folder.join("foo.json");
    for (manager, command) in [
        ("apt-get", "apt-file search libfoo.so"),
        ("dnf", "dnf provides '*/libfoo.so'"),
        ("pacman", "pacman -F libfoo.so"),
    ] {
        let path = programs("provides", &[manager]);
        let mut doctor = at(&folder, &["doctor", "--format", "json"]);
        let run = run(doctor.arg(&document).env("PATH", path), "");
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let found = report["findings"].as_array().expect("findings");
        let help = part(found, "library")["help"].as_str().expect("a command");
        assert!(help.contains(command), "{help}");
    }
}

#[test]
fn only_a_script_needs_python() {
    let script = folder("start-script").join("cpu.py");
    std::fs::write(
        &script,
        "def execute(tool_input: dict) -> dict:\n    \"\"\"Nothing.\"\"\"\n    return {}\n",
    )
    .expect("a file");
    let path = programs("python", &[]);
    let (status, found) = without(&path, &[crate::command::argument(&script)]);
    assert_eq!((status, &part(&found, "Python")["state"]), (1, &json!("failed")));
    let (status, found) = without(&path, &[]);
    assert_eq!((status, &part(&found, "Python")["state"]), (0, &json!("lacking")));
}

//! The README shows the output of the program. `OPENDYN_BLESS=1` updates it.

use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

#[test]
#[cfg_attr(no_sqlite, ignore = "this system has no SQLite (libsqlite3.so.0)")]
fn the_program_prints_what_the_readme_shows() {
    let output = Command::new(env!("CARGO_BIN_EXE_sqlite-example")).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");

    let readme = std::fs::read_to_string(README).expect("a README");
    let (before, rest) = readme.split_once("```text\n").expect("a block of text");
    let (block, after) = rest.split_once("```").expect("its end");
    if std::env::var_os("OPENDYN_BLESS").is_some() {
        std::fs::write(README, [before, "```text\n", &printed, "```", after].concat())
            .expect("it can be written");
    } else {
        assert_eq!(printed, block);
    }
}

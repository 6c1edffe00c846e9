//! The README shows the program as it is.

use std::process::Command;

/// The one block of `text` in the README.
fn block() -> &'static str {
    let readme = include_str!("../README.md");
    let (_, rest) = readme.split_once("```text\n").expect("a block of text");
    rest.split_once("```").expect("its end").0
}

#[test]
#[cfg_attr(no_zlib, ignore = "this system has no zlib (libz.so.1)")]
fn the_program_prints_what_the_readme_shows() {
    let output = Command::new(env!("CARGO_BIN_EXE_zlib-example")).output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), block());
}

#[test]
#[cfg_attr(no_zlib, ignore = "this system has no zlib (libz.so.1)")]
fn the_program_leaves_no_file() {
    let folder = std::env::temp_dir().join(format!("zlib-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = env!("CARGO_BIN_EXE_zlib-example");
    let status = Command::new(program).env("TMPDIR", &folder).output().expect("the program starts").status;
    let left = std::fs::read_dir(&folder).expect("the folder").count();
    std::fs::remove_dir_all(&folder).expect("it can be removed");
    assert!(status.success());
    assert_eq!(left, 0);
}

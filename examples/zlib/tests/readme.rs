//! The README shows the output of the program. `OPENDYN_BLESS=1` updates it.

use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

#[test]
#[cfg_attr(no_zlib, ignore = "this system has no zlib (libz.so.1)")]
fn the_program_prints_what_the_readme_shows() {
    let output = Command::new(env!("CARGO_BIN_EXE_zlib-example")).output().expect("the program starts");
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

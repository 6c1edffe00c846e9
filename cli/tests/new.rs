//! `opendyn new`: the files that it writes, what it refuses, and that the crate builds and passes its test.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

mod command;

use std::path::{Path, PathBuf};

use command::{argument, folder, opendyn, opendyn_with, root};

const SHELF: &str = "cli/tests/calls/shelf.json";
const ZLIB: &str = "examples/zlib/zlib.json";

fn read(crate_folder: &Path, file: &str) -> String {
    std::fs::read_to_string(crate_folder.join(file)).expect("a file")
}

/// The files in a folder, without those below.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Runs it with a new folder of this name, and returns the folder.
fn written(name: &str, arguments: &[&str]) -> PathBuf {
    let path = folder(&format!("new-{name}")).join(name);
    let run = opendyn(&[&["new", argument(&path)], arguments].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    path
}

#[test]
fn the_crate_has_the_document_a_program_and_a_test() {
    let path = written("zlib-tools", &[ZLIB]);
    assert_eq!(files(&path), [".gitignore", "Cargo.toml", "README.md", "src", "zlib.json"]);
    assert_eq!(files(&path.join("src")), ["main.rs"]);
    assert_eq!(read(&path, "zlib.json"), read(&root(), ZLIB));
    let manifest = read(&path, "Cargo.toml");
    for line in [
        "name = \"zlib-tools\"",
        "edition = \"2024\"",
        concat!("rust-version = \"", env!("CARGO_PKG_RUST_VERSION"), "\""),
        "opendyn = { version = \"0.1\", features = [\"mcp\", \"server\"] }",
    ] {
        assert!(manifest.lines().any(|found| found == line), "{line}\nis not in\n{manifest}");
    }
    let program = read(&path, "src/main.rs");
    for line in [
        "opendyn::opendyn!(\"zlib.json\");",
        "opendyn::serve!(Zlib);",
        "Zlib::open_default()",
        "#[test]",
        "opendyn::dlopen_note!(\n    \"libz.so.1\",\n",
    ] {
        assert!(program.contains(line), "{program}");
    }
    assert!(read(&path, "README.md").contains("ZLIB_LIBRARY"));
}

#[test]
fn the_library_is_a_path_or_a_variable_if_the_document_names_none() {
    let path = written("by-path", &[SHELF, "--name", "Shelves", "--library", "./Cargo.toml"]);
    let program = read(&path, "src/main.rs");
    let absolute = std::path::absolute(root().join("Cargo.toml")).expect("a path");
    assert!(program.contains("opendyn::opendyn!(\"shelf.json\", name = Shelves);"), "{program}");
    assert!(program.contains("const LIBRARY: &str = \"/"), "{program}");
    assert!(program.contains("/Cargo.toml\";\n"), "{} {program}", absolute.display());
    assert!(program.contains("opendyn::serve!(Shelves, library = LIBRARY);"), "{program}");
    assert!(!program.contains("dlopen_note"), "a path is not what packages are found by");

    let path = written("by-variable", &[SHELF, "--name", "Shelves"]);
    assert!(read(&path, "src/main.rs").contains("std::env::var_os(\"SHELVES_LIBRARY\")"));
    assert!(read(&path, "README.md").contains("set the variable SHELVES_LIBRARY to its path"));
}

#[test]
fn a_document_from_a_pipe_is_named_after_the_crate() {
    let path = folder("new-stdin").join("piped");
    let run = opendyn_with(&["new", argument(&path), "-"], &read(&root(), ZLIB));
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(read(&path, "src/main.rs").contains("opendyn!(\"piped.json\")"));
}

#[test]
fn nothing_is_written_for_what_is_refused() {
    let parent = folder("new-refused");
    let faulty = parent.join("faulty.json");
    std::fs::write(&faulty, read(&root(), ZLIB).replacen("\"string\"", "\"text\"", 1)).expect("a file");
    let own = parent.join("readme.md");
    std::fs::write(&own, read(&root(), ZLIB)).expect("a file");
    let before = files(&parent);
    let refused = |name: &str, more: &[&str]| {
        let path = parent.join(name);
        let run = opendyn(&[&["new", argument(&path)], more].concat());
        assert_eq!(files(&parent), before);
        (run.status, run.stderr)
    };
    let (status, said) = refused("tools", &[argument(&faulty)]);
    assert!(status == 1 && said.ends_with("1 error, 0 warnings\n"), "{status} {said}");
    let (status, said) = refused("tools", &[SHELF]);
    assert!(status == 1 && said.contains("error[E010]"), "a type and the binding have one name: {said}");
    let (status, said) = refused("2d tools", &[ZLIB]);
    assert!(status == 2 && said.contains("a crate cannot be called `2d tools`"), "{said}");
    let (status, said) = refused("opendyn", &[ZLIB]);
    assert!(status == 2 && said.contains("the name is taken"), "{said}");
    let (status, said) = refused("tools", &[argument(&own)]);
    assert!(status == 1 && said.contains("has a file `readme.md` of its own"), "{said}");
    let (status, said) = refused("tools", &[ZLIB, "--opendyn", "examples"]);
    assert!(status == 2 && said.contains("does not have the sources of opendyn"), "{said}");
    let (status, said) = refused("tools", &[ZLIB, "--library", "nowhere/libz.so"]);
    assert!(status == 2 && said.contains("the library `nowhere/libz.so` does not exist"), "{said}");
    let (status, said) = refused("", &[ZLIB]);
    assert!(status == 2 && said.contains("is not empty"), "{said}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles a crate for a minute; set OPENDYN_TEST_ALL=1")]
fn the_crate_builds_without_warnings_and_finds_every_function() {
    let root = root();
    // Cargo's own folder of this build, so that its dependencies are compiled once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder of the build");
    let path = written("built", &[ZLIB, "--opendyn", argument(&root)]);
    std::fs::copy(root.join("Cargo.lock"), path.join("Cargo.lock")).expect("it is ours");
    let program = format!("#![deny(warnings)]\n{}", read(&path, "src/main.rs"));
    std::fs::write(path.join("src/main.rs"), program).expect("it is ours");
    let run = std::process::Command::new(env!("CARGO"))
        .args(["test", "--offline"])
        .current_dir(&path)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&run.stderr).into_owned() + &String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("the_library_has_every_function ... ok"), "{said}");
}

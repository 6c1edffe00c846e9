//! The compiler's messages for wrong uses of the macro or of a binding.
//!
//! A case is `ui/CASE.rs`, which must not compile, and `CASE.stderr`, the messages of the compiler;
//! `OPENDYN_BLESS=1` rewrites those. The documents are in the same folder. A missing document is tested
//! in `build_script`, because its error names absolute paths.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::path::{Path, PathBuf};

use opendyn_tests::{Workspace, assert_golden, messages};

fn files(ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == ending)).collect()
}

#[test]
#[cfg_attr(
    other_compiler,
    ignore = "the messages are those of Rust 1.95, and another compiler words them in its own way"
)]
fn misuse_does_not_compile_and_is_explained() {
    let workspace = Workspace::new("ui", &["cases"]);
    for file in files("rs").into_iter().chain(files("json")) {
        let name = file.file_name().expect("a file has a name").to_string_lossy();
        let text = std::fs::read_to_string(&file).expect("it can be read");
        workspace.write(&format!("cases/src/bin/{name}"), &text);
    }
    // Cases use this path.
    let invalid = Path::new(env!("CARGO_MANIFEST_DIR")).join("invalid/not-json.json");
    let invalid = std::fs::read_to_string(invalid).expect("it can be read");
    workspace.write("cases/src/invalid/not-json.json", &invalid);
    // The shipped documents, as they are.
    for shipped in ["sqlite/sqlite.json", "zlib/zlib.json", "libraries/documents/uv.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(shipped);
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        let document = std::fs::read_to_string(&path).expect("the document of the example");
        workspace.write(&format!("cases/src/bin/{name}"), &document);
    }
    let messages = messages(&workspace, "cases");
    for case in files("rs") {
        let name = case.file_stem().expect("a file has a name").to_string_lossy();
        let message = messages.get(&*name).unwrap_or_else(|| panic!("{name} compiles"));
        assert_golden(&case.with_extension("stderr"), message);
    }
}

#[test]
fn every_explanation_has_a_case() {
    for stderr in files("stderr") {
        assert!(stderr.with_extension("rs").exists(), "{} belongs to no case", stderr.display());
    }
}

#[test]
fn no_explanation_names_this_machine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of it");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is a folder of it");
    for stderr in files("stderr") {
        let text = std::fs::read_to_string(&stderr).expect("it can be read");
        for place in [root, target] {
            assert!(
                !text.contains(&*place.to_string_lossy()),
                "{} names {}",
                stderr.display(),
                place.display()
            );
        }
    }
}

//! Shared by the tests of Python tools. They are a separate crate because its build script looks for Python, and
//! `opentool-python` itself must build without it.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

#[path = "../../../../tests/src/golden.rs"]
mod golden;
mod written;

pub use golden::assert_golden;
pub use written::Written;

use std::path::{Path, PathBuf};

use opentool_python::Interpreter;

/// The path of a folder of this crate.
#[must_use]
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The scripts of a folder: file name and source.
///
/// # Panics
///
/// The folder cannot be read.
#[must_use]
pub fn scripts(name: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder(name)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut scripts: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "py"))
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("it can be read"))
        })
        .collect();
    scripts.sort();
    scripts
}

/// The Python of this machine.
///
/// # Panics
///
/// No suitable Python was found.
#[must_use]
pub fn python() -> Interpreter {
    Interpreter::find().expect("Python is there")
}

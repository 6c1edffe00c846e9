//! Files with the expected output.

use std::path::Path;

/// Asserts that the file at `path` contains `actual`; with `OPENDYN_BLESS=1` it writes the file.
///
/// # Panics
///
/// The file is missing or differs: the message shows the first line that differs.
#[expect(clippy::panic, reason = "an assertion")]
pub fn assert_golden(path: &Path, actual: &str) {
    if std::env::var("OPENDYN_BLESS").is_ok_and(|value| value == "1") {
        if let Err(error) = std::fs::write(path, actual) {
            panic!("cannot write {}: {error}", path.display());
        }
        return;
    }
    let expected = match std::fs::read_to_string(path) {
        Ok(expected) => expected,
        Err(error) => panic!("cannot read {}: {error}; OPENDYN_BLESS=1 writes it", path.display()),
    };
    if expected == actual {
        return;
    }
    let differing = expected.lines().zip(actual.lines()).position(|(expected, actual)| expected != actual);
    let line = differing.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    panic!(
        "{}:{}: differs (OPENDYN_BLESS=1 rewrites it)\n  expected: {}\n  actual:   {}",
        path.display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("the end"),
        actual.lines().nth(line).unwrap_or("the end"),
    );
}

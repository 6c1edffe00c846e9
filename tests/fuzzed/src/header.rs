//! Any text that a preprocessor may write is read: declarations that cannot be read are skipped.

use opendyn_inspect::header::{Options, read_preprocessed};

/// Gives the bytes to the reader.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = read_preprocessed(text, &Options::default());
}

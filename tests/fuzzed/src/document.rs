//! Any text is a document, or has findings: reading and lowering neither panic nor hang, and a document without errors
//! is prepared for calls.

use opendyn_interpreter::{Document, Options};

/// Gives the bytes to the reader.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Document::read("fuzz.json", text, &Options::default()) {
        Ok(document) => drop(document),
        Err(diagnostics) => drop(diagnostics.to_string()),
    }
}

//! Any text is a document, or has findings: reading and lowering neither panic nor hang, and a document without errors
//! is prepared for calls.
#![no_main]

use libfuzzer_sys::fuzz_target;
use opendyn_interpreter::{Document, Options};

fuzz_target!(|text: &str| {
    match Document::read("fuzz.json", text, &Options::default()) {
        Ok(document) => drop(document),
        Err(diagnostics) => drop(diagnostics.to_string()),
    }
});

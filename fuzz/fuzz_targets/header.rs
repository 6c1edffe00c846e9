//! Any text that a preprocessor may write is read: declarations that cannot be read are skipped.
#![no_main]

use libfuzzer_sys::fuzz_target;
use opendyn_inspect::header::{Options, read_preprocessed};

fuzz_target!(|text: &str| {
    let _ = read_preprocessed(text, &Options::default());
});

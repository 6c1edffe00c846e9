//! Documents: `opendyn_fuzzed::document`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::document::run(bytes));

//! C headers after the preprocessor: `opendyn_fuzzed::header`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::header::run(bytes));

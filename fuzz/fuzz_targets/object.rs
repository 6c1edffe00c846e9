//! Object files and their debug info: `opendyn_fuzzed::object`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::object::run(bytes));

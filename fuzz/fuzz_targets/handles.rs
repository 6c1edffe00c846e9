//! Calls with handles, one after the other: `opendyn_fuzzed::handles`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::handles::run(bytes));

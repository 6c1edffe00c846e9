//! Workflow documents: `opendyn_fuzzed::workflow`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::workflow::run(bytes));

//! Arguments as the interpreter reads them: `opendyn_fuzzed::arguments`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::arguments::run(bytes));

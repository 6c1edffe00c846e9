//! Bodies of HTTP requests: `opendyn_fuzzed::http`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| opendyn_fuzzed::http::run(bytes));

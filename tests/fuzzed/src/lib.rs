//! What each fuzz target does with its input. `fuzz/` gives it what libFuzzer thinks of; the test `seeds` gives it
//! every input that is kept in `fuzz/seeds`, without libFuzzer. A panic is a finding.

#![expect(clippy::expect_used, clippy::panic, reason = "a panic is how a target reports what it found")]

pub mod arguments;
pub mod document;
pub mod handles;
pub mod header;
pub mod http;
pub mod object;
pub mod workflow;

//! Gives files to a target, without libFuzzer: to look at what was found with a debugger or under valgrind.
//!
//! `cargo run -p opendyn-fuzzed --example replay -- handles fuzz/artifacts/handles/crash-…`; with `OPENDYN_FUZZ_TRACE`
//! set, `handles` prints each call before it makes it.

#![expect(clippy::expect_used, clippy::panic, reason = "a program for those who work on the targets")]

use opendyn_fuzzed::{arguments, document, handles, header, http, object, workflow};

fn main() {
    let mut words = std::env::args().skip(1);
    let target = match words.next().as_deref() {
        Some("arguments") => arguments::run,
        Some("document") => document::run,
        Some("handles") => handles::run,
        Some("header") => header::run,
        Some("http") => http::run,
        Some("object") => object::run,
        Some("workflow") => workflow::run,
        other => panic!("{other:?} is no target: replay TARGET FILE…"),
    };
    for file in words {
        eprintln!("{file}");
        target(&std::fs::read(&file).expect("it can be read"));
    }
}

//! Every Rust example of the README and of docs/ compiles. Nothing is run: the examples load libraries of the system.

#![allow(clippy::expect_used, reason = "programs on the pages may end")]
#![allow(dead_code, missing_docs, unused, clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks)]

/// What an example can say that it is given.
mod given {
    opendyn::opendyn!("../../examples/quickstart/calc.json");
    opendyn::opendyn!("../../examples/sqlite/sqlite.json");
    opendyn::opendyn!("../../examples/zlib/zlib.json");
}

include!(concat!(env!("OUT_DIR"), "/examples.rs"));

#[test]
fn the_examples_were_found() {
    assert!(EXAMPLES > 15, "{EXAMPLES} examples");
}

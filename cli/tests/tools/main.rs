//! What a model can do with the shipped documents and scripts, and what that costs it: the calls of twelve tasks, the bytes
//! that it is shown at the start, and whether a search in plain words finds the function.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]
#![cfg(unix)]

mod found;
mod model;
mod sqlite;
mod start;
mod zlib;

use model::Model;

/// All tasks together. Whoever called one function for each step of each task needed 279 calls.
const MOST_CALLS: usize = 40;

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn the_twelve_tasks_take_at_most_forty_calls() {
    let calls = sqlite::tasks() + zlib::tasks();
    println!("calls: {calls}");
    assert!(calls <= MOST_CALLS, "{calls}");
}

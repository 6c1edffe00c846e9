//! What a call costs, beside what it costs by other ways.
//!
//! Every way to call `add` is a module here, so that the benchmarks that count instructions
//! (`benches/instructions.rs`) and those that take the time (`benches/calls.rs`) measure the
//! same code: [`calc`] is the generated binding, [`by_hand`] is what a careful person writes
//! without it, and `peers` (with the feature of that name) is what other libraries offer.
//! [`scale`] makes libraries of any size.
//!
//! | command | what it tells |
//! |---|---|
//! | `cargo run --release -p opendyn-benchmarks --bin gate` | instructions a call; fails beyond the bounds |
//! | `cargo bench -p opendyn-benchmarks --features peers --bench calls` | times, as ratios |
//! | `cargo run --release -p opendyn-benchmarks --bin scale` | what 1,000 and 10,000 functions cost the compiler |
//!
//! The first needs valgrind and `cargo install gungraun-runner --version 0.20.0 --locked`, on
//! the `PATH` or where `GUNGRAUN_RUNNER` says.

pub mod bounds;
pub mod by_hand;
pub mod calc;
#[cfg(feature = "peers")]
pub mod peers;
pub mod scale;

/// Why a way to call failed.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

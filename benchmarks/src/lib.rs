//! The cost of a call, compared with other ways to make it.
//!
//! Every way to call `add` is a module here, so that the benchmarks that count instructions
//! (`benches/instructions.rs`) and those that measure time (`benches/calls.rs`) run the same code:
//! [`calc`] is the generated binding, [`shapes`] calls with every shape of argument (`benches/shapes.rs`), [`by_hand`] is careful hand-written code, and `peers` (behind
//! the feature of that name) uses other libraries. [`scale`] creates libraries of any size.
//!
//! | command | prints |
//! |---|---|
//! | `cargo run --release -p opendyn-benchmarks --bin gate` | instructions per call; fails beyond the bounds |
//! | `cargo bench -p opendyn-benchmarks --features peers --bench calls` | times, as ratios |
//! | `cargo run --release -p opendyn-benchmarks --bin scale` | the compile-time cost of 1,000 and 10,000 functions |
//! | `cargo run --release -p opendyn-benchmarks --bin workers` | a call in a worker; fails if a process per call is not far slower |
//!
//! The first needs valgrind and `cargo install gungraun-runner --version 0.20.0 --locked`, on
//! the `PATH` or at the path in `GUNGRAUN_RUNNER`.

pub mod bounds;
pub mod by_hand;
pub mod calc;
#[cfg(feature = "peers")]
pub mod peers;
pub mod scale;
pub mod shapes;

/// Why a call failed.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

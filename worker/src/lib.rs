#![doc = include_str!("../README.md")]
//! # In this crate
//!
//! | module | what it does |
//! |---|---|
//! | `frame`, `errors` | the bytes between the two processes; errors as data |
//! | `child` | in the worker: takes its private end of the stream, and makes calls until the other side closes it |
//! | `program`, `worker`, `exchange`, `ended` | here: starts a worker, calls it until a deadline, kills it, says why it ended |
//! | `system` | what differs by system: processes, streams, crash reports |
//! | `confined` | the sandbox of a worker, and the errors that name it |
//! | `pool` | workers that all callers share |
//! | `sessions` | a worker for each caller, with the caller's handles |
//! | `workers` | the choice between the two |
//! | `counts` | how many workers started and ended, for the operator |
//! | `isolated` | a tool of a Rust program, in a worker |
//! | [`os_string`] | paths as data |
#![cfg(any(unix, windows))]

mod child;
mod confined;
mod counts;
mod ended;
mod errors;
mod exchange;
mod frame;
mod isolated;
pub mod os_string;
mod pool;
mod program;
mod sessions;
mod system;
mod worker;
mod workers;

pub use child::{Opening, Past, serve};
pub use ended::{Ended, Why};
pub use isolated::Isolated;
pub use pool::Pool;
pub use program::{Program, is_worker};
pub use sessions::Sessions;
pub use worker::{CallError, Worker};
pub use workers::Workers;

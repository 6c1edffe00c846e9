//! Runs scripts in Python processes that stay.
//!
//! [`call`](call::call) is one call of a script, `pool` says who has which process, `process` is
//! one process and the connection to it, `protocol` what is said there, `log` what scripts print.
//! The other side is `worker.py` with those beside it. [`PythonTool`](super::PythonTool) is the only caller.

mod call;
mod ending;
mod log;
mod pool;
mod process;
mod protocol;

pub use log::LogLine;
pub use pool::{Workers, WorkersBuilder};

pub(super) use call::{Running, call};
pub(super) use log::{Sink, Target, to_stderr};

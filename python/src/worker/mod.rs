//! Runs scripts in persistent Python processes.
//!
//! [`call`](call::call) is one call of a script, `confined` the sandbox of the processes, `pool` manages the processes, `process` is one process and the
//! connection to it, `protocol` has the messages, `log` the output of scripts. The other side is `worker.py` with the
//! files beside it. [`PythonTool`](super::PythonTool) is the only caller.

mod call;
mod confined;
mod ending;
mod log;
mod pool;
mod process;
mod protocol;

pub use confined::Launcher;
pub use log::LogLine;
pub use pool::{Workers, WorkersBuilder};

pub(super) use call::{Running, after, call};
pub(super) use log::{Sink, Target, to_stderr};

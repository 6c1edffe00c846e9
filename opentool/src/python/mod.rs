//! Tools that are Python scripts.
//!
//! [`Interpreter`] finds the Python that reads and runs them; [`check`] says whether a script keeps
//! the rules.

#[cfg(unix)]
mod conform;
mod describe;
#[cfg(unix)]
mod error;
mod interpreter;
mod once;
#[cfg(unix)]
mod peers;
#[cfg(unix)]
mod script;
#[cfg(unix)]
mod tool;
mod validate;
#[cfg(unix)]
mod worker;

pub use describe::{BadSidecar, Description, Note, Origin};
#[cfg(unix)]
pub use error::PythonError;
pub use interpreter::{Interpreter, PythonMissing, Reason};
#[cfg(unix)]
pub use peers::Peers;
#[cfg(unix)]
pub use tool::{PythonTool, PythonToolBuilder};
pub use validate::{Finding, InvalidScript, PythonFailed, Report, Rule, Script, check, check_all};
#[cfg(unix)]
pub use worker::{LogLine, Workers, WorkersBuilder};

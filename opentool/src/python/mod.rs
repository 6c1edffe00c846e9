//! Tools that are Python scripts.
//!
//! [`Interpreter`] finds the Python that reads and runs them; [`check`] says whether a script keeps
//! the rules.

mod describe;
mod interpreter;
mod once;
mod validate;

pub use describe::{BadSidecar, Description, Note, Origin};
pub use interpreter::{Interpreter, PythonMissing, Reason};
pub use validate::{Finding, InvalidScript, PythonFailed, Report, Rule, Script, check, check_all};

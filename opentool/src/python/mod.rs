//! Tools that are Python scripts.
//!
//! [`Interpreter`] finds the Python that reads and runs them.

mod interpreter;
mod once;

pub use interpreter::{Interpreter, PythonMissing, Reason};

#![doc = include_str!("../README.md")]
//! # In this crate
//!
//! [`check`] reports violations of the rules for scripts, and [`Script::describe`] describes the function as an
//! OpenTool document. Both use the Python that [`Interpreter::find`] finds; they parse a script and never run it.
//! [`PythonTool`] does both and runs the script as a [`Tool`](opentool::Tool); it requires Unix. The page
//! `docs/python-tools.md` of the repository has the rules.
//!
//! ```no_run
//! use opentool_python::{Interpreter, check};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let python = Interpreter::find()?;
//! let report = check("cpu.py", std::fs::read("cpu.py")?, &python)?;
//! for finding in &report.findings {
//!     eprintln!("{finding}");
//! }
//! // Without errors there is a script.
//! let script = report.into_script()?;
//! let description = match std::fs::read_to_string("cpu.json") {
//!     Ok(document) => script.described_by("cpu.json", &document)?,
//!     Err(_) => script.describe(),
//! };
//! for note in &description.notes {
//!     eprintln!("cpu.py: {note}");
//! }
//! println!("{}", description.document.to_string_pretty());
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod describe;
mod environment;
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
pub use worker::{Launcher, LogLine, Workers, WorkersBuilder};

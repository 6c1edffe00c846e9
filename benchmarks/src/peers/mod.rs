//! The same call with other libraries.
//!
//! [`Interpreter`] reads the document at run time and calls through libffi: through
//! `serde_json::Value`, as most interpreters do, or [streaming](Interpreter::call_streaming).
//! [`OnTables`] combines libffi with the reader and the writer of opendyn, so that only the call
//! itself differs. [`OnJiter`] keeps the tables and the typed call, and reads with jiter.

mod frame;
mod interpreter;
mod on_jiter;
mod on_tables;
mod streaming;

pub use interpreter::Interpreter;
pub use on_jiter::OnJiter;
pub use on_tables::OnTables;

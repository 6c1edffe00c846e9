//! Serves a tool to clients of the Model Context Protocol.
//!
//! [`serve_stdio`] serves the client that started the process, [`router`] many clients over HTTP, [`serve`] one client
//! over any two streams. All of them speak revision 2026-07-28 and the older revisions that begin with `initialize`;
//! the client chooses. An [`Executor`](crate::Executor) runs the calls.
//!
//! | the tool | the client gets |
//! |---|---|
//! | returns a result | the object as structured content, and as text |
//! | refuses the arguments, or fails | a result with `isError` and the message, for the model to read |
//! | has no such function | the JSON-RPC error -32602 |
//!
//! Over HTTP, a request that is a call and nothing else costs little more than the same call with OpenTool: the tool gets the
//! arguments as the client wrote them, and the client the result as the tool wrote it. Everything else is left to `rmcp`.
//!
//! A client that can ask a person (elicitation) is asked before calls that need a [confirmation](crate::Confirm).
//!
//! ```no_run
//! use opentool::MapTool;
//! use opentool_server::{Executor, mcp};
//!
//! let echo = MapTool::new(|_, arguments| Ok(arguments.clone()));
//! mcp::run_stdio(Executor::serial(echo))?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod calling;
mod calls;
mod confirm;
mod direct;
mod envelope;
mod handler;
mod http;
mod ids;
mod instructions;
mod jobs;
mod large;
mod listing;
mod offer;
mod plain;
mod progress;
mod results;
mod running;
mod search;
mod sessions;
mod stdio;
#[cfg(unix)]
mod streams;
mod tasks;

pub use http::{HttpOptions, router};
#[cfg(unix)]
pub use stdio::run_taken;
pub use stdio::{run_stdio, serve, serve_stdio};

//! Serves the functions of a [`Tool`](opentool::Tool) to agents.
//!
//! One [`Executor`] runs the calls, whatever the protocol: OpenTool over HTTP ([`Server`], or a ready
//! `main` in [`serve`]), and the Model Context Protocol over HTTP or the standard streams ([`mcp`]).
//!
//! | feature | what it adds |
//! |---|---|
//! | none | [`stdio`]: the standard streams, kept from what a library prints |
//! | `executor` | [`Executor`] |
//! | `http` | [`Server`] and [`serve`], with the executor |
//! | `mcp` | [`mcp`], with the executor; together with `http`, the route `/mcp` of [`serve`] |

#![forbid(unsafe_code)]

#[cfg(feature = "executor")]
mod executor;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "http")]
pub mod serve;
#[cfg(unix)]
pub mod stdio;

/// The router that [`Server::routes`] takes and [`mcp::router`] returns is axum's: this is the version that
/// they use.
#[cfg(any(feature = "http", feature = "mcp"))]
pub use axum;
#[cfg(feature = "executor")]
pub use executor::{Executor, Limits};
#[cfg(feature = "http")]
pub use http::{DEFAULT_BODY_LIMIT, DEFAULT_PORT, Listening, Server, Stop};

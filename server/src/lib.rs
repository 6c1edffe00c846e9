// The example needs the feature `http`.
#![cfg_attr(feature = "http", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "http"), doc = "Serves the functions of a tool to agents.")]
#![forbid(unsafe_code)]

#[cfg(feature = "executor")]
mod audit;
#[cfg(feature = "executor")]
mod derived;
#[cfg(feature = "executor")]
mod executor;
#[cfg(feature = "executor")]
mod guarded;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod key_file;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "executor")]
mod metrics;
#[cfg(feature = "otel")]
mod otel;
#[cfg(feature = "executor")]
mod policy;
#[cfg(any(feature = "http", feature = "mcp"))]
mod reports;
#[cfg(feature = "http")]
pub mod serve;
#[cfg(unix)]
pub mod stdio;
#[cfg(feature = "executor")]
mod trace;

#[cfg(feature = "executor")]
pub use audit::Audit;
/// `Server::routes` takes a router of axum, and `mcp::router` returns one. This is the version that they use.
#[cfg(any(feature = "http", feature = "mcp"))]
pub use axum;
#[cfg(feature = "executor")]
pub use executor::{Executor, Limits};
#[cfg(feature = "executor")]
pub use guarded::Guarded;
#[cfg(feature = "http")]
pub use http::{DEFAULT_BODY_LIMIT, DEFAULT_PORT, HttpLimits, Listening, OpenToAll, Server, Stop};
#[cfg(feature = "http")]
pub use key_file::{KeyFile, KeyFileError};
#[cfg(feature = "otel")]
pub use otel::{Traces, traces_from_environment};
#[cfg(feature = "executor")]
pub use policy::{Asking, Confirm, Identity, Listing, Protocol, Rules};

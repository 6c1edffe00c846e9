//! Functions that an agent can call, described by an OpenTool document.
//!
//! [`Tool`] is the interface of everything that can be called: the bindings that `opendyn` generates for a native
//! library implement it, and so does [`MapTool`], which turns a Rust closure into a tool. [`OpenTool`] is the
//! document that describes the functions. [`ToolError`] says why a call failed and which argument was wrong.
//!
//! ```
//! use opentool::{Map, MapTool, Tool, Value};
//!
//! let greeter = MapTool::new(|name, arguments| match name {
//!     "greet" => Ok(Map::from_iter([(
//!         "greeting".to_owned(),
//!         Value::from(format!("Hello, {}!", arguments["who"].as_str().unwrap_or("world"))),
//!     )])),
//!     _ => Err(opentool::ToolError::unknown_function(name, ["greet"])),
//! });
//! let reply = greeter.call_json("greet", r#"{"who":"Ada"}"#)?;
//! assert_eq!(reply, r#"{"greeting":"Hello, Ada!"}"#);
//! # Ok::<(), opentool::ToolError>(())
//! ```

#![forbid(unsafe_code)]

mod call;
#[cfg(feature = "client")]
pub mod client;
mod document;
mod error;
pub mod export;
mod record;
mod tool;
mod tool_set;
pub mod values;

pub use call::{FunctionCall, ToolReturn};
pub use document::{
    Annotations, Finding, Function, Info, Invalid, OpenTool, Parameter, Return, Rule, Schema, SchemaType,
    ServerUrl, Severity,
};
pub use error::{ArgumentError, ToolError};
/// The map of `schemas`, `properties` and `stream`, whose order a document keeps. The crate is the one behind
/// [`Map`], so that it adds nothing to a build; this is the version that the document's types use.
#[doc(no_inline)]
pub use indexmap::IndexMap;
pub use serde_json::{Map, Value};
pub use tool::{MapTool, Tool};
pub use tool_set::{InvalidToolSet, ToolSet, ToolSetBuilder, ToolSetProblem};

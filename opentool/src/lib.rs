#![doc = include_str!("../README.md")]
//! # In this crate
//!
//! | item | purpose |
//! |---|---|
//! | [`Tool`], [`MapTool`] | the interface of everything that can be called, and a tool made from a closure |
//! | [`ToolError`], [`ArgumentError`] | why a call failed, and which argument was wrong |
//! | [`OpenTool`], [`Function`], [`Schema`] | the document that describes the functions, and its rules ([`Rule`]) |
//! | [`CallContext`], [`Caller`] | who makes a call, how long it may take, and whether it is still wanted |
//! | [`Progress`] | how far a call is |
//! | [`Measure`] | what a tool counts, for the operator of a server |
//! | [`ToolSet`] | several tools in one namespace |
//! | [`export`] | the functions in the formats of models: OpenAI, Anthropic, Gemini, MCP, JSON Schema |
//! | [`FunctionCall`], [`ToolReturn`] | a call of an agent, and its result |
//! | [`conform`] | checks of values against the schemas of a document |
//! | [`values`] | comparison and names of values, for crates that check values against schemas |
//! | `client` | a client for OpenTool servers, with the feature `client` |

#![forbid(unsafe_code)]

mod call;
#[cfg(feature = "client")]
pub mod client;
pub mod conform;
mod context;
mod document;
mod error;
pub mod export;
mod measure;
mod progress;
mod record;
mod tool;
mod tool_set;
pub mod values;

pub use call::{FunctionCall, ToolReturn};
pub use context::{CallContext, Caller, Deadline, OnCancel};
pub use document::{
    Annotations, Finding, Function, Info, Invalid, OpenTool, Parameter, Refused, Return, Rule, Schema,
    SchemaType, ServerUrl, Severity,
};
pub use error::{ArgumentError, CallDetails, ToolError};
/// The map of `schemas`, `properties` and `stream`, whose order a document keeps. The crate is the one behind
/// [`Map`], so that it adds nothing to a build; this is the version that the document's types use.
#[doc(no_inline)]
pub use indexmap::IndexMap;
pub use measure::Measure;
pub use progress::Progress;
/// Arguments, results and schemas are values of `serde_json`. This is the version that they use.
#[doc(no_inline)]
pub use serde_json::{Map, Value};
pub use tool::{MapTool, Tool};
pub use tool_set::{InvalidToolSet, ToolSet, ToolSetBuilder, ToolSetProblem};

//! What an OpenDyn document says and means. For opendyn's own crates: no stability promise.
//!
//! | step | module | what it holds |
//! |---|---|---|
//! | tree | `json`, of `opendyn-source` | the JSON text, every key and value with its place |
//! | document | [`document`], filled by [`read`] | the fields of the specification, defaults filled in |
//! | plan | [`plan`], made by [`lower`] | names, how every value travels, and the steps of a call: decided once |
//! | tool | [`opentool`] | the functions as an OpenTool document, written from the plan |
//!
//! [`read`] and [`lower`] report to one collector and go on, so that one run finds everything; the rules that
//! they report are in the table of [`rule`]. The generator, the comparison with a library and the command
//! all start from what this crate returns.

#![forbid(unsafe_code)]

pub mod c_type;
pub mod data_model;
pub mod diagnostic;
pub mod document;
mod json_schema;
pub mod keys;
#[cfg(feature = "layout")]
pub mod layout;
pub mod lower;
pub mod opentool;
mod options;
pub mod plan;
pub mod read;
pub mod rule;

use opendyn_source::{json, span};

pub use diagnostic::{Diagnostic, Diagnostics, Findings};
pub use json_schema::json_schema;
pub use lower::rust_name;
pub use opendyn_source::Severity;
pub use options::{Options, Strings, Unchecked};
pub use rule::Rule;

/// The version of the code that the generator writes. The runtime refuses to compile with code of another version; it
/// changes whenever generated code and the runtime have to change together.
pub const GENERATED_VERSION: u32 = 3;

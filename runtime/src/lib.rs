//! Call a native library from a description of it.
//!
//! `opendyn!("calc.json")` turns an OpenDyn document into a struct with one typed method a
//! function.
//! This crate is what the generated code stands on: it loads the library ([`LoadError`]), converts what needs
//! converting ([`CallError`]), and answers calls that arrive as JSON ([`Tool`], [`ToolError`]).
//! [`Serial`] makes a library that is not thread-safe shareable.

mod abi;
mod adapter;
mod codes;
mod error;
mod library;
mod serial;

#[doc(no_inline)]
pub use libloading;
pub use opendyn_macros::opendyn;
pub use opentool::{self, OpenTool, Tool, ToolError};

pub use codes::Codes;
pub use error::CallError;
pub use library::LoadError;
pub use serial::Serial;

/// What generated code names. Nothing here is for people, and all of it may change with the
/// version of the generator.
#[doc(hidden)]
pub mod generated {
    pub use crate::abi::{Flag, Truth, copied, optional_mut, optional_slice, optional_str, string};
    pub use crate::adapter::{Args, Character, Field, Function, Functions, Kind, Output, Put, TextBuffer};
    pub use crate::library::Library;
    pub use crate::serial::NotSync;
    pub use opentool::{Map, Value};
    pub use serde::{Deserializer, Serializer};
}

pub use adapter::{MAX_ARGUMENTS, MAX_DEPTH};

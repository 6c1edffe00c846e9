//! Call a native library from a description of it.
//!
//! [`opendyn!`] turns an OpenDyn document into a struct with one typed method a function; what
//! it generates stands on this crate. A call is one load and one jump. The same functions can
//! be called with JSON, by programs that know them only by name, and every argument is checked
//! before it reaches C.
//!
//! ```no_run
//! opendyn::opendyn!("calc.json");
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // SAFETY: calc.json describes the functions of libcalc.so as they are.
//! let calc = unsafe { Calc::open("libcalc.so")? };
//! let sum = calc.add(2, 3);
//! let json = calc.call_json("add", r#"{"a":2,"b":3}"#)?;
//! assert_eq!((sum, json.as_str()), (5, r#"{"result":5}"#));
//! # Ok(())
//! # }
//! ```
//!
//! | what | is |
//! |---|---|
//! | [`LoadError`] | why a library could not be bound: every missing function, the path tried |
//! | [`CallError`] | why a typed call has no value to return |
//! | [`Tool`], [`ToolError`] | the interface of everything that can be called with JSON, and what it answers |
//! | [`Client`], [`Binding`], [`Handles`] | one caller of a library that gives out handles, apart from its others |
//! | [`Serial`] | the lock that makes a library shareable which is not thread-safe |
//! | [`Codes`] | the codes of a document and their texts |

mod abi;
mod adapter;
mod callback;
mod client;
mod codes;
mod default_library;
mod error;
mod free;
mod handle;
mod handles;
mod held;
mod library;
mod serial;

#[doc(no_inline)]
pub use libloading;
pub use opendyn_macros::opendyn;
pub use opentool::{self, OpenTool, Tool, ToolError};

pub use client::{Binding, Client};
pub use codes::Codes;
pub use error::CallError;
pub use handles::{HandleError, Handles};
pub use library::LoadError;
pub use serial::Serial;

/// What generated code names. Nothing here is for people, and all of it may change with the
/// version of the generator.
#[doc(hidden)]
pub mod generated {
    pub use crate::abi::{Flag, Truth, copied, optional_mut, optional_slice, optional_str, string};
    pub use crate::adapter::{Args, Character, Field, Function, Functions, Kind, Output, Put, TextBuffer};
    pub use crate::callback::{Callback, Kept, resume_kept_panic};
    pub use crate::default_library::DefaultLibrary;
    pub use crate::free::FreeFn;
    pub use crate::handle::{Handle, Released};
    pub use crate::handles::{Entered, HandleType};
    pub use crate::held::Held;
    pub use crate::library::Library;
    pub use crate::serial::ShareThroughSerial;
    pub use opentool::{Map, Value};
    pub use serde::{Deserializer, Serializer};
}

pub use adapter::{MAX_ARGUMENTS, MAX_DEPTH};

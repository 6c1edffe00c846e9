//! Call a native library from a description of it.
//!
//! [`opendyn!`] turns an OpenDyn document into a struct with one typed method per function; the
//! generated code depends only on this crate. A call is one load and one jump. The same functions
//! can be called with JSON, by programs that know them only by name, and every argument is
//! checked before it reaches C.
//!
//! ```no_run
//! opendyn::opendyn!("calc.json");
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // SAFETY: calc.json describes the functions of libcalc.so correctly.
//! let calc = unsafe { Calc::open("libcalc.so")? };
//! let sum = calc.add(2, 3);
//! let json = calc.call_json("add", r#"{"a":2,"b":3}"#)?;
//! assert_eq!((sum, json.as_str()), (5, r#"{"result":5}"#));
//! # Ok(())
//! # }
//! ```
//!
//! | item | purpose |
//! |---|---|
//! | [`LoadError`] | why a library could not be bound: every missing function, the path tried |
//! | [`CallError`] | why a typed call has no value to return |
//! | [`Tool`], [`ToolError`] | the interface of everything that can be called with JSON, and its errors |
//! | [`Session`], [`Binding`], [`Handles`] | one caller of a library with handles, isolated from other callers |
//! | [`Serial`] | a lock that makes a library shareable that is not thread-safe |
//! | [`Codes`], [`CodeError`] | the codes of a document with their texts, and an error code |
//! | [`FailedCall`] | a failure with the library's own code and text |
//! | [`Copied`] | a struct whose memory C has freed, with copies of its strings |
//! | [`CStrings`] | the strings that C passes to a callback |
//! | `serve!` | a program that serves a binding to agents; feature `server` |
//! | [`Utf16CStr`], [`Utf16CString`] | NUL-terminated strings of UTF-16 |
//! | [`libloading`] | re-exported on purpose: bindings take and return its `Library` |

mod abi;
mod adapter;
mod buffer;
mod c_bool;
mod callback;
mod codes;
mod copied;
mod count;
mod default_library;
mod encoding;
mod error;
mod failure;
mod free;
mod given;
mod handle;
mod handles;
mod held;
mod library;
mod listed;
mod loaded_library;
mod plain;
mod room;
mod serial;
#[cfg(feature = "server")]
mod serve;
mod session;
mod state;
mod strings;
mod system;
mod text;
mod utf16;

/// Part of the public API on purpose: bindings take and return [`libloading::Library`]. A new
/// major version of libloading is a new version of this crate.
#[doc(no_inline)]
pub use libloading;
#[cfg(feature = "macros")]
pub use opendyn_macros::opendyn;
pub use opentool::{self, OpenTool, Tool, ToolError};
#[cfg(feature = "python")]
pub use opentool_python as python;
#[cfg(any(feature = "mcp", feature = "server"))]
pub use opentool_server as server;
#[cfg(feature = "mcp")]
pub use opentool_server::mcp;

pub use c_bool::CBool;
pub use codes::{CodeError, Codes};
pub use copied::Copied;
pub use error::{CallError, ExpectedLength};
pub use failure::FailedCall;
pub use handle::Borrowed;
pub use handles::Handles;
pub use library::{Checked, LoadError};
pub use serial::Serial;
pub use session::{Binding, Session};
pub use strings::{CStrings, CStringsIter};
pub use utf16::{Utf16CStr, Utf16CString, Utf16NulError};

/// The items that generated code names. They may change with every version of the generator.
#[doc(hidden)]
pub mod generated {
    pub use crate::abi::{Flag, Truth};
    pub use crate::adapter::{
        Args, Character, Choice, Described, Encoded, Field, Function, Functions, Integer, Kind, Member,
        Output, Put, Record, Struct, Text, TextBuffer,
    };
    pub use crate::buffer::{Buffer, truths, units_until_nul};
    pub use crate::callback::{Callback, Kept, resume_kept_panic};
    pub use crate::codes::{is_success, success};
    pub use crate::copied::copied_whole;
    pub use crate::count::{Count, every_length, exact_length, first_length, length, same_length};
    pub use crate::default_library::DefaultLibrary;
    pub use crate::encoding::Encoding;
    pub use crate::free::{Free, FreeFn};
    pub use crate::given::{given_count, given_slice, given_str};
    pub use crate::handle::{Handle, Released};
    pub use crate::handles::{Entered, HandleError, HandleType};
    pub use crate::held::Held;
    pub use crate::library::{Library, checked};
    pub use crate::listed::{all_listed, listed, listed_str};
    pub use crate::plain::{Plain, TextUnit, zeroed};
    pub use crate::room::limit_buffers;
    pub use crate::serial::ShareThroughSerial;
    #[cfg(feature = "server")]
    pub use crate::serve::{AtOnce, InTurn, Threads, serve};
    pub use crate::state::State;
    pub use crate::strings::pointers;
    pub use crate::system::System;
    pub use crate::text::text_in;
    pub use opentool::{Map, Value};
    pub use serde::{Deserializer, Serializer};
    pub use std::mem::ManuallyDrop;

    /// Stops the compiler where a struct is not laid out as the document says.
    pub const fn assert_layout(actual: usize, expected: usize, message: &str) {
        assert!(actual == expected, "{}", message);
    }

    /// The version of generated code that this runtime works with.
    const VERSION: u32 = 2;

    /// Stops the compiler at code that was generated for another version of the runtime.
    // The error points at the generated file instead of this one.
    #[track_caller]
    pub const fn assert_written_for<const WRITTEN: u32>() {
        assert!(
            WRITTEN == VERSION,
            "these bindings were generated for another version of `opendyn`: generate them again with the \
             `opendyn-codegen` or the command of the version that this crate depends on"
        );
    }
}

/// The items that `opendyn-interpreter` uses besides those of generated code. They may change with every version.
#[doc(hidden)]
pub mod interpreted {
    pub use crate::adapter::Index;
    pub use crate::adapter::interpreted::{call_json, call_map, call_serde, check_json};
    pub use crate::count::{count, length_where};
    pub use crate::loaded_library::LoadedLibrary;
    pub use crate::room::Room;
    pub use crate::text::{text_at, text_between};
}

pub use adapter::{MAX_ARGUMENTS, MAX_DEPTH};

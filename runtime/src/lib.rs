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
//! | [`dlopen_note!`] | says in an ELF file which library it opens, for packaging tools |
//! | `serve!` | a program that serves a binding to agents; feature `server` |
//! | [`Utf16CStr`], [`Utf16CString`] | NUL-terminated strings of UTF-16 |
//! | [`libloading`] | re-exported on purpose: bindings take and return its `Library` |

mod abi;
mod adapter;
mod begun;
mod bits;
mod buffer;
mod c_bool;
mod callback;
mod cancel;
mod codes;
mod complex;
mod copied;
mod count;
mod deep;
mod default_library;
mod dlopen_note;
mod encoding;
mod error;
mod failure;
mod free;
mod given;
mod handle;
mod handles;
mod held;
mod in_use;
mod library;
mod limits;
mod listed;
mod load_error;
mod loaded_library;
mod member;
mod open;
mod plain;
mod progress;
mod refused;
mod registry;
mod room;
mod serial;
#[cfg(feature = "server")]
mod serve;
mod session;
#[cfg(feature = "server")]
mod sought;
mod state;
mod str_text;
mod strings;
mod system;
mod taken_memory;
mod terminated;
mod text;
mod union;
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
pub use complex::Complex;
pub use copied::Copied;
pub use error::{CallError, ExpectedLength};
pub use failure::FailedCall;
pub use handle::Borrowed;
pub use handles::Handles;
pub use limits::{BeyondLimit, Limit};
pub use load_error::{Checked, LoadError};
pub use refused::Refused;
pub use serial::Serial;
pub use session::{Binding, Session};
pub use strings::{CStrings, CStringsIter};
pub use utf16::{Utf16CStr, Utf16CString, Utf16NulError};

/// For workers, which follow one another.
#[doc(hidden)]
pub mod worker {
    pub use crate::handles::resume;
}

/// The items that generated code names. They may change with every version of the generator.
#[doc(hidden)]
pub mod generated {
    pub use crate::abi::{Flag, Truth};
    pub use crate::adapter::{
        Args, Beside, BitForm, Bits, Calls, Character, Choice, Described, Encoded, Events, Extent, Field,
        Function, Functions, Integer, KeptCalls, Kind, Many, Member, Output, Put, Record, Struct, Target,
        Text, TextBuffer, TextSlice, Truths, Union, Within, Wrote, tokens,
    };
    pub use crate::bits::{
        HAS_BIT_FIELDS, Part, assert_bit_fields, bit_place, get_bits, get_signed_bits, run_bytes, run_start,
        set_bits,
    };
    pub use crate::buffer::{Buffer, truths, units_until_nul};
    pub use crate::callback::{Callback, Kept, resume_kept_panic};
    pub use crate::cancel::ended_by;
    pub use crate::codes::{is_success, success};
    pub use crate::complex::{COMPLEX_IS_A_PAIR, assert_complex_by_value};
    pub use crate::copied::copied_whole;
    pub use crate::count::{
        Count, every_length, exact_length, factor, first_length, length, product, same_length, sum,
    };
    pub use crate::deep::{
        Lent, Loan, Owned, Reply, argument, copied_bytes, copied_list, copied_plain, copied_pointed,
        copied_pointers, copied_string, copied_strings, copied_text, owned, owned_list,
    };
    pub use crate::default_library::DefaultLibrary;
    /// For `dlopen_note!`.
    pub mod dlopen_note {
        pub use crate::dlopen_note::{DlopenNote, is_priority, padded, plain};
    }
    pub use crate::encoding::Encoding;
    pub use crate::free::{
        Captured, Free, FreeFn, NEVER, NO_END, Word, same_argument, same_integer, same_word,
    };
    pub use crate::given::{
        given_copies, given_count, given_record, given_slice, given_str, given_strings, terminated_strings,
    };
    pub use crate::handle::{
        Handle, Keep, Parts, Released, ReleasedHandles, Releasing, handles, leaked, nullable_handles,
    };
    pub use crate::handles::{Entered, HandleError, HandleType, TakenBy};
    pub use crate::held::Held;
    pub use crate::in_use::Sharing;
    pub use crate::library::Library;
    pub use crate::limits::{
        LimitedStruct, Real, bytes_within, each_within, elements_within, limited, within,
    };
    pub use crate::listed::{all_listed, listed, listed_str};
    pub use crate::load_error::checked;
    pub use crate::member::{address_of_member, member, set_member};
    pub use crate::open::Open;
    pub use crate::plain::{Plain, TextUnit, zeroed};
    pub use crate::progress::{Amount, Progress};
    pub use crate::registry::{Registered, Slot};
    pub use crate::room::limit_buffers;
    pub use crate::serial::ShareThroughSerial;
    #[cfg(feature = "server")]
    pub use crate::serve::{AtOnce, Callers, InTurn, NoHandles, OwnHandles, Threads, serve};
    pub use crate::state::State;
    pub use crate::str_text::{CText, c_texts, nullable_c_texts, utf8, utf8_lossy};
    pub use crate::strings::{nullable_pointers, pointers};
    pub use crate::system::System;
    pub use crate::taken_memory::{AllocateFn, TakenMemory};
    pub use crate::terminated::{terminated, terminated_pointers};
    pub use crate::text::text_in;
    pub use crate::union::{UNIONS_BY_VALUE, assert_union_by_value};
    pub use opentool::{CallContext, Map, Value};
    pub use serde_core::{Deserializer, Serializer};
    pub use std::mem::ManuallyDrop;

    /// Stops the compiler where a struct is not laid out as the document says.
    pub const fn assert_layout(actual: usize, expected: usize, message: &str) {
        assert!(actual == expected, "{}", message);
    }

    /// The version of generated code that this runtime works with.
    const VERSION: u32 = 3;

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
    pub use crate::adapter::interpreted::{call_json, call_map, call_serde, check_json, without_arguments};
    pub use crate::adapter::{Index, Pointee, check, pointees};
    pub use crate::begun::EndCall;
    pub use crate::callback::this_thread;
    pub use crate::cancel::{cancellable, ended_by, is_cancellable};
    pub use crate::count::{count, length_where};
    pub use crate::deep::Rooms;
    pub use crate::in_use::Turn;
    pub use crate::loaded_library::{LoadedLibrary, Wanted};
    pub use crate::room::Room;
    pub use crate::taken_memory::copied_for_c;
    pub use crate::text::{text_at, text_between};
}

pub use adapter::{MAX_ARGUMENTS, MAX_DEPTH};

//! Calls that arrive as JSON, or in any other format that serde knows.
//!
//! Every function of a binding has one static [`Function`]: its name, a table of the
//! [`Field`]s that it takes, and a small typed thunk. One reader, which is not generic over
//! the binding, checks the arguments against the table and fills plain [`slots`]; the thunk
//! takes them out, calls the typed method and puts the results into an [`Output`], which
//! writes them directly into the reply. So a binding of a thousand functions compiles to a
//! thousand thunks of a few instructions each, and one reader.
//!
//! `reader` reads JSON text, `from_serde` every other format; both use `convert` to decide which
//! values are valid, so that they cannot differ. The contents of arrays and objects are written
//! directly to their place in C memory, in the `arena`. Each result is a `datum`, which `to_json`
//! and `to_serde` write; those of C structs are read in place.

mod arena;
mod bits;
mod calls;
mod composite;
mod convert;
mod cursor;
mod datum;
mod described;
mod digits;
mod events;
mod fault;
mod from_serde;
mod from_slot;
mod function;
mod index;
mod integer;
pub mod interpreted;
mod kind;
mod many;
mod nearest;
mod number;
mod output;
mod output_handles;
mod output_lists;
mod plain;
mod pointees;
mod pointers;
mod put;
mod reader;
mod record;
mod runs;
mod scalars;
mod serde_value;
mod slots;
mod text;
mod text_buffer;
mod to_json;
mod to_serde;
mod union;
mod within;

pub use bits::{BitForm, Bits};
pub use calls::Calls;
pub use described::{Described, Struct, Truths};
pub use events::{Events, KeptCalls};
pub(crate) use fault::Fault;
pub use function::{Field, Function, Functions};
pub use index::Index;
pub use integer::Integer;
pub use kind::{Choice, Kind, Target};
pub(crate) use many::HEADER;
pub use many::{Beside, Extent, Many, Wrote, check};
pub use output::Output;
pub use output_lists::tokens;
pub use pointees::{Pointee, pointees};
pub use put::{Character, Encoded, Put, TextSlice};
pub use record::{Member, Record};
pub use slots::Args;
pub use text::Text;
pub use text_buffer::TextBuffer;
pub use union::Union;
pub use within::Within;

/// The maximum length of the arguments of a call, and the maximum memory that they take, in bytes.
pub const MAX_ARGUMENTS: usize = 64 << 20;

/// The maximum nesting depth of arguments.
pub const MAX_DEPTH: usize = 128;

/// The largest integer that every JSON reader represents exactly; integers of a greater magnitude
/// may be decimal strings.
pub(crate) const EXACT: u64 = 1 << 53;

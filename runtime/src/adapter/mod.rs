//! Calls that arrive as JSON, or in any other format that serde knows.
//!
//! Every function of a binding has one static [`Function`]: its name, a table of the
//! [`Field`]s that it takes, and a small typed thunk. One reader, which is not generic over
//! the binding, checks the arguments against the table and fills plain [`slots`]; the thunk
//! takes them out, calls the typed method and puts the results into an [`Output`], which
//! writes them straight into the reply. So a binding of a thousand functions compiles a
//! thousand thunks of a few instructions each, and one reader.
//!
//! `reader` is for JSON text, `from_serde` for every other format; both decide what a value
//! may be in `convert`, so that they cannot differ. What is inside an array or an object goes
//! straight to where C will look for it, in the `arena`. Results are a `datum` each, which
//! `to_json` and `to_serde` write; those of C structs are read from where they lie.

mod arena;
mod composite;
mod convert;
mod cursor;
mod datum;
mod described;
mod fault;
mod from_serde;
mod from_slot;
mod function;
mod index;
mod integer;
mod kind;
mod number;
mod output;
mod output_handles;
mod plain;
mod put;
mod reader;
mod record;
mod serde_value;
mod slots;
mod text;
mod text_buffer;
mod to_json;
mod to_serde;

pub use described::{Described, Struct};
pub(crate) use fault::Fault;
pub use function::{Field, Function, Functions};
pub use integer::Integer;
pub use kind::{Choice, Kind};
pub use output::Output;
pub use put::{Character, Encoded, Put};
pub use record::{Member, Record};
pub use slots::Args;
pub use text::Text;
pub use text_buffer::TextBuffer;

/// The longest arguments that are read, in bytes, and the most memory that they take.
pub const MAX_ARGUMENTS: usize = 64 << 20;

/// The deepest nesting that is looked into, in levels.
pub const MAX_DEPTH: usize = 128;

/// The largest integer that every JSON reader holds exactly; beyond it, either way, integers
/// may be decimal strings.
pub(crate) const EXACT: u64 = 1 << 53;

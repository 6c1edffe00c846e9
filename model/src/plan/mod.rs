//! The plan: what a binding is and how each of its calls is carried out, as plain data.
//!
//! `lower` decides how values are passed; the plan holds its decisions. Every executor and every emitter (Rust,
//! Python, the OpenTool document, the reference page) reads the plan and makes no decisions. A function has one
//! [`CSignature`], the [`Argument`]s that a caller passes, the [`Outcome`]s that a caller gets, and the [`Step`]s
//! of a call in order.

mod argument;
mod binding;
mod c;
mod callback;
mod cancel;
mod described;
mod errors;
mod failure;
mod free;
mod function;
mod kind;
mod limits;
mod many;
mod outcome;
mod step;
mod types;
mod union;
mod values;

pub use crate::document::Annotations;
pub use argument::{Access, Argument, Obligation, Presence, Shape};
pub use binding::{
    Binding, CheckedLibrary, Code, Convention, DefaultLibrary, Init, LinkedSymbol, Tables, Types,
};
pub use c::{CBase, CCallback, CSignature, CValue};
pub use callback::{
    Callback, CallbackLength, CallbackParam, CallbackValue, Collect, CollectedValue, Progress,
};
pub use cancel::{Cancel, Through};
pub(crate) use described::followed_by;
pub use failure::{Asked, CodeSource, Fail, System, TextSource, When};
pub use free::{Allocator, Free, FreeArg, FreeBy, Keeper, Kept, TakenMemory};
pub use function::{
    Facts, Failure, Function, GivesBack, Json, JsonCall, Names, Outside, Param, Receiver, Refusal, Returned,
    Role,
};
pub use kind::{Kind, TextKind};
pub use limits::{Bound, Limits};
pub use many::{Item, Many, ManyLength, Written};
pub use outcome::{Back, End, Got, HandleArray, Outcome, Place};
pub use step::{Counted, Lent, LentMember, Memory, Operand, Read, Step};
pub use types::{Body, Enumeration, Field, FieldType, HandleType, Record, Retain, Values, Variant};
pub use union::{Alive, Overlap, Tagged, Union, UnionMember};
pub use values::{Amount, AskArg, Content, Default, Element, Encoding, Factor, Scalar, Text, View};

//! What a native library says about itself: the symbols that it exports, and the prototypes in its debug info
//! or headers.
//!
//! Every source fills the same model, an [`Interface`]: functions by name, and the types that they use.
//! [`contract`] compares a document with it, and `import` (feature `import`) writes a first document from it.

#![forbid(unsafe_code)]

#[cfg(feature = "import")]
mod code;
pub mod contract;
pub mod debug;
mod exports;
#[cfg(feature = "header")]
pub mod header;
#[cfg(feature = "import")]
pub mod import;
mod interface;
mod layout;
mod library_error;
mod locate;
#[cfg(feature = "header")]
mod named;
mod read_error;
mod target;
mod types;

pub use exports::{Export, Exports, Format, SymbolKind};
pub use interface::{
    Attribute, AttributeKind, AttributeSource, Comment, Constant, Convention, Count, Direction, Function,
    Interface, Parameter, Place, Skipped, Transfer,
};
pub use library_error::LibraryError;
pub use locate::{NotFound, locate, locate_as_loaded};
pub use read_error::ReadError;
pub use target::Target;
pub use types::{
    Counted, Enumerator, Integer, Record, RecordKind, RecordMember, Signature, Type, TypeId, Types,
};

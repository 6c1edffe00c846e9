//! A document as text: a tree of JSON in which everything knows its place, and the line and column
//! of a place. `opendyn-codegen` reads its documents with it too, so it is public but no promise.

#[cfg(feature = "excerpt")]
pub mod excerpt;
pub mod json;
pub mod shown;
pub mod span;

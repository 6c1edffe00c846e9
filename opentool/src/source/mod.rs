//! A document as text: a tree of JSON in which everything knows its place, and the line and column
//! of a place. `opendyn-codegen` reads its documents with it too, so it is public but no promise.

pub mod json;
pub mod span;

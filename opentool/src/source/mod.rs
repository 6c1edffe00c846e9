//! A document as text: a tree of JSON in which everything knows its place, the line and column of a
//! place, and what messages about it are made of. `opendyn-codegen` uses it too, so it is public but no
//! promise.

#[cfg(feature = "excerpt")]
pub mod excerpt;
pub mod json;
pub mod nearest;
pub mod short;
pub mod shown;
pub mod span;

//! JSON in and out: [`parse`] gives a tree in which every key and value has its place, [`mod@write`] is for text that
//! is made here.
//!
//! Both are small on purpose. The macro compiles them in every user's build, and a general library for serialization
//! costs more there than all the rest.

mod number;
mod read;
mod string;
pub mod write;

pub use read::parse;

use crate::span::Span;

/// A value and its place.
#[derive(Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// What a value is.
#[derive(Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// As it is written.
    Number(String),
    /// Without its quotes and escapes.
    String(String),
    /// The elements.
    Array(Vec<Node>),
    /// The members in their order, with duplicates.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Debug)]
pub struct Member {
    /// Without its quotes and escapes.
    pub key: String,
    /// Where the key stands, with its quotes.
    pub key_span: Span,
    /// The value of the key.
    pub value: Node,
}

impl Value {
    /// What it is, with its article.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// Where and why a text is not JSON, or nests too deep.
#[derive(Debug)]
pub enum Failure {
    /// It is not JSON.
    Syntax {
        /// The offset of the place.
        at: usize,
        /// What is wrong there.
        message: String,
    },
    /// It is nested deeper than any document needs.
    TooDeep {
        /// The first value that is too deep.
        span: Span,
    },
}

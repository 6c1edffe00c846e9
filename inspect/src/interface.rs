//! The functions that a source describes.

use std::collections::HashMap;

use crate::target::Target;
use crate::types::{Signature, Types};

/// What one source, debug info or a set of headers, says about a library.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The target that the sizes of types are for.
    pub target: Target,
    /// The functions, sorted by name; each name once.
    pub functions: Vec<Function>,
    /// The types that the functions use.
    pub types: Types,
    /// The macros that stand for integers, in the order of the source; only from headers.
    pub constants: Vec<Constant>,
    /// The declarations that could not be read; only from headers.
    pub skipped: Vec<Skipped>,
    /// What headers say about names of types, with the place of the declaration.
    pub type_comments: HashMap<String, (String, Place)>,
}

impl Interface {
    /// The function with this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        let index = self.functions.binary_search_by(|function| function.name.as_str().cmp(name)).ok()?;
        self.functions.get(index)
    }
}

/// One function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in C.
    pub name: String,
    /// Its name in the library, if that differs: `__asm__("__isoc99_sscanf")` in a header, a linkage name in
    /// debug info.
    pub symbol: Option<String>,
    /// What it takes and returns; or a readable reason why that is unknown: a unit without types (`-g1`, an
    /// assembler), a definition without a prototype, the resolver of an IFUNC.
    pub signature: Result<Signature, String>,
    /// Its documentation comment; only from headers.
    pub comment: Option<Comment>,
    /// The attributes that say how it treats memory; only from headers.
    pub attributes: Vec<Attribute>,
    /// Where it is declared or defined.
    pub place: Option<Place>,
}

/// One parameter of a [`Signature`].
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name, if the source has one.
    pub name: Option<String>,
    /// Its type as passed: an array parameter is a pointer, and [`Parameter::array`] has its length.
    pub of: crate::types::TypeId,
    /// The declared length of an array parameter: 32 for `unsigned char k[32]`.
    pub array: Option<u64>,
    /// Whether it is declared as an array, with or without a length: `bufs[]`.
    pub is_array: bool,
    /// Whether it may be NULL, if a header says it: `_Nullable`, `_Nonnull`.
    pub nullable: Option<bool>,
    /// The direction of the value, if a header says it: `@param[out]`.
    pub direction: Option<Direction>,
    /// What a header says about it: `@param`, or a comment next to it.
    pub comment: Option<String>,
}

/// The direction of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the function.
    In,
    /// From the function.
    Out,
    /// Both ways.
    InOut,
}

/// An attribute of a function that says how it treats memory. Positions count parameters from 1, as in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// What it says.
    pub of: AttributeKind,
    /// How the header writes it: `access(write_only, 1, 2)`.
    pub text: String,
    /// Where it is.
    pub place: Place,
}

/// What an [`Attribute`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// `nonnull`: these parameters are never NULL; all pointers if the list is empty.
    Nonnull(Vec<usize>),
    /// `returns_nonnull`: it never returns NULL.
    ReturnsNonnull,
    /// `access`: what it does with the memory behind a pointer.
    Access {
        /// Whether it reads or writes it.
        direction: Direction,
        /// The pointer.
        pointer: usize,
        /// The parameter with the number of elements.
        size: Option<usize>,
    },
    /// `malloc(function, position)`: the function that frees the result, and the position of the result among
    /// its parameters.
    Malloc(String, usize),
}

/// A macro that stands for an integer: `#define Z_OK 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
    /// What the header says about it.
    pub comment: Option<String>,
    /// Where it is defined.
    pub place: Place,
}

/// A declaration that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its place.
    pub place: Place,
    /// The beginning of its text.
    pub text: String,
    /// A readable reason why it could not be read.
    pub reason: String,
}

/// A comment, without comment markers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// What the function does; empty if only its parameters or its return value are described. Paragraphs are
    /// separated by an empty line, list items begin with `- ` on a line of their own, and code is indented by
    /// four spaces.
    pub text: String,
    /// The description of each parameter, by name.
    pub parameters: Vec<(String, String)>,
    /// The description of the return value.
    pub returns: Option<String>,
    /// How many functions share the comment, not counting those that a C library reserves for itself.
    pub shared_by: usize,
    /// Where it begins.
    pub place: Option<Place>,
    /// Its lines without comment markers; the first is at `place`.
    pub lines: Vec<String>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the source names it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// The calling convention of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// The default of C on the target.
    #[default]
    Cdecl,
    /// `stdcall`, which differs from the default only on 32-bit x86.
    Stdcall,
    /// Another convention, which a document cannot express.
    Other,
}

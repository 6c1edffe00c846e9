//! The functions that a source describes.

use crate::target::Target;
use crate::types::{Signature, Types};

/// What one source, debug info or a set of headers, says of a library.
#[derive(Clone, Debug)]
pub struct Interface {
    /// What the sizes of types are those of.
    pub target: Target,
    /// The functions, sorted by name; each name once.
    pub functions: Vec<Function>,
    /// The types that the functions speak of.
    pub types: Types,
    /// The macros that stand for integers, in the order of the source: headers only.
    pub constants: Vec<Constant>,
    /// The declarations that could not be read: headers only.
    pub skipped: Vec<Skipped>,
}

impl Interface {
    /// The function that is called `name`.
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
    /// Its name in the library where that is another one: `__asm__("__isoc99_sscanf")` of a header, a
    /// linkage name of debug info.
    pub symbol: Option<String>,
    /// What it takes and returns; or why that cannot be told, for a person to read: a unit without
    /// types (`-g1`, an assembler), a definition without a prototype, a resolver of an IFUNC.
    pub signature: Result<Signature, String>,
    /// What is written about it, in headers only.
    pub comment: Option<Comment>,
    /// Where it is declared or defined.
    pub place: Option<Place>,
}

/// One parameter of a [`Signature`].
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name, where the source has one.
    pub name: Option<String>,
    /// Its type, as passed: an array parameter is a pointer, with [`Parameter::array`] beside it.
    pub of: crate::types::TypeId,
    /// The length that an array parameter is declared with: 32 for `unsigned char k[32]`.
    pub array: Option<u64>,
    /// Which way the value goes, where a header says it: `@param[out]`.
    pub direction: Option<Direction>,
    /// What a header says of it: `@param`, or a comment beside it.
    pub comment: Option<String>,
}

/// Which way the value of a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the function.
    In,
    /// From the function.
    Out,
    /// Both ways.
    InOut,
}

/// A macro that stands for an integer: `#define Z_OK 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
    /// What the header says of it.
    pub comment: Option<String>,
    /// Where it is defined.
    pub place: Place,
}

/// A declaration that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where it is.
    pub place: Place,
    /// How it begins.
    pub text: String,
    /// Why it could not be read, for a person.
    pub reason: String,
}

/// A comment, without the signs that make it one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// What the function does; empty where only its parameters or its return value are described.
    /// Paragraphs are separated by an empty line, points of a list begin with `- ` on a line of their
    /// own, and code is indented by four.
    pub text: String,
    /// What is said of each parameter, by name.
    pub parameters: Vec<(String, String)>,
    /// What is said of the return value.
    pub returns: Option<String>,
    /// How many functions share the comment, apart from those that a C library keeps for itself.
    pub shared_by: usize,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the source names it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// How a function is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// As C functions are on the target.
    #[default]
    Cdecl,
    /// `stdcall`, which is a convention of its own on 32-bit x86 alone.
    Stdcall,
    /// Another one, which a document cannot name.
    Other,
}

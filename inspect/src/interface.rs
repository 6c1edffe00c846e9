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

/// A statement about how a function treats memory, or about the name of a parameter: an attribute, an annotation of
/// SAL or GTK-Doc, or one in a GIR file, a manual page or debug info. Positions count parameters from 1, as in C; 0 is the return value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// What it says.
    pub of: AttributeKind,
    /// How the source writes it: `access(write_only, 1, 2)`.
    pub text: String,
    /// Where it is.
    pub place: Place,
    /// Who says it.
    pub source: AttributeSource,
}

/// The kind of source that has an [`Attribute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeSource {
    /// The declaration in a header: a compiler's attribute, or SAL.
    Declaration,
    /// An annotation in the documentation.
    Documentation,
    /// A GIR file.
    Gir,
    /// The debug info of the library.
    DebugInfo,
}

/// What an [`Attribute`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// What the function takes or gives is not all described for callers outside C, and they cannot call it.
    OnlyForC,
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
    /// `alloc_size`: the result points to as many bytes as the product of these parameters.
    AllocSize(Vec<usize>),
    /// This value may be NULL; of a pointer to an output, the pointer itself.
    Nullable(usize),
    /// What the function leaves behind this pointer may be NULL.
    GivesNull(usize),
    /// The number of elements, or of bytes, behind a pointer.
    Length {
        /// The pointer.
        pointer: usize,
        /// What tells the number.
        count: Count,
        /// Whether it counts bytes, not elements.
        is_bytes: bool,
    },
    /// The number of elements that the function left in a buffer.
    Written {
        /// The pointer to the buffer.
        pointer: usize,
        /// The parameter that has the number; 0 for the return value.
        count: usize,
    },
    /// This pointer is a text that ends at a NUL: `null_terminated_string_arg`, `format`, `_In_z_`.
    Text(usize),
    /// This pointer points to exactly one value.
    One(usize),
    /// Who owns a value after the call.
    Transfer(usize, Transfer),
    /// A callback is only called while the function runs, with this parameter as its user data.
    CalledDuring {
        /// The callback.
        callback: usize,
        /// The user data.
        user_data: Option<usize>,
        /// The position of the user data among the parameters of the callback.
        handed_back: Option<usize>,
    },
    /// This callback is called after the function has returned, or by what it gives.
    CalledLater(usize),
    /// This pointer may point to anything: only the caller knows to what.
    Anything(usize),
    /// This pointer, a `void*` in C, points to a value of this type.
    PointsTo(usize, String),
    /// This pointer is the first link of a list, and NULL if the list is empty.
    List(usize),
    /// This parameter is not an output.
    NotOut(usize),
    /// This parameter is the value whose method the function is: it exists before the call.
    Instance(usize),
    /// The result has no owner yet: a floating reference, which whatever it is given to takes.
    Floating,
    /// The name of a parameter that the declaration does not name.
    Named(usize, String),
    /// The last parameter, a `GError**` that the GIR file does not list, has the reason of a failure.
    Throws,
}

/// What tells how many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// This parameter.
    Parameter(usize),
    /// A constant.
    Constant(u64),
    /// An element of zero, or NULL, behind the last one.
    Terminated,
}

/// What the receiver of a value owns after the call: the caller for results and outputs, C for inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Nothing.
    None,
    /// The container, but not its elements.
    Container,
    /// Everything.
    Full,
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

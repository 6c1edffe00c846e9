//! An OpenDyn document, as plain data with places.
//!
//! The fields are those of the specification, with its defaults filled in, and the extension
//! keys. Whether a name is legal or a type exists is not asked here; `read` fills this, `lower`
//! judges it. A required field that is `None` could not be read, which is reported; the rest can
//! still be judged.

use crate::span::{Span, Spanned};

pub(crate) struct Document {
    pub(crate) info: Option<Info>,
    pub(crate) functions: Vec<Function>,
    /// Where the array of functions is, if it is empty.
    pub(crate) no_functions: Option<Span>,
    pub(crate) schemas: Vec<(Spanned<String>, Option<Schema>)>,
    pub(crate) codes: Vec<(Spanned<String>, String)>,
    /// `x-success`
    pub(crate) success: Option<Vec<Spanned<String>>>,
}

pub(crate) struct Info {
    pub(crate) title: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) calling_convention: Option<Spanned<String>>,
    /// `x-threadSafe`
    pub(crate) thread_safe: bool,
    /// `x-library`: file names, by the system that they are for; `None` is every system.
    pub(crate) libraries: Vec<(Option<&'static str>, Spanned<String>)>,
}

pub(crate) struct Function {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returns: Option<Return>,
    /// `x-symbol`
    pub(crate) symbol: Option<Spanned<String>>,
    /// `x-optional`
    pub(crate) optional: bool,
    /// `x-variadic`: how many parameters stand before `...`
    pub(crate) variadic: Option<Spanned<u64>>,
    /// `x-annotations`
    pub(crate) annotations: Annotations,
}

/// Hints for models about what a call does to the world; `None` where the document says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// What it changes cannot be had back.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
}

pub(crate) struct Parameter {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) schema: Option<Schema>,
    /// `None` where the document does not say.
    pub(crate) is_in: Option<Spanned<bool>>,
    pub(crate) required: Spanned<bool>,
    pub(crate) keys: Keys,
    pub(crate) span: Span,
}

pub(crate) struct Return {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) schema: Option<Schema>,
    pub(crate) keys: Keys,
    /// `x-code`
    pub(crate) code: Option<Spanned<bool>>,
    /// `x-success`
    pub(crate) success: Option<Spanned<Vec<Spanned<String>>>>,
}

/// The extension keys of a value, which stand beside its schema or in it.
#[derive(Clone, Default)]
pub(crate) struct Keys {
    /// `x-length`
    pub(crate) length: Option<Spanned<Length>>,
    /// `x-written`
    pub(crate) written: Option<Spanned<String>>,
    /// `x-inout`
    pub(crate) inout: Option<Spanned<bool>>,
    /// `x-free`
    pub(crate) free: Option<Spanned<String>>,
    /// `x-parent`
    pub(crate) parent: Option<Spanned<String>>,
    /// `x-nullable`
    pub(crate) nullable: Option<Spanned<bool>>,
}

impl Keys {
    /// These keys, and those of `farther` that are not among them.
    pub(crate) fn or(self, farther: &Self) -> Self {
        Self {
            length: self.length.or_else(|| farther.length.clone()),
            written: self.written.or_else(|| farther.written.clone()),
            inout: self.inout.or(farther.inout),
            free: self.free.or_else(|| farther.free.clone()),
            parent: self.parent.or_else(|| farther.parent.clone()),
            nullable: self.nullable.or(farther.nullable),
        }
    }
}

/// How many elements there are.
#[derive(Clone)]
pub(crate) enum Length {
    Parameter(String),
    Const { count: Spanned<u64>, parameter: Option<Spanned<String>> },
    Call { function: Spanned<String>, args: Vec<Spanned<Literal>>, parameter: Option<Spanned<String>> },
}

/// A JSON scalar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    Integer(i128),
    Number(f64),
    String(String),
}

pub(crate) enum Schema {
    Reference(Box<Reference>),
    Inline(Box<InlineSchema>),
}

/// `$ref`, and what is said beside it.
pub(crate) struct Reference {
    pub(crate) target: Spanned<String>,
    pub(crate) description: Option<String>,
    /// In place of that of the target: the same struct by pointer here, by value there.
    pub(crate) c_type: Option<CType>,
    pub(crate) keys: Keys,
    pub(crate) default: Option<Spanned<Literal>>,
}

pub(crate) struct InlineSchema {
    pub(crate) kind: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    /// `None` only where the document has none.
    pub(crate) c_type: Option<CType>,
    pub(crate) keys: Keys,
    /// `x-encoding`
    pub(crate) encoding: Option<Spanned<String>>,
    pub(crate) properties: Option<Vec<(Spanned<String>, Option<Schema>)>>,
    pub(crate) items: Option<Schema>,
    pub(crate) enumeration: Option<Spanned<Vec<Spanned<Literal>>>>,
    /// `x-enumNames`
    pub(crate) enum_names: Option<Spanned<Vec<Spanned<String>>>>,
    pub(crate) required: Option<Vec<Spanned<String>>>,
    pub(crate) default: Option<Spanned<Literal>>,
    /// `x-size`
    pub(crate) size: Option<Spanned<u64>>,
    /// `x-align`
    pub(crate) align: Option<Spanned<u64>>,
    pub(crate) span: Span,
}

pub(crate) struct CType {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) is_pointer: bool,
    /// `x-cType`
    pub(crate) spelling: Option<Spanned<String>>,
    /// `x-pointerDepth`
    pub(crate) depth: Option<Spanned<u64>>,
    /// `x-handle`
    pub(crate) handle: Option<Spanned<String>>,
    /// `x-free`
    pub(crate) free: Option<Spanned<String>>,
    /// `x-callback`
    pub(crate) callback: Option<Box<Callback>>,
    /// Not where the specification has it, but where documents in the wild do.
    pub(crate) is_in: Option<Spanned<bool>>,
    pub(crate) span: Span,
}

pub(crate) struct Callback {
    pub(crate) parameters: Vec<Parameter>,
    /// The schema of what C gets back.
    pub(crate) returns: Option<Schema>,
    pub(crate) user_data: Option<Spanned<String>>,
    pub(crate) until: Option<Spanned<String>>,
    pub(crate) on_panic: Option<Spanned<Literal>>,
    pub(crate) span: Span,
}

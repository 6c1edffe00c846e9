//! An OpenDyn document, as plain data with places.
//!
//! The fields are those of the specification, with its defaults filled in. Whether a name is
//! legal or a type exists is not asked here; `read` fills this, `lower` judges it. A required
//! field that is `None` could not be read, which is reported; the rest can still be judged.

use crate::span::{Span, Spanned};

pub(crate) struct Document {
    pub(crate) info: Option<Info>,
    pub(crate) functions: Vec<Function>,
    /// Where the array of functions is, if it is empty.
    pub(crate) no_functions: Option<Span>,
    pub(crate) schemas: Vec<(Spanned<String>, Option<Schema>)>,
    pub(crate) codes: Vec<(Spanned<String>, String)>,
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
}

pub(crate) struct Parameter {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) schema: Option<Schema>,
    /// `None` where the document does not say.
    pub(crate) is_in: Option<Spanned<bool>>,
    pub(crate) required: Spanned<bool>,
    pub(crate) span: Span,
}

pub(crate) struct Return {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) schema: Option<Schema>,
}

pub(crate) enum Schema {
    /// `$ref`, and what is said beside it.
    Reference {
        target: Spanned<String>,
        description: Option<String>,
    },
    Inline(InlineSchema),
}

pub(crate) struct InlineSchema {
    pub(crate) kind: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    /// `None` only where the document has none.
    pub(crate) c_type: Option<CType>,
    pub(crate) span: Span,
}

pub(crate) struct CType {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) is_pointer: bool,
    /// `x-cType`
    pub(crate) spelling: Option<Spanned<String>>,
    /// Not where the specification has it, but where documents in the wild do.
    pub(crate) is_in: Option<Spanned<bool>>,
    pub(crate) span: Span,
}

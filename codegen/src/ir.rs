//! What is generated, decided once: every emitter matches on this and decides nothing.

use crate::c_type::CType;

/// One binding: a struct, its methods and its tables.
pub(crate) struct Binding {
    pub(crate) ident: String,
    pub(crate) code_ident: String,
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    pub(crate) version: String,
    pub(crate) convention: Convention,
    pub(crate) thread_safe: bool,
    pub(crate) default_library: Option<DefaultLibrary>,
    pub(crate) functions: Vec<Function>,
    pub(crate) codes: Vec<Code>,
    pub(crate) tables: Tables,
}

/// The names of the statics beside those of the functions: ones that no function has.
pub(crate) struct Tables {
    pub(crate) functions: String,
    pub(crate) symbols: String,
    pub(crate) optional: String,
}

/// The library that the document names.
pub(crate) struct DefaultLibrary {
    /// The environment variable that names another.
    pub(crate) variable: String,
    pub(crate) linux: Option<String>,
    pub(crate) macos: Option<String>,
    pub(crate) windows: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convention {
    Cdecl,
    Stdcall,
}

pub(crate) struct Function {
    /// The name in JSON.
    pub(crate) name: String,
    /// The name in the library.
    pub(crate) symbol: String,
    /// The method.
    pub(crate) ident: String,
    /// The question whether the library has it, for an optional one.
    pub(crate) has_ident: String,
    /// The function pointer in the method: a name that no parameter has.
    pub(crate) callee: String,
    /// The static of its table.
    pub(crate) constant: String,
    /// The struct of its results, where there are several.
    pub(crate) outputs_ident: String,
    pub(crate) description: String,
    pub(crate) params: Vec<Param>,
    pub(crate) returned: Option<Returned>,
    /// Whether the library must have it.
    pub(crate) required: bool,
    pub(crate) json: Json,
}

pub(crate) struct Param {
    /// The name in JSON.
    pub(crate) key: String,
    pub(crate) ident: String,
    pub(crate) description: Option<String>,
    pub(crate) passing: Passing,
    /// What the document says about presence; for inputs only.
    pub(crate) required: bool,
}

/// How a parameter gets from the caller to C and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// A scalar by value.
    Value(Scalar),
    /// A NUL-terminated string of `char` or `unsigned char`.
    Str(CType),
    /// A pointer to a scalar that C reads and may write.
    Pointer(Scalar),
    /// A pointer to a scalar that C writes: a result.
    Output(Scalar),
    /// An array of unknown length that C reads.
    Slice(CType),
    /// A buffer of unknown capacity that C writes.
    Buffer { element: CType, text: bool },
    /// A pointer to something that the document does not describe.
    Opaque { output: bool },
}

/// A scalar, and how it looks from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) c_type: CType,
    pub(crate) view: View,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// As the C type itself.
    Plain,
    /// As `bool`: true is anything but 0.
    Truth,
    /// As itself in Rust, as a string of one byte in JSON.
    Character,
}

pub(crate) struct Returned {
    /// The name in JSON.
    pub(crate) key: String,
    pub(crate) ident: String,
    pub(crate) description: Option<String>,
    pub(crate) form: Form,
}

/// How a return value gets from C to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A scalar by value.
    Value(Scalar),
    /// A string, copied.
    Str(CType),
    /// A pointer to a scalar, which is copied.
    Pointed(Scalar),
    /// A pointer to an unknown number of elements.
    Array(CType),
    /// A pointer to something that the document does not describe.
    Opaque,
}

/// Whether calls can come as JSON.
pub(crate) enum Json {
    Callable,
    /// Not, for this reason.
    Refused(String),
}

pub(crate) struct Code {
    pub(crate) ident: String,
    pub(crate) value: i64,
    pub(crate) text: String,
}

impl Passing {
    /// The type that it passes or points to.
    pub(crate) fn c_type(self) -> CType {
        match self {
            Self::Value(scalar) | Self::Pointer(scalar) | Self::Output(scalar) => scalar.c_type,
            Self::Str(c_type) | Self::Slice(c_type) | Self::Buffer { element: c_type, .. } => c_type,
            Self::Opaque { .. } => CType::Void,
        }
    }

    pub(crate) fn is_input(self) -> bool {
        match self {
            Self::Value(_)
            | Self::Str(_)
            | Self::Pointer(_)
            | Self::Slice(_)
            | Self::Opaque { output: false } => true,
            Self::Output(_) | Self::Buffer { .. } | Self::Opaque { output: true } => false,
        }
    }

    /// Whether a caller of the method can break memory with it: the document does not say
    /// enough to prevent that.
    pub(crate) fn is_unsafe(self) -> bool {
        matches!(self, Self::Slice(_) | Self::Buffer { .. } | Self::Opaque { .. })
    }
}

impl Form {
    /// The type that it returns or points to.
    pub(crate) fn c_type(self) -> CType {
        match self {
            Self::Value(scalar) | Self::Pointed(scalar) => scalar.c_type,
            Self::Str(c_type) | Self::Array(c_type) => c_type,
            Self::Opaque => CType::Void,
        }
    }

    /// Whether it may be NULL where a value is promised.
    pub(crate) fn is_fallible(self) -> bool {
        matches!(self, Self::Str(_) | Self::Pointed(_))
    }
}

impl Function {
    pub(crate) fn is_unsafe(&self) -> bool {
        self.params.iter().any(|param| param.passing.is_unsafe())
    }

    /// Whether the method returns a `Result`.
    pub(crate) fn is_fallible(&self) -> bool {
        !self.required || self.returned.as_ref().is_some_and(|returned| returned.form.is_fallible())
    }

    /// What comes back: the return value, then the outputs in order.
    pub(crate) fn results(&self) -> Vec<Outcome<'_>> {
        let returned = self.returned.iter().map(|returned| Outcome {
            key: &returned.key,
            ident: &returned.ident,
            description: returned.description.as_deref(),
            source: Source::Returned(returned.form),
        });
        let outputs = self.params.iter().filter_map(|param| match param.passing {
            Passing::Output(scalar) => Some(Outcome {
                key: &param.key,
                ident: &param.ident,
                description: param.description.as_deref(),
                source: Source::Output(scalar),
            }),
            _ => None,
        });
        returned.chain(outputs).collect()
    }

    /// What comes back to a JSON call: the results, and the strings in buffers.
    pub(crate) fn json_results(&self) -> Vec<Outcome<'_>> {
        let mut results = self.results();
        results.extend(self.text_buffers().map(|param| Outcome {
            key: &param.key,
            ident: &param.ident,
            description: param.description.as_deref(),
            source: Source::Buffer,
        }));
        results
    }

    /// The buffers that C writes a string to.
    pub(crate) fn text_buffers(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| matches!(param.passing, Passing::Buffer { text: true, .. }))
    }

    /// The parameters that a JSON call gives, in order: their positions are those of the fields.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.passing.is_input())
    }
}

/// One result of a function.
#[derive(Clone, Copy)]
pub(crate) struct Outcome<'f> {
    pub(crate) key: &'f str,
    pub(crate) ident: &'f str,
    pub(crate) description: Option<&'f str>,
    pub(crate) source: Source,
}

#[derive(Clone, Copy)]
pub(crate) enum Source {
    Returned(Form),
    Output(Scalar),
    /// A buffer of the caller's, which only JSON has as a result.
    Buffer,
}

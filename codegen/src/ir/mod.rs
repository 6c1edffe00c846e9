//! What is generated, decided once: every emitter matches on this and decides nothing.

mod function;
mod passing;
mod types;

pub(crate) use crate::document::Annotations;
pub(crate) use function::frees_results;
pub(crate) use passing::{
    CallArg, Callback, CallbackLength, CallbackParam, CallbackValue, Constant, Content, Direction, Encoding,
    Form, HandleRole, Held, Length, Passing, Scalar, StateRole, Text, View, Written,
};
pub(crate) use types::{
    Body, Default, Element, Enumeration, Field, HandleType, Member, Record, Values, Variant,
};

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
    pub(crate) types: Types,
    pub(crate) tables: Tables,
    /// Whether some handle keeps closures that C may call from any function.
    pub(crate) keeps_closures: bool,
    /// The library that the document was checked against.
    pub(crate) checked: Option<Checked>,
}

/// What is kept of a library that the document was checked against.
pub(crate) struct Checked {
    /// Its file name, as it was given.
    pub(crate) library: String,
    /// What tells its build from others, where it has that.
    pub(crate) build: Option<String>,
    /// The size of its file.
    pub(crate) size: u64,
    /// Its file, for whoever has to look again when it changes.
    pub(crate) path: std::path::PathBuf,
}

/// What the document's schemas come to, by position.
#[derive(Default)]
pub(crate) struct Types {
    pub(crate) records: Vec<Record>,
    pub(crate) enums: Vec<Enumeration>,
    pub(crate) handles: Vec<HandleType>,
}

/// The names of the statics beside those of the functions: ones that no function has.
pub(crate) struct Tables {
    pub(crate) functions: String,
    pub(crate) symbols: String,
    pub(crate) optional: String,
    /// The codes, where the document has some.
    pub(crate) codes: String,
    /// What the document was checked against, where it was.
    pub(crate) checked: String,
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
    /// How many parameters stand before `...`.
    pub(crate) variadic: Option<usize>,
    pub(crate) returned: Option<Returned>,
    /// The constant that frees with it.
    pub(crate) free_constant: String,
    /// Whether the library must have it.
    pub(crate) required: bool,
    pub(crate) json: Json,
    /// Hints for models.
    pub(crate) annotations: Annotations,
}

pub(crate) struct Param {
    /// The name in JSON.
    pub(crate) key: String,
    pub(crate) ident: String,
    pub(crate) description: Option<String>,
    pub(crate) passing: Passing,
    /// What the document says about presence; for inputs only.
    pub(crate) required: bool,
    pub(crate) default: Option<Default>,
    /// Whether a caller of the method can break memory with it: the document does not say enough
    /// to prevent that.
    pub(crate) is_unsafe: bool,
}

pub(crate) struct Returned {
    /// The name in JSON.
    pub(crate) key: String,
    pub(crate) ident: String,
    pub(crate) description: Option<String>,
    pub(crate) form: Form,
    pub(crate) role: ReturnRole,
}

/// What a return value is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReturnRole {
    Result,
    /// It tells whether the call succeeded: with one of these codes it did.
    Code(Vec<i64>),
    /// It tells how much is in a buffer.
    Written,
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

/// How a typed call can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Never,
    /// By a code alone.
    Code,
    /// In several ways.
    Call,
}

impl Param {
    /// Whether a JSON call gives it.
    pub(crate) fn is_input(&self) -> bool {
        match &self.passing {
            Passing::Value(_)
            | Passing::Str(_)
            | Passing::Pointer(_)
            | Passing::InOut(_)
            | Passing::Slice { .. }
            | Passing::Counted { .. }
            | Passing::Strings { .. }
            | Passing::Record { direction: Direction::In | Direction::InOut | Direction::Value, .. }
            | Passing::State { role: StateRole::Used | StateRole::Ends, .. }
            | Passing::Handle { .. }
            | Passing::Callback(_)
            | Passing::Capacity { given: true, .. }
            | Passing::Opaque { output: false } => true,
            Passing::Output(_)
            | Passing::Buffer { .. }
            | Passing::Record { direction: Direction::Out, .. }
            | Passing::State { role: StateRole::Begins, .. }
            | Passing::Fetched(_)
            | Passing::UserData { .. }
            | Passing::Constant { .. }
            | Passing::Length { .. }
            | Passing::Capacity { given: false, .. }
            | Passing::Count { .. }
            | Passing::Opaque { output: true } => false,
        }
    }

    /// Whether it is among the results of the method.
    pub(crate) fn is_result(&self) -> bool {
        matches!(
            self.passing,
            Passing::Output(_)
                | Passing::Fetched(_)
                | Passing::Buffer { capacity: Some(_), .. }
                | Passing::Record { direction: Direction::Out, .. }
                | Passing::State { role: StateRole::Begins, .. }
                | Passing::Length { shown: true, .. }
        )
    }

    /// Whether the method takes it.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_input()
            || matches!(
                self.passing,
                Passing::Buffer { capacity: None, .. } | Passing::Opaque { output: true }
            )
    }

    /// Whether the method takes an `Option`.
    pub(crate) fn is_optional(&self) -> bool {
        !self.required && self.is_input()
    }
}

impl Form {
    fn held(&self) -> Held {
        match self {
            Self::Str { held, .. }
            | Self::Pointed { held, .. }
            | Self::Array { held, .. }
            | Self::Strings { held, .. }
            | Self::Record { held, .. } => *held,
            Self::Handle { free, nullable, .. } => Held { nullable: *nullable, free: *free },
            Self::Value(_) | Self::RecordValue(_) | Self::Opaque => Held::default(),
        }
    }

    pub(crate) fn is_nullable(&self) -> bool {
        self.held().nullable
    }

    /// The function that frees it.
    pub(crate) fn free(&self) -> Option<usize> {
        self.held().free
    }

    pub(crate) fn is_freed(&self) -> bool {
        self.free().is_some()
    }

    /// The struct that it is, or that it is a list of.
    fn record(&self) -> Option<usize> {
        match self {
            Self::Record { record, .. }
            | Self::RecordValue(record)
            | Self::Array { content: Content::Elements(Element::Record(record)), length: Some(_), .. } => {
                Some(*record)
            }
            _ => None,
        }
    }

    /// Whether it may be NULL where a value is promised.
    fn can_fail(&self) -> bool {
        match self {
            Self::Value(_) | Self::RecordValue(_) | Self::Opaque | Self::Array { length: None, .. } => false,
            // A count can be negative.
            Self::Array { .. } | Self::Strings { .. } => true,
            Self::Str { held, .. } | Self::Pointed { held, .. } | Self::Record { held, .. } => !held.nullable,
            Self::Handle { nullable, .. } => !nullable,
        }
    }
}

impl Passing {
    /// The length of an input that is an array in Rust, not a slice.
    pub(crate) fn array_length(&self) -> Option<u64> {
        match self {
            Self::Slice { length: Some(Length::Const(count)), .. } => Some(*count),
            Self::Counted { length: Length::Const(count), encoding, .. } if encoding.is_binary() => {
                Some(*count)
            }
            _ => None,
        }
    }

    /// The length of an input array.
    pub(crate) fn length(&self) -> Option<&Length> {
        match self {
            Self::Slice { length, .. } => length.as_ref(),
            Self::Counted { length, .. } | Self::Strings { length } => Some(length),
            _ => None,
        }
    }
}

impl Returned {
    /// Whether it is among the results: a code is, where several are success.
    pub(crate) fn is_result(&self) -> bool {
        match &self.role {
            ReturnRole::Result => true,
            ReturnRole::Code(successes) => successes.len() > 1,
            ReturnRole::Written => false,
        }
    }
}

/// One result of a function.
#[derive(Clone, Copy)]
pub(crate) struct Outcome<'f> {
    pub(crate) key: &'f str,
    pub(crate) ident: &'f str,
    pub(crate) description: Option<&'f str>,
    pub(crate) source: Source<'f>,
}

#[derive(Clone, Copy)]
pub(crate) enum Source<'f> {
    Returned(&'f Returned),
    Param(&'f Param),
}

impl<'f> Outcome<'f> {
    fn returned(returned: &'f Returned) -> Self {
        Self {
            key: &returned.key,
            ident: &returned.ident,
            description: returned.description.as_deref(),
            source: Source::Returned(returned),
        }
    }

    fn of(param: &'f Param) -> Self {
        Self {
            key: &param.key,
            ident: &param.ident,
            description: param.description.as_deref(),
            source: Source::Param(param),
        }
    }

    /// The struct that it is, or that it is a list of.
    fn record(&self) -> Option<usize> {
        match self.source {
            Source::Returned(returned) => returned.form.record(),
            Source::Param(param) => match &param.passing {
                Passing::Record { record, .. }
                | Passing::Buffer { content: Content::Elements(Element::Record(record)), .. } => {
                    Some(*record)
                }
                Passing::Fetched(form) => form.record(),
                _ => None,
            },
        }
    }
}

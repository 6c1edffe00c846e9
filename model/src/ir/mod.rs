//! What is generated, decided once: every emitter matches on this and decides nothing.

mod function;
mod passing;
mod types;

pub use crate::document::Annotations;
pub use function::frees_results;
pub use passing::{
    CallArg, Callback, CallbackLength, CallbackParam, CallbackValue, Constant, Content, Direction, Encoding,
    Form, HandleRole, Held, Length, Passing, Scalar, StateRole, Text, View, Written,
};
pub use types::{Body, Default, Element, Enumeration, Field, HandleType, Member, Record, Values, Variant};

/// One binding: a struct, its methods and its tables.
pub struct Binding {
    pub ident: String,
    pub code_ident: String,
    pub title: String,
    pub description: Option<String>,
    pub version: String,
    pub convention: Convention,
    pub thread_safe: bool,
    pub default_library: Option<DefaultLibrary>,
    pub functions: Vec<Function>,
    pub codes: Vec<Code>,
    pub types: Types,
    pub tables: Tables,
    /// Whether some handle keeps closures that C may call from any function.
    pub keeps_closures: bool,
    /// The library that the document was checked against.
    pub checked: Option<Checked>,
}

/// What is kept of a library that the document was checked against.
pub struct Checked {
    /// Its file name, as it was given.
    pub library: String,
    /// What tells its build from others, where it has that.
    pub build: Option<String>,
    /// The size of its file.
    pub size: u64,
    /// Its file, for whoever has to look again when it changes.
    pub path: std::path::PathBuf,
}

/// What the document's schemas come to, by position.
#[derive(Default)]
pub struct Types {
    pub records: Vec<Record>,
    pub enums: Vec<Enumeration>,
    pub handles: Vec<HandleType>,
}

/// The names of the statics beside those of the functions: ones that no function has.
pub struct Tables {
    pub functions: String,
    pub symbols: String,
    pub optional: String,
    /// The codes, where the document has some.
    pub codes: String,
    /// What the document was checked against, where it was.
    pub checked: String,
}

/// The library that the document names.
pub struct DefaultLibrary {
    /// The environment variable that names another.
    pub variable: String,
    pub linux: Option<String>,
    pub macos: Option<String>,
    pub windows: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    Cdecl,
    Stdcall,
}

pub struct Function {
    /// The name in JSON.
    pub name: String,
    /// The name in the library.
    pub symbol: String,
    /// The method.
    pub ident: String,
    /// The question whether the library has it, for an optional one.
    pub has_ident: String,
    /// The function pointer in the method: a name that no parameter has.
    pub callee: String,
    /// The static of its table.
    pub constant: String,
    /// The struct of its results, where there are several.
    pub outputs_ident: String,
    pub description: String,
    pub params: Vec<Param>,
    /// How many parameters stand before `...`.
    pub variadic: Option<usize>,
    pub returned: Option<Returned>,
    /// The constant that frees with it.
    pub free_constant: String,
    /// Whether the library must have it.
    pub required: bool,
    pub json: Json,
    /// Hints for models.
    pub annotations: Annotations,
}

pub struct Param {
    /// The name in JSON.
    pub key: String,
    pub ident: String,
    pub description: Option<String>,
    pub passing: Passing,
    /// What the document says about presence; for inputs only.
    pub required: bool,
    pub default: Option<Default>,
    /// Whether a caller of the method can break memory with it: the document does not say enough
    /// to prevent that.
    pub is_unsafe: bool,
}

pub struct Returned {
    /// The name in JSON.
    pub key: String,
    pub ident: String,
    pub description: Option<String>,
    pub form: Form,
    pub role: ReturnRole,
}

/// What a return value is for.
#[derive(Clone, Debug, PartialEq)]
pub enum ReturnRole {
    Result,
    /// It tells whether the call succeeded: with one of these codes it did.
    Code(Vec<i64>),
    /// It tells how much is in a buffer.
    Written,
}

/// Whether calls can come as JSON.
pub enum Json {
    Callable,
    /// Not, for this reason.
    Refused(String),
}

pub struct Code {
    pub ident: String,
    pub value: i64,
    pub text: String,
}

/// How a typed call can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Never,
    /// By a code alone.
    Code,
    /// In several ways.
    Call,
}

impl Param {
    /// Whether a JSON call gives it.
    pub fn is_input(&self) -> bool {
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
    pub fn is_result(&self) -> bool {
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
    pub fn is_taken(&self) -> bool {
        self.is_input()
            || matches!(
                self.passing,
                Passing::Buffer { capacity: None, .. } | Passing::Opaque { output: true }
            )
    }

    /// Whether the method takes an `Option`.
    pub fn is_optional(&self) -> bool {
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

    pub fn is_nullable(&self) -> bool {
        self.held().nullable
    }

    /// The function that frees it.
    pub fn free(&self) -> Option<usize> {
        self.held().free
    }

    pub fn is_freed(&self) -> bool {
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
    pub fn array_length(&self) -> Option<u64> {
        match self {
            Self::Slice { length: Some(Length::Const(count)), .. } => Some(*count),
            Self::Counted { length: Length::Const(count), encoding, .. } if encoding.is_binary() => {
                Some(*count)
            }
            _ => None,
        }
    }

    /// The length of an input array.
    pub fn length(&self) -> Option<&Length> {
        match self {
            Self::Slice { length, .. } => length.as_ref(),
            Self::Counted { length, .. } | Self::Strings { length } => Some(length),
            _ => None,
        }
    }
}

impl Returned {
    /// Whether it is among the results: a code is, where several are success.
    pub fn is_result(&self) -> bool {
        match &self.role {
            ReturnRole::Result => true,
            ReturnRole::Code(successes) => successes.len() > 1,
            ReturnRole::Written => false,
        }
    }
}

/// One result of a function.
#[derive(Clone, Copy)]
pub struct Outcome<'f> {
    pub key: &'f str,
    pub ident: &'f str,
    pub description: Option<&'f str>,
    pub source: Source<'f>,
}

#[derive(Clone, Copy)]
pub enum Source<'f> {
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

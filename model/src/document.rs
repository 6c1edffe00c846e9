//! An OpenDyn document as plain data with places.
//!
//! The fields are those of the specification, with its defaults filled in, and the extension keys. `read` fills
//! this, and `lower` validates it. A required field that is `None` could not be read, which is reported; the rest
//! can still be validated.

use std::collections::HashMap;

use crate::span::{Span, Spanned};

/// The whole document.
pub struct Document {
    /// `info`
    pub info: Option<Info>,
    /// `functions`
    pub functions: Vec<Function>,
    /// The functions that were not read, because nothing needs them.
    pub others: Vec<Other>,
    /// The functions that free something, by name.
    pub frees: HashMap<String, Frees>,
    /// Where the array of functions is, if it is empty.
    pub no_functions: Option<Span>,
    /// `schemas`: name and schema; `None` for one that could not be read.
    pub schemas: Vec<(Spanned<String>, Option<Schema>)>,
    /// `code`: value and text.
    pub codes: Vec<(Spanned<String>, String)>,
    /// `x-codeNames`: value and name.
    pub code_names: Vec<(Spanned<String>, Spanned<String>)>,
    /// `x-hints`: code and text.
    pub hints: Vec<(Spanned<String>, String)>,
    /// `x-success`
    pub success: Option<Vec<Spanned<String>>>,
    /// `x-errors`: name and error; `None` for one that could not be read.
    pub errors: Vec<(Spanned<String>, Option<Failure>)>,
}

/// How a function that frees something takes it.
#[derive(Clone, Copy, Debug)]
pub struct Frees {
    /// The position of the parameter that takes the pointer.
    pub position: usize,
    /// The number of arguments.
    pub count: usize,
}

/// A function that was not read.
#[derive(Debug)]
pub struct Other {
    /// `name`
    pub name: String,
    /// `x-symbol`, or else the name.
    pub symbol: String,
    /// Whether the library may lack it.
    pub optional: bool,
}

/// The object `info`.
pub struct Info {
    /// `title`
    pub title: Option<Spanned<String>>,
    /// `description`
    pub description: Option<String>,
    /// `version`
    pub version: Option<String>,
    /// `x-instructions`
    pub instructions: Option<String>,
    /// `callingConvention`
    pub calling_convention: Option<Spanned<String>>,
    /// `x-threadSafe`
    pub thread_safe: ThreadSafe,
    /// `x-prefix`
    pub prefix: Option<Spanned<String>>,
    /// `x-library`: file names by system; `None` is every system.
    pub libraries: Vec<(Option<&'static str>, Spanned<String>)>,
    /// `x-init`
    pub init: Option<Init>,
}

/// `x-init`: how the library begins and ends.
#[derive(Debug)]
pub struct Init {
    /// `call`
    pub call: Spanned<String>,
    /// `args`
    pub args: Vec<Spanned<i128>>,
    /// `end`
    pub end: Option<Spanned<String>>,
}

/// `x-threadSafe`: which calls may run at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadSafe {
    /// None: one call at a time.
    #[default]
    No,
    /// All, as long as they use different handles.
    Calls,
    /// All.
    Handles,
}

/// One object of `functions`.
pub struct Function {
    /// `name`
    pub name: Option<Spanned<String>>,
    /// `description`
    pub description: Option<String>,
    /// `parameters`
    pub parameters: Vec<Parameter>,
    /// `return`
    pub returns: Option<Return>,
    /// `x-symbol`
    pub symbol: Option<Spanned<String>>,
    /// `x-member`
    pub member: Option<Spanned<String>>,
    /// The keys that are true or false.
    pub switches: Switches,
    /// `x-receiver`
    pub receiver: Option<ReceiverOf>,
    /// `x-variadic`: the number of parameters before `...`
    pub variadic: Option<Spanned<u64>>,
    /// `x-error`
    pub error: Option<ErrorOf>,
    /// `x-cancel`
    pub cancel: Option<Spanned<String>>,
    /// `x-annotations`
    pub annotations: Annotations,
    /// `x-tool`
    pub tool: Option<bool>,
    /// `x-hints`: code and text.
    pub hints: Vec<(Spanned<String>, String)>,
    /// `x-todo`, also of its parameters and of its return value.
    pub questions: Vec<String>,
}

/// `x-receiver` of a function.
pub enum ReceiverOf {
    /// null: the binding.
    Binding,
    /// The name of a parameter.
    Param(Spanned<String>),
}

/// `x-error` of a function.
pub enum ErrorOf {
    /// The name of one of `x-errors`.
    Named(Spanned<String>),
    /// An error in place; `None` if it could not be read.
    Inline(Option<Box<Failure>>),
}

/// How functions report a failure.
pub struct Failure {
    /// `when`
    pub when: Option<Spanned<When>>,
    /// `code`
    pub code: Option<Spanned<CodeSource>>,
    /// `text`
    pub text: Option<Spanned<TextSource>>,
    /// The object itself.
    pub span: Span,
}

/// `when` of an error.
pub enum When {
    /// The return value is negative.
    Negative,
    /// The return value is NULL.
    Null,
    /// The return value is 0.
    Zero,
    /// The return value is not 0.
    Nonzero,
    /// The return value is this one.
    Value(i128),
    /// What this call returns is not 0.
    Call(Asked),
}

/// `code` of an error.
pub enum CodeSource {
    /// The return value.
    Return,
    /// `errno`
    Errno,
    /// `GetLastError`
    LastError,
    /// What this call returns.
    Call(Asked),
}

/// `text` of an error.
pub enum TextSource {
    /// The text of the system for the code, which is an `errno`.
    Errno,
    /// The text of the system for the code, which is from `GetLastError`.
    LastError,
    /// What this call returns.
    Call(Asked),
    /// A member of the struct that this call returns a pointer to.
    Member(Asked, Spanned<String>),
    /// The output of this name.
    Output(Spanned<String>),
}

/// A call of a function of the document.
pub struct Asked {
    /// `call`
    pub function: Spanned<String>,
    /// `args`
    pub args: Vec<AskedArg>,
}

/// An argument of such a call.
pub enum AskedArg {
    /// The name of a parameter, `"return"`, or an integer.
    Literal(Spanned<Literal>),
    /// What another call returns.
    Call(Asked),
}

/// The keys of an object that are true or false, as the table of keys has them, and that are true.
#[derive(Clone, Debug, Default)]
pub struct Switches(pub(crate) Vec<&'static str>);

impl Switches {
    /// The same, where `key` is true also if `other` is.
    pub(crate) fn or(mut self, key: &'static str, other: bool) -> Self {
        if other && !self.has(key) {
            self.0.push(key);
        }
        self
    }

    /// Whether a key is true.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.0.contains(&key)
    }
}

/// Hints for models about the effects of a call; `None` if the document says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// Its changes cannot be undone.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
}

/// One parameter, of a function or of a callback.
pub struct Parameter {
    /// `name`
    pub name: Option<Spanned<String>>,
    /// `description`
    pub description: Option<String>,
    /// `schema`
    pub schema: Option<Schema>,
    /// `isIn`; `None` if the document does not say.
    pub is_in: Option<Spanned<bool>>,
    /// `required`
    pub required: Spanned<bool>,
    /// `x-lends`
    pub lends: Option<Spanned<Vec<Spanned<String>>>>,
    /// The extension keys beside the schema.
    pub keys: Keys,
    /// The object itself.
    pub span: Span,
}

/// The object `return` of a function.
pub struct Return {
    /// `name`
    pub name: Option<Spanned<String>>,
    /// `description`
    pub description: Option<String>,
    /// `schema`
    pub schema: Option<Schema>,
    /// The extension keys beside the schema.
    pub keys: Keys,
    /// `x-code`
    pub code: Option<Spanned<bool>>,
    /// `x-success`
    pub success: Option<Spanned<Vec<Spanned<String>>>>,
}

/// The extension keys of a value, which are beside its schema or in it.
#[derive(Clone, Default)]
pub struct Keys {
    /// `x-length`
    pub length: Option<Spanned<Length>>,
    /// `x-written`
    pub written: Option<Spanned<String>>,
    /// `x-inout`
    pub inout: Option<Spanned<bool>>,
    /// `x-free`
    pub free: Option<Spanned<Free>>,
    /// `x-parent`
    pub parent: Option<Spanned<Vec<Spanned<String>>>>,
    /// `x-validUntil`
    pub valid_until: Option<Spanned<Vec<Spanned<String>>>>,
    /// `x-nullable`
    pub nullable: Option<Spanned<bool>>,
    /// `isIn` of a member of a struct
    pub is_in: Option<Spanned<bool>>,
    /// `left` of `x-written`
    pub left: Option<Spanned<String>>,
    /// `x-keeps`
    pub keeps: Option<Spanned<Keeps>>,
    /// `x-takes`
    pub takes: Option<Spanned<Takes>>,
    /// `x-union` of a schema
    pub union: Option<Spanned<UnionOf>>,
}

/// `x-union`
#[derive(Clone)]
pub enum UnionOf {
    /// `true`: which member is used is not known.
    Unknown,
    /// Always this member.
    Member(String),
    /// The member that a tag says.
    Tag {
        /// `tag`
        tag: Spanned<String>,
        /// `members`: the values of the tag, and the member of each.
        members: Vec<(Spanned<String>, Option<Spanned<String>>)>,
    },
}

impl Keys {
    /// These keys, and those of `farther` that are missing here.
    pub fn or(self, farther: &Self) -> Self {
        Self {
            length: self.length.or_else(|| farther.length.clone()),
            written: self.written.or_else(|| farther.written.clone()),
            inout: self.inout.or(farther.inout),
            free: self.free.or_else(|| farther.free.clone()),
            parent: self.parent.or_else(|| farther.parent.clone()),
            valid_until: self.valid_until.or_else(|| farther.valid_until.clone()),
            nullable: self.nullable.or(farther.nullable),
            is_in: self.is_in.or(farther.is_in),
            left: self.left.or_else(|| farther.left.clone()),
            keeps: self.keeps.or_else(|| farther.keeps.clone()),
            union: self.union.or_else(|| farther.union.clone()),
            takes: self.takes.or_else(|| farther.takes.clone()),
        }
    }
}

/// `x-free`
#[derive(Clone)]
pub enum Free {
    /// A function of the document.
    Call {
        /// Its name.
        function: Spanned<String>,
        /// `args`; without it, the function takes the pointer and nothing else.
        args: Option<Vec<Spanned<Literal>>>,
        /// `always`: also a call that fails has freed it.
        always: bool,
        /// `later`: C uses the memory of the state after the call, until its keeper is freed.
        later: bool,
    },
    /// A symbol that the library has or links: `void f(void*)`.
    Symbol(Spanned<String>),
    /// A variable of the library that holds such a function.
    Variable(Spanned<String>),
    /// `false`: nothing frees it.
    Nothing,
}

impl Free {
    /// The name of the function of the document that frees.
    #[must_use]
    pub fn function(&self) -> Option<&Spanned<String>> {
        match self {
            Self::Call { function, .. } => Some(function),
            Self::Symbol(_) | Self::Variable(_) | Self::Nothing => None,
        }
    }

    /// Whether C uses it after the call.
    #[must_use]
    pub fn is_later(&self) -> bool {
        matches!(self, Self::Call { later: true, .. })
    }

    /// Whether also a call that fails has freed it.
    #[must_use]
    pub fn is_always(&self) -> bool {
        matches!(self, Self::Call { always: true, .. })
    }
}

/// `x-keeps`
#[derive(Clone)]
pub struct Keeps {
    /// `until`: a parameter, or "return"; `None` is for good.
    pub until: Option<Spanned<String>>,
    /// `replaced`: only until the next call with the same handle.
    pub replaced: bool,
}

/// `x-takes`
#[derive(Clone)]
pub struct Takes {
    /// `into`: a parameter; `None` is for good.
    pub into: Option<Spanned<String>>,
    /// `on`: only a call that succeeds has taken it.
    pub on_success: Option<Span>,
    /// `memory`: what allocates the memory that C frees.
    pub memory: Option<Symbol>,
    /// `free`: what frees it if C does not.
    pub free: Option<Symbol>,
}

/// A symbol that is not a function of the document.
#[derive(Clone)]
pub struct Symbol {
    /// Its name.
    pub name: Spanned<String>,
    /// Whether it is a variable that holds a function.
    pub is_variable: bool,
}

/// The number of elements.
#[derive(Clone)]
pub enum Length {
    /// The value of the parameter of this name.
    Parameter(String),
    /// A constant number.
    Const {
        /// `const`
        count: Spanned<u64>,
        /// The parameter that passes the count to C.
        parameter: Option<Spanned<String>>,
    },
    /// A member of the struct that `x-member` reads from.
    Member(Spanned<String>),
    /// The product of parameters, integers and calls.
    Product(Vec<Spanned<Factor>>),
    /// The sum of parameters, integers and calls.
    Sum(Vec<Spanned<Factor>>),
    /// A capacity that the caller chooses, as an argument of this name.
    Argument(Spanned<String>),
    /// Up to an element of zero.
    Terminated,
    /// What a function of the document returns, or leaves in an output.
    Call {
        /// `call`
        function: Spanned<String>,
        /// `args`
        args: Vec<Spanned<Literal>>,
        /// `output`
        output: Option<Spanned<String>>,
        /// The parameter that passes the count to C.
        parameter: Option<Spanned<String>>,
    },
}

/// A factor of a length.
#[derive(Clone)]
pub enum Factor {
    /// The name of a parameter, or an integer.
    Literal(Literal),
    /// What a function of the document returns, or leaves in an output.
    Call {
        /// `call`
        function: Spanned<String>,
        /// `args`
        args: Vec<Spanned<Literal>>,
        /// `output`
        output: Option<Spanned<String>>,
    },
}

/// A JSON scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`
    Bool(bool),
    /// A number without a fraction.
    Integer(i128),
    /// Any other number.
    Number(f64),
    /// A string.
    String(String),
}

/// A schema, or a reference to one.
pub enum Schema {
    /// `$ref`
    Reference(Box<Reference>),
    /// A schema written in place.
    Inline(Box<InlineSchema>),
}

/// `$ref`, and the keys beside it.
pub struct Reference {
    /// The text of `$ref`.
    pub target: Spanned<String>,
    /// `description`
    pub description: Option<String>,
    /// It replaces that of the target: a struct can be used by pointer here and by value there.
    pub c_type: Option<CType>,
    /// The extension keys beside `$ref`.
    pub keys: Keys,
    /// `default`
    pub default: Option<Spanned<Literal>>,
}

/// A schema written in place.
pub struct InlineSchema {
    /// `type`
    pub kind: Option<Spanned<String>>,
    /// `description`
    pub description: Option<String>,
    /// `None` only if the document has none.
    pub c_type: Option<CType>,
    /// The extension keys of the value.
    pub keys: Keys,
    /// `x-encoding`
    pub encoding: Option<Spanned<String>>,
    /// `properties`: name and schema; `None` for one that could not be read.
    pub properties: Option<Vec<(Spanned<String>, Option<Schema>)>>,
    /// `items`
    pub items: Option<Schema>,
    /// `enum`
    pub enumeration: Option<Spanned<Vec<Spanned<Literal>>>>,
    /// `x-enumNames`
    pub enum_names: Option<Spanned<Vec<Spanned<String>>>>,
    /// `required`
    pub required: Option<Vec<Spanned<String>>>,
    /// `default`
    pub default: Option<Spanned<Literal>>,
    /// `minimum`
    pub minimum: Option<Spanned<Literal>>,
    /// `maximum`
    pub maximum: Option<Spanned<Literal>>,
    /// `x-maxLength`
    pub max_length: Option<Spanned<u64>>,
    /// `x-bits`
    pub bits: Option<Spanned<u64>>,
    /// `x-size`
    pub size: Option<Spanned<u64>>,
    /// `x-align`
    pub align: Option<Spanned<u64>>,
    /// `x-state`
    pub state: Option<Spanned<bool>>,
    /// The object itself.
    pub span: Span,
}

/// The object `cType` of a schema.
pub struct CType {
    /// `type`
    pub name: Option<Spanned<String>>,
    /// `isPointer`
    pub is_pointer: bool,
    /// `x-cType`
    pub spelling: Option<Spanned<String>>,
    /// `x-pointerDepth`
    pub depth: Option<Spanned<u64>>,
    /// `x-complex`
    pub complex: Option<Spanned<bool>>,
    /// `x-handle`
    pub handle: Option<Spanned<String>>,
    /// `x-free`
    pub free: Option<Spanned<Free>>,
    /// `x-retain`
    pub retain: Option<Spanned<String>>,
    /// `x-callback`
    pub callback: Option<Box<Callback>>,
    /// Existing documents have it here, although the specification has it in the parameter.
    pub is_in: Option<Spanned<bool>>,
    /// The object itself.
    pub span: Span,
}

/// The object `x-callback`.
pub struct Callback {
    /// `parameters`
    pub parameters: Vec<Parameter>,
    /// The schema of the return value.
    pub returns: Option<Schema>,
    /// `userData`
    pub user_data: Option<Spanned<String>>,
    /// Whether `userData` is an object with `handle`.
    pub by_handle: bool,
    /// `until`
    pub until: Option<Spanned<String>>,
    /// `onPanic`
    pub on_panic: Option<Spanned<Literal>>,
    /// `collect`
    pub collect: Option<Collect>,
    /// `progress`
    pub progress: Option<Progress>,
    /// The object itself.
    pub span: Span,
}

/// `collect` of a callback.
pub struct Collect {
    /// `answer`
    pub answer: Option<Spanned<Literal>>,
    /// `stop`
    pub stop: Option<Spanned<Literal>>,
    /// `limit`
    pub limit: Option<Spanned<u64>>,
    /// `default`
    pub default: Option<bool>,
    /// `into`
    pub into: Option<Spanned<String>>,
    /// Where the object begins.
    pub span: Span,
}

/// `progress` of a callback.
pub struct Progress {
    /// `done`
    pub done: Option<Spanned<String>>,
    /// `total`
    pub total: Option<Spanned<String>>,
    /// `message`
    pub message: Option<Spanned<String>>,
    /// `answer`
    pub answer: Option<Spanned<Literal>>,
    /// `stop`
    pub stop: Option<Spanned<Literal>>,
    /// Where the object begins.
    pub span: Span,
}

//! Functions that C calls.

use crate::c_type::CType;
use crate::plan::{Default, Element, Encoding, Kind, Scalar};
use crate::span::Spanned;

/// A function pointer that C calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// What C passes, in order.
    pub params: Vec<CallbackParam>,
    /// What C gets back.
    pub returns: Option<Scalar>,
    /// The index of the user data in `params`; without it there is no closure.
    pub user_data: Option<usize>,
    /// Whether the user data is the handle that keeps the closure: C is not passed any, and the closure is found by the
    /// address of the handle.
    pub by_handle: bool,
    /// The index of the parameter whose handle keeps the closure; without it, C calls the closure only during
    /// the call.
    pub until: Option<usize>,
    /// Whether C may call a kept closure from several threads.
    pub shared: bool,
    /// What C gets back if the closure panics.
    pub on_panic: Option<Default>,
    /// How the calls are collected for a JSON caller; without it, JSON cannot pass the callback.
    pub collect: Option<Box<Collect>>,
    /// How whoever waits for a JSON call learns from the callback how far it is. JSON does not pass it then.
    pub progress: Option<Box<Progress>>,
}

/// What a callback says of the call that runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The index of the parameter that says how much is done; without it, the calls are counted.
    pub done: Option<usize>,
    /// The index of the parameter that says how much there is to do.
    pub total: Option<usize>,
    /// The index of the parameter that says in words what is being done.
    pub message: Option<usize>,
    /// What C gets back; zero if absent.
    pub answer: Option<Default>,
    /// What C gets back once nobody waits for the call any more: it then ends the call.
    pub stop: Option<Default>,
}

/// How the calls of a callback are collected for a JSON caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Collect {
    /// What C gets back for a call that is collected; zero if absent.
    pub answer: Option<Default>,
    /// What C gets back for a call beyond the limit.
    pub stop: Option<Default>,
    /// The maximum number of calls in a reply.
    pub limit: u64,
    /// Whether a reply has the calls if the caller does not say; if absent, only those of a required callback.
    pub default: Option<bool>,
    /// For a callback that a handle keeps: the name of the result with its calls, in the replies of all functions that
    /// take a handle of this type.
    pub into: Option<Spanned<String>>,
}

/// A value that a JSON caller gets of one call of a callback.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectedValue {
    /// Its name.
    pub key: String,
    /// What it means.
    pub description: Option<String>,
    /// What it is in JSON.
    pub kind: Kind,
    /// Whether it may be null.
    pub nullable: bool,
}

/// One parameter of a callback.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackParam {
    /// Its name in the document.
    pub key: String,
    /// Its name in Rust.
    pub ident: String,
    /// What it means.
    pub description: Option<String>,
    /// Its value.
    pub value: CallbackValue,
}

/// What C passes to a callback.
#[derive(Clone, Debug, PartialEq)]
pub enum CallbackValue {
    /// A scalar by value.
    Scalar(Scalar),
    /// A NUL-terminated string.
    Str {
        /// The type of one unit.
        c_type: CType,
        /// The encoding of the units.
        encoding: Encoding,
        /// Whether it may be NULL.
        nullable: bool,
    },
    /// Elements behind a pointer.
    Slice {
        /// The type of an element.
        element: Element,
        /// The encoding of text or bytes; `None` for an array.
        text: Option<Encoding>,
        /// Their number.
        length: CallbackLength,
    },
    /// Pointers to strings.
    Strings {
        /// Their number.
        length: CallbackLength,
    },
    /// A struct behind a pointer.
    Record {
        /// The index of the record.
        record: usize,
        /// Whether it may be NULL.
        nullable: bool,
    },
    /// The length of another parameter.
    Length {
        /// The type of the integer.
        c_type: CType,
    },
    /// The pointer that C passes on from the function to the callback.
    UserData,
    /// A pointer that the document does not describe.
    Opaque,
}

/// The number of elements of a parameter of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallbackLength {
    /// The value of the parameter of the callback at this index.
    Param(usize),
    /// Always the same.
    Const(u64),
    /// Up to a string of NULL.
    Terminated,
}

impl Callback {
    /// Whether only Rust code can pass it: its calls are neither collected nor tell how far a call is.
    #[must_use]
    pub fn is_only_for_rust(&self) -> bool {
        self.collect.is_none() && self.progress.is_none()
    }

    /// The kinds of the values that the closure takes and returns.
    #[must_use]
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let params = self.params.iter().filter_map(|param| match &param.value {
            CallbackValue::Scalar(scalar) => Some(Kind::Scalar(*scalar)),
            CallbackValue::Slice { element, .. } => Some(Kind::element(*element)),
            CallbackValue::Str { .. }
            | CallbackValue::Strings { .. }
            | CallbackValue::Record { .. }
            | CallbackValue::Length { .. }
            | CallbackValue::UserData
            | CallbackValue::Opaque => None,
        });
        params.chain(self.returns.map(Kind::Scalar)).collect()
    }

    /// What a JSON caller gets of one call. Pointers that the document does not describe are left out.
    #[must_use]
    pub fn collected(&self) -> Vec<CollectedValue> {
        let value = |param: &CallbackParam, kind: Kind, nullable: bool| CollectedValue {
            key: param.key.clone(),
            description: param.description.clone(),
            kind,
            nullable,
        };
        let values = self.params.iter().filter_map(|param| {
            Some(match &param.value {
                CallbackValue::Scalar(scalar) => value(param, Kind::Scalar(*scalar), false),
                CallbackValue::Str { encoding, nullable, .. } => {
                    value(param, Kind::counted(*encoding, None), *nullable)
                }
                CallbackValue::Slice { text: Some(encoding), .. } => {
                    value(param, Kind::counted(*encoding, None), false)
                }
                CallbackValue::Slice { element, text: None, .. } => {
                    value(param, Kind::list(Kind::element(*element), None), false)
                }
                CallbackValue::Strings { .. } => value(param, Kind::Texts, false),
                CallbackValue::Record { record, nullable } => value(param, Kind::Record(*record), *nullable),
                CallbackValue::Length { .. } | CallbackValue::UserData | CallbackValue::Opaque => {
                    return None;
                }
            })
        });
        values.collect()
    }

    /// The parameters that the closure sees: neither lengths nor user data.
    pub fn seen(&self) -> impl Iterator<Item = &CallbackParam> {
        self.params
            .iter()
            .filter(|param| !matches!(param.value, CallbackValue::Length { .. } | CallbackValue::UserData))
    }
}

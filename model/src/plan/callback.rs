//! Functions that C calls.

use crate::c_type::CType;
use crate::plan::{Default, Element, Kind, Scalar};

/// A function pointer that C calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// What C passes, in order.
    pub params: Vec<CallbackParam>,
    /// What C gets back.
    pub returns: Option<Scalar>,
    /// The position of the user data among `params`; without it there is no closure.
    pub user_data: Option<usize>,
    /// The index of the parameter whose handle keeps the closure; without it C calls during the call only.
    pub until: Option<usize>,
    /// Whether several threads can lead C to a closure that it keeps.
    pub shared: bool,
    /// What C gets back if the closure panics.
    pub on_panic: Option<Default>,
}

/// One parameter of a callback.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackParam {
    /// Its name in Rust.
    pub ident: String,
    /// What it is.
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
        /// Whether it may be NULL.
        nullable: bool,
    },
    /// Elements behind a pointer.
    Slice {
        /// What they are.
        element: Element,
        /// How many.
        length: CallbackLength,
    },
    /// Pointers to strings.
    Strings {
        /// How many.
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
    /// What the function was given for C to hand back.
    UserData,
    /// A pointer that the document does not describe.
    Opaque,
}

/// How many elements a callback's parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallbackLength {
    /// The value of the callback's parameter at this index.
    Param(usize),
    /// Always the same.
    Const(u64),
}

impl Callback {
    /// The kinds of the values that the closure is given and returns.
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

    /// The parameters that the closure sees: neither lengths nor user data.
    pub fn seen(&self) -> impl Iterator<Item = &CallbackParam> {
        self.params
            .iter()
            .filter(|param| !matches!(param.value, CallbackValue::Length { .. } | CallbackValue::UserData))
    }
}

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
    /// The index of the user data in `params`; without it there is no closure.
    pub user_data: Option<usize>,
    /// The index of the parameter whose handle keeps the closure; without it, C calls the closure only during
    /// the call.
    pub until: Option<usize>,
    /// Whether C may call a kept closure from several threads.
    pub shared: bool,
    /// What C gets back if the closure panics.
    pub on_panic: Option<Default>,
}

/// One parameter of a callback.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackParam {
    /// Its name in Rust.
    pub ident: String,
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
        /// Whether it may be NULL.
        nullable: bool,
    },
    /// Elements behind a pointer.
    Slice {
        /// The type of an element.
        element: Element,
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
}

impl Callback {
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

    /// The parameters that the closure sees: neither lengths nor user data.
    pub fn seen(&self) -> impl Iterator<Item = &CallbackParam> {
        self.params
            .iter()
            .filter(|param| !matches!(param.value, CallbackValue::Length { .. } | CallbackValue::UserData))
    }
}

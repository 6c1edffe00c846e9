//! What a caller passes for a parameter.

use crate::c_type::CType;
use crate::plan::{Callback, Content, Default, Element, Encoding, Kind, Scalar, Text};

/// What a caller passes for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// What a typed caller passes.
    pub shape: Shape,
    /// What a JSON caller passes; `None` for nothing.
    pub kind: Option<Kind>,
    /// Whether it may be absent.
    pub presence: Presence,
    /// What the caller of an unsafe method must guarantee for it.
    pub obligation: Option<Obligation>,
}

/// Whether an argument may be absent.
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// Every call passes it.
    Required,
    /// It may be absent; then the default is used, or else zero or NULL.
    Optional(Option<Default>),
}

impl Argument {
    /// Whether it may be absent.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        matches!(self.presence, Presence::Optional(_))
    }

    /// Whether a JSON caller may leave it out. Whether the calls of a callback are collected has a default.
    #[must_use]
    pub fn may_be_left_out(&self) -> bool {
        self.is_optional() || matches!(self.kind, Some(Kind::Collect { .. }))
    }

    /// Whether the calls of the callback are collected if the caller does not say.
    #[must_use]
    pub fn collects_by_default(&self) -> bool {
        matches!(self.kind, Some(Kind::Collect { by_default: true }))
    }

    /// The value that is used if it is absent.
    #[must_use]
    pub fn default(&self) -> Option<&Default> {
        match &self.presence {
            Presence::Optional(default) => default.as_ref(),
            Presence::Required => None,
        }
    }
}

/// What a typed caller passes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A scalar by value: `c_int`, `bool`, an enum.
    Scalar(Scalar),
    /// A NUL-terminated string: `&CStr`, `&Utf16CStr`, an enum of strings.
    Text(Text),
    /// A NUL-terminated string that gets its NUL from [`Step::Terminate`](crate::plan::Step::Terminate): `&str`.
    Str(Text),
    /// A scalar that C reads and may write: `&mut c_int`.
    Cell(Scalar),
    /// Elements: `&[T]`, `&mut [T]`, or an array if their number is fixed.
    List {
        /// The type of an element.
        element: Element,
        /// Their number, if it is fixed.
        fixed: Option<u64>,
        /// What C may do with them.
        access: Access,
    },
    /// Text or bytes with a length: `&str`, `&[u16]`, `&[u8]`, `&mut [u8]`.
    Units {
        /// Their encoding.
        encoding: Encoding,
        /// Their number, if it is fixed.
        fixed: Option<u64>,
        /// What C may do with them.
        access: Access,
    },
    /// Strings: `&[&CStr]`, or `&[Option<&CStr>]`.
    Strings {
        /// Whether there may be a NULL among them.
        nullable: bool,
        /// Whether they are `&str`, and get their NUL from [`Step::Terminate`](crate::plan::Step::Terminate).
        as_str: bool,
    },
    /// Handles: `&[&T]`, or `&[Option<&T>]`; `Vec<T>`, or `Vec<Option<T>>` if C takes them.
    Handles {
        /// The index of the handle type.
        handle: usize,
        /// Whether there may be a NULL among them.
        nullable: bool,
        /// What C may do with them.
        access: Access,
    },
    /// Memory of the caller that C fills without knowing its size: `&mut [T]`.
    Room(Content),
    /// A struct: `&T`, `&mut T` or `T`.
    Record {
        /// The index of the record.
        record: usize,
        /// What C may do with it.
        access: Access,
    },
    /// A state: `&T`, `&mut T` if it must not be used otherwise during the call, or `T` if the call ends it.
    State {
        /// The index of the record.
        record: usize,
        /// What C may do with it.
        access: Access,
    },
    /// A handle: `&T`, or `T` if the call frees it.
    Handle {
        /// The index of the handle type.
        handle: usize,
        /// What C may do with it.
        access: Access,
    },
    /// A closure, or a function if the callback has no user data.
    Closure(Callback),
    /// The capacity of a buffer, in elements.
    Capacity(CType),
    /// A raw pointer.
    Raw,
}

impl Shape {
    /// Whether C only reads the elements that the caller passes.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::List { access: Access::Shared, .. } | Self::Units { access: Access::Shared, .. })
    }

    /// The kinds of the values that it consists of, even if JSON cannot express it.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        match self {
            Self::Scalar(scalar) | Self::Cell(scalar) => vec![Kind::Scalar(*scalar)],
            Self::Text(text) | Self::Str(text) => vec![Kind::text(*text)],
            Self::List { element, .. } => vec![Kind::element(*element)],
            Self::Room(content) => vec![Kind::content(*content)],
            Self::Closure(callback) => callback.kinds(),
            Self::Units { .. }
            | Self::Strings { .. }
            | Self::Handles { .. }
            | Self::Record { .. }
            | Self::State { .. }
            | Self::Handle { .. }
            | Self::Capacity(_)
            | Self::Raw => Vec::new(),
        }
    }
}

/// What C may do with an argument behind a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read it.
    Shared,
    /// Read and write it.
    Exclusive,
    /// Read and write it. The document does not say how much of it.
    Unchecked,
    /// Own it: by value, or from now on.
    Owned,
}

impl Access {
    /// Whether C may write to it in the caller's memory.
    #[must_use]
    pub fn is_written(self) -> bool {
        matches!(self, Self::Exclusive | Self::Unchecked)
    }
}

/// What the caller of an unsafe method must guarantee for an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// The array is as long as C assumes. If `of_bools`, C writes only 0 and 1.
    Length {
        /// Whether its elements are `bool`.
        of_bools: bool,
    },
    /// The buffer is large enough for what C writes.
    Room,
    /// The pointer points to what C expects.
    Pointee,
    /// C uses the handle after the call, until the parameter of this name is freed.
    Outlives {
        /// The name of the parameter with the handle that keeps it; `None` is for good.
        keeper: Option<String>,
    },
    /// C takes the handle, which may live in other handles: they must live as long.
    Depends {
        /// The name of the parameter with the handle that it lives in from now on, or none if that is the result; `None` is
        /// for good.
        into: Option<Option<String>>,
    },
    /// The pointers in the struct point to what C expects.
    Members {
        /// Whether some of them are strings.
        text: bool,
        /// Whether the document does not describe some of them.
        opaque: bool,
    },
}

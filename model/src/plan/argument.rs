//! What a caller gives for a parameter.

use crate::c_type::CType;
use crate::plan::{Callback, Content, Default, Element, Encoding, Kind, Scalar, Text};

/// What a caller gives for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// What a typed caller gives.
    pub shape: Shape,
    /// What a JSON caller gives; `None` if it gives nothing.
    pub kind: Option<Kind>,
    /// Whether it may be absent.
    pub presence: Presence,
    /// What the caller of an unsafe method owes for it.
    pub obligation: Option<Obligation>,
}

/// Whether an argument may be absent.
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// Every call gives it.
    Required,
    /// It may be absent; then the default stands for it, or zero or NULL.
    Optional(Option<Default>),
}

impl Argument {
    /// Whether it may be absent.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        matches!(self.presence, Presence::Optional(_))
    }

    /// What stands for it where it is absent.
    #[must_use]
    pub fn default(&self) -> Option<&Default> {
        match &self.presence {
            Presence::Optional(default) => default.as_ref(),
            Presence::Required => None,
        }
    }
}

/// What a typed caller gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A scalar by value: `c_int`, `bool`, an enum.
    Scalar(Scalar),
    /// A NUL-terminated string: `&CStr`, `&Utf16CStr`, an enum of strings.
    Text(Text),
    /// A scalar that C reads and may write: `&mut c_int`.
    Cell(Scalar),
    /// Elements: `&[T]`, `&mut [T]`, or an array where their number is fixed.
    List {
        /// What they are.
        element: Element,
        /// How many, where that is always the same.
        fixed: Option<u64>,
        /// What C may do with them.
        access: Access,
    },
    /// Text or bytes with a length: `&str`, `&[u16]`, `&[u8]`, `&mut [u8]`.
    Units {
        /// How they spell text.
        encoding: Encoding,
        /// How many, where that is always the same.
        fixed: Option<u64>,
        /// What C may do with them.
        access: Access,
    },
    /// Strings: `&[&CStr]`.
    Strings,
    /// Memory of the caller's that C fills without being told how large it is: `&mut [T]`.
    Room(Content),
    /// A struct: `&T`, `&mut T` or `T`.
    Record {
        /// The index of the record.
        record: usize,
        /// What C may do with it.
        access: Access,
    },
    /// A state: `&mut T`, or `T` where the call ends it.
    State {
        /// The index of the record.
        record: usize,
        /// What C may do with it.
        access: Access,
    },
    /// A handle: `&T`, or `T` where the call frees it.
    Handle {
        /// The index of the handle type.
        handle: usize,
        /// What C may do with it.
        access: Access,
    },
    /// A closure, or a function where C hands back no user data.
    Closure(Callback),
    /// How many elements a buffer has room for.
    Capacity(CType),
    /// A raw pointer.
    Raw,
}

impl Shape {
    /// The kinds of the values that it is made of, also where JSON cannot give it.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        match self {
            Self::Scalar(scalar) | Self::Cell(scalar) => vec![Kind::Scalar(*scalar)],
            Self::Text(text) => vec![Kind::text(*text)],
            Self::List { element, .. } => vec![Kind::element(*element)],
            Self::Room(content) => vec![Kind::content(*content)],
            Self::Closure(callback) => callback.kinds(),
            Self::Units { .. }
            | Self::Strings
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
    /// Read and write as much of it as C likes: nobody knows how much.
    Unchecked,
    /// Have it: by value, or for good.
    Owned,
}

/// What the caller of an unsafe method owes for an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// The array is as long as C takes it to be. If `of_bools`, C writes 0 and 1 alone.
    Length {
        /// Whether its elements are `bool`.
        of_bools: bool,
    },
    /// The buffer is large enough for what C writes.
    Room,
    /// The pointer points to what C expects.
    Pointee,
    /// The pointers in the struct point to what C expects.
    Members {
        /// Whether some of them are strings.
        text: bool,
        /// Whether the document does not describe some of them.
        opaque: bool,
    },
}

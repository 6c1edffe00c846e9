//! What a caller gets.

use crate::c_type::CType;
use crate::plan::{Amount, Content, Element, Encoding, Kind, Scalar, Text};

/// One value that a caller gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The name in JSON.
    pub key: String,
    /// The name in Rust.
    pub ident: String,
    /// What it means.
    pub description: Option<String>,
    /// Where it comes from.
    pub from: Place,
    /// How it is made from the value at that place.
    pub got: Got,
    /// What a JSON caller gets.
    pub kind: Kind,
    /// Whether it may be NULL.
    pub nullable: bool,
    /// Whether structs in it are copied with their text, because the call frees the memory of the text.
    pub whole: bool,
}

/// Where a value from C is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The return value.
    Returned,
    /// The memory of the C parameter at this index.
    Param(usize),
}

/// How an outcome is made from a value of C.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    /// The code that was returned.
    Code(Scalar),
    /// A scalar.
    Scalar(Scalar),
    /// An integer that C wrote to a length.
    Count(CType),
    /// A struct: the index of the record.
    Record(usize),
    /// A state: the index of the record.
    State(usize),
    /// A buffer that C filled.
    Buffer {
        /// What it holds.
        content: Content,
        /// Where C writes the number of elements; without it, the whole buffer counts, or text up to its NUL.
        written: Option<Place>,
    },
    /// A pointer to a NUL-terminated string, which is copied.
    Text(Text),
    /// A pointer to a scalar, which is copied.
    Pointed(Scalar),
    /// A pointer to a struct, which is copied: the index of the record.
    PointedRecord(usize),
    /// A pointer to elements, which are copied.
    Elements {
        /// Their type.
        content: Content,
        /// Their number.
        count: Amount,
    },
    /// A pointer to pointers to strings, which are copied.
    Strings {
        /// Their number.
        count: Amount,
    },
    /// A handle.
    Handle {
        /// The index of the handle type.
        handle: usize,
        /// The index of the function that frees it; without one, C owns the handle.
        free: Option<usize>,
        /// The index of the parameter with the handle that it must not outlive.
        parent: Option<usize>,
    },
    /// A pointer that is not dereferenced.
    Raw,
    /// The value of an argument after the call. Only a JSON caller gets it: a typed caller already has it.
    Back(Back),
}

/// An argument that C wrote to.
#[derive(Clone, Debug, PartialEq)]
pub enum Back {
    /// A scalar.
    Cell(Scalar),
    /// Elements.
    List(Element),
    /// Bytes.
    Units(Encoding),
    /// A struct: the index of the record.
    Record(usize),
    /// The text in a buffer of unknown size.
    Room,
}

impl Outcome {
    /// Whether a typed caller gets it.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        !matches!(self.got, Got::Back(_))
    }

    /// Whether it has an owner: a handle or a state.
    #[must_use]
    pub fn is_owned(&self) -> bool {
        matches!(self.got, Got::Handle { .. } | Got::State(_))
    }

    /// Whether it is a handle.
    #[must_use]
    pub fn is_handle(&self) -> bool {
        matches!(self.got, Got::Handle { .. })
    }

    /// Whether making it can fail, because of an unexpected NULL or an invalid count.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        match self.got {
            Got::Code(_)
            | Got::Scalar(_)
            | Got::Count(_)
            | Got::Record(_)
            | Got::State(_)
            | Got::Raw
            | Got::Back(_) => false,
            Got::Buffer { .. } | Got::Elements { .. } | Got::Strings { .. } => true,
            Got::Text(_) | Got::Pointed(_) | Got::PointedRecord(_) | Got::Handle { .. } => !self.nullable,
        }
    }
}

//! What a caller gets.

use crate::c_type::CType;
use crate::plan::{Amount, Content, Element, Encoding, Kind, Scalar, Text};

/// One thing that a caller gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The name in JSON.
    pub key: String,
    /// The name in Rust.
    pub ident: String,
    /// What it means.
    pub description: Option<String>,
    /// Where C left it.
    pub from: Place,
    /// How it is made of what C left there.
    pub got: Got,
    /// What a JSON caller gets.
    pub kind: Kind,
    /// Whether NULL is a value of it.
    pub nullable: bool,
    /// Whether structs in it are copied with their text, because the call frees what holds the text.
    pub whole: bool,
}

/// Where C leaves a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The return value.
    Returned,
    /// The memory of the C parameter at this index.
    Param(usize),
}

/// How an outcome is made of what C left.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    /// The code that was returned.
    Code(Scalar),
    /// A scalar.
    Scalar(Scalar),
    /// An integer that C left in a length.
    Count(CType),
    /// A struct: the index of the record.
    Record(usize),
    /// A state: the index of the record.
    State(usize),
    /// A buffer that C filled.
    Buffer {
        /// What it holds.
        content: Content,
        /// Where C left how much it wrote; without it, all of the buffer or up to the NUL.
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
        /// What they are.
        content: Content,
        /// How many.
        count: Amount,
    },
    /// A pointer to pointers to strings, which are copied.
    Strings {
        /// How many.
        count: Amount,
    },
    /// A handle.
    Handle {
        /// The index of the handle type.
        handle: usize,
        /// The index of the function that frees it; a handle without one is lent.
        free: Option<usize>,
        /// The index of the parameter with the handle that it lives in.
        parent: Option<usize>,
    },
    /// A pointer that is not followed.
    Raw,
    /// What C left in an argument. Only a JSON caller gets it: a typed one has it already.
    Back(Back),
}

/// What C left in an argument.
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

    /// Whether it cannot be had twice: a handle or a state.
    #[must_use]
    pub fn is_owned(&self) -> bool {
        matches!(self.got, Got::Handle { .. } | Got::State(_))
    }

    /// Whether it is a handle.
    #[must_use]
    pub fn is_handle(&self) -> bool {
        matches!(self.got, Got::Handle { .. })
    }

    /// Whether making it can fail: NULL where a value is promised, or an invalid count.
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

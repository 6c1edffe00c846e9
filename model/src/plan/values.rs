//! The parts of values: scalars, text, elements, lengths and defaults.

use crate::c_type::CType;
use crate::plan::Asked;

/// A scalar, and how a caller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The type in C.
    pub c_type: CType,
    /// How a caller sees it.
    pub view: View,
}

/// How a caller sees a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As the C type itself.
    Plain,
    /// As `bool`: every value except 0 is true.
    Truth,
    /// As itself in Rust, as a string of one byte in JSON.
    Character,
    /// As a value of the enum at this index; as an integer in JSON.
    Enum(usize),
}

/// A NUL-terminated string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The type of one unit.
    pub c_type: CType,
    /// The encoding of the units.
    pub encoding: Encoding,
    /// The index of the enum that lists the only values.
    pub one_of: Option<usize>,
}

/// How units represent text or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; invalid bytes are an error.
    Utf8,
    /// UTF-8; invalid bytes from C are replaced.
    Utf8Lossy,
    /// One byte per character.
    Latin1,
    /// Units of 16 bits.
    Utf16,
    /// Bytes, in base64 in JSON.
    Base64,
    /// Bytes, in hex digits in JSON.
    Hex,
}

impl Encoding {
    /// Whether it is for bytes that are not text.
    #[must_use]
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Base64 | Self::Hex)
    }
}

/// The elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Scalars.
    Scalar(Scalar),
    /// Structs: the index of the record.
    Record(usize),
}

/// The content of a buffer or an array that C fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Elements.
    Elements(Element),
    /// Handles, in a buffer that C fills: the index of the type.
    Handles(usize),
    /// Text up to its NUL, or bytes.
    Text {
        /// The type of one unit.
        c_type: CType,
        /// The encoding of the units.
        encoding: Encoding,
    },
}

impl Content {
    /// Whether it is text that ends at its first NUL, if it has one. Bytes do not, nor do 16-bit units if C returns
    /// their number (`counted`).
    #[must_use]
    pub fn ends_at_nul(self, counted: bool) -> bool {
        match self {
            Self::Elements(_) | Self::Handles(_) => false,
            Self::Text { encoding: Encoding::Utf16, .. } => !counted,
            Self::Text { encoding, .. } => !encoding.is_binary(),
        }
    }

    /// Whether its units are 16 bits wide.
    #[must_use]
    pub fn is_wide_text(self) -> bool {
        matches!(self, Self::Text { encoding: Encoding::Utf16, .. })
    }
}

/// The number of elements of an array, or the capacity of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// The value of the C parameter at this index.
    Param(usize),
    /// Always the same.
    Const(u64),
    /// With [`Step::Read`](crate::plan::Step::Read): the value of a member of the same struct.
    Member {
        /// The index of the record.
        record: usize,
        /// The index of the member.
        field: usize,
    },
    /// The product of these factors.
    Product(Vec<Factor>),
    /// The sum of these terms.
    Sum(Vec<Factor>),
    /// What another function gives.
    Ask {
        /// Its index.
        function: usize,
        /// Its arguments.
        args: Vec<AskArg>,
        /// The index of its output with the number; without one, its return value is the number.
        output: Option<usize>,
    },
    /// Up to an element of zero, or a string of NULL.
    Terminated,
}

/// A factor of a number of elements, or a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Factor {
    /// The value of the C parameter at this index.
    Param(usize),
    /// Always the same; only a term may be negative.
    Const(i64),
    /// What another function tells: an [`Amount::Ask`].
    Asked(Amount),
}

/// An argument of a function that is asked before or after a call.
#[derive(Clone, Debug, PartialEq)]
pub enum AskArg {
    /// The operand of the C parameter at this index.
    Param(usize),
    /// A constant.
    Integer(i128),
    /// After the call: what C left in the output of the C parameter at this index, a scalar or a handle.
    Left(usize),
    /// After the call: the return value, a scalar or a pointer.
    Returned,
    /// After the call: the handle that another function returns. If it is NULL, nothing is called with it.
    Asked(Box<Asked>),
}

/// A value that is used if the caller passes none.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A number.
    Number(f64),
    /// Text without NUL.
    Text(String),
}

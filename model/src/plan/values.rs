//! The vocabulary of values: scalars, text, elements, lengths and defaults.

use crate::c_type::CType;

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
    /// As `bool`: every value but 0 is true.
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
    /// How the units spell text.
    pub encoding: Encoding,
    /// The index of the enum that lists the only values.
    pub one_of: Option<usize>,
}

/// How units spell text or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; anything else is an error.
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
    /// Whether it stands for bytes that are not text.
    #[must_use]
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Base64 | Self::Hex)
    }
}

/// What an array is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Scalars.
    Scalar(Scalar),
    /// Structs: the index of the record.
    Record(usize),
}

/// What a buffer or an array that C fills holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Elements.
    Elements(Element),
    /// Text up to its NUL, or bytes.
    Text {
        /// The type of one unit.
        c_type: CType,
        /// How the units spell text.
        encoding: Encoding,
    },
}

impl Content {
    /// Whether it is text that ends at its first NUL, if it has one. Bytes do not, nor does text of 16-bit units
    /// if C says how many there are, with `counted`.
    #[must_use]
    pub fn ends_at_nul(self, counted: bool) -> bool {
        match self {
            Self::Elements(_) => false,
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

/// How many elements an array has, or a buffer has room for.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// The value of the C parameter at this index.
    Param(usize),
    /// Always the same.
    Const(u64),
    /// What another function returns.
    Ask {
        /// Its index.
        function: usize,
        /// What it is called with.
        args: Vec<AskArg>,
    },
}

/// An argument of a function that is asked for an amount.
#[derive(Clone, Debug, PartialEq)]
pub enum AskArg {
    /// The operand of the C parameter at this index.
    Param(usize),
    /// A constant.
    Integer(i128),
}

/// A value that stands where the caller gives none.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A number.
    Number(f64),
    /// Text without NUL.
    Text(String),
}

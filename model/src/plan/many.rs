//! Members of structs that point to several elements.

use crate::c_type::CType;
use crate::plan::{Element, Encoding, Kind, Scalar};

/// A member that points to elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Many {
    /// What it points to.
    pub of: Item,
    /// The type of its target in C, without stars.
    pub c_type: CType,
    /// Their number, or how many there is room for.
    pub length: ManyLength,
    /// Whether it may be NULL.
    pub nullable: bool,
    /// For a buffer that C fills: how much of it C wrote.
    pub room: Option<Written>,
}

/// What a member points to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// Scalars.
    Scalar(Scalar),
    /// Structs: the index of the record.
    Record(usize),
    /// Text or bytes.
    Text(Encoding),
    /// Pointers to strings, which may be NULL if this is true.
    Strings(bool),
    /// Pointers to structs: the index of the record.
    Pointers(usize),
}

/// How many elements a member points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManyLength {
    /// As many as the member at this index of the struct says.
    Field(usize),
    /// Always the same number.
    Const(u64),
    /// Up to a zero or NULL.
    Terminated,
}

/// How much C wrote to a buffer in a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// All of it; text up to its NUL.
    All,
    /// As many elements as the member at this index says.
    Field(usize),
    /// All but as many as the member at this index says.
    Left(usize),
}

impl Many {
    /// What it is in JSON.
    #[must_use]
    pub fn kind(&self) -> Kind {
        let fixed = match self.length {
            ManyLength::Const(count) if self.room.is_none() => Some(count),
            _ => None,
        };
        match self.of {
            Item::Text(encoding) => Kind::counted(encoding, None),
            Item::Scalar(scalar) => Kind::list(Kind::element(Element::Scalar(scalar)), fixed),
            Item::Strings(_) => Kind::list(Kind::plain_text(), fixed),
            Item::Record(record) | Item::Pointers(record) => Kind::list(Kind::Record(record), fixed),
        }
    }

    /// The struct that it points to.
    #[must_use]
    pub fn record(&self) -> Option<usize> {
        match self.of {
            Item::Record(record) | Item::Pointers(record) => Some(record),
            Item::Scalar(_) | Item::Text(_) | Item::Strings(_) => None,
        }
    }

    /// How many pointers lead to an element.
    #[must_use]
    pub fn stars(&self) -> usize {
        match self.of {
            Item::Strings(_) | Item::Pointers(_) => 2,
            Item::Scalar(_) | Item::Record(_) | Item::Text(_) => 1,
        }
    }
}

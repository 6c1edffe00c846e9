//! What a value is in JSON.

use crate::c_type::CType;
use crate::plan::{
    CollectedValue, Content, Element, Encoding, Field, FieldType, Limits, Scalar, Tagged, Text, View,
};

/// What a value is in JSON: what an argument may be, or what an outcome is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A boolean, a number, a string of one byte, or a value of an enum.
    Scalar(Scalar),
    /// A boolean that is stored in memory as an integer of this type.
    TruthInMemory(CType),
    /// A string.
    Text(TextKind),
    /// An array.
    List(Box<Kind>),
    /// An array with that many elements.
    Fixed(Box<Kind>, u64),
    /// An element of an array that may be null.
    Nullable(Box<Kind>),
    /// An object: the index of the record.
    Record(usize),
    /// A bit field of a struct.
    Bits {
        /// The type that it is declared with.
        c_type: CType,
        /// Its width.
        width: u32,
        /// Whether it is a boolean.
        truth: bool,
    },
    /// A union with a tag: an object with one member.
    Union(Box<Tagged>),
    /// A value with limits.
    Within(Box<Kind>, Limits),
    /// A token for a handle: the index of its type.
    Handle(usize),
    /// A token for a state: the index of the record.
    State(usize),
    /// The capacity of a buffer, in elements.
    Capacity {
        /// The type of the integer.
        c_type: CType,
        /// The index of the parameter with the buffer.
        buffer: usize,
        /// What the buffer holds.
        content: Content,
    },
    /// An integer that C wrote to a length.
    Count(CType),
    /// A callback, for which only null can be passed.
    Callback,
    /// A callback whose calls are collected: whether the caller wants them.
    Collect {
        /// Whether the calls are collected if the caller does not say it.
        by_default: bool,
    },
    /// The calls of a callback, each an object with these values.
    Calls(Vec<CollectedValue>),
    /// The calls of the callbacks that a handle keeps, each an object with the name of its callback and some of these
    /// values.
    Events {
        /// The names of the callbacks.
        callbacks: Vec<String>,
        /// The values of all of them.
        values: Vec<CollectedValue>,
    },
    /// An array of strings from C, each of which may be null.
    Texts,
    /// A pointer that the document does not describe, for which only null can be passed.
    Opaque,
}

/// What a string may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextKind {
    /// Its encoding.
    pub encoding: Encoding,
    /// Whether it has a length, and so may contain NUL.
    pub counted: bool,
    /// The number of units that it must have.
    pub exactly: Option<u64>,
    /// The index of the enum that lists the only values.
    pub one_of: Option<usize>,
}

impl Kind {
    /// A NUL-terminated string.
    #[must_use]
    pub fn text(text: Text) -> Self {
        Self::Text(TextKind { encoding: text.encoding, counted: false, exactly: None, one_of: text.one_of })
    }

    /// Text or bytes with a length.
    #[must_use]
    pub fn counted(encoding: Encoding, exactly: Option<u64>) -> Self {
        Self::Text(TextKind { encoding, counted: true, exactly, one_of: None })
    }

    /// A plain UTF-8 string.
    #[must_use]
    pub fn plain_text() -> Self {
        Self::Text(TextKind { encoding: Encoding::Utf8, counted: false, exactly: None, one_of: None })
    }

    /// An element of an array.
    #[must_use]
    pub fn element(element: Element) -> Self {
        match element {
            Element::Scalar(scalar) => Self::Scalar(scalar),
            Element::Record(record) => Self::Record(record),
        }
    }

    /// An array of elements, whose number may be fixed.
    #[must_use]
    pub fn list(element: Self, fixed: Option<u64>) -> Self {
        match fixed {
            Some(count) => Self::Fixed(Box::new(element), count),
            None => Self::List(Box::new(element)),
        }
    }

    /// An array of elements that may be null, if it is `nullable`.
    #[must_use]
    pub fn pointers(element: Self, nullable: bool) -> Self {
        Self::list(if nullable { Self::Nullable(Box::new(element)) } else { element }, None)
    }

    /// The content of a buffer or an array that C fills.
    #[must_use]
    pub fn content(content: Content) -> Self {
        match content {
            Content::Elements(element) => Self::list(Self::element(element), None),
            Content::Handles(handle) => Self::list(Self::Handle(handle), None),
            Content::Text { encoding, .. } => Self::counted(encoding, None),
        }
    }

    /// A member of a struct, as it is stored in memory.
    #[must_use]
    pub fn field(field: &FieldType) -> Self {
        match field {
            FieldType::Scalar(Scalar { c_type, view: View::Truth }) if *c_type != CType::Bool => {
                Self::TruthInMemory(*c_type)
            }
            FieldType::Scalar(scalar) => Self::Scalar(*scalar),
            FieldType::Record(record) => Self::Record(*record),
            FieldType::Array { element, count } => Self::list(Self::element(*element), Some(*count)),
            FieldType::Text { count, encoding, .. } => Self::counted(*encoding, Some(*count)),
            FieldType::Bits { c_type, width, truth } => {
                Self::Bits { c_type: *c_type, width: *width, truth: *truth }
            }
            FieldType::Str(_) => Self::plain_text(),
            FieldType::Many(many) => many.kind(),
            FieldType::Pointed(record) => Self::Record(*record),
            FieldType::Union(union) => union.kind(),
            FieldType::Pointer { .. } => Self::Opaque,
        }
    }

    /// The same value with limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        if !limits.is_some() {
            return self;
        }
        match self {
            Self::List(of) => {
                let list = Self::List(Box::new(of.within(limits.range())));
                if limits.length.is_some() {
                    Self::Within(Box::new(list), Limits { least: None, most: None, ..limits })
                } else {
                    list
                }
            }
            // All listed values are within the limits.
            Self::Scalar(Scalar { view: View::Enum(_), .. }) => self,
            Self::Fixed(of, count) => Self::Fixed(Box::new(of.within(limits.range())), count),
            kind => Self::Within(Box::new(kind), limits),
        }
    }

    /// How a caller sees a scalar; `Plain` for other kinds.
    #[must_use]
    pub fn view(&self) -> View {
        match self {
            Self::Scalar(scalar) => scalar.view,
            Self::Within(of, _) => of.view(),
            _ => View::Plain,
        }
    }

    /// Whether a JSON caller can only pass null for it.
    #[must_use]
    pub fn accepts_only_null(&self) -> bool {
        matches!(self, Self::Callback | Self::Opaque)
    }

    /// Calls `found` with the index of every enum that it names.
    pub fn enums(&self, found: &mut impl FnMut(usize)) {
        match self {
            Self::Scalar(Scalar { view: View::Enum(index), .. }) => found(*index),
            Self::Text(TextKind { one_of: Some(index), .. }) => found(*index),
            Self::List(of) | Self::Fixed(of, _) | Self::Within(of, _) | Self::Nullable(of) => of.enums(found),
            Self::Union(tagged) => {
                tagged.members.iter().for_each(|(_, member)| Self::field(&member.of).enums(found));
            }
            Self::Calls(values) | Self::Events { values, .. } => {
                values.iter().for_each(|value| value.kind.enums(found));
            }
            Self::Scalar(_)
            | Self::TruthInMemory(_)
            | Self::Text(_)
            | Self::Record(_)
            | Self::Handle(_)
            | Self::State(_)
            | Self::Capacity { .. }
            | Self::Count(_)
            | Self::Bits { .. }
            | Self::Callback
            | Self::Collect { .. }
            | Self::Texts
            | Self::Opaque => {}
        }
    }
}

impl Field {
    /// What it is in JSON, with its limits.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::field(&self.of).within(self.limits)
    }
}

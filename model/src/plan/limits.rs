//! The limits of a value that a caller passes: `minimum`, `maximum` and `x-maxLength`.

use crate::plan::{Element, FieldType, Record};

/// The limits of a value. Those of an array are for its elements, except the length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// The lowest value.
    pub least: Option<Bound>,
    /// The highest value.
    pub most: Option<Bound>,
    /// The maximum number of bytes of a string, or of elements of an array.
    pub length: Option<u64>,
}

/// A limit of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Of a C integer.
    Integer(i128),
    /// Of a C floating-point number.
    Number(f64),
}

impl Bound {
    /// It as an integer.
    #[must_use]
    pub fn integer(self) -> i128 {
        match self {
            Self::Integer(value) => value,
            Self::Number(value) => value as i128,
        }
    }

    /// It as a floating-point number.
    #[must_use]
    pub fn number(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Number(value) => value,
        }
    }
}

impl Limits {
    /// Whether there are any.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.has_range() || self.length.is_some()
    }

    /// Whether there is a lowest or a highest value.
    #[must_use]
    pub fn has_range(&self) -> bool {
        self.least.is_some() || self.most.is_some()
    }

    /// Without the length.
    #[must_use]
    pub fn range(self) -> Self {
        Self { length: None, ..self }
    }
}

impl Record {
    /// Whether a member has a range, directly or in nested structs.
    #[must_use]
    pub fn has_limits(&self, records: &[Self]) -> bool {
        self.fields().any(|field| match &field.of {
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
                records[*record].has_limits(records)
            }
            _ => field.limits.has_range(),
        })
    }
}

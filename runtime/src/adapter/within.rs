//! Numbers with limits in JSON: the slow path of a kind that few fields have.

use std::fmt;

use super::fault::Fault;
use super::kind::Kind;
use crate::limits::{Side, above, below};

/// A number of a kind, between two limits.
#[derive(Debug)]
pub struct Within {
    pub(super) of: Kind,
    range: Range,
}

#[derive(Debug)]
enum Range {
    Integers(Option<i128>, Option<i128>),
    Numbers(Option<f64>, Option<f64>),
}

impl Within {
    /// An integer between these limits.
    #[must_use]
    pub const fn integers(of: Kind, least: Option<i128>, most: Option<i128>) -> Self {
        Self { of, range: Range::Integers(least, most) }
    }

    /// A floating-point number between these limits.
    #[must_use]
    pub const fn numbers(of: Kind, least: Option<f64>, most: Option<f64>) -> Self {
        Self { of, range: Range::Numbers(least, most) }
    }

    /// The word of a number of the kind, if it is between the limits.
    #[inline(never)]
    pub(super) fn check(&self, word: u64) -> Result<u64, Fault> {
        match self.range {
            Range::Integers(least, most) => {
                let is_signed = matches!(self.of, Kind::Integer(integer) if integer.is_signed());
                let given = if is_signed { i128::from(word.cast_signed()) } else { i128::from(word) };
                between(given, least, most)?;
            }
            Range::Numbers(least, most) => {
                let given = match self.of {
                    Kind::Float => f64::from(f32::from_bits(word as u32)),
                    _ => f64::from_bits(word),
                };
                between(given, least, most)?;
            }
        }
        Ok(word)
    }
}

fn between<T: PartialOrd + fmt::Display>(given: T, least: Option<T>, most: Option<T>) -> Result<(), Fault> {
    match Side::of(&given, least.as_ref(), most.as_ref()) {
        Side::Below => Err(Fault::new(below(given, shown(least)))),
        Side::Above => Err(Fault::new(above(given, shown(most)))),
        Side::Within => Ok(()),
    }
}

fn shown<T: fmt::Display>(limit: Option<T>) -> String {
    limit.map_or_else(String::new, |limit| limit.to_string())
}

/// The expected value, as the end of a sentence.
impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = match self.range {
            Range::Integers(least, most) => (least.map(|it| it.to_string()), most.map(|it| it.to_string())),
            Range::Numbers(least, most) => (least.map(|it| it.to_string()), most.map(|it| it.to_string())),
        };
        write!(f, "{}", self.of)?;
        if let Some(least) = least {
            write!(f, ", at least {least}")?;
        }
        if let Some(most) = most {
            write!(f, ", at most {most}")?;
        }
        Ok(())
    }
}

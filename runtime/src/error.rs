//! What can go wrong in a typed call.

use std::fmt;

use opentool::ToolError;

use crate::CodeError;
use crate::adapter::Fault;

/// Why a typed call has no value to return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// C returned a NULL pointer where the document promises a value.
    Null {
        /// The name of the value in the document.
        value: &'static str,
    },
    /// The function is optional, and the loaded library lacks it.
    Missing {
        /// The symbol's name.
        symbol: &'static str,
    },
    /// A slice is not as long as it has to be; nothing was called.
    Length {
        /// The name of the parameter in the document.
        value: &'static str,
        /// How many elements it has.
        length: usize,
        /// How many it may have.
        expected: ExpectedLength,
    },
    /// No buffer can have this capacity, or C cannot be told of it; nothing was called.
    Capacity {
        /// The name of the output in the document.
        value: &'static str,
        /// How many elements it should have room for.
        capacity: i128,
    },
    /// C says that it left fewer elements than none, or more than there is room for.
    Written {
        /// The name of the output in the document.
        value: &'static str,
        /// How many elements C says there are.
        count: i128,
        /// How many there can be.
        capacity: usize,
    },
    /// The document does not list the value that was given.
    Unlisted {
        /// The name of the value in the document.
        value: &'static str,
    },
    /// C wrote behind the end of a buffer.
    Overrun {
        /// The name of the output in the document.
        value: &'static str,
    },
    /// C returned a code that is not one of success.
    Code(CodeError),
}

/// How long a slice has to be that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpectedLength {
    /// So long that the C type of its length parameter can count it.
    Countable,
    /// As long as another slice, because one parameter of C is the length of both.
    SameAs {
        /// The name of the other parameter.
        value: &'static str,
        /// How many elements that one has.
        length: usize,
    },
    /// So many elements, as the document or a function of the library says. What C returned is
    /// negative where no length is right.
    Exactly(i128),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null { value } => write!(f, "`{value}` is a NULL pointer"),
            Self::Missing { symbol } => write!(f, "the loaded library has no function `{symbol}`"),
            Self::Length { value, length, expected } => {
                write!(f, "`{value}` has {}", Misfit { length: *length, expected: *expected })
            }
            Self::Capacity { value, capacity } => {
                write!(f, "`{value}` cannot have room for {}", Elements(*capacity))
            }
            Self::Written { value, count, .. } if *count < 0 => {
                write!(f, "C says that `{value}` has {}", Elements(*count))
            }
            Self::Written { value, count, capacity } => {
                write!(f, "C says that `{value}` has {}; there is room for {capacity}", Elements(*count))
            }
            Self::Unlisted { value } => write!(f, "`{value}` is none of the values that the document lists"),
            Self::Overrun { value } => write!(f, "C wrote behind the end of `{value}`"),
            Self::Code(code) => code.fmt(f),
        }
    }
}

/// A count of elements, in words.
struct Elements(i128);

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count) = self;
        if *count == 1 { f.write_str("1 element") } else { write!(f, "{count} elements") }
    }
}

/// What is wrong with a length, for a sentence that has named the slice already.
struct Misfit {
    length: usize,
    expected: ExpectedLength,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No `usize` is wider than 64 bits.
        Elements(self.length as i128).fmt(f)?;
        match self.expected {
            ExpectedLength::Countable => f.write_str(", more than its length parameter can count"),
            ExpectedLength::SameAs { value, length } => {
                write!(f, "; `{value}` has {length}, and both must be equally long")
            }
            ExpectedLength::Exactly(expected) => write!(f, " instead of {expected}"),
        }
    }
}

impl std::error::Error for CallError {}

impl From<CodeError> for CallError {
    #[inline]
    fn from(error: CodeError) -> Self {
        Self::Code(error)
    }
}

impl From<CallError> for ToolError {
    #[cold]
    fn from(error: CallError) -> Self {
        match error {
            CallError::Code(code) => code.into(),
            CallError::Length { value, length, expected } => {
                Fault::new(Misfit { length, expected }.to_string()).inside(value).into()
            }
            other => Self::call_failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_a_sentence_that_names_its_value() {
        let other = ExpectedLength::SameAs { value: "ys", length: 3 };
        for (error, sentence) in [
            (
                CallError::Length { value: "xs", length: 5, expected: other },
                "`xs` has 5 elements; `ys` has 3, and both must be equally long",
            ),
            (
                CallError::Length { value: "buf", length: 300, expected: ExpectedLength::Countable },
                "`buf` has 300 elements, more than its length parameter can count",
            ),
            (
                CallError::Length { value: "key", length: 1, expected: ExpectedLength::Exactly(32) },
                "`key` has 1 element instead of 32",
            ),
            (CallError::Capacity { value: "out", capacity: -1 }, "`out` cannot have room for -1 elements"),
            (
                CallError::Written { value: "out", count: 12, capacity: 10 },
                "C says that `out` has 12 elements; there is room for 10",
            ),
            (
                CallError::Written { value: "out", count: -1, capacity: 10 },
                "C says that `out` has -1 elements",
            ),
            (CallError::Overrun { value: "out" }, "C wrote behind the end of `out`"),
        ] {
            assert_eq!(error.to_string(), sentence);
        }
    }

    #[test]
    fn a_wrong_length_is_the_callers_fault_and_the_rest_the_functions() {
        let length = CallError::Length { value: "a/b", length: 1, expected: ExpectedLength::Exactly(2) };
        assert_eq!(ToolError::from(length), ToolError::invalid_arguments("/a~1b", "1 element instead of 2"));
        assert_eq!(
            ToolError::from(CallError::Overrun { value: "out" }),
            ToolError::call_failed("C wrote behind the end of `out`")
        );
    }
}

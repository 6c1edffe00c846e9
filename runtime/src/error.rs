//! The errors of typed calls.

use std::fmt;

use opentool::ToolError;

use crate::adapter::Fault;
use crate::{BeyondLimit, CodeError, FailedCall};

/// Why a typed call has no value to return.
///
/// ```
/// use opendyn::CallError;
///
/// /// What a caller does after a failure depends on the code of the library.
/// fn is_busy(error: &CallError) -> bool {
///     const SQLITE_BUSY: i64 = 5;
///     error.is(SQLITE_BUSY)
/// }
///
/// assert!(!is_busy(&CallError::Null { value: "name" }));
/// ```
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
    /// A slice has the wrong length; nothing was called.
    Length {
        /// The name of the parameter in the document.
        value: &'static str,
        /// How many elements it has.
        length: usize,
        /// The length that is required.
        expected: ExpectedLength,
    },
    /// An element of a slice is zero, which would end it; nothing was called.
    Terminator {
        /// The name of the parameter in the document.
        value: &'static str,
        /// The index of the element.
        index: usize,
    },
    /// A handle is freed with arguments that it remembers, and this is another one; nothing was called.
    OtherArgument {
        /// The name of the parameter in the document.
        value: &'static str,
    },
    /// There is a NUL in a string, which would end it; nothing was called.
    Nul {
        /// The name of the parameter in the document.
        value: &'static str,
        /// The index of the byte.
        index: usize,
    },
    /// C returned text that is not UTF-8.
    NotUtf8 {
        /// The name of the value in the document.
        value: &'static str,
        /// The first byte that is wrong.
        byte: u8,
        /// Its index.
        index: usize,
    },
    /// No buffer can have this capacity, or it does not fit the C type; nothing was called.
    Capacity {
        /// The name of the output in the document.
        value: &'static str,
        /// How many elements it should have room for.
        capacity: i128,
    },
    /// C reported a negative number of elements, or more than there is room for.
    Written {
        /// The name of the output in the document.
        value: &'static str,
        /// How many elements C reported.
        count: i128,
        /// How many fit.
        capacity: usize,
    },
    /// The value is not within the limits of the document; nothing was called.
    Limit(Box<BeyondLimit>),
    /// The value is not one that the document lists.
    Unlisted {
        /// The name of the value in the document.
        value: &'static str,
    },
    /// C wrote past the end of a buffer.
    Overrun {
        /// The name of the output in the document.
        value: &'static str,
    },
    /// What C left nests too deeply, as a cycle does, or is too large to be copied.
    TooLarge {
        /// The name of the member or the result in the document.
        value: &'static str,
    },
    /// The library has no memory for a copy that C would own; nothing was called.
    NoMemory {
        /// The name of the parameter in the document.
        value: &'static str,
    },
    /// C returned an error code.
    Code(CodeError),
    /// C reported a failure in the way that `x-error` of the document describes.
    Failed(FailedCall),
}

impl CallError {
    /// The function's own code, if it failed with one.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Code(error) => Some(error.code()),
            Self::Failed(error) => error.code(),
            _ => None,
        }
    }

    /// The text of the library, of the system or of the document for the function's own failure.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Code(error) => error.text(),
            Self::Failed(error) => error.text(),
            _ => None,
        }
    }

    /// Whether the function failed with this code, which may be a value of the code type of the binding.
    #[must_use]
    pub fn is(&self, code: impl Into<i64>) -> bool {
        self.code() == Some(code.into())
    }
}

/// The length that a slice should have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpectedLength {
    /// At most what the C type of its length parameter holds.
    Countable,
    /// The length of another slice, because one C parameter is the length of both.
    SameAs {
        /// The name of the other parameter.
        value: &'static str,
        /// How many elements the other slice has.
        length: usize,
    },
    /// This length, from the document or from a function of the library. If C returned a negative
    /// length, no length is right.
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
            Self::Terminator { value, index } => {
                write!(f, "`{value}` has a zero at index {index}, which would end it")
            }
            Self::OtherArgument { value } => write!(f, "`{value}` is {OTHER_ARGUMENT}"),
            Self::Nul { value, index } => {
                write!(f, "`{value}` has a NUL at index {index}, which would end it")
            }
            Self::NotUtf8 { value, byte, index } => {
                write!(f, "`{value}` is not UTF-8: byte 0x{byte:02x} at index {index}")
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
            Self::Limit(beyond) => beyond.fmt(f),
            Self::Unlisted { value } => {
                write!(f, "`{value}` is not one of the values that the document lists")
            }
            Self::Overrun { value } => write!(f, "C wrote past the end of `{value}`"),
            Self::TooLarge { value } => {
                write!(f, "what C left in `{value}` nests too deeply or is too large to be copied")
            }
            Self::NoMemory { value } => write!(f, "the library has no memory for `{value}`"),
            Self::Code(code) => code.fmt(f),
            Self::Failed(failed) => failed.fmt(f),
        }
    }
}

const OTHER_ARGUMENT: &str = "not the argument that the handle was made with";

/// A count of elements, in words.
struct Elements(i128);

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count) = self;
        if *count == 1 { f.write_str("1 element") } else { write!(f, "{count} elements") }
    }
}

/// A wrong length, for a sentence that has already named the slice.
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

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Limit(beyond) => Some(beyond),
            Self::Code(code) => Some(code),
            Self::Failed(failed) => Some(failed),
            Self::Null { .. }
            | Self::Missing { .. }
            | Self::Length { .. }
            | Self::OtherArgument { .. }
            | Self::Terminator { .. }
            | Self::Nul { .. }
            | Self::NotUtf8 { .. }
            | Self::Capacity { .. }
            | Self::Written { .. }
            | Self::Unlisted { .. }
            | Self::Overrun { .. }
            | Self::TooLarge { .. }
            | Self::NoMemory { .. } => None,
        }
    }
}

impl From<CodeError> for CallError {
    #[inline]
    fn from(error: CodeError) -> Self {
        Self::Code(error)
    }
}

impl From<FailedCall> for CallError {
    fn from(error: FailedCall) -> Self {
        Self::Failed(error)
    }
}

impl From<CallError> for ToolError {
    #[cold]
    fn from(error: CallError) -> Self {
        match error {
            CallError::Code(code) => code.into(),
            CallError::Failed(failed) => failed.into(),
            CallError::Length { value, length, expected } => {
                Fault::new(Misfit { length, expected }.to_string()).inside(value).into()
            }
            CallError::Limit(beyond) => {
                let fault = Fault::new(beyond.problem());
                let inside = beyond.inside.iter().rev().fold(fault, |fault, step| fault.inside(step));
                inside.inside(beyond.value).into()
            }
            CallError::OtherArgument { value } => Fault::new(OTHER_ARGUMENT).inside(value).into(),
            CallError::Terminator { value, index } => {
                Fault::new("a zero would end the array").inside(index).inside(value).into()
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
            (CallError::Overrun { value: "out" }, "C wrote past the end of `out`"),
            (CallError::NoMemory { value: "data" }, "the library has no memory for `data`"),
            (
                CallError::OtherArgument { value: "context" },
                "`context` is not the argument that the handle was made with",
            ),
        ] {
            assert_eq!(error.to_string(), sentence);
        }
    }

    #[test]
    fn a_failure_of_the_function_is_the_source_of_the_error() {
        use std::error::Error;
        let codes = crate::Codes::new(&[(5, "busy")]);
        let code = crate::codes::success(5, &[0], codes).expect_err("not a success");
        let failed = FailedCall::new(codes).with_code(5);
        let source =
            CallError::from(code).source().and_then(|source| source.downcast_ref::<CodeError>()).copied();
        assert_eq!(source, Some(code));
        let source =
            CallError::from(failed.clone()).source().and_then(|it| it.downcast_ref::<FailedCall>()).cloned();
        assert_eq!(source, Some(failed));
        assert!(CallError::Null { value: "x" }.source().is_none());
    }

    #[test]
    fn a_wrong_length_is_the_callers_fault_and_the_rest_the_functions() {
        let length = CallError::Length { value: "a/b", length: 1, expected: ExpectedLength::Exactly(2) };
        assert_eq!(ToolError::from(length), ToolError::invalid_arguments("/a~1b", "1 element instead of 2"));
        assert_eq!(
            ToolError::from(CallError::Overrun { value: "out" }),
            ToolError::call_failed("C wrote past the end of `out`")
        );
    }
}

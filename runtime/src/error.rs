//! What can go wrong in a typed call.

use std::fmt;

use opentool::ToolError;

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
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null { value } => write!(f, "`{value}` is a NULL pointer"),
            Self::Missing { symbol } => write!(f, "the loaded library has no function `{symbol}`"),
        }
    }
}

impl std::error::Error for CallError {}

impl From<CallError> for ToolError {
    fn from(error: CallError) -> Self {
        Self::call_failed(error.to_string())
    }
}

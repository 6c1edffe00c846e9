//! Why a worker ended, in words for callers and for the operator.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use opentool::ToolError;

use crate::system;

/// The end of a worker in a call.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The function that ran.
    pub function: String,
    /// Why it ended.
    pub why: Why,
}

/// Why a worker ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Why {
    /// It ended by itself.
    Died {
        /// How it ended.
        status: ExitStatus,
        /// The address that the library used, if the signal or exception has one.
        address: Option<u64>,
    },
    /// It closed its descriptor and went on, and was killed.
    Closed,
    /// It wrote something else than a reply, and was killed.
    Garbled(&'static str),
    /// The call took too long, and it was killed.
    TimedOut(Duration),
    /// Nobody waited for the call any more, and it was killed.
    Cancelled,
}

impl Ended {
    /// The error of the call.
    #[must_use]
    pub fn error(&self) -> ToolError {
        match &self.why {
            Why::TimedOut(limit) => {
                ToolError::TimedOut { limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) }
            }
            Why::Cancelled => ToolError::call_failed("it was cancelled"),
            Why::Died { .. } | Why::Closed | Why::Garbled(_) => {
                ToolError::WorkerDied { reason: self.to_string() }
            }
        }
    }
}

impl Why {
    /// The reason in a word, for counters.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Died { status, .. } => system::word(*status),
            Self::Closed => "closed",
            Self::Garbled(_) => "garbled",
            Self::TimedOut(_) => "deadline",
            Self::Cancelled => "cancelled",
        }
    }
}

/// `SIGSEGV in `step`, at address 0x0`
impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = &self.function;
        match &self.why {
            Why::Died { status, address } => {
                match (system::cause(*status), status.code()) {
                    (Some(cause), _) => write!(f, "{cause} in `{function}`")?,
                    (None, Some(code)) => {
                        write!(f, "`{function}` ended it with exit status {code}{}", system::note(code))?;
                    }
                    (None, None) => write!(f, "{status} in `{function}`")?,
                }
                address.map_or(Ok(()), |address| write!(f, ", at address {address:#x}"))
            }
            Why::Closed => write!(f, "`{function}` closed the descriptor for its reply"),
            Why::Garbled(what) => write!(f, "`{function}` {what}"),
            Why::TimedOut(limit) => {
                write!(f, "killed: `{function}` did not end within {} ms", limit.as_millis())
            }
            Why::Cancelled => write!(f, "killed: `{function}` was cancelled"),
        }
    }
}

//! What happened while a workflow ran.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::finding::Invalid;
use opentool::ToolError;

/// What a listener is told while a workflow runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Event {
    /// A function is about to be called.
    Call {
        /// The step's name.
        step: String,
        /// The function's name.
        function: String,
        /// What it is called with: references are replaced by what they refer to.
        arguments: Map<String, Value>,
    },
    /// The function answered, as the step expects.
    Reply {
        /// The step's name.
        step: String,
        /// What it returned.
        results: Map<String, Value>,
    },
    /// The last step is done.
    End {
        /// How many steps ran.
        steps: usize,
    },
    /// The workflow stopped.
    Error {
        /// The step that failed; none if the workflow did not begin.
        step: Option<String>,
        /// Why.
        error: StepError,
    },
}

/// The steps that ran, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The workflow's title.
    pub title: String,
    /// The steps that ran. Where the workflow failed, the last is the one that did.
    pub steps: Vec<StepRecord>,
}

/// One step that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The step's name.
    pub step: String,
    /// The function's name.
    pub function: String,
    /// What it was called with.
    pub arguments: Map<String, Value>,
    /// What it returned, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Map<String, Value>>,
    /// Why the step failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<StepError>,
}

/// An error as the record keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepError {
    /// The number of [`Cause::code`].
    pub code: i64,
    /// What went wrong.
    pub message: String,
}

/// A workflow that did not come to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowError {
    /// The step that failed; none if nothing was called.
    pub step: Option<String>,
    /// Why.
    pub cause: Cause,
    /// What was done until then.
    pub record: Box<Record>,
}

/// Why a workflow stopped.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The workflow does not fit the tool. Nothing was called.
    Invalid(Invalid),
    /// The tool does not say which functions it has. Nothing was called.
    NoDocument,
    /// The workflow has more steps than may run. Nothing was called.
    TooManySteps {
        /// How many it has.
        steps: usize,
        /// How many may run.
        limit: usize,
    },
    /// The call was refused, or the function failed.
    Tool(ToolError),
    /// The function answered something else than the step expects.
    Results {
        /// The place in the reply, as a JSON pointer.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// A reference leads to nothing in what the earlier step returned.
    Reference {
        /// The reference, as it is written.
        reference: String,
    },
    /// The time was up before the step, or while it slept.
    Deadline {
        /// The limit, in milliseconds.
        limit_ms: u64,
    },
}

impl Cause {
    /// A number as in [`ToolError::code`]: what the workflow got wrong is 400, what the tool got
    /// wrong is its own or 500, and what took too long is 504.
    #[must_use]
    pub fn code(&self) -> i64 {
        match self {
            Self::Invalid(_) | Self::NoDocument | Self::TooManySteps { .. } => 400,
            Self::Tool(error) => error.code(),
            Self::Results { .. } | Self::Reference { .. } => 500,
            Self::Deadline { .. } => 504,
        }
    }

    pub(super) fn to_error(&self) -> StepError {
        StepError { code: self.code(), message: self.to_string() }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(invalid) => write!(f, "the workflow does not fit the tool:\n{invalid}"),
            Self::NoDocument => f.write_str("the tool has no document that says which functions it has"),
            Self::TooManySteps { steps, limit } => {
                write!(f, "the workflow has {steps} steps, and {limit} may run")
            }
            Self::Tool(error) => write!(f, "{error}"),
            Self::Results { pointer, message } => {
                write!(f, "the reply is not as expected: {pointer}: {message}")
            }
            Self::Reference { reference } => write!(f, "`{reference}` leads to nothing"),
            Self::Deadline { limit_ms } => write!(f, "the workflow did not end within {limit_ms} ms"),
        }
    }
}

impl fmt::Display for WorkflowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.step {
            Some(step) => write!(f, "step `{step}`: {}", self.cause),
            None => write!(f, "{}", self.cause),
        }
    }
}

impl std::error::Error for WorkflowError {}

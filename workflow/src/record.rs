//! The record of a run, its events, and its errors.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::finding::Invalid;
use opentool::ToolError;

/// An event of a run, for the listener.
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
        /// The arguments, with references replaced by their values.
        arguments: Map<String, Value>,
    },
    /// The function returned what the step expects.
    Reply {
        /// The step's name.
        step: String,
        /// The results.
        results: Map<String, Value>,
    },
    /// The last step has ended.
    End {
        /// The number of steps that ran.
        steps: usize,
    },
    /// The workflow stopped.
    Error {
        /// The step that failed; `None` if the workflow did not start.
        step: Option<String>,
        /// The reason.
        error: StepError,
    },
}

/// The steps of a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The workflow's title.
    pub title: String,
    /// The steps that ran. If the workflow failed, the last one is the step that failed.
    pub steps: Vec<StepRecord>,
    /// What the workflow returned: its `x-outputs`, or else the results of the last step.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub outputs: Map<String, Value>,
}

/// One step that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The step's name.
    pub step: String,
    /// The function's name.
    pub function: String,
    /// The arguments of the call.
    pub arguments: Map<String, Value>,
    /// The results, if it returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Map<String, Value>>,
    /// Why the step failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<StepError>,
}

/// An error in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepError {
    /// The code, see [`Cause::code`].
    pub code: i64,
    /// What went wrong.
    pub message: String,
}

/// A workflow that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowError {
    /// The step that failed; `None` if nothing was called.
    pub step: Option<String>,
    /// The reason.
    pub cause: Cause,
    /// The steps that ran.
    pub record: Box<Record>,
}

/// Why a workflow failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The workflow does not fit the tool. Nothing was called.
    Invalid(Invalid),
    /// The tool has no document. Nothing was called.
    NoDocument,
    /// The inputs are not those of the workflow. Nothing was called.
    Inputs(ToolError),
    /// The workflow has too many steps. Nothing was called.
    TooManySteps {
        /// The number of steps.
        steps: usize,
        /// The limit.
        limit: usize,
    },
    /// The call was refused, or the function failed.
    Tool(ToolError),
    /// The reply of the function is not what the step expects.
    Results {
        /// A JSON pointer into the reply.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// An output is not of the type that the workflow says. All steps ran.
    Output {
        /// A JSON pointer that begins with the name of the output, and what is wrong there.
        fault: String,
    },
    /// A reference has no value in the results of the earlier step.
    Reference {
        /// The reference, as it is written.
        reference: String,
    },
    /// The time limit was exceeded before the step, or during a `sleep`.
    Deadline {
        /// The limit, in milliseconds.
        limit_ms: u64,
    },
}

impl Cause {
    /// A code as in [`ToolError::code`]: 400 for a mistake of the workflow, the code of the tool or 500 for one of the
    /// tool, 504 for an exceeded time limit.
    #[must_use]
    pub fn code(&self) -> i64 {
        match self {
            Self::Invalid(_) | Self::NoDocument | Self::TooManySteps { .. } => 400,
            Self::Inputs(error) | Self::Tool(error) => error.code(),
            Self::Results { .. } | Self::Output { .. } | Self::Reference { .. } => 500,
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
            Self::NoDocument => f.write_str("the tool has no document that describes its functions"),
            Self::TooManySteps { steps, limit } => {
                write!(f, "the workflow has {steps} steps; at most {limit} are allowed")
            }
            Self::Inputs(error) | Self::Tool(error) => write!(f, "{error}"),
            Self::Output { fault } => write!(f, "an output is not what the workflow says: {fault}"),
            Self::Results { pointer, message } => {
                write!(f, "the reply is not as expected: {pointer}: {message}")
            }
            Self::Reference { reference } => write!(f, "`{reference}` has no value"),
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

//! How a call can fail, in words.

use crate::plan::{Counted, Function, Got, Memory, Outcome, Step};

impl Function {
    /// How a call can fail, one sentence each, in the order of the checks.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        let steps = self.steps.iter().filter_map(|step| step.error(self));
        steps.chain(self.outcomes.iter().filter_map(Outcome::error)).collect()
    }
}

impl Step {
    /// How the step can end the call.
    fn error(&self, function: &Function) -> Option<String> {
        let key = |index: usize| &function.params[index].key;
        match self {
            Self::Require => Some(format!("The loaded library lacks `{}`.", function.symbol)),
            Self::Count { counted: Counted::Arrays(arrays), c_type, .. } => self
                .can_fail()
                .then(|| format!("`{}` is longer than `{}` can count.", key(arrays[0]), c_type.name())),
            Self::SameLength { array, others } => {
                Some(format!("`{}` and `{}` differ in length.", key(*array), key(others[0])))
            }
            Self::ExactLength { array, .. } => {
                Some(format!("`{}` does not have the length that the document requires.", key(*array)))
            }
            Self::Listed { param, .. } => {
                Some(format!("The document does not list the value of `{}`.", key(*param)))
            }
            Self::Allocate { into, memory: Memory::Buffer { .. } } => {
                Some(format!("The capacity of `{}` is invalid, or C exceeded it.", key(*into)))
            }
            Self::Fail { .. } => Some("C returned an error code.".to_owned()),
            Self::Count { .. }
            | Self::Allocate { .. }
            | Self::Release { .. }
            | Self::Lend { .. }
            | Self::Invoke
            | Self::Hold { .. }
            | Self::Freed { .. }
            | Self::Finish { .. }
            | Self::ResumeKept
            | Self::Collect => None,
        }
    }
}

impl Outcome {
    /// How making the outcome can fail. The errors of a buffer are those of its allocation.
    fn error(&self) -> Option<String> {
        let key = &self.key;
        match self.got {
            Got::Elements { .. } | Got::Strings { .. } if self.nullable => {
                Some(format!("C returned an invalid count for `{key}`."))
            }
            Got::Elements { .. } | Got::Strings { .. } => {
                Some(format!("C returned NULL or an invalid count for `{key}`."))
            }
            Got::Buffer { .. } => None,
            _ => self.can_fail().then(|| format!("C returned NULL for `{key}`.")),
        }
    }
}

//! How a call can fail, in words.

use crate::plan::{Function, Got, Outcome};

impl Function {
    /// How a call can fail, one sentence each, in the order of the checks.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        let steps = self.steps.iter().filter_map(|step| step.error(self));
        let outcomes =
            self.outcomes.iter().flat_map(|outcome| outcome.error().into_iter().chain(outcome.misspelt()));
        steps.chain(outcomes).collect()
    }
}

impl Outcome {
    /// How making the outcome can fail. The errors of a buffer are those of its allocation.
    fn error(&self) -> Option<String> {
        let key = &self.key;
        match self.got {
            Got::Elements { .. } | Got::Strings { .. } | Got::Handles { .. } if self.nullable => {
                Some(format!("C returned an invalid count for `{key}`."))
            }
            Got::Elements { .. } | Got::Strings { .. } | Got::Handles { .. } => {
                Some(format!("C returned NULL or an invalid count for `{key}`."))
            }
            Got::Buffer { .. } => None,
            _ if self.nullable => None,
            _ => self.can_fail().then(|| format!("C returned NULL for `{key}`.")),
        }
    }

    /// How its text can be wrong.
    fn misspelt(&self) -> Option<String> {
        self.as_str.then(|| format!("C returned text for `{}` that is not UTF-8.", self.key))
    }
}

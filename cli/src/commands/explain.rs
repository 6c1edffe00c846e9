//! `opendyn explain E012`

use std::process::ExitCode;

use clap::Args;
use opendyn_codegen::Rule;

use crate::failure::{Failure, Outcome};

/// Explain a rule by its code, as findings show it
#[derive(Args)]
pub(crate) struct Arguments {
    /// The code, such as E012
    code: String,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let Some(rule) = Rule::ALL.iter().find(|rule| rule.code().eq_ignore_ascii_case(&self.code)) else {
            return Err(Failure::new(format!("there is no rule `{}`", self.code)));
        };
        anstream::println!("{} ({}): {}", rule.code(), rule.severity().name(), rule.summary());
        Ok(ExitCode::SUCCESS)
    }
}

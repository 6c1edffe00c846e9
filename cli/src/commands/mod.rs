//! The subcommands.

mod explain;

use clap::Subcommand;

use crate::failure::Outcome;

/// Each with its own arguments, which are documented where they are declared.
#[derive(Subcommand)]
pub(crate) enum Command {
    Explain(explain::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Explain(arguments) => arguments.run(),
        }
    }
}

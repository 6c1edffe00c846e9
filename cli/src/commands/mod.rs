//! The subcommands.

mod check;
mod explain;

use clap::Subcommand;

use crate::failure::Outcome;

/// Each with its own arguments, which are documented where they are declared.
#[derive(Subcommand)]
pub(crate) enum Command {
    Check(Box<check::Arguments>),
    Explain(explain::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Check(arguments) => arguments.run(),
            Self::Explain(arguments) => arguments.run(),
        }
    }
}

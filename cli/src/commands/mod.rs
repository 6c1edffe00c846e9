//! The subcommands.

mod cache;
mod call;
mod explain;
mod mcp;
mod serve;
mod served;

use clap::Subcommand;

use crate::failure::Outcome;

/// Each with its own arguments, which are documented where they are declared.
#[derive(Subcommand)]
pub(crate) enum Command {
    Cache(cache::Arguments),
    Call(call::Arguments),
    Explain(explain::Arguments),
    Mcp(mcp::Arguments),
    Serve(serve::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Cache(arguments) => arguments.run(),
            Self::Call(arguments) => arguments.run(),
            Self::Explain(arguments) => arguments.run(),
            Self::Mcp(arguments) => arguments.run(),
            Self::Serve(arguments) => arguments.run(),
        }
    }
}

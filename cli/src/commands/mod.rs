//! The subcommands.

mod call;
mod check;
mod completions;
mod confinement;
mod diff;
mod doctor;
mod explain;
mod export;
mod fmt;
mod generate;
mod import;
mod init;
mod installing;
mod isolation;
mod keys;
mod man;
mod mcp;
mod new;
mod policy;
mod run;
mod serve;
mod served;

use clap::Subcommand;

use crate::failure::Outcome;

/// Each has its own arguments, documented where they are declared.
#[derive(Subcommand)]
pub(crate) enum Command {
    Call(call::Arguments),
    Check(Box<check::Arguments>),
    Completions(completions::Arguments),
    Diff(diff::Arguments),
    Doctor(doctor::Arguments),
    Explain(explain::Arguments),
    Export(export::Arguments),
    Fmt(fmt::Arguments),
    Generate(generate::Arguments),
    Import(import::Arguments),
    Init(Box<init::Arguments>),
    Keys(keys::Arguments),
    Man(man::Arguments),
    Mcp(mcp::Arguments),
    New(new::Arguments),
    Run(run::Arguments),
    Serve(Box<serve::Arguments>),
}

impl Command {
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Call(arguments) => arguments.run(),
            Self::Check(arguments) => arguments.run(),
            Self::Completions(arguments) => arguments.run(),
            Self::Diff(arguments) => arguments.run(),
            Self::Doctor(arguments) => arguments.run(),
            Self::Explain(arguments) => arguments.run(),
            Self::Export(arguments) => arguments.run(),
            Self::Fmt(arguments) => arguments.run(),
            Self::Generate(arguments) => arguments.run(),
            Self::Import(arguments) => arguments.run(),
            Self::Init(arguments) => arguments.run(),
            Self::Keys(arguments) => arguments.run(),
            Self::Man(arguments) => arguments.run(),
            Self::Mcp(arguments) => arguments.run(),
            Self::New(arguments) => arguments.run(),
            Self::Run(arguments) => arguments.run(),
            Self::Serve(arguments) => arguments.run(),
        }
    }
}

/// The subcommands in the groups of the help.
pub(crate) const GROUPS: &[(&str, &[&str])] = &[
    ("To begin with", &["init", "doctor"]),
    ("Documents", &["import", "check", "fmt", "diff", "explain"]),
    ("Bindings and tools", &["generate", "new", "export"]),
    ("Calls, without a Rust project", &["call", "run", "serve", "mcp", "keys"]),
    ("This command", &["completions", "man"]),
];

//! The `opendyn` command: one module a subcommand in `commands`, each with its arguments and a `run`.
//!
//! Results go to stdout and are nothing but the result; findings, progress and errors go to stderr. The exit
//! status is 0 for success, 1 where what was looked at is at fault, 2 where the command could not do its work.

#![forbid(unsafe_code)]

mod check;
mod commands;
mod document;
mod failure;

use std::process::ExitCode;

use clap::Parser;

/// Describe a native library once; check, call and serve it from the description
#[derive(Parser)]
#[command(name = "opendyn", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command.run() {
        Ok(code) => code,
        Err(failure) => {
            failure.show();
            ExitCode::from(2)
        }
    }
}

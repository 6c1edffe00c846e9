//! The `opendyn` command: one module a subcommand in `commands`, each with its arguments and a `run`.
//!
//! Results go to stdout and are nothing but the result; findings, progress and errors go to stderr. The exit
//! status is 0 for success, 1 where what was looked at is at fault, 2 where the command could not do its work.

#![forbid(unsafe_code)]

mod arguments;
mod check;
mod commands;
mod document;
mod export;
mod failure;
mod findings;
mod host;
mod options;
mod output;
mod script;
mod sources;
mod stale;

use std::process::ExitCode;

fn main() -> ExitCode {
    output::end_where_nobody_reads();
    match arguments::parse().run() {
        Ok(code) => code,
        Err(failure) => {
            failure.show();
            failure.status()
        }
    }
}

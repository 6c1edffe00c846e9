//! The `opendyn` command: one module per subcommand in `commands`, each with its arguments and a `run`.
//!
//! Results, and only results, go to stdout; findings, progress and errors go to stderr. The exit status is 0
//! for success, 1 if the input is at fault, 2 if the command failed.

#![forbid(unsafe_code)]

mod arguments;
mod ask;
mod bundle;
mod check;
mod clients;
mod commands;
mod doctor;
mod document;
mod export;
mod failure;
mod findings;
mod new;
mod options;
mod output;
mod script;
mod sources;
mod stale;
mod start;
mod tool;
mod trial;

use std::process::ExitCode;

fn main() -> ExitCode {
    if opentool_worker::is_worker().as_deref() == Some(tool::WORKER) {
        return tool::serve_worker();
    }
    #[cfg(unix)]
    if std::env::var_os(tool::SANDBOX).is_some() {
        return tool::become_program();
    }
    output::exit_on_broken_pipe();
    match arguments::parse().run() {
        Ok(code) => code,
        Err(failure) => {
            failure.show();
            failure.status()
        }
    }
}

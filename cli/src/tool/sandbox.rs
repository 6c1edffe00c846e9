//! The sandbox of libraries and scripts that are served: what it is made of, and what the server says of it at its start.

use std::path::Path;

use opendyn_interpreter as interpreter;
use opentool_sandbox::{Allowed, Sandbox};
use opentool_server::serve::confinement;

use super::source::Source;
use super::tools::Wanted;
use crate::failure::{Failure, Outcome};

/// The environment variable that makes this command enter a sandbox and become the program of a script.
#[cfg(unix)]
pub(crate) const VARIABLE: &str = "OPENDYN_SANDBOX";

/// The sandbox of a library: the one at the path, or those that may be the document's.
pub(super) fn of(document: &interpreter::Document, library: Option<&Path>, allowed: &Allowed) -> Sandbox {
    if let Some(library) = library {
        return Sandbox::for_library(library, allowed);
    }
    Sandbox::for_libraries(&interpreter::command::places(document), allowed)
}

/// Why a library could not be opened, with the flags: what it needs may be where a sandbox does not let it read.
pub(super) fn maybe_refused(failure: Failure) -> Failure {
    if failure.helps().is_some() {
        return failure;
    }
    let help = confinement::help_after(&failure.to_string());
    failure.maybe_help(help.map(str::to_owned))
}

/// What the server says of the sandbox at its start.
pub(super) struct Said {
    allowed: Option<Allowed>,
    has_scripts: bool,
    has_libraries: bool,
    in_process: bool,
}

impl Said {
    pub(super) fn of(wanted: &Wanted) -> Self {
        let is_script = |source: &Source| matches!(source, Source::Script(_));
        let is_document = |source: &Source| matches!(source, Source::Document { .. });
        Self {
            allowed: wanted.surroundings.allowed().cloned(),
            has_scripts: wanted.sources.iter().any(is_script),
            has_libraries: wanted.sources.iter().any(is_document),
            in_process: wanted.workers.is_none(),
        }
    }

    /// Says it on stderr: what is allowed, and what the kernel lacks.
    pub(super) fn say(self) -> Outcome<()> {
        let Self { allowed, has_scripts, has_libraries, in_process } = self;
        if has_libraries && in_process {
            say(confinement::IN_PROCESS);
        }
        if has_scripts || (has_libraries && !in_process) {
            let said = confinement::said(allowed.as_ref());
            say(&said.map_err(|error| Failure::new(error).help(confinement::WITHOUT))?);
        }
        Ok(())
    }
}

fn say(message: &str) {
    anstream::eprintln!("opendyn: {message}");
}

/// Enters the sandbox of a script, and becomes Python.
#[cfg(unix)]
pub(crate) fn become_program() -> std::process::ExitCode {
    let Err(error) = opentool_sandbox::become_program(std::env::args_os().skip(1), VARIABLE);
    anstream::eprintln!("the sandbox: {error}");
    std::process::ExitCode::from(126)
}

//! Starts a host in place of this process.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use super::{Wanted, sound};
use crate::failure::{Failure, Outcome};

/// The keys of a server, one per line: the environment is not visible in the list of processes.
const KEYS: &str = "OPENDYN_HOST_KEYS";

/// A key from the user's environment.
pub(crate) const OWN_KEY: &str = "OPENDYN_API_KEY";

/// The arguments and environment of a host.
pub(crate) struct Launch {
    arguments: Vec<OsString>,
    keys: Option<String>,
}

impl Launch {
    /// The order, and the documents with their libraries.
    pub(crate) fn new(order: &str, wanted: &Wanted<'_>) -> Outcome<Self> {
        let mut launch = Self { arguments: vec![order.into()], keys: None };
        for (document, library) in wanted.documents.iter().zip(wanted.libraries) {
            launch = launch.option("--document", &document.name);
            if let Some(library) = library {
                launch = launch.option("--library", library);
            }
            if wanted.prefix {
                launch = launch.option("--prefix", sound::prefix(document));
            }
        }
        for script in wanted.scripts {
            launch = launch.option("--script", &script.path).option("--name", &script.tool);
        }
        for folder in wanted.modules {
            launch = launch.option("--modules", folder);
        }
        for name in wanted.environment {
            if [KEYS, OWN_KEY].contains(&name.as_str()) {
                return Err(Failure::new(format!(
                    "{name} holds keys of the server, which scripts must not see"
                )));
            }
            launch = launch.option("--env", name);
        }
        Ok(launch)
    }

    pub(crate) fn option(self, name: &str, value: impl Into<OsString>) -> Self {
        self.argument(name).argument(value)
    }

    pub(crate) fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub(crate) fn keys(self, keys: &[String]) -> Self {
        Self { keys: Some(keys.join("\n")), ..self }
    }

    /// Runs in this process, without a host: calling only scripts needs none.
    pub(crate) fn run_here(self) -> ExitCode {
        opendyn::host::run_with(&[], self.arguments)
    }

    /// Starts it. On Unix it replaces this process, so that it gets the signals and returns the exit status.
    pub(crate) fn run(self, program: &Path) -> Outcome {
        let mut command = Command::new(program);
        command.args(self.arguments).env_remove(KEYS);
        if let Some(keys) = self.keys {
            command.env(KEYS, keys);
        }
        let started = |error| Failure::new(format!("cannot start `{}`: {error}", program.display()));
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            Err(started(command.exec()))
        }
        #[cfg(not(unix))]
        {
            let status = command.status().map_err(started)?;
            let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
            Ok(ExitCode::from(code))
        }
    }
}

//! A program whose tool runs in workers: the program itself, started again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use opentool::{Tool, ToolError};
use opentool_sandbox::{Allowed, Sandbox};
use opentool_worker::Workers;
use serde_json::{Value, json};

use super::arguments::Start;
use super::{KEY_VARIABLE, Program, StartError, confinement};
use crate::{Executor, Limits};

/// The name of the worker.
const NAME: &str = "opentool-server";

/// What a worker is told before it opens its tool.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Opening {
    /// The library of `--library`.
    pub library: Option<PathBuf>,
    /// The handles that the caller can have.
    pub handles: usize,
    /// The workers that the same caller had before; `None` if the worker has no caller of its own.
    pub past: Option<Past>,
}

/// The workers that a caller had before. Their handles are lost.
#[derive(Debug)]
#[non_exhaustive]
pub struct Past {
    /// What all workers of the caller sign their tokens with.
    pub secret: [u64; 2],
    /// How many there were.
    pub count: u64,
    /// Why the last of them ended: the number of the worker, and the reason.
    pub lost: Vec<(u64, String)>,
}

impl Program {
    /// Like [`Program::run`], with the tool in [workers](super#workers): `worker` opens it there. With `--in-process`,
    /// `in_process` makes the executor.
    ///
    /// A worker enters the [sandbox](super#workers) that the command line asks for before it opens the tool. It can load the
    /// `libraries`, given `--library`: paths, or names that the loader searches. Those that are not there are left out.
    ///
    /// Call it first in `main`: a worker is this program, which gets here again, serves calls, and does not return before the
    /// server ends it. Whatever is done before is done in the worker too.
    pub fn run_isolated<T: Tool>(
        &self,
        libraries: impl FnOnce(Option<&Path>) -> Vec<PathBuf>,
        worker: impl FnOnce(Opening) -> Result<T, StartError>,
        in_process: impl FnOnce(Option<&Path>) -> Result<Executor, StartError>,
    ) -> ExitCode {
        if opentool_worker::is_worker().as_deref() == Some(NAME) {
            return serve(worker);
        }
        self.run_as(true, std::env::args_os().skip(1), |start| {
            let limits = Limits { deadline: Some(start.isolation.deadline), ..Limits::default() };
            let library = start.library.as_deref();
            if !start.isolation.in_process {
                let allowed = start.confinement.allowed()?;
                let executor = workers(start, &libraries(library), allowed.as_ref())?;
                let said = confinement::said(allowed.as_ref());
                self.say(&said.map_err(|error| format!("{error}; {}", confinement::WITHOUT))?);
                return Ok(executor.with_limits(limits));
            }
            let executor = in_process(library)?;
            self.say(confinement::IN_PROCESS);
            Ok(executor.with_limits(limits))
        })
    }
}

/// Serves calls until the server closes the connection.
fn serve<T: Tool>(open: impl FnOnce(Opening) -> Result<T, StartError>) -> ExitCode {
    opentool_worker::serve(|opening| {
        let handles = opening.setup.get("handles").and_then(Value::as_u64).unwrap_or(0);
        let opentool_worker::Past { secret, count, lost } = opening.past;
        let opening = Opening {
            // An argument, because a path need not be text.
            library: std::env::args_os().nth(1).map(PathBuf::from),
            handles: usize::try_from(handles).unwrap_or(usize::MAX),
            past: secret.map(|secret| Past { secret, count, lost }),
        };
        open(opening).map_err(|error| ToolError::call_failed(error.to_string()))
    })
}

/// Starts a first worker, and shows by it that the tool can be opened.
fn workers(start: &Start, libraries: &[PathBuf], allowed: Option<&Allowed>) -> Result<Executor, StartError> {
    let isolation = &start.isolation;
    let program = opentool_worker::Program::this(NAME)?
        .arguments(&start.library)
        // Keys are not for libraries. The command's is here too: both may be set for one user.
        .without(KEY_VARIABLE)
        .without("OPENDYN_API_KEY")
        // They may have the key of a collector.
        .without("OTEL_EXPORTER_OTLP_HEADERS")
        .without("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
        .memory(Some(isolation.memory_bytes()))
        .sandbox(allowed.map(|allowed| Sandbox::for_libraries(libraries, allowed)))
        .setup(json!({"handles": isolation.handles}));
    let workers = Workers { pool: isolation.workers, sessions: isolation.sessions, idle: isolation.idle };
    let tool = workers.start(program).map_err(|error| match error {
        // What `open` said, as if it had been called here.
        ToolError::CallFailed { message, .. } => {
            let may_be_there = libraries.iter().any(|place| is_name(place) || place.exists());
            match confinement::help_after(&message).filter(|_| allowed.is_some() && may_be_there) {
                Some(help) => format!("{message}; {help}").into(),
                None => StartError::from(message),
            }
        }
        error => error.into(),
    })?;
    Ok(Executor::of_workers(tool, isolation.workers))
}

/// Whether the loader of the system looks for it.
fn is_name(library: &Path) -> bool {
    library.components().count() == 1
}

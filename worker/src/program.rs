//! What is started as a worker.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeWriter};
use std::path::PathBuf;
use std::time::Duration;

use opentool_sandbox::Sandbox;
use serde_json::Value;

use crate::system::{self, Launch, Process, Stream};

/// The environment variable that makes a program a worker.
pub(crate) const VARIABLE: &str = "OPENTOOL_WORKER";

/// Whether this process is a worker, and the name that it was started with.
#[must_use]
pub fn is_worker() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|name| !name.is_empty())
}

/// A program that serves calls as a worker, with [`serve`](crate::serve): by default the one that runs.
#[derive(Clone, Debug)]
pub struct Program {
    executable: PathBuf,
    arguments: Vec<OsString>,
    name: String,
    hidden: Vec<OsString>,
    setup: Value,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) memory: Option<u64>,
    pub(crate) reply: usize,
    pub(crate) start: Duration,
}

impl Program {
    /// The program that runs, as the worker `name`.
    ///
    /// # Errors
    ///
    /// The system does not know where the program is.
    pub fn this(name: &str) -> io::Result<Self> {
        Ok(Self {
            executable: std::env::current_exe()?,
            arguments: Vec::new(),
            name: name.to_owned(),
            hidden: Vec::new(),
            setup: Value::Null,
            sandbox: None,
            memory: None,
            reply: 64 << 20,
            start: Duration::from_secs(30),
        })
    }

    /// With these arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.arguments = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// Without this environment variable, which the library must not see.
    #[must_use]
    pub fn without(mut self, variable: impl AsRef<OsStr>) -> Self {
        self.hidden.push(variable.as_ref().to_owned());
        self
    }

    /// What the worker is told to open: [`Opening::setup`](crate::Opening::setup).
    #[must_use]
    pub fn setup(self, setup: Value) -> Self {
        Self { setup, ..self }
    }

    /// The worker enters this sandbox before it opens its tool; by default none. Its limit of memory is that of
    /// [`memory`](Self::memory). What the kernel lacks of a sandbox, [`Sandbox::probe`] says.
    #[must_use]
    pub fn sandbox(self, sandbox: Option<Sandbox>) -> Self {
        Self { sandbox, ..self }
    }

    /// Limits the memory of the worker, in bytes: its address space on Unix, the memory that it commits on Windows. `None` is
    /// without limit.
    #[must_use]
    pub fn memory(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }

    /// The maximum size of a result, in bytes.
    #[must_use]
    pub fn reply(self, reply: usize) -> Self {
        Self { reply, ..self }
    }

    /// How long a worker may take to start.
    #[must_use]
    pub fn start_within(self, start: Duration) -> Self {
        Self { start, ..self }
    }

    pub(crate) fn told(&self) -> &Value {
        &self.setup
    }

    /// Starts it.
    pub(crate) fn spawn(&self) -> io::Result<(Process, Stream, PipeWriter)> {
        system::spawn(&Launch {
            executable: &self.executable,
            arguments: &self.arguments,
            variable: (VARIABLE, &self.name),
            hidden: &self.hidden,
            memory: self.memory,
        })
    }
}

//! What is started as a worker. Workers are started by one thread that never ends, because on Linux a worker is killed
//! when the thread that started it ends.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use opentool_sandbox::Sandbox;
use serde_json::Value;

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

    /// Limits the memory of the worker, in bytes of address space. `None` is without limit.
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

    /// Starts it. Its standard input is the other end of the stream, and its standard output that of the pipe, until it has
    /// moved them away; what it prints before is lost. It is in a process group of its own, which is killed with it.
    pub(crate) fn spawn(&self) -> io::Result<(Child, UnixStream, PipeWriter)> {
        let (ours, theirs) = UnixStream::pair()?;
        let (reader, pipe) = io::pipe()?;
        let mut command = Command::new(&self.executable);
        command
            .args(&self.arguments)
            .env(VARIABLE, &self.name)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(reader))
            .stderr(Stdio::inherit())
            .process_group(0);
        for variable in &self.hidden {
            command.env_remove(variable);
        }
        let child = on_spawner(move || command.spawn())?;
        ours.set_nonblocking(true)?;
        Ok((child, ours, pipe))
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// Runs `work` on the thread that starts workers.
fn on_spawner<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    static SPAWNER: OnceLock<Mutex<mpsc::Sender<Job>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Job>();
        // If the system has no thread, the sender has no receiver, and no worker starts.
        let _ = std::thread::Builder::new().name("workers".to_owned()).spawn(move || {
            jobs.into_iter().for_each(|job| job());
        });
        Mutex::new(sender)
    });
    let ended = || io::Error::other("the thread that starts workers ended");
    let (sender, result) = mpsc::sync_channel(1);
    let job: Job = Box::new(move || drop(sender.send(work())));
    spawner.lock().unwrap_or_else(PoisonError::into_inner).send(job).map_err(|_| ended())?;
    result.recv().map_err(|_| ended())?
}

//! The pool of worker processes that scripts share, and its settings.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use opentool::ToolError;
use opentool_sandbox::Allowed;

use super::confined::{Confined, Launcher, Wanted};
use super::process::{Lost, Process};
use crate::{Interpreter, PythonMissing};

/// The default maximum size of a result, the same as that of an `Executor`.
const OUTPUT: usize = 64 << 20;
/// The default memory limit: more than Python needs with many modules, less than a runaway script would take.
const MEMORY: u64 = 4 << 30;

/// Python processes that run scripts, shared by all tools that get clones of this value.
///
/// A process is started when it is first needed, and ends when the last clone is dropped. Each process runs one call at
/// a time and loads the scripts that it runs. Scripts in the same process see what others leave in imported modules, in
/// the environment or on disk, so scripts that must not affect each other need different `Workers`, as
/// [`PythonTool::load`](crate::PythonTool::load) gives them.
#[derive(Clone)]
pub struct Workers {
    pool: Arc<Pool>,
}

/// The settings of [`Workers`].
#[derive(Clone, Debug)]
#[must_use = "call `build` to make the workers"]
pub struct WorkersBuilder {
    interpreter: Option<Interpreter>,
    size: usize,
    output_limit: usize,
    memory_limit: Option<u64>,
    module_folders: Vec<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    current_folder: Option<PathBuf>,
    sandbox: Option<Wanted>,
}

/// The settings of every process of a pool.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) interpreter: Interpreter,
    pub(super) output_limit: usize,
    pub(super) memory_limit: Option<u64>,
    pub(super) module_folders: Vec<PathBuf>,
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) current_folder: Option<PathBuf>,
    pub(super) confined: Option<Confined>,
}

pub(super) struct Pool {
    pub(super) settings: Settings,
    size: usize,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Process>,
    /// The number of processes that run calls.
    busy: usize,
}

impl Workers {
    /// One process, with the default settings of [`WorkersBuilder`].
    ///
    /// # Errors
    ///
    /// [`PythonMissing`] if no suitable Python was found.
    pub fn new() -> Result<Self, PythonMissing> {
        Self::builder().build()
    }

    /// The default settings.
    pub fn builder() -> WorkersBuilder {
        WorkersBuilder {
            interpreter: None,
            size: 1,
            output_limit: OUTPUT,
            memory_limit: Some(MEMORY),
            module_folders: Vec::new(),
            environment: Vec::new(),
            current_folder: None,
            sandbox: None,
        }
    }

    /// The Python interpreter of the processes.
    #[must_use]
    pub fn interpreter(&self) -> &Interpreter {
        &self.pool.settings.interpreter
    }

    /// The error with the flag that allows what the sandbox, if any, kept from the script.
    pub(crate) fn explained(&self, error: ToolError, arguments: &str) -> ToolError {
        let Some(Confined { sandbox, .. }) = &self.pool.settings.confined else { return error };
        match error {
            ToolError::CallFailed { code, message, details } => {
                let message = sandbox.explained(message, arguments.as_bytes());
                ToolError::CallFailed { code, message, details }
            }
            other => other,
        }
    }

    pub(super) fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }
}

impl WorkersBuilder {
    /// Sets the Python interpreter. The default is that of [`Interpreter::find`].
    pub fn interpreter(self, interpreter: Interpreter) -> Self {
        Self { interpreter: Some(interpreter), ..self }
    }

    /// Sets the maximum number of processes, and so of simultaneous calls. The default and the minimum are 1. Further calls
    /// wait, within their time limit.
    pub fn size(self, processes: usize) -> Self {
        Self { size: processes.max(1), ..self }
    }

    /// Sets the maximum size of a result, in bytes. The default is 64 MiB.
    pub fn output_limit(self, bytes: usize) -> Self {
        Self { output_limit: bytes, ..self }
    }

    /// Sets the maximum address space of a process, in bytes; `None` is unlimited. The default is 4 GiB. Beyond it Python
    /// raises `MemoryError`. macOS does not enforce the limit.
    pub fn memory_limit(self, bytes: Option<u64>) -> Self {
        Self { memory_limit: bytes, ..self }
    }

    /// Adds a folder in which scripts find modules, before those of Python.
    pub fn module_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.module_folders.push(folder.into());
        self
    }

    /// Passes an environment variable of the host to scripts, if it is set.
    ///
    /// By default they get only [a few](Self::environment).
    pub fn inherit(self, name: impl Into<OsString>) -> Self {
        let name = name.into();
        match std::env::var_os(&name) {
            Some(value) => self.environment(name, value),
            None => self,
        }
    }

    /// Sets an environment variable for scripts. Of the variables of the host they get only those that Python and other
    /// programs need, such as `PATH`, `HOME`, `LANG`, `TZ` and `TMPDIR`, so the keys of a server are not visible to them.
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Sets the current folder of every call. The default is that of the host.
    pub fn current_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { current_folder: Some(folder.into()), ..self }
    }

    /// Runs scripts in a sandbox, which `launcher` enters. By default they can do what the user of the host can do.
    ///
    /// In the sandbox they read Python and its modules, the module folders and the system's libraries and data, and what is
    /// allowed. The limit of memory is [`memory_limit`](Self::memory_limit). [`Sandbox::probe`](opentool_sandbox::Sandbox::probe)
    /// says what this kernel lacks of a sandbox.
    pub fn sandbox(self, allowed: Allowed, launcher: Launcher) -> Self {
        Self { sandbox: Some(Wanted { allowed, launcher }), ..self }
    }

    /// Finds Python, unless it is set. No process is started yet.
    ///
    /// # Errors
    ///
    /// [`PythonMissing`] if no suitable Python was found.
    pub fn build(self) -> Result<Workers, PythonMissing> {
        let interpreter = self.interpreter.map_or_else(Interpreter::find, Ok)?;
        // A worker may start in another folder, so relative paths are resolved here.
        let absolute = |folder: PathBuf| std::path::absolute(&folder).unwrap_or(folder);
        let module_folders: Vec<PathBuf> = self.module_folders.into_iter().map(absolute).collect();
        let confined = self.sandbox.map(|wanted| wanted.of(&interpreter, &module_folders, self.memory_limit));
        let settings = Settings {
            interpreter,
            output_limit: self.output_limit,
            memory_limit: self.memory_limit,
            module_folders,
            environment: self.environment,
            current_folder: self.current_folder,
            confined,
        };
        let (state, freed) = (Mutex::default(), Condvar::new());
        Ok(Workers { pool: Arc::new(Pool { settings, size: self.size, state, freed }) })
    }
}

impl Pool {
    /// Takes a process for exclusive use, until [`Pool::put_back`].
    ///
    /// A nested call does not wait for a free process, because the calls that use them may wait for it. It gets an
    /// additional process.
    pub(super) fn take(&self, is_nested: bool, until: Instant) -> Result<Process, Lost> {
        let mut state = self.state();
        loop {
            if let Some(mut process) = state.idle.pop() {
                if process.is_idle() {
                    state.busy += 1;
                    return Ok(process);
                }
                continue;
            }
            if is_nested || state.busy < self.size {
                state.busy += 1;
                drop(state);
                return Process::start(&self.settings).inspect_err(|_| self.leave(None));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Lost::TimedOut);
            }
            state = self.freed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns a process from [`Pool::take`]. A process that has ended is dropped.
    pub(super) fn put_back(&self, process: Process) {
        if process.can_go_on() {
            self.leave(Some(process));
        } else {
            self.leave(None);
        }
    }

    /// Counts a process from [`Pool::take`] as lost.
    pub(super) fn give_up(&self) {
        self.leave(None);
    }

    fn leave(&self, process: Option<Process>) {
        let mut state = self.state();
        state.busy -= 1;
        let surplus = match process {
            Some(process) if state.idle.len() + state.busy < self.size => {
                state.idle.push(process);
                None
            }
            other => other,
        };
        drop(state);
        self.freed.notify_one();
        // Ending a process takes time; it is dropped outside of the lock.
        drop(surplus);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.pool.state();
        f.debug_struct("Workers")
            .field("settings", &self.pool.settings)
            .field("size", &self.pool.size)
            .field("idle", &state.idle.len())
            .field("busy", &state.busy)
            .finish()
    }
}

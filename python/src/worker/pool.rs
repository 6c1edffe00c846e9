//! The workers that scripts share: how they are set up, who has one now, and how many there are.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::process::{Lost, Process};
use crate::{Interpreter, PythonMissing};

/// 64 MiB, as an `Executor` allows.
const OUTPUT: usize = 64 << 20;
/// Python with much loaded takes less; a script that runs away takes more.
const MEMORY: u64 = 4 << 30;

/// Python processes that run scripts, shared by all tools that are given clones of this value.
///
/// A process is started when it is first needed, and ends when the last clone is dropped. With more
/// than one, as many calls run at a time; each process loads the scripts that it is asked to run.
/// What a script leaves in the modules that it imports, in the environment or on the disk, other
/// scripts of the same process see. So scripts that should not know of each other get `Workers` of
/// their own, as [`PythonTool::load`](crate::PythonTool::load) gives them.
#[derive(Clone)]
pub struct Workers {
    pool: Arc<Pool>,
}

/// Sets up [`Workers`].
#[derive(Clone, Debug)]
#[must_use = "workers are made by `build`"]
pub struct WorkersBuilder {
    interpreter: Option<Interpreter>,
    size: usize,
    output_limit: usize,
    memory_limit: Option<u64>,
    module_folders: Vec<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    current_folder: Option<PathBuf>,
}

/// What every process of a pool has.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) interpreter: Interpreter,
    pub(super) output_limit: usize,
    pub(super) memory_limit: Option<u64>,
    pub(super) module_folders: Vec<PathBuf>,
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) current_folder: Option<PathBuf>,
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
    /// Those that run calls.
    busy: usize,
}

impl Workers {
    /// One process, with the settings that [`WorkersBuilder`] starts with.
    ///
    /// # Errors
    ///
    /// [`PythonMissing`] if there is no Python.
    pub fn new() -> Result<Self, PythonMissing> {
        Self::builder().build()
    }

    /// Workers to be set up.
    pub fn builder() -> WorkersBuilder {
        WorkersBuilder {
            interpreter: None,
            size: 1,
            output_limit: OUTPUT,
            memory_limit: Some(MEMORY),
            module_folders: Vec::new(),
            environment: Vec::new(),
            current_folder: None,
        }
    }

    /// The Python that the processes run.
    #[must_use]
    pub fn interpreter(&self) -> &Interpreter {
        &self.pool.settings.interpreter
    }

    pub(super) fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }
}

impl WorkersBuilder {
    /// The Python to run. Otherwise it is that of [`Interpreter::find`].
    pub fn interpreter(self, interpreter: Interpreter) -> Self {
        Self { interpreter: Some(interpreter), ..self }
    }

    /// How many processes there may be, and so how many calls at a time: at least one, which it is
    /// without this. Other calls wait, within their deadline.
    pub fn size(self, processes: usize) -> Self {
        Self { size: processes.max(1), ..self }
    }

    /// How many bytes a result may have: 64 MiB without this.
    pub fn output_limit(self, bytes: usize) -> Self {
        Self { output_limit: bytes, ..self }
    }

    /// How much address space a process may have, in bytes: 4 GiB without this, and no limit for
    /// `None`. Beyond it Python raises `MemoryError`. macOS does not keep the limit.
    pub fn memory_limit(self, bytes: Option<u64>) -> Self {
        Self { memory_limit: bytes, ..self }
    }

    /// One more folder in which scripts find modules to import, before those of Python.
    pub fn module_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.module_folders.push(folder.into());
        self
    }

    /// An environment variable of the host that scripts are to see, if it is set.
    ///
    /// Without it they see [few](Self::environment).
    pub fn inherit(self, name: impl Into<OsString>) -> Self {
        let name = name.into();
        match std::env::var_os(&name) {
            Some(value) => self.environment(name, value),
            None => self,
        }
    }

    /// An environment variable. Of those of the host the processes have only what Python and the
    /// programs that it starts need to find their way: `PATH`, `HOME`, `LANG`, `TZ`, `TMPDIR` and the
    /// like. The keys of a server are not for scripts.
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// The folder that every call begins in. Otherwise it is that of the host.
    pub fn current_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { current_folder: Some(folder.into()), ..self }
    }

    /// Looks for Python, where none was given. Nothing is started yet.
    ///
    /// # Errors
    ///
    /// [`PythonMissing`] if there is none.
    pub fn build(self) -> Result<Workers, PythonMissing> {
        let interpreter = self.interpreter.map_or_else(Interpreter::find, Ok)?;
        // A worker may begin in another folder than the one that a relative path is meant from.
        let absolute = |folder: PathBuf| std::path::absolute(&folder).unwrap_or(folder);
        let settings = Settings {
            interpreter,
            output_limit: self.output_limit,
            memory_limit: self.memory_limit,
            module_folders: self.module_folders.into_iter().map(absolute).collect(),
            environment: self.environment,
            current_folder: self.current_folder,
        };
        let (state, freed) = (Mutex::default(), Condvar::new());
        Ok(Workers { pool: Arc::new(Pool { settings, size: self.size, state, freed }) })
    }
}

impl Pool {
    /// A process that nobody else has, for as long as [`Pool::put_back`] is not called.
    ///
    /// A call that is made during a call does not wait for those of others, who may wait for it:
    /// it gets one process more.
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

    /// The end of what [`Pool::take`] began. A process that is gone is not kept.
    pub(super) fn put_back(&self, process: Process) {
        if process.can_go_on() {
            self.leave(Some(process));
        } else {
            self.leave(None);
        }
    }

    /// The same, for a process that is lost to the pool.
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
        // To end a process takes a while, and others need not wait for that.
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

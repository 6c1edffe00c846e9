//! A script as a tool.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::value::RawValue;

use super::script::{Source, Version};
use super::worker::{self, LogLine, Running, Sink, Target, Workers};
use super::{Peers, PythonError, conform};
use opentool::{Map, OpenTool, Tool, ToolError, Value};

/// As an `Executor` allows.
const DEADLINE: Duration = Duration::from_secs(60);
/// How deep tools may call each other.
const DEPTH: usize = 16;
/// How much a call may log.
const LOG: usize = 1 << 20;

/// A Python script with one public function, as a tool.
///
/// The result of a call is what the script returned: an object of `success`, which is true,
/// `message` and `data`. Where `success` is false, the call fails with the script's message; where
/// the script raises, with the file, the line and the error. The script runs in a process of
/// [`Workers`], which is replaced if the script is the end of it, and it is read again when its
/// file has changed.
///
/// ```no_run
/// use opentool::Tool;
/// use opentool_python::PythonTool;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tool = PythonTool::load("cpu.py")?;
/// let reply = tool.call_json("execute", r#"{"cluster": "north"}"#)?;
/// # Ok(())
/// # }
/// ```
pub struct PythonTool {
    source: Source,
    workers: Workers,
    /// Its number among the scripts of all workers.
    number: u64,
    settings: Settings,
    path: String,
}

/// What calls of one script have.
#[derive(Clone)]
struct Settings {
    deadline: Duration,
    depth_limit: usize,
    log_limit: usize,
    sink: Sink,
    globals: Map<String, Value>,
    peers: Peers,
}

/// Sets up a [`PythonTool`].
#[must_use = "a tool is made by `build`"]
pub struct PythonToolBuilder {
    path: PathBuf,
    workers: Option<Workers>,
    document: Option<OpenTool>,
    function: Option<String>,
    settings: Settings,
}

impl PythonTool {
    /// A script with a worker of its own, and the settings that [`PythonToolBuilder`] starts with.
    ///
    /// # Errors
    ///
    /// [`PythonError`] says why it cannot be a tool.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, PythonError> {
        Self::builder(path).build()
    }

    /// A script to be set up.
    pub fn builder(path: impl AsRef<Path>) -> PythonToolBuilder {
        let settings = Settings {
            deadline: DEADLINE,
            depth_limit: DEPTH,
            log_limit: LOG,
            sink: worker::to_stderr(),
            globals: Map::new(),
            peers: Peers::new(),
        };
        let path = path.as_ref().to_owned();
        PythonToolBuilder { path, workers: None, document: None, function: None, settings }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    fn run(&self, version: &Version, name: &str, arguments: &RawValue) -> Result<Box<RawValue>, ToolError> {
        let file = self.source.name();
        let settings = &self.settings;
        let running = Running {
            script: self.number,
            version: version.number,
            path: &self.path,
            name: file,
            source: &version.source,
            entry: &version.entry,
            globals: &settings.globals,
            function: name,
            deadline: settings.deadline,
            depth: settings.depth_limit,
            log: Target { script: file.into(), sink: Arc::clone(&settings.sink), limit: settings.log_limit },
        };
        let reach = |names: &[String], arguments: &str| settings.peers.call(names, arguments);
        worker::call(&self.workers, &running, arguments, &reach)
    }
}

impl Tool for PythonTool {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        let version = self.source.now()?;
        let Some(function) = version.document.function(name) else {
            let known = version.document.functions.iter().map(|function| function.name.as_str());
            return Err(ToolError::unknown_function(name, known));
        };
        let refused = |error: &dyn fmt::Display| {
            ToolError::invalid_arguments("", format!("not a JSON object: {error}"))
        };
        let text = std::str::from_utf8(arguments).map_err(|error| refused(&error))?;
        let given: Map<String, Value> = serde_json::from_str(text).map_err(|error| refused(&error))?;
        if version.is_binding {
            conform::arguments(&given, function, &version.document)?;
        }
        // As it was written, so that no number is rounded.
        let arguments: &RawValue = serde_json::from_str(text).map_err(|error| refused(&error))?;
        let result = self.run(&version, name, arguments)?;
        if version.is_binding
            && let Some(returns) = &function.returns
        {
            let failed =
                |why: &dyn fmt::Display| ToolError::call_failed(format!("{}: {why}", self.source.name()));
            let returned: Value = serde_json::from_str(result.get()).map_err(|error| failed(&error))?;
            conform::data(&returned["data"], &returns.schema, &version.document)
                .map_err(|why| failed(&why))?;
        }
        out.extend_from_slice(result.get().as_bytes());
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        Some(self.source.document())
    }
}

impl PythonToolBuilder {
    /// The processes that run the script. Without this it has one of its own.
    pub fn workers(self, workers: &Workers) -> Self {
        Self { workers: Some(workers.clone()), ..self }
    }

    /// The document that describes the script, instead of one beside it or what can be told from
    /// it. It has one function, whose return value, if it says one, is called `data`.
    pub fn document(self, document: OpenTool) -> Self {
        Self { document: Some(document), ..self }
    }

    /// What the function is called outside, if not as in the script. Many scripts have an
    /// `execute`, and the tools of a set need names of their own.
    pub fn named(self, function: impl Into<String>) -> Self {
        Self { function: Some(function.into()), ..self }
    }

    /// How long a call may take, with all that it calls: a minute without this. After that the
    /// worker is ended, and with it everything that runs there.
    pub fn deadline(mut self, limit: Duration) -> Self {
        self.settings.deadline = limit;
        self
    }

    /// How deep tools may call each other until this script is not called any more: 16 without this.
    pub fn depth_limit(mut self, calls: usize) -> Self {
        self.settings.depth_limit = calls.max(1);
        self
    }

    /// How many bytes of what a call prints are logged: 1 MiB without this. The rest is counted and
    /// dropped.
    pub fn log_limit(mut self, bytes: usize) -> Self {
        self.settings.log_limit = bytes;
        self
    }

    /// A name that the script finds defined.
    pub fn global(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.settings.globals.insert(name.into(), value.into());
        self
    }

    /// Who takes what the script prints, line by line. Without this it goes to the standard error
    /// of the host.
    pub fn log(mut self, sink: impl Fn(LogLine<'_>) + Send + Sync + 'static) -> Self {
        self.settings.sink = Arc::new(sink);
        self
    }

    /// The tools that the script can call.
    pub fn peers(mut self, peers: &Peers) -> Self {
        self.settings.peers = peers.clone();
        self
    }

    /// Reads, checks and describes the script. Nothing of it runs yet.
    ///
    /// # Errors
    ///
    /// [`PythonError`] says why it cannot be a tool.
    pub fn build(self) -> Result<PythonTool, PythonError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let workers = self.workers.map_or_else(Workers::new, Ok).map_err(PythonError::Missing)?;
        let interpreter = workers.interpreter().clone();
        let source = Source::read(&self.path, interpreter, self.document, self.function)?;
        let path = source.path().to_string_lossy().into_owned();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Ok(PythonTool { source, workers, number, settings: self.settings, path })
    }
}

impl fmt::Debug for PythonTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PythonTool").field("path", &self.path).finish_non_exhaustive()
    }
}

impl fmt::Debug for PythonToolBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PythonToolBuilder").field("path", &self.path).finish_non_exhaustive()
    }
}

//! A script as a tool.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::value::RawValue;

use super::script::{Source, Version};
use super::worker::{self, LogLine, Running, Sink, Target, Workers};
use super::{Peers, PythonError};
use opentool::{CallContext, Deadline, Map, OpenTool, Tool, ToolError, Value, conform};

/// The default time limit of a call, the same as that of an `Executor`.
const DEADLINE: Duration = Duration::from_secs(60);
/// The default limit of how deep tools may call each other.
const DEPTH: usize = 16;
/// The default limit of what a call may log, in bytes.
const LOG: usize = 1 << 20;

/// A Python script with one public function, as a tool.
///
/// The result of a call is what the script returns: an object with `success`, which is true, `message` and `data`. If
/// `success` is false, the call fails with the script's message; if the script raises, with the file, the line and the
/// error. The script runs in a process of [`Workers`], which is replaced if the script ends it. The script is read
/// again when its file has changed.
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
    /// The unique number of the script.
    number: u64,
    settings: Settings,
    path: String,
}

/// The settings of calls.
#[derive(Clone)]
struct Settings {
    deadline: Duration,
    depth_limit: usize,
    log_limit: usize,
    sink: Sink,
    globals: Map<String, Value>,
    peers: Peers,
}

/// The settings of a [`PythonTool`].
#[must_use = "call `build` to make the tool"]
pub struct PythonToolBuilder {
    path: PathBuf,
    workers: Option<Workers>,
    document: Option<OpenTool>,
    function: Option<String>,
    is_fixed: bool,
    settings: Settings,
}

impl PythonTool {
    /// A script with its own worker and the default settings of [`PythonToolBuilder`].
    ///
    /// # Errors
    ///
    /// [`PythonError`] says why it cannot be a tool.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, PythonError> {
        Self::builder(path).build()
    }

    /// The settings for a script.
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
        PythonToolBuilder { path, workers: None, document: None, function: None, is_fixed: false, settings }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    fn run(
        &self,
        context: &CallContext,
        version: &Version,
        name: &str,
        arguments: &RawValue,
    ) -> Result<Box<RawValue>, ToolError> {
        let file = self.source.name();
        let settings = &self.settings;
        let own = Deadline { limit: settings.deadline, until: worker::after(settings.deadline) };
        let deadline = context.deadline().filter(|outer| outer.until < own.until).unwrap_or(own);
        let running = Running {
            script: self.number,
            version: version.number,
            path: &self.path,
            name: file,
            source: &version.source,
            entry: &version.entry,
            globals: &settings.globals,
            function: name,
            deadline,
            context,
            depth: settings.depth_limit,
            log: Target { script: file.into(), sink: Arc::clone(&settings.sink), limit: settings.log_limit },
        };
        let reach = |names: &[String], arguments: &str| {
            // Of the same caller, whose handles they may use; they end with this call.
            let inner = CallContext::new(context.caller().clone(), Some(deadline)).reporting_as(context);
            let end = inner.clone();
            let _guard = context.on_cancel(move || end.cancel());
            settings.peers.call(&inner, names, arguments)
        };
        worker::call(&self.workers, &running, arguments, &reach)
            .map_err(|error| self.workers.explained(error, arguments.get()))
    }
}

impl Tool for PythonTool {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_for(&CallContext::default(), name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
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
        // The text is not parsed into values, so that no number is rounded.
        let arguments: &RawValue = serde_json::from_str(text).map_err(|error| refused(&error))?;
        let result = self.run(context, &version, name, arguments)?;
        if version.is_binding
            && let Some(returns) = &function.returns
        {
            let failed =
                |why: &dyn fmt::Display| ToolError::call_failed(format!("{}: {why}", self.source.name()));
            let returned: Value = serde_json::from_str(result.get()).map_err(|error| failed(&error))?;
            conform::member("data", &returned["data"], &returns.schema, &version.document)
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
    /// Sets the processes that run the script. By default it has its own.
    pub fn workers(self, workers: &Workers) -> Self {
        Self { workers: Some(workers.clone()), ..self }
    }

    /// Sets the document that describes the script. By default it is the one beside the script, or derived from the script.
    /// It must have one function, whose return value, if any, is called `data`.
    pub fn document(self, document: OpenTool) -> Self {
        Self { document: Some(document), ..self }
    }

    /// Sets the public name of the function. Many scripts call it `execute`, but the functions of a set need different
    /// names.
    pub fn named(self, function: impl Into<String>) -> Self {
        Self { function: Some(function.into()), ..self }
    }

    /// Reads the script only once. By default it is read again at the first call after its file has changed.
    pub fn read_once(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    /// Sets the time limit of a call, including the calls that it makes. The default is one minute. After that the worker
    /// is killed, with everything that runs in it.
    pub fn deadline(mut self, limit: Duration) -> Self {
        self.settings.deadline = limit;
        self
    }

    /// Sets how deep tools may call each other before this script refuses to run. The default is 16.
    pub fn depth_limit(mut self, calls: usize) -> Self {
        self.settings.depth_limit = calls.max(1);
        self
    }

    /// Sets how many bytes of the output of a call are logged. The default is 1 MiB. The rest is counted and dropped.
    pub fn log_limit(mut self, bytes: usize) -> Self {
        self.settings.log_limit = bytes;
        self
    }

    /// Defines a global variable of the script.
    pub fn global(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.settings.globals.insert(name.into(), value.into());
        self
    }

    /// Sets the function that receives the output of the script, line by line. By default it goes to standard error.
    pub fn log(mut self, sink: impl Fn(LogLine<'_>) + Send + Sync + 'static) -> Self {
        self.settings.sink = Arc::new(sink);
        self
    }

    /// Sets the tools that the script can call.
    pub fn peers(mut self, peers: &Peers) -> Self {
        self.settings.peers = peers.clone();
        self
    }

    /// Reads, checks and describes the script. It does not run yet.
    ///
    /// # Errors
    ///
    /// [`PythonError`] says why it cannot be a tool.
    pub fn build(self) -> Result<PythonTool, PythonError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let workers = self.workers.map_or_else(Workers::new, Ok).map_err(PythonError::Missing)?;
        let interpreter = workers.interpreter().clone();
        let source = Source::read(&self.path, interpreter, self.document, self.function)?;
        let source = if self.is_fixed { source.fixed() } else { source };
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

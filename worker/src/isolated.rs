//! A tool of a Rust program, in a worker.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use opentool::{CallContext, Caller, Measure, OpenTool, Tool, ToolError};

use crate::child::serve;
use crate::program::{Program, is_worker};
use crate::sessions::Sessions;

/// A tool whose calls run in a process of its own: this program, started again.
///
/// Whatever the tool does there costs at most the call, and the handles of its caller. A deadline and a cancelled call end
/// in a kill, unless the tool [can end](Tool::can_cancel) its call within a second.
pub struct Isolated<T> {
    sessions: Option<Sessions>,
    tool: PhantomData<fn() -> T>,
}

impl<T: Tool> Isolated<T> {
    /// Starts the worker `name` with the tool that `open` returns there.
    ///
    /// Call it first in `main`, with a name that no other one has: the worker is this program with the same arguments, which
    /// gets here again, serves calls, and does not return. Whatever is done before is done in the worker too.
    ///
    /// # Errors
    ///
    /// The worker cannot be started, or `open` fails in it.
    pub fn start(name: &str, open: impl FnOnce() -> Result<T, ToolError>) -> Result<Self, ToolError> {
        Self::with(name, |program| program, open)
    }

    /// Like [`Isolated::start`], with limits or other settings of the program.
    ///
    /// # Errors
    ///
    /// As for [`Isolated::start`].
    pub fn with(
        name: &str,
        settings: impl FnOnce(Program) -> Program,
        open: impl FnOnce() -> Result<T, ToolError>,
    ) -> Result<Self, ToolError> {
        match is_worker() {
            Some(own) if own == name => {
                let _ = serve(|_| open());
                std::process::exit(0);
            }
            // The worker of another tool of this program: it needs only its own.
            Some(_) => return Ok(Self { sessions: None, tool: PhantomData }),
            None => {}
        }
        let program = Program::this(name)
            .map_err(|error| ToolError::WorkerDied { reason: format!("this program: {error}") })?;
        let program = settings(program.arguments(std::env::args_os().skip(1)));
        let sessions = Sessions::start(program, 16, Duration::from_secs(900))?;
        Ok(Self { sessions: Some(sessions), tool: PhantomData })
    }

    fn sessions(&self) -> Result<&Sessions, ToolError> {
        self.sessions
            .as_ref()
            .ok_or_else(|| ToolError::call_failed("this process is the worker of another tool"))
    }
}

impl<T: Tool> Tool for Isolated<T> {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.sessions()?.call_into(name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.sessions()?.call_for(context, name, arguments, out)
    }

    fn leave(&self, caller: &Caller) {
        if let Some(sessions) = &self.sessions {
            sessions.leave(caller);
        }
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        if let Some(sessions) = &self.sessions {
            sessions.measure(note);
        }
    }

    fn load(&self) -> Option<OpenTool> {
        self.sessions.as_ref()?.load()
    }
}

impl<T> fmt::Debug for Isolated<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Isolated").field("sessions", &self.sessions).finish_non_exhaustive()
    }
}

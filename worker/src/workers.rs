//! The choice between the two kinds of workers, which depends on whether callers have something to lose.

use std::time::Duration;

use opentool::{CallContext, Tool, ToolError};

use crate::child::Past;
use crate::pool::Pool;
use crate::program::Program;
use crate::sessions::Sessions;
use crate::worker::Worker;

/// How many workers a tool has.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// Those that all callers share, if the document of the tool has no handles.
    pub pool: usize,
    /// The callers that can have a worker of their own, if it has handles.
    pub sessions: usize,
    /// The time without a call after which such a worker is ended.
    pub idle: Duration,
}

impl Workers {
    /// Starts a first worker, which shows that the tool can be opened: [`Sessions`] if its document has handles, otherwise a
    /// [`Pool`].
    ///
    /// # Errors
    ///
    /// The worker cannot be started, or the tool cannot be opened.
    pub fn start(self, program: Program) -> Result<Box<dyn Tool + Send + Sync>, ToolError> {
        let first = Worker::start(&program, &Past::default(), &CallContext::default())?;
        if first.document().is_some_and(opentool::OpenTool::has_handles) {
            Ok(Box::new(Sessions::over(program, first, self.sessions, self.idle)))
        } else {
            Ok(Box::new(Pool::over(program, first, self.pool)))
        }
    }
}

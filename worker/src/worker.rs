//! A worker, seen from the process that started it.

use std::collections::BTreeSet;
use std::fmt;
use std::io::PipeWriter;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentool::{CallContext, OpenTool, ToolError};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::child::Past;
use crate::confined;
use crate::ended::{Ended, Why};
use crate::errors;
use crate::exchange::{Cancel, Exchange, Unheard};
use crate::frame::{Kind, Nonces, frame};
use crate::program::Program;
use crate::system::{Process, Stream};

/// How long a worker whose descriptor is closed may take to end.
const ENDING: Duration = Duration::from_millis(500);

/// Why a call has no result.
#[derive(Clone, Debug)]
pub enum CallError {
    /// The tool says so; the worker goes on.
    Tool(ToolError),
    /// The worker is gone.
    Ended(Ended),
}

impl CallError {
    /// The error for the caller.
    #[must_use]
    pub fn into_error(self) -> ToolError {
        match self {
            Self::Tool(error) => error,
            Self::Ended(ended) => ended.error(),
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(error) => error.fmt(f),
            Self::Ended(ended) => ended.fmt(f),
        }
    }
}

/// A process that makes calls, one at a time. It is killed when this is dropped, with the processes that it has started, unless
/// they have left its process group (Unix) or were started by another process for it.
#[derive(Debug)]
pub struct Worker {
    process: Process,
    stream: Arc<Stream>,
    /// Calls are cancelled through it.
    pipe: Arc<PipeWriter>,
    /// The functions whose calls the tool can end.
    cancels: BTreeSet<String>,
    nonces: Nonces,
    reply: usize,
    document: Option<OpenTool>,
    /// As it said in its last reply.
    handles: u32,
    is_gone: bool,
}

impl Worker {
    /// Starts a worker, and waits until it has opened its tool.
    ///
    /// # Errors
    ///
    /// The process cannot be started, the tool cannot be opened, or that takes too long.
    pub fn start(program: &Program, past: &Past, context: &CallContext) -> Result<Self, ToolError> {
        let (process, stream, pipe) = program.spawn().map_err(|error| ToolError::WorkerDied {
            reason: format!("the worker could not be started: {error}"),
        })?;
        let mut worker = Self {
            process,
            stream: Arc::new(stream),
            pipe: Arc::new(pipe),
            cancels: BTreeSet::new(),
            nonces: Nonces::new(),
            reply: program.reply,
            document: None,
            handles: 0,
            is_gone: false,
        };
        let opening = json!({
            "memory": program.memory,
            "sandbox": confined::to_json(program.sandbox.as_ref()),
            "reply": program.reply,
            "past": past.to_json(),
            "setup": program.told(),
        });
        let until = Instant::now() + program.start;
        let limit = context.deadline().filter(|deadline| deadline.until < until);
        let limit = limit.map_or((until, program.start), |deadline| (deadline.until, deadline.limit));
        let body = opening.to_string();
        let opened = worker.exchange(context, Some(limit), "start", Kind::Open, &[body.as_bytes()]);
        let reply = opened.map_err(|error| match error {
            CallError::Tool(error) => error,
            // The time of the call is over.
            CallError::Ended(ended @ Ended { why: Why::TimedOut(_), .. }) if limit.0 < until => ended.error(),
            CallError::Ended(ended @ Ended { why: Why::Cancelled, .. }) => ended.error(),
            CallError::Ended(Ended { why: Why::TimedOut(_), .. }) => ToolError::WorkerDied {
                reason: format!("the worker did not start within {} ms", limit.1.as_millis()),
            },
            CallError::Ended(ended) => {
                ToolError::WorkerDied { reason: format!("the worker did not start: {ended}") }
            }
        })?;
        let broken = |_| ToolError::WorkerDied { reason: "the worker did not start: no document".to_owned() };
        let document: Value = serde_json::from_slice(&reply).map_err(broken)?;
        if let Some(cancels) = document.get("cancels") {
            worker.cancels = serde_json::from_value(cancels.clone()).map_err(broken)?;
        }
        if let Some(document) = document.get("document").filter(|document| !document.is_null()) {
            worker.document = Some(serde_json::from_value(document.clone()).map_err(broken)?);
        }
        Ok(worker)
    }

    /// The document of its tool.
    #[must_use]
    pub fn document(&self) -> Option<&OpenTool> {
        self.document.as_ref()
    }

    /// How many handles it said that it has, in its last reply.
    #[must_use]
    pub fn handles(&self) -> u32 {
        self.handles
    }

    /// The id of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Calls `name`, and appends the result to `out`. After [`CallError::Ended`] the worker cannot be called again.
    ///
    /// # Errors
    ///
    /// The tool's own errors, and the end of the worker: its death, the deadline, or that the call was cancelled. If the tool
    /// has ended a call that was late or cancelled, that is an error of the tool, and the worker goes on.
    pub fn call(
        &mut self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), CallError> {
        let too_long = || CallError::Tool(ToolError::invalid_arguments("", "too long"));
        let length = u32::try_from(name.len()).map_err(|_| too_long())?.to_le_bytes();
        if arguments.len() > u32::MAX as usize - name.len() - length.len() {
            return Err(too_long());
        }
        let limit = context.deadline().map(|deadline| (deadline.until, deadline.limit));
        let kind = if context.is_watched() { Kind::Watched } else { Kind::Call };
        let reply = self.exchange(context, limit, name, kind, &[&length, name.as_bytes(), arguments])?;
        out.extend_from_slice(&reply);
        Ok(())
    }

    /// Sends a frame and waits for its reply, a JSON object.
    fn exchange(
        &mut self,
        context: &CallContext,
        limit: Option<(Instant, Duration)>,
        function: &str,
        kind: Kind,
        parts: &[&[u8]],
    ) -> Result<Vec<u8>, CallError> {
        let ended = |why| CallError::Ended(Ended { function: function.to_owned(), why });
        if self.is_gone {
            return Err(ended(Why::Closed));
        }
        let nonce = self.nonces.next();
        let request = frame(nonce, kind, 0, parts)
            .ok_or_else(|| CallError::Tool(ToolError::invalid_arguments("", "too long")))?;
        let cancel = self.cancels.contains(function).then(|| Cancel::new(nonce, Arc::clone(&self.pipe)));
        let (stream, ask) = (Arc::clone(&self.stream), cancel.clone());
        let cancelling = context.on_cancel(move || match ask {
            Some(cancel) => cancel.ask(),
            None => stream.shutdown(),
        });
        let until = limit.map(|at| at.0);
        let exchange = Exchange { stream: &self.stream, process: &self.process, until, cancel, context };
        let heard = exchange.run(&request, nonce, self.reply).map(|(kind, handles, reply)| {
            self.handles = handles;
            (kind, reply)
        });
        drop(cancelling);
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        let why = match heard {
            // It was asked to end, and has: the worker goes on. Whatever it says, its caller has waited long enough.
            Ok((Kind::Done | Kind::Failed, reply))
                if self.cancels.contains(function)
                    && (context.is_cancelled() || is_late())
                    && (is_object(&reply) || errors::read(&reply).is_some()) =>
            {
                let why = limit.filter(|_| is_late()).map_or(Why::Cancelled, |at| Why::TimedOut(at.1));
                return Err(CallError::Tool(Ended { function: function.to_owned(), why }.error()));
            }
            // Also where a reply came at the same time: the connection is closed. Whoever waits may have seen first that the
            // time is over.
            _ if context.is_cancelled() => match limit {
                Some((until, limit)) if Instant::now() >= until => Why::TimedOut(limit),
                _ => Why::Cancelled,
            },
            Ok((Kind::Done, reply)) if is_object(&reply) => return Ok(reply),
            Ok((Kind::Failed, reply)) => match errors::read(&reply) {
                Some(error) => return Err(CallError::Tool(error)),
                None => Why::Garbled("left the worker with an error that is none"),
            },
            Ok(_) => Why::Garbled("left the worker with a reply that is not a JSON object"),
            Err(Unheard::Late) => Why::TimedOut(limit.map_or(Duration::ZERO, |at| at.1)),
            Err(Unheard::Garbled(what)) => Why::Garbled(what),
            Err(Unheard::Closed { address }) => {
                let by_itself = self.ends_within(ENDING);
                let status = self.kill().filter(|_| by_itself);
                return Err(ended(status.map_or(Why::Closed, |status| Why::Died { status, address })));
            }
        };
        self.kill();
        Err(ended(why))
    }

    /// Whether its process runs and says nothing, as it must between two calls. One that has written to its descriptor or
    /// closed it would only fail the next call.
    pub(crate) fn is_alive(&self) -> bool {
        !self.is_gone && !self.process.has_ended() && self.stream.is_quiet()
    }

    /// Waits until it ends by itself.
    fn ends_within(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        let mut pause = Duration::from_micros(50);
        while !self.process.has_ended() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        true
    }

    /// Lets it free what its caller has left, and end. One that takes too long is killed.
    pub(crate) fn finish(self) {
        if !self.is_gone {
            self.stream.shutdown();
            self.ends_within(ENDING);
        }
    }

    /// Kills it, with the processes that it has started, and returns how it ended, if the system says so soon.
    fn kill(&mut self) -> Option<ExitStatus> {
        if std::mem::replace(&mut self.is_gone, true) {
            return None;
        }
        self.stream.shutdown();
        self.process.kill();
        if self.ends_within(Duration::from_secs(2)) {
            return self.process.status();
        }
        self.process.abandon();
        None
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Protocols copy a result into their replies unchanged, so that it must be what it should be.
fn is_object(reply: &[u8]) -> bool {
    let object = reply.starts_with(b"{") && reply.ends_with(b"}");
    object && serde_json::from_slice::<&RawValue>(reply).is_ok()
}

//! Workers that all callers share, for tools that keep nothing of a caller.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentool::{CallContext, Measure, OpenTool, Tool, ToolError};

use crate::child::Past;
use crate::confined::explained;
use crate::counts::Counts;
use crate::program::Program;
use crate::worker::{CallError, Worker};

/// How often a waiting call looks whether it is still wanted.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Workers that all callers share. Each makes one call at a time. A worker that ends is replaced when the next call needs
/// one.
#[derive(Debug)]
pub struct Pool {
    program: Program,
    size: usize,
    document: Option<OpenTool>,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The last one that was used is used first: its memory is warm.
    idle: Vec<Worker>,
    /// The functions that run or start, the oldest first.
    busy: Vec<String>,
    starts: BackOff,
    counts: Counts,
}

/// What keeps workers that do not start from being started all the time.
#[derive(Debug, Default)]
pub(crate) struct BackOff {
    failures: u32,
    last: Option<(Instant, ToolError)>,
}

impl BackOff {
    /// Refuses a start too soon after one that failed, with the error of that one.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        let pause = Duration::from_millis(10 << self.failures.min(9));
        match &self.last {
            Some((when, error)) if when.elapsed() < pause => Err(error.clone()),
            _ => Ok(()),
        }
    }

    pub(crate) fn note<T>(&mut self, started: &Result<T, ToolError>) {
        match started {
            Ok(_) => *self = Self::default(),
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                self.last = Some((Instant::now(), error.clone()));
            }
        }
    }
}

impl Pool {
    /// Starts a first worker, which shows that the tool can be opened. Up to `size` run at a time.
    ///
    /// # Errors
    ///
    /// The worker cannot be started, or the tool cannot be opened.
    pub fn start(program: Program, size: usize) -> Result<Self, ToolError> {
        let first = Worker::start(&program, &Past::default(), &CallContext::default())?;
        Ok(Self::over(program, first, size))
    }

    /// With a worker of the program that runs already.
    pub(crate) fn over(program: Program, first: Worker, size: usize) -> Self {
        let document = first.document().cloned();
        let mut state = State::default();
        state.counts.start(&Ok::<_, ToolError>(()));
        state.idle.push(first);
        Self { program, size: size.max(1), document, state: Mutex::new(state), freed: Condvar::new() }
    }

    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker, or the right to start one.
    fn take(&self, context: &CallContext, name: &str) -> Result<Option<Worker>, ToolError> {
        let mut state = self.lock();
        while state.idle.is_empty() && state.busy.len() >= self.size {
            context.waits_behind(state.busy.first().map(String::as_str));
            wanted(context)?;
            let (next, _) = self.freed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
        context.waits_behind(None);
        // One that ended while it was idle is not worth an error.
        while let Some(worker) = state.idle.pop() {
            if worker.is_alive() {
                state.busy.push(name.to_owned());
                return Ok(Some(worker));
            }
            state.counts.end("between_calls");
        }
        state.starts.check()?;
        state.busy.push(name.to_owned());
        Ok(None)
    }

    fn give_back(&self, name: &str, worker: Option<Worker>) {
        let mut state = self.lock();
        if let Some(index) = state.busy.iter().position(|busy| busy == name) {
            state.busy.remove(index);
        }
        state.idle.extend(worker);
        drop(state);
        self.freed.notify_one();
    }

    fn start_one(&self, context: &CallContext) -> Result<Worker, ToolError> {
        let started = start(&self.program, &Past::default(), context);
        let mut state = self.lock();
        state.counts.start(&started);
        if !context.is_cancelled() {
            state.starts.note(&started);
        }
        drop(state);
        started
    }
}

/// Starts a worker for a call. A call that waited for another one still waits for it, because that one ended its worker.
pub(crate) fn start(program: &Program, past: &Past, context: &CallContext) -> Result<Worker, ToolError> {
    context.waits_again();
    let started = Worker::start(program, past, context).map_err(|error| match (error, context.behind()) {
        (ToolError::TimedOut { limit_ms }, Some(behind)) => ToolError::NeverStarted { limit_ms, behind },
        (error, _) => error,
    })?;
    context.waits_behind(None);
    Ok(started)
}

/// An error if a waiting call has waited too long, or nobody waits for it.
pub(crate) fn wanted(context: &CallContext) -> Result<(), ToolError> {
    if context.is_cancelled() {
        return Err(ToolError::call_failed("it was cancelled"));
    }
    match (context.deadline(), context.behind()) {
        (Some(deadline), Some(behind)) if Instant::now() >= deadline.until => {
            Err(ToolError::NeverStarted { limit_ms: deadline.limit_ms(), behind })
        }
        _ => Ok(()),
    }
}

impl Tool for Pool {
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
        let worker = match self.take(context, name)? {
            Some(worker) => Ok(worker),
            None => self.start_one(context),
        };
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(error) => {
                self.give_back(name, None);
                return Err(error);
            }
        };
        let result = worker.call(context, name, arguments, out);
        let worker = match &result {
            Err(CallError::Ended(ended)) => {
                self.lock().counts.end(ended.why.word());
                None
            }
            _ => Some(worker),
        };
        self.give_back(name, worker);
        result.map_err(|error| explained(self.program.sandbox.as_ref(), error, arguments))
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        let state = self.lock();
        note(Measure::Workers, (state.idle.len() + state.busy.len()) as u64);
        state.counts.measure(note);
    }

    fn load(&self) -> Option<OpenTool> {
        self.document.clone()
    }
}

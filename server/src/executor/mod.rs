//! What runs the calls of every protocol: on threads of its own, within limits, one panic at a time.
//!
//! The server and MCP hand their calls to an [`Executor`] and know nothing of threads. `queue`
//! holds the calls that wait and the threads that take them.

mod queue;

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::oneshot;

use opentool::{OpenTool, Tool, ToolError};
use queue::{Job, Queue, Reply};

/// How much a call may take. A limit of an [`Executor`] counts for calls that are made after it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long a caller waits, from when the call is queued; `None` is for ever.
    pub deadline: Option<Duration>,
    /// How many bytes a result may have.
    pub output: usize,
    /// How many calls may wait for a thread.
    pub queue: usize,
}

impl Default for Limits {
    /// A minute, 64 MiB, and 1,024 calls.
    fn default() -> Self {
        Self { deadline: Some(Duration::from_secs(60)), output: 64 << 20, queue: 1024 }
    }
}

/// Runs the calls of a tool on threads of its own.
///
/// Clones share the threads. When the last of them is dropped, calls that were accepted still
/// run, and then the threads end and drop the tool.
///
/// A call that has begun cannot be stopped: after its deadline the caller has its
/// [`ToolError::TimedOut`], while the call runs on, keeps its thread, and its result is dropped.
///
/// ```
/// use opentool::MapTool;
/// use opentool_server::{Executor, Limits};
///
/// let echo = MapTool::new(|_, arguments| Ok(arguments.clone()));
/// let executor = Executor::serial(echo).with_limits(Limits { queue: 8, ..Limits::default() });
/// let reply = executor.call_blocking("echo", br#"{"a":1}"#.to_vec())?;
/// assert_eq!(reply, br#"{"a":1}"#);
/// # Ok::<(), opentool::ToolError>(())
/// ```
#[derive(Clone)]
pub struct Executor {
    threads: Arc<Threads>,
    limits: Limits,
}

/// What the clones share: the queue closes when they are gone.
struct Threads {
    queue: Arc<Queue>,
    document: Option<OpenTool>,
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Executor {
    /// One call at a time, on one thread. The tool is asked for its document now, and not again.
    ///
    /// # Panics
    ///
    /// The system has no thread left.
    pub fn serial(tool: impl Tool + Send + 'static) -> Self {
        let (queue, document) = (Arc::new(Queue::new()), tool.load());
        queue.spawn(tool);
        Self::over(queue, document)
    }

    /// As many calls at a time as there are `threads`, but at least one. The tool is asked for its
    /// document now, and not again.
    ///
    /// # Panics
    ///
    /// The system has no thread left.
    pub fn parallel(tool: impl Tool + Send + Sync + 'static, threads: usize) -> Self {
        let (queue, document) = (Arc::new(Queue::new()), tool.load());
        let tool = Arc::new(tool);
        for _ in 1..threads {
            queue.spawn(Arc::clone(&tool));
        }
        queue.spawn(tool);
        Self::over(queue, document)
    }

    fn over(queue: Arc<Queue>, document: Option<OpenTool>) -> Self {
        Self { threads: Arc::new(Threads { queue, document }), limits: Limits::default() }
    }

    /// The same threads, with limits for the calls that are made through this value.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The limits of calls that are made through this value.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Queues a call of `name` with the JSON object in `arguments`, at once; the future has its
    /// result, a JSON object. It has to be awaited in a Tokio runtime with a timer, unless there is
    /// no deadline.
    ///
    /// If the future is dropped before the call has begun, the call is not made.
    ///
    /// # Errors
    ///
    /// Those of the tool, a panic of it as [`ToolError::CallFailed`], [`ToolError::Busy`] where too
    /// many wait, [`ToolError::Stopping`] after [`Executor::stop`], and [`ToolError::TimedOut`].
    pub fn call(
        &self,
        name: &str,
        arguments: Vec<u8>,
    ) -> impl Future<Output = Result<Vec<u8>, ToolError>> + Send + use<> {
        let (sender, receiver) = oneshot::channel();
        let accepted = self.submit(name, arguments, Reply::Later(sender));
        self.threads.queue.wake();
        let deadline = self.limits.deadline;
        async move {
            accepted?;
            answer(receiver, deadline).await
        }
    }

    /// As [`Executor::call`], for a task of a runtime that has many: the thread is woken once for all
    /// that are ready now, because to wake it costs more than most calls do.
    #[cfg(feature = "http")]
    pub(crate) fn call_among_others(
        &self,
        name: &str,
        arguments: Vec<u8>,
    ) -> impl Future<Output = Result<Vec<u8>, ToolError>> + Send + use<> {
        let (sender, receiver) = oneshot::channel();
        let accepted = self.submit(name, arguments, Reply::Later(sender));
        let (queue, deadline) = (Arc::clone(&self.threads.queue), self.limits.deadline);
        async move {
            accepted?;
            tokio::task::yield_now().await;
            queue.wake();
            answer(receiver, deadline).await
        }
    }

    /// As [`Executor::call`], for callers that can wait where they are.
    ///
    /// # Errors
    ///
    /// As for [`Executor::call`].
    pub fn call_blocking(&self, name: &str, arguments: Vec<u8>) -> Result<Vec<u8>, ToolError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let waiting = Arc::new(());
        self.submit(name, arguments, Reply::Now(sender, Arc::downgrade(&waiting)))?;
        self.threads.queue.wake();
        match self.limits.deadline {
            None => receiver.recv().unwrap_or_else(|_| Err(thread_ended())),
            Some(limit) => receiver.recv_timeout(limit).unwrap_or_else(|error| match error {
                mpsc::RecvTimeoutError::Timeout => Err(timed_out(limit)),
                mpsc::RecvTimeoutError::Disconnected => Err(thread_ended()),
            }),
        }
    }

    fn submit(&self, name: &str, arguments: Vec<u8>, reply: Reply) -> Result<(), ToolError> {
        let job = Job { name: name.to_owned(), arguments, output_limit: self.limits.output, reply };
        self.threads.queue.push(job, self.limits.queue)
    }

    /// The document that describes the functions, if there is one.
    #[must_use]
    pub fn load(&self) -> Option<&OpenTool> {
        self.threads.document.as_ref()
    }

    /// How many calls wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.threads.queue.waiting()
    }

    /// How many calls run, those whose callers no longer wait included.
    #[must_use]
    pub fn running(&self) -> usize {
        self.threads.queue.running()
    }

    /// Refuses calls from now on, at once; the future ends when all that were accepted have, and
    /// the tool is dropped. It may be dropped itself: the calls end all the same.
    pub fn stop(&self) -> impl Future<Output = ()> + Send + use<> {
        let queue = Arc::clone(&self.threads.queue);
        queue.close();
        async move { queue.ended().await }
    }
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executor").field("limits", &self.limits).finish_non_exhaustive()
    }
}

async fn answer(
    receiver: oneshot::Receiver<Result<Vec<u8>, ToolError>>,
    deadline: Option<Duration>,
) -> Result<Vec<u8>, ToolError> {
    let reply = match deadline {
        None => receiver.await,
        Some(limit) => tokio::time::timeout(limit, receiver).await.map_err(|_| timed_out(limit))?,
    };
    reply.unwrap_or_else(|_| Err(thread_ended()))
}

/// Runs one call on the thread it is called on.
fn run(tool: &dyn Tool, name: &str, arguments: &[u8], limit: usize) -> Result<Vec<u8>, ToolError> {
    let mut out = Vec::new();
    // What a panic leaves half done is the tool's own, and it is asked again by those who chose it.
    catch_unwind(AssertUnwindSafe(|| tool.call_into(name, arguments, &mut out)))
        .unwrap_or_else(|payload| Err(panicked(&*payload)))?;
    if out.len() > limit {
        let message = format!("the result has {} bytes, and at most {limit} are allowed", out.len());
        return Err(ToolError::call_failed(message));
    }
    // Protocols put the text into their replies as it is.
    if !(out.starts_with(b"{") && out.ends_with(b"}")) {
        return Err(ToolError::call_failed("the tool did not return a JSON object"));
    }
    Ok(out)
}

fn panicked(payload: &(dyn Any + Send)) -> ToolError {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    ToolError::call_failed(format!("the tool panicked: {}", text.unwrap_or("it does not say why")))
}

fn timed_out(limit: Duration) -> ToolError {
    ToolError::TimedOut { limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) }
}

fn thread_ended() -> ToolError {
    ToolError::WorkerDied { reason: "its thread ended".to_owned() }
}

#[cfg(test)]
mod tests;

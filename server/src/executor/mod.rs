//! Runs the calls of every protocol on its own threads and within limits. A panic of the tool is an error of the call.
//!
//! The server and MCP pass their calls to an [`Executor`]. `queue` holds the waiting calls and the threads, `home` the
//! runtime in which the calls of a lone connection need no other thread.

mod described;
#[cfg(any(feature = "http", feature = "mcp"))]
mod home;
#[cfg(not(any(feature = "http", feature = "mcp")))]
#[path = "no_home.rs"]
mod home;
mod queue;

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::oneshot;

use described::Described;
use opentool::{CallContext, Caller, Deadline, Measure, OpenTool, Progress, Tool, ToolError};
use queue::{Job, Queue, Reply};

#[cfg(feature = "mcp")]
pub(crate) use described::is_same;
#[cfg(any(feature = "http", feature = "mcp"))]
pub(crate) use home::Seat;

/// The limits of calls. They apply to calls that are made after they are set on an [`Executor`].
///
/// ```
/// use std::time::Duration;
/// use opentool_server::Limits;
///
/// let limits = Limits { deadline: Some(Duration::from_secs(5)), ..Limits::default() };
/// assert_eq!(limits.queue, 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long a caller waits after the call is queued; `None` is without limit.
    pub deadline: Option<Duration>,
    /// The maximum size of a result, in bytes.
    pub output: usize,
    /// The maximum number of calls that wait for a thread.
    pub queue: usize,
}

impl Default for Limits {
    /// One minute, 64 MiB, and 1,024 calls.
    fn default() -> Self {
        Self { deadline: Some(Duration::from_secs(60)), output: 64 << 20, queue: 1024 }
    }
}

/// How many threads at least wait for workers, so that callers do not wait for each other.
const WAITING: usize = 32;

/// Runs the calls of a tool on its own threads.
///
/// Clones share the threads. After the last clone is dropped, the accepted calls still run; then the threads end and
/// drop the tool.
///
/// After the deadline the caller gets [`ToolError::TimedOut`], or [`ToolError::NeverStarted`] if the call still waited.
/// A tool that runs calls in other processes ends the call then, and also when the future of a call is dropped. In this
/// process a running call cannot be stopped: it keeps its thread until it ends, and its result is dropped.
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
    described: Described,
    /// What the tool counts, if other threads can ask it.
    measured: Option<Measured>,
    caller: Caller,
    watcher: Option<Watcher>,
}

/// Who is told how far a call is.
pub(crate) type Watcher = Arc<dyn Fn(Progress) + Send + Sync>;

type Measured = Arc<dyn Fn(&mut dyn FnMut(Measure, u64)) + Send + Sync>;

/// Shared by the clones. The queue closes when the last of them is dropped.
struct Threads {
    queue: Arc<Queue>,
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Executor {
    /// How long calls may take to end after [`Executor::cancel`], before a server ends without them: those in workers end
    /// within this time, whatever C does.
    pub const ENDING: Duration = Duration::from_secs(3);

    /// Runs one call at a time, on one thread. The document of the tool is loaded now, once.
    ///
    /// # Panics
    ///
    /// The system cannot create a thread.
    pub fn serial(tool: impl Tool + Send + 'static) -> Self {
        let (queue, document) = (Arc::new(Queue::new()), tool.load());
        queue.spawn(tool);
        Self::over(queue, document, None)
    }

    /// Runs up to `threads` calls at a time, and at least one. The document of the tool is loaded now, once.
    ///
    /// # Panics
    ///
    /// The system cannot create a thread.
    pub fn parallel(tool: impl Tool + Send + Sync + 'static, threads: usize) -> Self {
        let (queue, document) = (Arc::new(Queue::new()), tool.load());
        let tool = Arc::new(tool);
        // Weak, so that the tool ends with the threads.
        let asked = Arc::downgrade(&tool);
        let measured: Measured = Arc::new(move |note| {
            if let Some(tool) = asked.upgrade() {
                tool.measure(note);
            }
        });
        for _ in 1..threads {
            queue.spawn(Arc::clone(&tool));
        }
        queue.spawn(tool);
        Self::over(queue, document, Some(measured))
    }

    /// Runs the calls of a tool that makes them in other processes: the threads only wait. The calls of one caller take at
    /// most `per_caller` of them at a time. The document of the tool is loaded now, once.
    ///
    /// # Panics
    ///
    /// The system cannot create a thread.
    pub fn of_workers(tool: impl Tool + Send + Sync + 'static, per_caller: usize) -> Self {
        let per_caller = per_caller.max(1);
        Self::parallel(tool, WAITING.max(per_caller.saturating_mul(2))).per_caller(per_caller)
    }

    fn over(queue: Arc<Queue>, document: Option<OpenTool>, measured: Option<Measured>) -> Self {
        let described = Described::Once(document.map(Arc::new));
        Self {
            threads: Arc::new(Threads { queue }),
            limits: Limits::default(),
            described,
            measured,
            caller: Caller::default(),
            watcher: None,
        }
    }

    /// The same threads, for a tool whose functions can change: `document` is called whenever a client lists them,
    /// instead of loading the document once. It returns the same `Arc` until the document changes, and may take a while
    /// if it has.
    #[must_use]
    pub fn described_by(self, document: impl Fn() -> Option<Arc<OpenTool>> + Send + Sync + 'static) -> Self {
        Self { described: Described::Asked(Arc::new(document)), ..self }
    }

    /// The same threads, for calls of `caller`. Handles belong to a caller, if the tool says so.
    #[must_use]
    pub fn for_caller(&self, caller: Caller) -> Self {
        Self { caller, ..self.clone() }
    }

    /// The same threads, for calls whose progress `tell` is told, on the thread of the call: at most ten times a second, and
    /// the last report always.
    #[must_use]
    pub fn reporting_to(self, tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.watched_by(Some(Arc::new(tell)))
    }

    pub(crate) fn watched_by(self, watcher: Option<Watcher>) -> Self {
        Self { watcher, ..self }
    }

    /// The same threads, of which the calls of one caller take at most so many at a time.
    #[must_use]
    pub fn per_caller(self, limit: usize) -> Self {
        self.threads.queue.set_per_caller(limit);
        self
    }

    /// The same threads, with these limits for the calls made through this value.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The limits of the calls made through this value.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Queues a call of `name` with the JSON object in `arguments` immediately. The future resolves to the result, a JSON
    /// object. Unless there is no deadline, it must be awaited in a Tokio runtime with a timer.
    ///
    /// If the future is dropped before the call has started, the call is not made. If it has started in another process,
    /// it is ended.
    ///
    /// # Errors
    ///
    /// The errors of the tool, a panic as [`ToolError::CallFailed`], [`ToolError::Busy`] if too many calls wait,
    /// [`ToolError::Stopping`] after [`Executor::stop`], and [`ToolError::TimedOut`].
    pub fn call(
        &self,
        name: &str,
        arguments: Vec<u8>,
    ) -> impl Future<Output = Result<Vec<u8>, ToolError>> + Send + use<> {
        let (sender, receiver) = oneshot::channel();
        let open = self.submit(name, arguments, Reply::Later(sender));
        self.threads.queue.wake();
        async move { answer(receiver, open?).await }
    }

    /// Like [`Executor::call`], for a runtime with many tasks: the thread is woken once for all tasks that are ready now,
    /// because waking it costs more than most calls.
    #[cfg(feature = "http")]
    pub(crate) fn call_among_others(
        &self,
        name: &str,
        arguments: Vec<u8>,
    ) -> impl Future<Output = Result<Vec<u8>, ToolError>> + Send + use<> {
        let (sender, receiver) = oneshot::channel();
        let open = self.submit(name, arguments, Reply::Later(sender));
        let queue = Arc::clone(&self.threads.queue);
        async move {
            let open = open?;
            if !queue.is_here() {
                tokio::task::yield_now().await;
            }
            queue.wake();
            answer(receiver, open).await
        }
    }

    /// Like [`Executor::call`], but blocks the thread.
    ///
    /// # Errors
    ///
    /// The same as for [`Executor::call`].
    pub fn call_blocking(&self, name: &str, arguments: Vec<u8>) -> Result<Vec<u8>, ToolError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let waiting = Arc::new(());
        let open = self.submit(name, arguments, Reply::Now(sender, Arc::downgrade(&waiting)))?;
        self.threads.queue.wake();
        match self.limits.deadline {
            None => receiver.recv().unwrap_or_else(|_| Err(thread_ended())),
            Some(limit) => receiver.recv_timeout(limit).unwrap_or_else(|error| match error {
                mpsc::RecvTimeoutError::Timeout => Err(open.timed_out(limit)),
                mpsc::RecvTimeoutError::Disconnected => Err(thread_ended()),
            }),
        }
    }

    fn submit(&self, name: &str, arguments: Vec<u8>, reply: Reply) -> Result<Open, ToolError> {
        let deadline = self.limits.deadline.and_then(Deadline::after);
        let context = CallContext::new(self.caller.clone(), deadline);
        let context = match &self.watcher {
            Some(watcher) => {
                let watcher = Arc::clone(watcher);
                context.reporting_to(move |progress| watcher(progress))
            }
            None => context,
        };
        let open = Open { context: context.clone(), limit: self.limits.deadline };
        let job = Job { name: name.to_owned(), arguments, output_limit: self.limits.output, context, reply };
        self.threads.queue.push(job, self.limits.queue).map(|()| open)
    }

    /// The document that describes the functions now, if the tool has one.
    #[must_use]
    pub fn load(&self) -> Option<Arc<OpenTool>> {
        self.described.now()
    }

    /// Like [`Executor::load`], for a task.
    pub(crate) async fn document(&self) -> Option<Arc<OpenTool>> {
        self.described.later().await
    }

    /// Whether the document can change.
    pub(crate) fn can_change(&self) -> bool {
        self.described.can_change()
    }

    /// Tells `note` what the tool counts ([`Tool::measure`]): nothing if it runs one call at a time, in its own thread.
    pub fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        if let Some(measured) = &self.measured {
            measured(note);
        }
    }

    /// A place in a runtime where calls are made without another thread, for the tasks of a connection; `None` if all are
    /// taken.
    #[cfg(any(feature = "http", feature = "mcp"))]
    pub(crate) fn seat(&self) -> Option<Seat> {
        self.threads.queue.seat()
    }

    /// The number of calls that wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.threads.queue.waiting()
    }

    /// The number of running calls, including those whose callers no longer wait.
    #[must_use]
    pub fn running(&self) -> usize {
        self.threads.queue.running()
    }

    /// Nobody waits for the accepted calls any more. Those that run in other processes are ended, those that wait are not
    /// made, and those that run in this process go on.
    pub fn cancel(&self) {
        self.threads.queue.cancel();
    }

    /// `caller` has left: nobody waits for its calls any more, and the tool frees what it left behind, on one of the threads.
    pub fn leave(&self, caller: Caller) {
        self.threads.queue.leave(caller);
        self.threads.queue.wake();
    }

    /// Refuses further calls immediately. The future resolves when all accepted calls have ended and the tool is dropped.
    /// Dropping the future does not change that.
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

/// A call whose caller waits. When it is dropped, nobody waits any more.
struct Open {
    context: CallContext,
    limit: Option<Duration>,
}

impl Open {
    fn timed_out(&self, limit: Duration) -> ToolError {
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        match self.context.behind() {
            Some(behind) => ToolError::NeverStarted { limit_ms, behind },
            None => ToolError::TimedOut { limit_ms },
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.context.cancel();
    }
}

async fn answer(
    receiver: oneshot::Receiver<Result<Vec<u8>, ToolError>>,
    open: Open,
) -> Result<Vec<u8>, ToolError> {
    let reply = match open.limit {
        None => receiver.await,
        Some(limit) => tokio::time::timeout(limit, receiver).await.map_err(|_| open.timed_out(limit))?,
    };
    reply.unwrap_or_else(|_| Err(thread_ended()))
}

/// Runs one call on the current thread.
fn run(
    tool: &dyn Tool,
    context: &CallContext,
    name: &str,
    arguments: &[u8],
    limit: usize,
) -> Result<Vec<u8>, ToolError> {
    let mut out = Vec::new();
    // State that a panic leaves inconsistent belongs to the tool. Its callers decide whether to call it again.
    let outcome = catch_unwind(AssertUnwindSafe(|| tool.call_for(context, name, arguments, &mut out)))
        .unwrap_or_else(|payload| Err(panicked(&*payload)));
    // Before the reply.
    context.report_last();
    outcome?;
    if out.len() > limit {
        let message = format!("the result has {} bytes; at most {limit} are allowed", out.len());
        return Err(ToolError::call_failed(message));
    }
    // Protocols copy the text into their replies unchanged.
    if !(out.starts_with(b"{") && out.ends_with(b"}")) {
        return Err(ToolError::call_failed("the tool did not return a JSON object"));
    }
    Ok(out)
}

fn panicked(payload: &(dyn Any + Send)) -> ToolError {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    ToolError::call_failed(format!("the tool panicked: {}", text.unwrap_or("without a message")))
}

fn thread_ended() -> ToolError {
    ToolError::WorkerDied { reason: "its thread ended".to_owned() }
}

#[cfg(test)]
mod tests;

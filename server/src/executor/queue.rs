//! The calls that wait for a thread, and the threads that run them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak, mpsc};

use tokio::sync::{Notify, oneshot};

use opentool::{Tool, ToolError};

/// An accepted call.
pub(super) struct Job {
    pub name: String,
    pub arguments: Vec<u8>,
    pub output_limit: usize,
    pub reply: Reply,
}

type Outcome = Result<Vec<u8>, ToolError>;

/// The receiver of the result.
pub(super) enum Reply {
    /// A future.
    Later(oneshot::Sender<Outcome>),
    /// A blocked thread, which exists as long as the `Arc` has another owner.
    Now(mpsc::SyncSender<Outcome>, Weak<()>),
}

impl Reply {
    fn is_awaited(&self) -> bool {
        match self {
            Self::Later(sender) => !sender.is_closed(),
            Self::Now(_, waiting) => waiting.strong_count() > 0,
        }
    }

    /// Sends the result, unless the caller is gone.
    fn send(self, outcome: Outcome) {
        match self {
            Self::Later(sender) => drop(sender.send(outcome)),
            Self::Now(sender, _) => drop(sender.send(outcome)),
        }
    }
}

/// The waiting calls, first in, first out.
pub(super) struct Queue {
    state: Mutex<State>,
    /// Signals a new call, or that there will be no more.
    changed: Condvar,
    /// Signals that the last thread has ended.
    ended: Notify,
}

struct State {
    waiting: VecDeque<Job>,
    threads: usize,
    running: usize,
    /// The threads that sleep and have not been woken.
    asleep: usize,
    /// The threads that have been woken but do not run yet. Waking a thread costs more than most calls, so each is woken
    /// only once.
    called: usize,
    open: bool,
}

impl Queue {
    pub(super) fn new() -> Self {
        let state =
            State { waiting: VecDeque::new(), threads: 0, running: 0, asleep: 0, called: 0, open: true };
        Self { state: Mutex::new(state), changed: Condvar::new(), ended: Notify::new() }
    }

    /// Ignores poisoning: nothing panics while it holds the lock, and every change of a counter is complete.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts a call, unless `limit` calls wait already. A sleeping thread does not see it until [`Queue::wake`].
    pub(super) fn push(&self, job: Job, limit: usize) -> Result<(), ToolError> {
        let mut state = self.lock();
        if !state.open {
            return Err(ToolError::Stopping);
        }
        // A call does not wait if a thread is free for it.
        let free = state.threads.saturating_sub(state.running);
        let room = limit.saturating_add(free);
        if state.waiting.len() >= room {
            // Calls whose callers are gone do not count.
            state.waiting.retain(|job| job.reply.is_awaited());
        }
        if state.waiting.len() >= room {
            return Err(ToolError::Busy { waiting: state.waiting.len() });
        }
        state.waiting.push_back(job);
        Ok(())
    }

    /// Wakes a thread if there are more calls than woken threads.
    pub(super) fn wake(&self) {
        let mut state = self.lock();
        if state.asleep > 0 && state.waiting.len() > state.called {
            state.asleep -= 1;
            state.called += 1;
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Accepts no more calls. The threads end when the waiting calls have run.
    pub(super) fn close(&self) {
        self.lock().open = false;
        self.changed.notify_all();
    }

    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    pub(super) fn running(&self) -> usize {
        self.lock().running
    }

    /// Waits until all threads have ended.
    pub(super) async fn ended(&self) {
        loop {
            let ended = self.ended.notified();
            let mut ended = std::pin::pin!(ended);
            // Registered before the check, so that an end between check and wait is not missed.
            ended.as_mut().enable();
            if self.lock().threads == 0 {
                return;
            }
            ended.await;
        }
    }

    /// Starts a thread that calls `tool` and drops it at the end.
    pub(super) fn spawn(self: &Arc<Self>, tool: impl Tool + Send + 'static) {
        self.lock().threads += 1;
        let thread = Thread(Arc::clone(self));
        std::thread::spawn(move || {
            // The tool is dropped before the thread counts as ended.
            let thread = thread;
            let tool = tool;
            thread.0.work(&tool);
        });
    }

    fn work(&self, tool: &dyn Tool) {
        while let Some(job) = self.next() {
            let outcome = super::run(tool, &job.name, &job.arguments, job.output_limit);
            // Before the caller gets the result, so that the counters it reads then are right.
            self.lock().running -= 1;
            job.reply.send(outcome);
        }
    }

    /// The next call whose caller still waits; `None` if there will be no more calls.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            while let Some(job) = state.waiting.pop_front() {
                if job.reply.is_awaited() {
                    state.running += 1;
                    return Some(job);
                }
            }
            if !state.open {
                return None;
            }
            state.asleep += 1;
            while state.called == 0 && state.open {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.called = state.called.saturating_sub(1);
        }
    }
}

/// Signals the end of a thread when dropped, also after a panic.
struct Thread(Arc<Queue>);

impl Drop for Thread {
    fn drop(&mut self) {
        let last = {
            let mut state = self.0.lock();
            state.threads -= 1;
            state.threads == 0
        };
        if last {
            self.0.ended.notify_waiters();
        }
    }
}

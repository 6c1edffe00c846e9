//! The calls that wait for a thread, and the threads that take them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak, mpsc};

use tokio::sync::{Notify, oneshot};

use opentool::{Tool, ToolError};

/// A call that was accepted.
pub(super) struct Job {
    pub name: String,
    pub arguments: Vec<u8>,
    pub output_limit: usize,
    pub reply: Reply,
}

type Outcome = Result<Vec<u8>, ToolError>;

/// Where the result goes.
pub(super) enum Reply {
    /// To a future.
    Later(oneshot::Sender<Outcome>),
    /// To a thread, which is there while the `Arc` is.
    Now(mpsc::SyncSender<Outcome>, Weak<()>),
}

impl Reply {
    fn is_awaited(&self) -> bool {
        match self {
            Self::Later(sender) => !sender.is_closed(),
            Self::Now(_, waiting) => waiting.strong_count() > 0,
        }
    }

    /// A caller that went away does not hear it.
    fn send(self, outcome: Outcome) {
        match self {
            Self::Later(sender) => drop(sender.send(outcome)),
            Self::Now(sender, _) => drop(sender.send(outcome)),
        }
    }
}

/// The calls that wait, first come first served.
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is a call, or there will be no more.
    changed: Condvar,
    /// The last thread ended.
    ended: Notify,
}

struct State {
    waiting: VecDeque<Job>,
    threads: usize,
    running: usize,
    /// Threads that sleep, and that nobody has called yet.
    asleep: usize,
    /// Threads that were called and are not up yet. To call one costs more than most calls of a tool,
    /// so it is done once.
    called: usize,
    open: bool,
}

impl Queue {
    pub(super) fn new() -> Self {
        let state =
            State { waiting: VecDeque::new(), threads: 0, running: 0, asleep: 0, called: 0, open: true };
        Self { state: Mutex::new(state), changed: Condvar::new(), ended: Notify::new() }
    }

    /// Nothing that holds the lock panics, and a counter is never half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts a call, unless `limit` calls wait already. A thread that sleeps does not see it until
    /// [`Queue::wake`].
    pub(super) fn push(&self, job: Job, limit: usize) -> Result<(), ToolError> {
        let mut state = self.lock();
        if !state.open {
            return Err(ToolError::Stopping);
        }
        // A call that a thread is free for does not wait.
        let free = state.threads.saturating_sub(state.running);
        let room = limit.saturating_add(free);
        if state.waiting.len() >= room {
            // Those whose callers went away take no room.
            state.waiting.retain(|job| job.reply.is_awaited());
        }
        if state.waiting.len() >= room {
            return Err(ToolError::Busy { waiting: state.waiting.len() });
        }
        state.waiting.push_back(job);
        Ok(())
    }

    /// Calls a thread, if there are more calls than threads that were called.
    pub(super) fn wake(&self) {
        let mut state = self.lock();
        if state.asleep > 0 && state.waiting.len() > state.called {
            state.asleep -= 1;
            state.called += 1;
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Accepts no more calls; the threads end when those that wait have run.
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
            // Before looking, so that an end between looking and waiting is not missed.
            ended.as_mut().enable();
            if self.lock().threads == 0 {
                return;
            }
            ended.await;
        }
    }

    /// Starts a thread that calls `tool`, and drops it in the end.
    pub(super) fn spawn(self: &Arc<Self>, tool: impl Tool + Send + 'static) {
        self.lock().threads += 1;
        let thread = Thread(Arc::clone(self));
        std::thread::spawn(move || {
            // Dropped in this order: the tool, then the thread.
            let thread = thread;
            let tool = tool;
            thread.0.work(&tool);
        });
    }

    fn work(&self, tool: &dyn Tool) {
        while let Some(job) = self.next() {
            let outcome = super::run(tool, &job.name, &job.arguments, job.output_limit);
            // Before the caller hears of it, so that what it then reads is true.
            self.lock().running -= 1;
            job.reply.send(outcome);
        }
    }

    /// The next call that somebody still waits for; `None` when there will be none.
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

/// Says that a thread ended, however it does.
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

//! The calls that wait for a thread, and the threads that run them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak, mpsc};

use tokio::sync::{Notify, oneshot};

#[cfg(any(feature = "http", feature = "mcp"))]
use super::home::Seat;
use super::home::{Driver, Home};
use opentool::{CallContext, Caller, Tool, ToolError};

/// So many calls in a row, and the connections of the thread's runtime are looked after.
const IN_A_ROW: u32 = 32;

/// An accepted call.
pub(super) struct Job {
    pub name: String,
    pub arguments: Vec<u8>,
    pub output_limit: usize,
    pub context: CallContext,
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
    /// Those who have left, and whom the tool does not know to have left.
    left: Vec<Caller>,
    threads: usize,
    /// The calls that run, the oldest first.
    running: Vec<Running>,
    /// How many calls of one caller run at a time, so that others get threads too.
    per_caller: usize,
    started: u64,
    /// The threads that sleep and have not been woken.
    asleep: usize,
    /// The threads that have been woken but do not run yet. Waking a thread costs more than most calls, so each is woken
    /// only once.
    called: usize,
    /// The runtime that the first thread drives, if connections are served there.
    home: Option<Arc<Home>>,
    /// For the first thread.
    driver: Option<Driver>,
    at_home: AtHome,
    open: bool,
}

/// What the first thread does, if it has a runtime to drive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtHome {
    /// It makes calls, or has not been at the runtime yet.
    Away,
    Waits,
    /// It has been woken for a call.
    Called,
}

/// What a thread does next.
enum Next {
    Call(u64, Job),
    Leave(Caller),
}

/// A call that runs.
struct Running {
    number: u64,
    name: String,
    context: CallContext,
}

impl Queue {
    pub(super) fn new() -> Self {
        let state = State {
            waiting: VecDeque::new(),
            left: Vec::new(),
            threads: 0,
            running: Vec::new(),
            per_caller: usize::MAX,
            started: 0,
            asleep: 0,
            called: 0,
            home: None,
            driver: None,
            at_home: AtHome::Away,
            open: true,
        };
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
        let free = state.threads.saturating_sub(state.running.len());
        let room = limit.saturating_add(free);
        if state.waiting.len() >= room {
            // Calls whose callers are gone do not count.
            state.waiting.retain(|job| job.reply.is_awaited());
        }
        if state.waiting.len() >= room {
            return Err(ToolError::Busy { waiting: state.waiting.len() });
        }
        let running = state.running.first().map(|running| running.name.as_str());
        let ahead = running.or_else(|| state.waiting.front().map(|job| job.name.as_str()));
        // Until a thread takes it.
        job.context.waits_behind(ahead);
        state.waiting.push_back(job);
        Ok(())
    }

    /// Wakes a thread if there are more calls than woken threads.
    pub(super) fn wake(&self) {
        let mut state = self.lock();
        let called = state.called + usize::from(state.at_home == AtHome::Called);
        if state.waiting.len() + state.left.len() <= called {
            return;
        }
        // For a call of its own runtime the first thread need not be woken.
        let home = match &state.home {
            Some(home) if state.at_home == AtHome::Waits && (state.asleep == 0 || home.is_here()) => {
                Some(Arc::clone(home))
            }
            _ => None,
        };
        if let Some(home) = home {
            state.at_home = AtHome::Called;
            drop(state);
            home.call();
        } else if state.asleep > 0 {
            state.asleep -= 1;
            state.called += 1;
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Whether this is the first thread, in its runtime.
    #[cfg(feature = "http")]
    pub(super) fn is_here(&self) -> bool {
        self.lock().home.as_ref().is_some_and(|home| home.is_here())
    }

    /// A place in the runtime that the first thread drives; `None` if all are taken, or there is no such runtime.
    #[cfg(any(feature = "http", feature = "mcp"))]
    pub(super) fn seat(&self) -> Option<Seat> {
        let mut state = self.lock();
        if !state.open {
            return None;
        }
        let home = match &state.home {
            Some(home) => Arc::clone(home),
            None => {
                let (home, driver) = Home::new()
                    .inspect_err(|error| tracing::debug!(%error, "connections have no runtime of their own"))
                    .ok()?;
                state.home = Some(Arc::clone(&home));
                state.driver = Some(driver);
                // The first thread waits there from now on.
                self.changed.notify_all();
                home
            }
        };
        drop(state);
        home.seat()
    }

    /// Accepts no more calls. The threads end when the waiting calls have run.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.open = false;
        let home = state.home.clone();
        drop(state);
        self.changed.notify_all();
        if let Some(home) = home {
            home.call();
        }
    }

    /// Limits the calls of one caller that run at a time.
    pub(super) fn set_per_caller(&self, limit: usize) {
        self.lock().per_caller = limit.max(1);
    }

    /// Nobody waits for the calls any more: those that run where they can be ended are ended, the others are not made.
    pub(super) fn cancel(&self) {
        let mut state = self.lock();
        let waiting = std::mem::take(&mut state.waiting);
        let running: Vec<CallContext> = state.running.iter().map(|running| running.context.clone()).collect();
        drop(state);
        waiting.into_iter().for_each(|job| job.reply.send(Err(ToolError::Stopping)));
        running.iter().for_each(CallContext::cancel);
    }

    /// The same for the calls of one caller. A thread tells the tool that it has left.
    pub(super) fn leave(&self, caller: Caller) {
        let mut state = self.lock();
        let is_its_own = |context: &CallContext| *context.caller() == caller;
        let (its_own, others) =
            std::mem::take(&mut state.waiting).into_iter().partition(|job| is_its_own(&job.context));
        state.waiting = others;
        let running = state.running.iter().map(|running| &running.context);
        let running: Vec<CallContext> = running.filter(|context| is_its_own(context)).cloned().collect();
        state.left.push(caller);
        drop(state);
        let its_own: VecDeque<Job> = its_own;
        its_own
            .into_iter()
            .for_each(|job| job.reply.send(Err(ToolError::call_failed("its caller has left"))));
        running.iter().for_each(CallContext::cancel);
    }

    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    pub(super) fn running(&self) -> usize {
        self.lock().running.len()
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

    /// Starts a thread that calls `tool` and drops it at the end. The first thread can have a runtime.
    pub(super) fn spawn(self: &Arc<Self>, tool: impl Tool + Send + 'static) {
        let mut state = self.lock();
        let is_first = state.threads == 0;
        state.threads += 1;
        drop(state);
        let thread = Thread(Arc::clone(self));
        std::thread::spawn(move || {
            let mut place = Place { is_first, driver: None, made: 0 };
            {
                // The tool is dropped before the thread counts as ended.
                let thread = thread;
                let tool = tool;
                thread.0.work(&tool, &mut place);
            }
            // The replies to the last calls are still to be sent.
            if let Some(driver) = place.driver {
                driver.end();
            }
        });
    }

    fn work(&self, tool: &dyn Tool, place: &mut Place) {
        let mut done = None;
        while let Some(next) = self.next(place, &mut done) {
            send(&mut done);
            let (number, job) = match next {
                Next::Call(number, job) => (number, job),
                Next::Leave(caller) => {
                    // What a panic leaves behind is the tool's.
                    let _ = catch_unwind(AssertUnwindSafe(|| tool.leave(&caller)));
                    continue;
                }
            };
            let outcome = super::run(tool, &job.context, &job.name, &job.arguments, job.output_limit);
            // Before the caller gets the result, so that the counters it reads then are right.
            self.lock().running.retain(|running| running.number != number);
            done = Some((job.reply, outcome));
            if place.driver.is_none() {
                send(&mut done);
            }
        }
        send(&mut done);
    }

    /// The next call whose caller still waits; `None` if there will be no more calls. A reply that is `done` is sent before
    /// it waits: in the runtime, where that wakes no thread.
    fn next(&self, place: &mut Place, done: &mut Option<Done>) -> Option<Next> {
        let mut state = self.lock();
        loop {
            if let Some(driver) = &place.driver
                && place.made >= IN_A_ROW
            {
                drop(state);
                place.made = 0;
                driver.look(|| send(done));
                state = self.lock();
            }
            place.made += 1;
            if let Some(caller) = state.left.pop() {
                return Some(Next::Leave(caller));
            }
            while let Some(job) = state.take() {
                if job.reply.is_awaited() {
                    job.context.waits_behind(None);
                    state.started += 1;
                    let (number, name, context) = (state.started, job.name.clone(), job.context.clone());
                    state.running.push(Running { number, name, context });
                    return Some(Next::Call(number, job));
                }
            }
            if place.is_first && place.driver.is_none() {
                place.driver = state.driver.take();
            }
            if !state.open {
                return None;
            }
            if let Some(driver) = &place.driver {
                state.at_home = AtHome::Waits;
                drop(state);
                place.made = 0;
                driver.wait(|| send(done));
                state = self.lock();
                state.at_home = AtHome::Away;
                continue;
            }
            state.asleep += 1;
            while state.called == 0 && state.open && !(place.is_first && state.driver.is_some()) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.called == 0 && state.open {
                // Nobody called it: it goes to its runtime.
                state.asleep = state.asleep.saturating_sub(1);
            }
            state.called = state.called.saturating_sub(1);
        }
    }
}

/// A reply, and who gets it.
type Done = (Reply, Outcome);

fn send(done: &mut Option<Done>) {
    if let Some((reply, outcome)) = done.take() {
        reply.send(outcome);
    }
}

/// Where a thread waits for calls.
struct Place {
    is_first: bool,
    /// It waits in a runtime, if it has one.
    driver: Option<Driver>,
    /// The calls since it last looked after the runtime.
    made: u32,
}

impl State {
    /// The first call whose caller has not as many running as it may. At the end all of them run.
    fn take(&mut self) -> Option<Job> {
        if self.per_caller == usize::MAX || !self.open {
            return self.waiting.pop_front();
        }
        let may = |job: &Job| {
            // All sessions of a caller share what it may have.
            let name = job.context.caller().name();
            let same = self.running.iter().filter(|running| running.context.caller().name() == name);
            same.count() < self.per_caller
        };
        let index = self.waiting.iter().position(may)?;
        self.waiting.remove(index)
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

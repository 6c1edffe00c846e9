//! A worker for each caller, for tools with handles: what one caller breaks, it breaks for itself.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use opentool::{CallContext, Caller, Measure, OpenTool, Tool, ToolError};

use crate::child::Past;
use crate::confined::explained;
use crate::counts::Counts;
use crate::ended::Ended;
use crate::pool::{BackOff, LOOK, start, wanted};
use crate::program::Program;
use crate::worker::{CallError, Worker};

/// How many ends of workers a caller is told the reason of.
const REMEMBERED: usize = 32;
/// How many callers without a worker are remembered, so that they are told why.
const CALLERS: usize = 1024;

/// A worker for each caller. It makes one call at a time, and has the handles of the caller; they are lost when it ends.
#[derive(Debug)]
pub struct Sessions {
    shared: Arc<Shared>,
    document: Option<OpenTool>,
}

#[derive(Debug)]
struct Shared {
    program: Program,
    limit: usize,
    idle: Duration,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    sessions: HashMap<Caller, Session>,
    starts: BackOff,
    counts: Counts,
}

#[derive(Debug)]
struct Session {
    /// `None` also while it makes a call.
    worker: Option<Worker>,
    /// The function that runs or starts.
    running: Option<String>,
    /// How many handles its worker had after the last call.
    handles: u32,
    /// Whether the caller has left during a call.
    has_left: bool,
    used: Instant,
    past: Past,
}

impl Session {
    fn new() -> Self {
        let random = RandomState::new();
        let secret = Some([random.hash_one(0), random.hash_one(1)]);
        let past = Past { secret, ..Past::default() };
        Self { worker: None, running: None, handles: 0, has_left: false, used: Instant::now(), past }
    }

    fn has_worker(&self) -> bool {
        self.worker.is_some() || self.running.is_some()
    }

    /// Its worker is gone, and its handles with it.
    fn lose(&mut self, why: String) {
        self.handles = 0;
        self.past.lost.push((self.past.count, why));
        self.past.count += 1;
        let extra = self.past.lost.len().saturating_sub(REMEMBERED);
        self.past.lost.drain(..extra);
    }
}

impl Sessions {
    /// Starts a worker, which shows that the tool can be opened, and ends it again. Up to `limit` callers have a worker
    /// at a time; that of a caller who made no call for the time `idle` is ended.
    ///
    /// # Errors
    ///
    /// The worker cannot be started, or the tool cannot be opened.
    pub fn start(program: Program, limit: usize, idle: Duration) -> Result<Self, ToolError> {
        // It is not counted: it makes no call.
        let first = Worker::start(&program, &Past::default(), &CallContext::default())?;
        Ok(Self::over(program, first, limit, idle))
    }

    /// Ends `first`, a worker of the program that nobody has.
    pub(crate) fn over(program: Program, first: Worker, limit: usize, idle: Duration) -> Self {
        let document = first.document().cloned();
        drop(first);
        let shared = Arc::new(Shared {
            program,
            limit: limit.max(1),
            idle,
            state: Mutex::default(),
            freed: Condvar::new(),
        });
        expire(Arc::downgrade(&shared), idle);
        Self { shared, document }
    }

    /// How many callers have a worker.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.shared.lock().sessions.values().filter(|session| session.has_worker()).count()
    }
}

/// Ends the workers of callers that have made no call for a while, as long as there are sessions.
fn expire(shared: Weak<Shared>, idle: Duration) {
    let pause = (idle / 4).clamp(Duration::from_millis(20), Duration::from_secs(10));
    // Without a thread they end when there are too many.
    let _ = std::thread::Builder::new().name("sessions".to_owned()).spawn(move || {
        loop {
            std::thread::sleep(pause);
            let Some(shared) = shared.upgrade() else { return };
            shared.expire();
        }
    });
}

impl Shared {
    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expire(&self) {
        let mut ended = Vec::new();
        let mut state = self.lock();
        let State { sessions, counts, .. } = &mut *state;
        for session in sessions.values_mut() {
            let is_idle = session.running.is_none() && session.used.elapsed() >= self.idle;
            if is_idle && let Some(worker) = session.worker.take() {
                ended.push(worker);
                counts.end("idle");
                session.lose(format!("no call was made for {} s", self.idle.as_secs()));
            }
        }
        // They are waited for, which must not be done with the lock.
        drop(state);
        drop(ended);
    }

    /// The worker of the caller, or the right to start one.
    fn take(&self, context: &CallContext, name: &str) -> Result<(Option<Worker>, Past), ToolError> {
        let mut state = self.lock();
        loop {
            let session = state.sessions.entry(context.caller().clone()).or_insert_with(Session::new);
            let Some(running) = &session.running else { break };
            context.waits_behind(Some(running));
            wanted(context)?;
            let (next, _) = self.freed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
        context.waits_behind(None);
        let State { sessions, counts, .. } = &mut *state;
        if let Some(session) = sessions.get_mut(context.caller()) {
            match session.worker.take() {
                Some(worker) if worker.is_alive() => {
                    session.running = Some(name.to_owned());
                    return Ok((Some(worker), session.past.clone()));
                }
                Some(_) => {
                    counts.end("between_calls");
                    session.lose("it ended between two calls".to_owned());
                }
                None => {}
            }
        }
        state.starts.check()?;
        let evicted = self.make_room(&mut state, context.caller())?;
        let past = match state.sessions.get_mut(context.caller()) {
            Some(session) => {
                session.running = Some(name.to_owned());
                session.past.clone()
            }
            None => Past::default(),
        };
        drop(state);
        drop(evicted);
        Ok((None, past))
    }

    /// Ends a worker if there are as many as there may be: of the caller with the most sessions, the one that was idle longest.
    /// So a caller that opens many sessions loses its own, and never those of a caller with fewer.
    fn make_room(&self, state: &mut State, caller: &Caller) -> Result<Option<Worker>, ToolError> {
        if state.sessions.len() > CALLERS {
            let without = state.sessions.iter().filter(|(other, one)| !one.has_worker() && *other != caller);
            let oldest = without.min_by_key(|(_, session)| session.used).map(|(oldest, _)| oldest.clone());
            oldest.map(|oldest| state.sessions.remove(&oldest));
        }
        let with = state.sessions.iter().filter(|(_, session)| session.has_worker());
        let mut owners: HashMap<String, usize> = HashMap::new();
        with.for_each(|(owner, _)| *owners.entry(owner.name().to_owned()).or_default() += 1);
        let count = owners.values().sum();
        if count < self.limit {
            return Ok(None);
        }
        // The new one counts.
        let own = owners.entry(caller.name().to_owned()).or_default();
        *own += 1;
        let own = *own;
        let of = |owner: &Caller| owners.get(owner.name()).copied().unwrap_or_default();
        let idle = state.sessions.iter_mut().filter(|(_, session)| session.worker.is_some());
        let idle = idle.filter(|(owner, _)| of(owner) >= own);
        let longest = idle.min_by_key(|(owner, session)| (Reverse(of(owner)), session.used));
        let Some((_, session)) = longest else { return Err(ToolError::Busy { waiting: count }) };
        session.lose(format!("{count} callers have a worker, and its own was idle longest"));
        let evicted = session.worker.take();
        state.counts.end("evicted");
        Ok(evicted)
    }

    /// The call has ended, and the worker too if there is a reason.
    fn give_back(&self, caller: &Caller, worker: Option<Worker>, lost: Option<&Ended>) {
        let mut state = self.lock();
        let State { sessions, counts, .. } = &mut *state;
        let Some(session) = sessions.get_mut(caller) else { return };
        session.running = None;
        session.used = Instant::now();
        session.handles = worker.as_ref().map_or(0, Worker::handles);
        session.worker = worker;
        if let Some(ended) = lost {
            counts.end(ended.why.word());
            session.lose(ended.to_string());
        }
        let left = if session.has_left { sessions.remove(caller) } else { None };
        if left.as_ref().is_some_and(|session| session.worker.is_some()) {
            counts.end("left");
        }
        drop(state);
        self.freed.notify_all();
        drop(left);
    }
}

impl Tool for Sessions {
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
        let (shared, caller) = (&*self.shared, context.caller());
        let (worker, past) = shared.take(context, name)?;
        let worker = match worker {
            Some(worker) => Ok(worker),
            None => {
                let started = start(&shared.program, &past, context);
                let mut state = shared.lock();
                state.counts.start(&started);
                if !context.is_cancelled() {
                    state.starts.note(&started);
                }
                drop(state);
                started
            }
        };
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(error) => {
                shared.give_back(caller, None, None);
                return Err(error);
            }
        };
        let result = worker.call(context, name, arguments, out);
        match &result {
            Err(CallError::Ended(ended)) => shared.give_back(caller, None, Some(ended)),
            _ => shared.give_back(caller, Some(worker), None),
        }
        result.map_err(|error| explained(shared.program.sandbox.as_ref(), error, arguments))
    }

    fn leave(&self, caller: &Caller) {
        let mut state = self.shared.lock();
        let left = match state.sessions.get_mut(caller) {
            Some(session) if session.running.is_some() => {
                session.has_left = true;
                None
            }
            Some(_) => state.sessions.remove(caller),
            None => None,
        };
        if left.as_ref().is_some_and(|session| session.worker.is_some()) {
            state.counts.end("left");
        }
        drop(state);
        if let Some(worker) = left.and_then(|session| session.worker) {
            worker.finish();
        }
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        let state = self.shared.lock();
        let sessions = state.sessions.values();
        let workers = sessions.clone().filter(|session| session.has_worker()).count();
        note(Measure::Workers, workers as u64);
        note(Measure::Handles, sessions.map(|session| u64::from(session.handles)).sum());
        state.counts.measure(note);
    }

    fn load(&self) -> Option<OpenTool> {
        self.document.clone()
    }
}

//! Calls that go on after the client has a reply: it waits for them again, gets their result, or cancels them.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::results::random_id;
use crate::executor::Watcher;
use opentool::{Caller, Progress, ToolError};

/// How long the outcome of a call is kept after it was last asked for.
pub(super) const IDLE: Duration = Duration::from_secs(15 * 60);
/// How many calls of the sessions of one key may run or wait to be asked for.
const COUNT: usize = 16;

pub(super) type Outcome = Result<Vec<u8>, ToolError>;

/// The calls.
#[derive(Default)]
pub(super) struct Jobs {
    open: Mutex<HashMap<String, Arc<Job>>>,
}

/// One call.
pub(super) struct Job {
    pub id: String,
    by: Caller,
    pub function: String,
    /// When it began.
    pub began: SystemTime,
    used: Mutex<Instant>,
    state: watch::Receiver<State>,
    task: AbortHandle,
}

/// How far a call is.
#[derive(Clone, Default)]
pub(super) enum State {
    #[default]
    Begun,
    /// It has told how far it is.
    Told(Progress),
    Ended(Arc<Outcome>),
    Cancelled,
}

impl State {
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Ended(_) | Self::Cancelled)
    }
}

/// Tells that a call was cancelled, unless it has ended.
struct Running(watch::Sender<State>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.send_if_modified(|state| {
            let is_new = !state.is_over();
            if is_new {
                *state = State::Cancelled;
            }
            is_new
        });
    }
}

impl Jobs {
    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Job>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a call, which `call` makes and tells the watcher of. It goes on until it ends, is cancelled, or its caller leaves.
    ///
    /// # Errors
    ///
    /// Too many calls of the key run, or the system has no random number.
    pub(super) fn begin<F>(
        self: &Arc<Self>,
        by: &Caller,
        function: &str,
        call: impl FnOnce(Watcher) -> F,
    ) -> Result<Arc<Job>, ToolError>
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let id = random_id().ok_or_else(|| ToolError::call_failed("the system has no random number"))?;
        let mut open = self.lock();
        open.retain(|_, job| !job.is_forgotten());
        make_room(&mut open, by)?;
        let (sender, state) = watch::channel(State::default());
        let told = sender.clone();
        let watcher: Watcher = Arc::new(move |progress| {
            told.send_if_modified(|state| {
                let is_new = !state.is_over();
                if is_new {
                    *state = State::Told(progress);
                }
                is_new
            });
        });
        let running = Running(sender);
        let call = call(watcher);
        let (jobs, own) = (Arc::downgrade(self), id.clone());
        let task = tokio::spawn(async move {
            let outcome = call.await;
            running.0.send_replace(State::Ended(Arc::new(outcome)));
            // Whoever watches it sees the end.
            drop(running);
            // Its memory is freed, also if nothing else happens.
            loop {
                tokio::time::sleep(IDLE + Duration::from_secs(1)).await;
                if jobs.upgrade().is_none_or(|jobs| jobs.has_forgotten(&own)) {
                    return;
                }
            }
        });
        let job = Arc::new(Job {
            id: id.clone(),
            by: by.clone(),
            function: function.to_owned(),
            began: SystemTime::now(),
            used: Mutex::new(Instant::now()),
            state,
            task: task.abort_handle(),
        });
        open.insert(id, Arc::clone(&job));
        Ok(job)
    }

    /// A call of this caller.
    pub(super) fn find(&self, by: &Caller, id: &str) -> Option<Arc<Job>> {
        let job = self.lock().get(id).filter(|job| job.by == *by && !job.is_forgotten()).cloned()?;
        *job.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Some(job)
    }

    /// Whether a call is forgotten, or now is.
    fn has_forgotten(&self, id: &str) -> bool {
        let mut open = self.lock();
        let is_forgotten = open.get(id).is_none_or(|job| job.is_forgotten());
        if is_forgotten {
            open.remove(id);
        }
        is_forgotten
    }

    /// It is not asked for again. One that runs is ended.
    pub(super) fn forget(&self, job: &Job) {
        self.lock().remove(&job.id);
        job.cancel();
    }

    /// The caller has left: nobody waits for its calls any more.
    pub(super) fn leave(&self, by: &Caller) {
        self.lock().retain(|_, job| {
            let stays = job.by != *by;
            if !stays {
                job.cancel();
            }
            stays
        });
    }
}

/// The calls of a key that have ended and were not asked for make room, the oldest first.
fn make_room(open: &mut HashMap<String, Arc<Job>>, by: &Caller) -> Result<(), ToolError> {
    let own = open.values().filter(|job| job.by.name() == by.name());
    if own.clone().count() < COUNT {
        return Ok(());
    }
    let oldest =
        own.filter(|job| job.state().is_over()).min_by_key(|job| job.began).map(|job| job.id.clone());
    match oldest {
        Some(oldest) => {
            open.remove(&oldest);
            Ok(())
        }
        None => {
            let message = format!("{COUNT} jobs run, and there may be no more: wait for one, or cancel it");
            Err(ToolError::call_failed(message))
        }
    }
}

impl Job {
    /// Whether it has ended, and nobody has asked for it for a while.
    fn is_forgotten(&self) -> bool {
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.state().is_over() && used.elapsed() >= IDLE
    }

    pub(super) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Its state when it ends, or after this time.
    pub(super) async fn within(&self, limit: Duration) -> State {
        let mut state = self.state.clone();
        // An error is that nobody tells it any more, which the state says too.
        let _ = tokio::time::timeout(limit, state.wait_for(State::is_over)).await;
        self.state()
    }

    /// Tells `told` what the call tells, until it ends.
    pub(super) async fn watch(&self, told: &Watcher) {
        let mut state = self.state.clone();
        loop {
            let now = state.borrow_and_update().clone();
            if let State::Told(progress) = now {
                told(progress);
            }
            if state.changed().await.is_err() {
                return;
            }
        }
    }

    /// Ends it, where it can be ended.
    pub(super) fn cancel(&self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(done: f64) -> Progress {
        Progress { done, ..Progress::default() }
    }

    #[tokio::test]
    async fn a_job_is_of_its_caller_and_has_its_outcome() {
        let jobs = Arc::new(Jobs::default());
        let (one, two) = (Caller::new("one"), Caller::new("two"));
        let job = jobs.begin(&one, "f", |_| async { Ok(b"{}".to_vec()) }).expect("there is room");
        let State::Ended(outcome) = job.within(Duration::from_secs(10)).await else { panic!("it has ended") };
        assert_eq!((*outcome).clone().expect("a result"), b"{}");
        assert!(jobs.find(&one, &job.id).is_some() && jobs.find(&two, &job.id).is_none());
        jobs.forget(&job);
        assert!(jobs.find(&one, &job.id).is_none());
    }

    #[tokio::test]
    async fn a_job_tells_how_far_it_is_until_it_is_cancelled() {
        let jobs = Arc::new(Jobs::default());
        let by = Caller::new("one");
        let begin = |watcher: Watcher| async move {
            watcher(at(1.0));
            watcher(at(2.0));
            std::future::pending().await
        };
        let job = jobs.begin(&by, "f", begin).expect("there is room");
        let state = job.within(Duration::from_millis(50)).await;
        assert!(matches!(&state, State::Told(progress) if *progress == at(2.0)));
        job.cancel();
        assert!(matches!(job.within(Duration::from_secs(10)).await, State::Cancelled));
    }

    #[tokio::test]
    async fn the_jobs_of_a_key_are_limited_and_end_when_it_leaves() {
        let jobs = Arc::new(Jobs::default());
        let by = Caller::new("one").in_session(1);
        let begin = |by: &Caller| jobs.begin(by, "f", |_| std::future::pending());
        let all: Vec<Arc<Job>> = (0..COUNT).map(|_| begin(&by).expect("there is room")).collect();
        let error = begin(&Caller::new("one")).err().expect("of the same key");
        assert!(error.to_string().contains("16 jobs run"), "{error}");
        assert!(begin(&Caller::new("two")).is_ok());
        jobs.leave(&by);
        for job in &all {
            assert!(matches!(job.within(Duration::from_secs(10)).await, State::Cancelled));
        }
        assert!(begin(&by).is_ok());
    }

    #[tokio::test]
    async fn a_job_that_has_ended_makes_room() {
        let jobs = Arc::new(Jobs::default());
        let by = Caller::new("one");
        let first = jobs.begin(&by, "f", |_| async { Ok(Vec::new()) }).expect("there is room");
        first.within(Duration::from_secs(10)).await;
        for _ in 0..COUNT {
            jobs.begin(&by, "f", |_| std::future::pending()).expect("there is room");
        }
        assert!(jobs.find(&by, &first.id).is_none());
    }
}

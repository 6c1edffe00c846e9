//! What belongs to one call besides its name and arguments: who makes it, how long it may take, and whether it is still
//! wanted. Tools that run calls in other processes use it; all others ignore it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::Progress;
use crate::progress::Listener;

/// Who makes calls: the owner of an API key, one session of a protocol, or whoever started the process. Handles belong
/// to a caller.
///
/// The text is for the operator. It must not be a secret.
///
/// ```
/// use opentool::Caller;
///
/// let caller = Caller::new("ci").in_session(2);
/// assert_eq!(caller.to_string(), "ci, session 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Caller {
    name: Arc<str>,
    session: Option<u64>,
}

impl Caller {
    /// The caller with this name.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), session: None }
    }

    /// The same owner in one of its sessions, which is a caller of its own.
    #[must_use]
    pub fn in_session(self, number: u64) -> Self {
        Self { session: Some(number), ..self }
    }

    /// The name of the owner, which all of its sessions share.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Everybody of whom nothing is known.
impl Default for Caller {
    fn default() -> Self {
        Self::new("anonymous")
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.session.map_or(Ok(()), |number| write!(f, ", session {number}"))
    }
}

/// When a call must have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// How long the call may take.
    pub limit: Duration,
    /// When that time is over.
    pub until: Instant,
}

impl Deadline {
    /// So much time from now on; `None` if the clock does not reach so far.
    #[must_use]
    pub fn after(limit: Duration) -> Option<Self> {
        Some(Self { limit, until: Instant::now().checked_add(limit)? })
    }

    /// The limit, in milliseconds.
    #[must_use]
    pub fn limit_ms(&self) -> u64 {
        u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX)
    }
}

/// The caller, the deadline and the state of one call. Clones belong to the same call.
///
/// ```
/// use std::time::Duration;
/// use opentool::{CallContext, Caller, Deadline};
///
/// let context = CallContext::new(Caller::new("ci"), Deadline::after(Duration::from_secs(5)));
/// assert!(!context.is_cancelled());
/// context.cancel();
/// assert!(context.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CallContext {
    caller: Caller,
    deadline: Option<Deadline>,
    state: Arc<State>,
    listener: Option<Arc<Listener>>,
}

type Hook = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    is_cancelled: AtomicBool,
    /// What ends the running call.
    hook: Mutex<Option<Hook>>,
    behind: Mutex<Behind>,
}

/// What the call waits for.
#[derive(Debug, Default)]
struct Behind {
    /// The function that it waits for, or that it waited for last.
    function: Option<String>,
    waits: bool,
}

impl CallContext {
    /// A new call.
    #[must_use]
    pub fn new(caller: Caller, deadline: Option<Deadline>) -> Self {
        Self { caller, deadline, state: Arc::default(), listener: None }
    }

    /// The same call, whose progress `tell` is told: at most ten times a second, and the last report always. It must not
    /// wait for long, because the call waits for it.
    #[must_use]
    pub fn reporting_to(self, tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(Listener::new(tell))), ..self }
    }

    /// The same call, whose progress is that of `other`, a call that makes it.
    #[must_use]
    pub fn reporting_as(self, other: &Self) -> Self {
        Self { listener: other.listener.clone(), ..self }
    }

    /// Whether somebody is told how far the call is.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.listener.is_some()
    }

    /// Tells how far the call is. What comes too early after the last report waits for a later one.
    pub fn report(&self, progress: Progress) {
        if let Some(listener) = &self.listener {
            listener.report(progress);
        }
    }

    /// The call has ended: its last report is told, if it was too early before.
    pub fn report_last(&self) {
        if let Some(listener) = &self.listener {
            listener.report_last();
        }
    }

    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// When the call must have ended, if there is a limit.
    #[must_use]
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// Nobody waits for the result any more. A running call ends, if it runs where it can be ended.
    pub fn cancel(&self) {
        self.state.is_cancelled.store(true, Ordering::SeqCst);
        let hook = lock(&self.state.hook).take();
        if let Some(end) = hook {
            end();
        }
    }

    /// Whether [`CallContext::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.load(Ordering::SeqCst)
    }

    /// While the guard lives, `end` is called when the call is cancelled, or at once if it has been.
    pub fn on_cancel(&self, end: impl FnOnce() + Send + 'static) -> OnCancel<'_> {
        *lock(&self.state.hook) = Some(Box::new(end));
        if self.is_cancelled() {
            self.cancel();
        }
        OnCancel(self)
    }

    /// Notes that the call waits for a call of `function`, or that it has started.
    pub fn waits_behind(&self, function: Option<&str>) {
        let mut behind = lock(&self.state.behind);
        behind.waits = function.is_some();
        if let Some(function) = function {
            behind.function = Some(function.to_owned());
        }
    }

    /// Notes that the call waits again for what it waited for before, if for anything: what that left has to be mended first.
    pub fn waits_again(&self) {
        let mut behind = lock(&self.state.behind);
        behind.waits = behind.function.is_some();
    }

    /// The function that the call waits for; `None` if it has started.
    #[must_use]
    pub fn behind(&self) -> Option<String> {
        let behind = lock(&self.state.behind);
        behind.function.clone().filter(|_| behind.waits)
    }
}

/// Ignores poisoning: what is behind these locks is always whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("is_cancelled", &self.is_cancelled)
            .field("behind", &self.behind)
            .finish_non_exhaustive()
    }
}

/// Forgets what ends the call, because it has ended. From [`CallContext::on_cancel`].
#[must_use = "the call can be ended only while it lives"]
#[derive(Debug)]
pub struct OnCancel<'c>(&'c CallContext);

impl Drop for OnCancel<'_> {
    fn drop(&mut self) {
        lock(&self.0.state.hook).take();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_call_waits_again_only_for_what_it_waited_for() {
        let context = CallContext::default();
        context.waits_again();
        assert_eq!(context.behind(), None);
        context.waits_behind(Some("step"));
        context.waits_behind(None);
        assert_eq!(context.behind(), None);
        context.waits_again();
        assert_eq!(context.behind().as_deref(), Some("step"));
    }

    #[test]
    fn a_call_is_ended_once_and_only_while_it_runs() {
        let ended = Arc::new(AtomicUsize::new(0));
        let end = || {
            let ended = Arc::clone(&ended);
            move || {
                ended.fetch_add(1, Ordering::SeqCst);
            }
        };
        let context = CallContext::default();
        drop(context.on_cancel(end()));
        let guard = context.on_cancel(end());
        context.cancel();
        context.cancel();
        drop(guard);
        assert_eq!(ended.load(Ordering::SeqCst), 1);
        let _late = context.on_cancel(end());
        assert_eq!(ended.load(Ordering::SeqCst), 2, "a call that was cancelled before it ran");
    }
}

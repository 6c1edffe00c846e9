//! Running calls that another thread ends with a function of the library (`x-cancel`).
//!
//! A server gives the call its [`CallContext`]. While C runs, cancelling the context calls the function that ends it, on
//! another thread; as soon as C has returned, nothing calls it any more.

use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentool::CallContext;

/// How long a cancelled call is asked to end.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often. A library may not have begun when it is asked first: SQLite forgets what it was asked before a statement
/// runs.
const PAUSE: Duration = Duration::from_millis(50);

thread_local! {
    /// The call that this thread makes for a server.
    static CONTEXT: RefCell<Option<CallContext>> = const { RefCell::new(None) };
}

/// Makes a call that is ended when `context` is cancelled, and whose callbacks can tell how far it is.
pub fn cancellable<T>(context: &CallContext, call: impl FnOnce() -> T) -> T {
    struct Restore(Option<CallContext>);
    impl Drop for Restore {
        fn drop(&mut self) {
            let before = self.0.take();
            CONTEXT.with_borrow_mut(|current| *current = before);
        }
    }
    let _restore = Restore(CONTEXT.replace(Some(context.clone())));
    call()
}

/// The call that this thread makes for a server.
pub(crate) fn context() -> Option<CallContext> {
    CONTEXT.with_borrow(Clone::clone)
}

/// Whether the call that this thread makes can be cancelled.
#[must_use]
pub fn is_cancellable() -> bool {
    CONTEXT.with_borrow(Option::is_some)
}

/// Until the guard is dropped, C runs. If the call is cancelled, `end` is called with each of these handles on another
/// thread, until the guard is dropped or a second has passed. It is not running when the guard has been dropped. `None` if
/// nobody can cancel the call.
///
/// # Safety
///
/// While the guard lives, `end` may be called in another thread with these handles, also more than once.
#[must_use = "the call is ended only while it lives"]
pub unsafe fn ended_by(
    handles: impl FnOnce() -> Vec<NonNull<c_void>>,
    end: impl Fn(*mut c_void) + Send + 'static,
) -> Option<Cancellable> {
    let context = context()?;
    let handles = Handles(handles());
    let cancel = move || handles.pointers().for_each(&end);
    let running = Arc::new(Running { cancel: Mutex::new(Some(Box::new(cancel))), ended: Condvar::new() });
    let cancelled = Arc::clone(&running);
    std::mem::forget(context.on_cancel(move || {
        // Whoever cancels does not wait. Without a thread the call is not ended, but its caller has its error.
        let _ = std::thread::Builder::new().name("cancel".to_owned()).spawn(move || cancelled.cancel());
    }));
    Some(Cancellable { running, context })
}

/// The handles of a running call.
struct Handles(Vec<NonNull<c_void>>);

impl Handles {
    fn pointers(&self) -> impl Iterator<Item = *mut c_void> {
        self.0.iter().map(|handle| handle.as_ptr())
    }
}

// SAFETY: whoever called `ended_by` vouches that another thread may use them for that, and it does nothing else with them.
unsafe impl Send for Handles {}

/// A running call that can be cancelled, from [`ended_by`].
#[derive(Debug)]
pub struct Cancellable {
    running: Arc<Running>,
    context: CallContext,
}

impl Drop for Cancellable {
    fn drop(&mut self) {
        self.running.lock().take();
        self.running.ended.notify_all();
        // The hook is forgotten.
        drop(self.context.on_cancel(|| {}));
    }
}

/// A call that runs.
struct Running {
    /// What ends it; `None` when it has ended.
    cancel: Mutex<Option<Box<dyn Fn() + Send>>>,
    ended: Condvar,
}

impl Running {
    /// Ignores poisoning: what is behind the lock is always whole.
    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Fn() + Send>>> {
        self.cancel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the call to end until it has.
    fn cancel(&self) {
        let begin = Instant::now();
        let mut running = self.lock();
        while let Some(cancel) = &*running
            && begin.elapsed() < PATIENCE
        {
            // With the lock: the call does not return, and nothing frees its handles, before this has returned.
            cancel();
            (running, _) = self.ended.wait_timeout(running, PAUSE).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    /// Runs `call`, which `end` ends, for `context`.
    fn run(context: &CallContext, end: impl Fn() + Send + 'static, call: impl FnOnce()) {
        cancellable(context, || {
            // SAFETY: the handle is not used.
            let guard = unsafe { ended_by(|| vec![NonNull::dangling()], move |_| end()) };
            assert!(guard.is_some(), "it can be cancelled");
            call();
        });
    }

    fn counter() -> (Arc<AtomicUsize>, impl Fn() + Send + 'static) {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        (asked, move || _ = counted.fetch_add(1, Ordering::SeqCst))
    }

    #[test]
    fn a_running_call_is_asked_to_end_until_it_has() {
        let context = CallContext::default();
        let (asked, end) = counter();
        run(&context, end, || {
            context.cancel();
            let begin = Instant::now();
            // The first time it did not listen.
            while asked.load(Ordering::SeqCst) < 2 {
                assert!(begin.elapsed() < Duration::from_secs(10), "it is not asked again");
                std::thread::yield_now();
            }
        });
        let after = asked.load(Ordering::SeqCst);
        std::thread::sleep(3 * PAUSE);
        assert_eq!(asked.load(Ordering::SeqCst), after, "it has ended");
    }

    #[test]
    fn a_call_does_not_end_while_it_is_being_cancelled() {
        let context = CallContext::default();
        let (is_inside, was_inside) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (inside, was) = (Arc::clone(&is_inside), Arc::clone(&was_inside));
        let end = move || {
            inside.store(true, Ordering::SeqCst);
            was.store(true, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(100));
            inside.store(false, Ordering::SeqCst);
        };
        run(&context, end, || {
            context.cancel();
            while !was_inside.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        });
        assert!(!is_inside.load(Ordering::SeqCst), "it waits for the other thread");
    }

    #[test]
    fn a_call_that_has_ended_is_not_cancelled() {
        let context = CallContext::default();
        let (asked, end) = counter();
        run(&context, end, || {});
        context.cancel();
        std::thread::sleep(3 * PAUSE);
        assert_eq!(asked.load(Ordering::SeqCst), 0);
        assert!(!is_cancellable(), "the next call of the thread is another one");
        // SAFETY: the handle is not used.
        assert!(unsafe { ended_by(|| vec![NonNull::dangling()], |_| {}) }.is_none());
    }

    #[test]
    fn a_call_that_does_not_listen_is_left_alone_after_a_while() {
        let context = CallContext::default();
        let (asked, end) = counter();
        run(&context, end, || {
            context.cancel();
            std::thread::sleep(PATIENCE + 4 * PAUSE);
            let before = asked.load(Ordering::SeqCst);
            assert!(before > 1, "it was asked several times");
            std::thread::sleep(4 * PAUSE);
            assert_eq!(asked.load(Ordering::SeqCst), before);
        });
    }
}

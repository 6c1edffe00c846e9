//! Running calls that another thread ends with a function of the library (`x-cancel`).
//!
//! A server gives the call its [`CallContext`]. While C runs, cancelling the context calls the function that ends it, on
//! another thread; as soon as C has returned, nothing calls it any more.

use std::cell::RefCell;
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

/// Makes a call that is ended when `context` is cancelled.
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

/// Whether the call that this thread makes can be cancelled.
#[must_use]
pub fn is_cancellable() -> bool {
    CONTEXT.with_borrow(Option::is_some)
}

/// Runs `call`, in which C runs. If it is cancelled, `cancel` is called on another thread, until `call` has returned or a
/// second has passed. `cancel` is not running when this returns.
pub fn ended_by<T>(cancel: impl Fn() + Send + 'static, call: impl FnOnce() -> T) -> T {
    let Some(context) = CONTEXT.with_borrow(Clone::clone) else { return call() };
    let running = Arc::new(Running { cancel: Mutex::new(Some(Box::new(cancel))), ended: Condvar::new() });
    let cancelled = Arc::clone(&running);
    let _hook = context.on_cancel(move || {
        // Whoever cancels does not wait. Without a thread the call is not ended, but its caller has its error.
        let _ = std::thread::Builder::new().name("cancel".to_owned()).spawn(move || cancelled.cancel());
    });
    let _ended = Ended(&running);
    call()
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

/// The call has ended when this is dropped.
struct Ended<'r>(&'r Running);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.lock().take();
        self.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_running_call_is_asked_to_end_until_it_has() {
        let context = CallContext::default();
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let cancel = move || {
            counted.fetch_add(1, Ordering::SeqCst);
        };
        cancellable(&context, || {
            ended_by(cancel, || {
                context.cancel();
                let begin = Instant::now();
                // The first time it did not listen.
                while asked.load(Ordering::SeqCst) < 2 {
                    assert!(begin.elapsed() < Duration::from_secs(10), "it is not asked again");
                    std::thread::yield_now();
                }
            });
        });
        let after = asked.load(Ordering::SeqCst);
        std::thread::sleep(3 * PAUSE);
        assert_eq!(asked.load(Ordering::SeqCst), after, "it has ended");
    }

    #[test]
    fn a_call_that_has_ended_is_not_cancelled_and_one_that_is_being_cancelled_does_not_end() {
        let context = CallContext::default();
        let (is_inside, was_inside) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (inside, was) = (Arc::clone(&is_inside), Arc::clone(&was_inside));
        let cancel = move || {
            inside.store(true, Ordering::SeqCst);
            was.store(true, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(100));
            inside.store(false, Ordering::SeqCst);
        };
        cancellable(&context, || {
            ended_by(cancel, || {
                context.cancel();
                while !was_inside.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
            });
            assert!(!is_inside.load(Ordering::SeqCst), "it waits for the other thread");
        });
        assert!(!is_cancellable(), "the next call of the thread is another one");
        ended_by(|| panic!("nobody can cancel it"), || context.cancel());
    }

    #[test]
    fn a_call_that_does_not_listen_is_left_alone_after_a_while() {
        let context = CallContext::default();
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let cancel = move || {
            counted.fetch_add(1, Ordering::SeqCst);
        };
        cancellable(&context, || {
            ended_by(cancel, || {
                context.cancel();
                std::thread::sleep(PATIENCE + 4 * PAUSE);
                let before = asked.load(Ordering::SeqCst);
                std::thread::sleep(4 * PAUSE);
                assert_eq!(asked.load(Ordering::SeqCst), before);
            });
        });
    }
}

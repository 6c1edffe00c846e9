//! Closures that C calls.
//!
//! A generated `extern "C"` trampoline gets the user data back from C and calls [`Callback::invoke`]
//! or [`Kept::invoke`]. A panic must not unwind through C: it is caught here, kept, and resumed
//! after the C function has returned.

use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

type Payload = Box<dyn Any + Send>;

/// A closure that C may call while one function runs.
#[must_use = "`finish` resumes a panic of the closure"]
pub struct Callback<F> {
    closure: UnsafeCell<F>,
    running: Cell<bool>,
    /// The first panic. After it, the closure is not called again.
    panic: RefCell<Option<Payload>>,
    /// The thread that created this, as an address that only it has.
    thread: usize,
    /// Whether another thread wanted to call the closure.
    strayed: AtomicBool,
}

/// An address that no other living thread has: cheaper to read and to compare than a `ThreadId`.
#[inline]
#[must_use]
pub fn this_thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| ptr::from_ref(here).addr())
}

impl<F> Callback<F> {
    /// Prepares `closure` for C.
    #[inline]
    pub fn new(closure: F) -> Self {
        Self {
            closure: UnsafeCell::new(closure),
            running: Cell::new(false),
            panic: RefCell::new(None),
            thread: this_thread(),
            strayed: AtomicBool::new(false),
        }
    }

    /// The pointer that C passes back to the trampoline; valid until this is moved or dropped.
    #[inline]
    pub fn user_data(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }

    /// Calls the closure, from the trampoline. Returns `on_panic` if the closure panics, now or in
    /// an earlier call, if it is already running, if this is not the thread that created it, or if
    /// `user_data` is NULL.
    ///
    /// # Safety
    ///
    /// `user_data` is NULL, or from [`Callback::user_data`] of a `Callback<F>` that is alive and not
    /// borrowed.
    pub unsafe fn invoke<R>(user_data: *mut c_void, on_panic: R, call: impl FnOnce(&mut F) -> R) -> R {
        // SAFETY: the caller guarantees a live `Callback<F>` or NULL. The borrow is shared, because
        // calls may be nested.
        let Some(this) = (unsafe { user_data.cast::<Self>().as_ref() }) else { return on_panic };
        // Only what any thread may look at: a closure need be neither `Send` nor `Sync`.
        if this.thread != this_thread() {
            this.strayed.store(true, Ordering::Relaxed);
            return on_panic;
        }
        if this.panic.borrow().is_some() {
            return on_panic;
        }
        if this.running.replace(true) {
            #[expect(clippy::panic, reason = "caught at once; a real panic, so that the message is shown")]
            let again = catch_unwind(|| panic_any("a callback was called again while it was running"));
            *this.panic.borrow_mut() = again.err();
            return on_panic;
        }
        // SAFETY: `running` was false and is true now, so this is the only borrow of the closure until
        // it is false again.
        let closure = unsafe { &mut *this.closure.get() };
        // State that a panic leaves inconsistent in the closure is not observed here: the closure is
        // not called again, and `finish` resumes the panic in the caller.
        let result = catch_unwind(AssertUnwindSafe(|| call(closure)));
        this.running.set(false);
        result.unwrap_or_else(|payload| {
            this.panic.borrow_mut().get_or_insert(payload);
            on_panic
        })
    }

    /// Ends the loan, after the C function has returned, and resumes a panic of the closure.
    ///
    /// # Panics
    ///
    /// The closure panicked, or C called it in another thread, where it did not run.
    #[inline]
    pub fn finish(self) {
        if let Some(payload) = self.panic.into_inner() {
            resume_unwind(payload);
        }
        if self.strayed.into_inner() {
            strayed();
        }
    }
}

#[cold]
#[expect(
    clippy::panic,
    reason = "the document says nothing of other threads, and the result of C is not to be trusted"
)]
fn strayed() {
    panic!("C called a closure in another thread than the one that passed it; it did not run there");
}

/// A closure that C may call until the handle that keeps it
/// ([`Handle::keep`](crate::handle::Handle::keep)) is freed.
///
/// C may call it again while it runs, so it is an `Fn`.
pub struct Kept<F> {
    /// From `Arc::into_raw`: the address that C holds stays the same when `Kept` moves.
    closure: *const F,
}

// SAFETY: it owns the closure, which is `Send`. Another thread calls it only where it is `Sync` too, or where one call
// of the binding runs at a time.
unsafe impl<F: Send> Send for Kept<F> {}

impl<F> Kept<F> {
    /// Prepares `closure` for C.
    pub fn new(closure: F) -> Self {
        Self { closure: Arc::into_raw(Arc::new(closure)) }
    }

    /// The pointer that C passes back to the trampoline; valid while this lives, even if it moves.
    #[inline]
    #[must_use]
    pub fn user_data(&self) -> *mut c_void {
        self.closure.cast_mut().cast()
    }

    /// One more reference to the closure.
    ///
    /// # Safety
    ///
    /// `user_data` is from [`Kept::user_data`] of a `Kept<F>` that is alive.
    pub(crate) unsafe fn shared(user_data: *const F) -> Arc<F> {
        // SAFETY: the pointer is from `Arc::into_raw`, and the `Kept` that owns it is alive.
        unsafe {
            Arc::increment_strong_count(user_data);
            Arc::from_raw(user_data)
        }
    }

    /// Calls the closure, from the trampoline. Returns `on_panic` if the closure panics, if the panic
    /// of a kept closure waits for [`resume_kept_panic`], or if `user_data` is NULL.
    ///
    /// # Safety
    ///
    /// `user_data` is NULL, or from [`Kept::user_data`] of a `Kept<F>` that is alive. If `F` is not `Sync`, no other
    /// thread calls it or drops it meanwhile.
    pub unsafe fn invoke<R>(user_data: *mut c_void, on_panic: R, call: impl FnOnce(&F) -> R) -> R {
        let closure = user_data.cast_const().cast::<F>();
        if closure.is_null() || PENDING.get() {
            return on_panic;
        }
        // The closure is an `Fn`, so a panic leaves no more than any other code could observe after
        // catching it; `resume_kept_panic` resumes the panic itself.
        let result = catch_unwind(AssertUnwindSafe(|| {
            // A second reference: a closure may free the handle that keeps it, and must live until it
            // returns.
            // SAFETY: the caller guarantees that the `Kept` is alive.
            let closure = unsafe { Self::shared(closure) };
            call(&closure)
        }));
        result.unwrap_or_else(|payload| {
            keep_panic(payload);
            on_panic
        })
    }
}

impl<F> Drop for Kept<F> {
    fn drop(&mut self) {
        // SAFETY: the pointer is from `Arc::into_raw` in `new`, and only this call releases that
        // reference.
        drop(unsafe { Arc::from_raw(self.closure) });
    }
}

thread_local! {
    /// Whether `PANIC` holds a panic: a plain byte, because it is read after every call.
    static PENDING: Cell<bool> = const { Cell::new(false) };
    static PANIC: Cell<Option<Payload>> = const { Cell::new(None) };
}

#[cold]
fn keep_panic(payload: Payload) {
    // The first panic is kept. A thread that is ending has no caller to resume it in.
    if !PENDING.get() && PANIC.try_with(|panic| panic.set(Some(payload))).is_ok() {
        PENDING.set(true);
    }
}

/// Resumes the panic of a [`Kept`] closure, if there was one. Generated methods of bindings with
/// such closures call it after the C function has returned.
#[inline]
pub fn resume_kept_panic() {
    if PENDING.get() {
        resume_pending();
    }
}

#[cold]
fn resume_pending() {
    PENDING.set(false);
    let payload = PANIC.try_with(Cell::take).ok().flatten();
    // In a `Drop` during unwinding, a second panic would abort the process.
    if let Some(payload) = payload
        && !thread::panicking()
    {
        resume_unwind(payload);
    }
}

#[cfg(test)]
mod tests;

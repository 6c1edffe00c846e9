//! Closures that C calls.
//!
//! A generated `extern "C"` trampoline gets the user data back from C and calls [`Callback::invoke`]
//! or [`Kept::invoke`]. A panic may not unwind through C: it is caught here, kept, and goes on when
//! the C function has returned.

use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::ptr;
use std::rc::Rc;
use std::thread;

type Payload = Box<dyn Any + Send>;

/// A closure that C may call while one function runs.
#[must_use = "`finish` lets a panic of the closure go on"]
pub struct Callback<F> {
    closure: UnsafeCell<F>,
    running: Cell<bool>,
    /// The first panic. Behind it nothing is called any more.
    panic: RefCell<Option<Payload>>,
}

impl<F> Callback<F> {
    /// Prepares `closure` for C.
    #[inline]
    pub fn new(closure: F) -> Self {
        Self { closure: UnsafeCell::new(closure), running: Cell::new(false), panic: RefCell::new(None) }
    }

    /// What C hands back to the trampoline; valid while this lives and stays where it is.
    #[inline]
    pub fn user_data(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }

    /// Calls the closure, from the trampoline. The answer is `on_panic` if the closure panics, now or
    /// in an earlier call, if it is running already, and if `user_data` is NULL.
    ///
    /// # Safety
    ///
    /// `user_data` is NULL, or from [`Callback::user_data`] of a `Callback<F>` that is there and is
    /// borrowed by nobody. This is the thread that made it.
    pub unsafe fn invoke<R>(user_data: *mut c_void, on_panic: R, call: impl FnOnce(&mut F) -> R) -> R {
        // SAFETY: the caller vouches for it. It is a shared borrow, because calls may be nested.
        let Some(this) = (unsafe { user_data.cast::<Self>().as_ref() }) else { return on_panic };
        if this.panic.borrow().is_some() {
            return on_panic;
        }
        if this.running.replace(true) {
            #[expect(clippy::panic, reason = "caught at once; a real one, so that the message is shown")]
            let again = catch_unwind(|| panic_any("a callback was called again while it was running"));
            *this.panic.borrow_mut() = again.err();
            return on_panic;
        }
        // SAFETY: `running` was false, so nobody else borrows the closure until it is false again.
        let closure = unsafe { &mut *this.closure.get() };
        // What a panic leaves half done in the closure is not seen through this: the closure is not
        // called again, and the caller sees the panic go on in `finish`, as if C were not between.
        let result = catch_unwind(AssertUnwindSafe(|| call(closure)));
        this.running.set(false);
        result.unwrap_or_else(|payload| {
            this.panic.borrow_mut().get_or_insert(payload);
            on_panic
        })
    }

    /// Ends the loan, after the C function has returned: a panic of the closure goes on here.
    #[inline]
    pub fn finish(self) {
        if let Some(payload) = self.panic.into_inner() {
            resume_unwind(payload);
        }
    }
}

/// A closure that C may call until a handle is freed, which keeps it
/// ([`Handle::keep`](crate::handle::Handle::keep)).
///
/// C may call it while it runs, so it is an `Fn`.
pub struct Kept<F> {
    /// From `Rc::into_raw`: the address that C has must not be part of what moves.
    closure: *const F,
}

impl<F> Kept<F> {
    /// Prepares `closure` for C.
    pub fn new(closure: F) -> Self {
        Self { closure: Rc::into_raw(Rc::new(closure)) }
    }

    /// What C hands back to the trampoline; valid while this lives, wherever it moves.
    #[inline]
    #[must_use]
    pub fn user_data(&self) -> *mut c_void {
        self.closure.cast_mut().cast()
    }

    /// Calls the closure, from the trampoline. The answer is `on_panic` if the closure panics, if
    /// another has panicked and that is still on its way to [`resume_kept_panic`], and if
    /// `user_data` is NULL.
    ///
    /// # Safety
    ///
    /// `user_data` is NULL, or from [`Kept::user_data`] of a `Kept<F>` that is there. This is the
    /// thread that made it.
    pub unsafe fn invoke<R>(user_data: *mut c_void, on_panic: R, call: impl FnOnce(&F) -> R) -> R {
        let closure = user_data.cast_const().cast::<F>();
        if closure.is_null() || PENDING.get() {
            return on_panic;
        }
        // What a panic leaves half done is what the closure's own `Fn` lets anybody see who catches
        // one: the panic itself goes on in `resume_kept_panic`.
        let result = catch_unwind(AssertUnwindSafe(|| {
            // A closure that frees the handle which keeps it lives until it has returned.
            // SAFETY: the pointer is from `Rc::into_raw`, and the `Kept` has not given it back.
            let closure = unsafe {
                Rc::increment_strong_count(closure);
                Rc::from_raw(closure)
            };
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
        // SAFETY: the pointer is from `Rc::into_raw` in `new`, and is given back here alone.
        drop(unsafe { Rc::from_raw(self.closure) });
    }
}

thread_local! {
    /// Whether `PANIC` holds one: a plain byte, because it is asked after every call.
    static PENDING: Cell<bool> = const { Cell::new(false) };
    static PANIC: Cell<Option<Payload>> = const { Cell::new(None) };
}

#[cold]
fn keep_panic(payload: Payload) {
    // The first counts. Where the thread is ending there is nobody left for it to go on to.
    if !PENDING.get() && PANIC.try_with(|panic| panic.set(Some(payload))).is_ok() {
        PENDING.set(true);
    }
}

/// Lets the panic of a [`Kept`] closure go on, if there was one. Generated methods of bindings that
/// have such closures call it when the C function has returned.
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
    // While another panic unwinds, in a `Drop`, a second one would end the process.
    if let Some(payload) = payload
        && !thread::panicking()
    {
        resume_unwind(payload);
    }
}

#[cfg(test)]
mod tests;

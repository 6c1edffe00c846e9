//! Functions that C can call: libffi makes them, and the callback of the document answers.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use libffi::low::{CodePtr, closure_free, ffi_cif, ffi_closure, try_closure_alloc};
use libffi::raw::{ffi_prep_closure_loc, ffi_status_FFI_OK};
use opendyn::generated::{Calls, KeptCalls, Progress};
use opendyn::interpreted::this_thread;

use crate::bound::Bound;
use crate::callback::Answering;

/// A function that C can call until this is dropped, and what becomes of its calls.
pub(crate) struct Lent {
    answering: *const Answering,
    pub(crate) sink: Sink,
    /// The handle that C passes back in place of user data; NULL if it passes user data.
    handle: *mut c_void,
    closure: *mut ffi_closure,
    code: CodePtr,
    /// The thread of the call that lends it.
    thread: usize,
}

// SAFETY: the closure of libffi is memory that this owns, the document lives as long as `Bound`, and nothing here follows
// the handle. C calls the function in one thread at a time, unless the library is thread-safe; events are behind a lock.
unsafe impl Send for Lent {}

/// Where calls go.
pub(crate) enum Sink {
    /// Into the reply of the function that the callback is passed to.
    Calls(Calls),
    /// Into the events of a handle, which keeps the callback and with it the document.
    Events(KeptCalls, #[expect(dead_code, reason = "it owns what the callback refers to")] Arc<Bound>),
    /// To whoever waits for the function that the callback is passed to.
    Progress(Progress),
}

impl Lent {
    /// Makes the function. It stays in its box: C has the address.
    ///
    /// # Safety
    ///
    /// `answering` outlives the result.
    pub(crate) unsafe fn new(answering: &Answering, calls: Calls) -> Option<Box<Self>> {
        // SAFETY: as the caller guarantees.
        unsafe { Self::made(answering, Sink::Calls(calls), ptr::null_mut()) }
    }

    /// Makes a function that tells how far the call is.
    ///
    /// # Safety
    ///
    /// As for [`Lent::new`].
    pub(crate) unsafe fn reporting(answering: &Answering, progress: Progress) -> Option<Box<Self>> {
        // SAFETY: as the caller guarantees.
        unsafe { Self::made(answering, Sink::Progress(progress), ptr::null_mut()) }
    }

    /// Makes a function that a handle keeps. `answering` is of the document of `bound`.
    pub(crate) fn kept(
        answering: &Answering,
        calls: KeptCalls,
        handle: *mut c_void,
        bound: &Arc<Bound>,
    ) -> Option<Box<Self>> {
        // SAFETY: the result owns the document, and with it `answering`.
        unsafe { Self::made(answering, Sink::Events(calls, Arc::clone(bound)), handle) }
    }

    /// # Safety
    ///
    /// As for [`Lent::new`].
    unsafe fn made(answering: &Answering, sink: Sink, handle: *mut c_void) -> Option<Box<Self>> {
        let (closure, code) = try_closure_alloc()?;
        let lent = Box::new(Self { answering, sink, handle, closure, code, thread: this_thread() });
        let user_data: *const Self = &raw const *lent;
        // SAFETY: the closure is new, the interface outlives it, and so does the box, whose address stays the same.
        let status = unsafe {
            ffi_prep_closure_loc(
                closure,
                answering.interface.as_raw_ptr(),
                Some(trampoline),
                user_data.cast_mut().cast(),
                code.as_mut_ptr(),
            )
        };
        (status == ffi_status_FFI_OK).then_some(lent)
    }

    /// The calls for the reply of the function that the callback was passed to.
    pub(crate) fn calls(&self) -> Option<&Calls> {
        match &self.sink {
            Sink::Calls(calls) => Some(calls),
            Sink::Events(..) | Sink::Progress(_) => None,
        }
    }

    /// Whether this thread may add calls: those of one call are not behind a lock.
    pub(crate) fn may_run_here(&self) -> bool {
        match self.sink {
            Sink::Calls(_) | Sink::Progress(_) => self.thread == this_thread(),
            Sink::Events(..) => true,
        }
    }

    /// What C passes back to the callback: user data, or the handle.
    pub(crate) fn passed_back(&self) -> *const c_void {
        if self.handle.is_null() { self.user_data() } else { self.handle }
    }

    /// What C calls.
    pub(crate) fn function(&self) -> *mut c_void {
        self.code.as_mut_ptr()
    }

    /// The user data, which C passes back.
    pub(crate) fn user_data(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: the closure is from `try_closure_alloc`, and C does not call it any more.
        unsafe { closure_free(self.closure) };
    }
}

/// What libffi calls when C calls the function.
unsafe extern "C" fn trampoline(
    _: *mut ffi_cif,
    result: *mut c_void,
    args: *mut *mut c_void,
    user_data: *mut c_void,
) {
    // SAFETY: `Lent::new` gave the address of a `Lent`, which outlives the function.
    let lent = unsafe { &*user_data.cast_const().cast::<Lent>() };
    // SAFETY: as `Lent::new` demands.
    let answering = unsafe { &*lent.answering };
    // SAFETY: whoever opened the library vouched that it passes what the document says.
    let called = AssertUnwindSafe(|| unsafe { answering.called(args.cast_const().cast(), lent) });
    // Nothing in there panics; if it did, the panic must not cross C.
    let word = catch_unwind(called).unwrap_or(answering.on_panic);
    // SAFETY: libffi gives room for the result.
    unsafe { answering.answer_with(word, result.cast()) };
}

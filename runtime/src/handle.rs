//! Typed opaque pointers for Rust callers.
//!
//! A generated newtype for each `x-handle` holds a [`Handle`]; the tokens of JSON callers are in
//! [`handles`](crate::handles).

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;
use std::mem::{self, ManuallyDrop};
use std::ops::Deref;
use std::ptr::{self, NonNull};

use crate::callback::resume_kept_panic;
use crate::free::FreeFn;

/// A handle from C: it borrows the binding, or the handle that it lives in. An owned handle is
/// freed when dropped.
///
/// It is neither `Send` nor `Sync`: the closures that it keeps for C need not be `Send`, and a
/// thread-safe library does not imply that one handle may be used by two threads.
///
/// ```compile_fail
/// fn assert_send<T: Send>() {}
/// assert_send::<opendyn::generated::Handle<'static, ()>>();
/// ```
/// ```compile_fail
/// fn assert_sync<T: Sync>() {}
/// assert_sync::<opendyn::generated::Handle<'static, ()>>();
/// ```
pub struct Handle<'l, B> {
    binding: &'l B,
    pointer: NonNull<c_void>,
    free: Option<FreeFn>,
    /// Closures that C may call until the handle is freed. They are dropped after `drop` has run.
    kept: RefCell<Vec<Box<dyn Any>>>,
}

impl<'l, B> Handle<'l, B> {
    /// The handle at `pointer`, owned if there is a `free`; `None` for NULL.
    ///
    /// # Safety
    ///
    /// `free`, if given, takes a `B`. A pointer that is not NULL is valid for `'l`, `free` may be
    /// called with it, and no other code frees it.
    #[inline]
    pub unsafe fn new(binding: &'l B, pointer: *mut c_void, free: Option<FreeFn>) -> Option<Self> {
        let pointer = NonNull::new(pointer)?;
        Some(Self { binding, pointer, free, kept: RefCell::new(Vec::new()) })
    }

    /// The pointer for C.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// The pointer for a function of `binding`.
    ///
    /// # Panics
    ///
    /// The handle was made by another binding. Its functions may be those of another library, to
    /// which the pointer means nothing.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn as_ptr_for(&self, binding: &B) -> *mut c_void {
        assert!(ptr::eq(self.binding, binding), "the handle was made by another binding");
        self.pointer.as_ptr()
    }

    /// The binding whose functions take the handle.
    #[inline]
    #[must_use]
    pub fn binding(&self) -> &'l B {
        self.binding
    }

    /// Keeps a closure that C may call until the handle is freed. Closures passed to C earlier are
    /// kept too, because C may still use them. When a borrowed handle is freed is unknown, so its
    /// closures are leaked.
    pub fn keep(&self, closure: Box<dyn Any>) {
        match self.free {
            Some(_) => self.kept.borrow_mut().push(closure),
            None => mem::forget(closure),
        }
    }

    /// The pointer, which this no longer frees: [`Handles`](crate::Handles) takes it over. Kept
    /// closures are leaked, because C may still call them.
    #[inline]
    #[must_use]
    pub fn into_raw(self) -> NonNull<c_void> {
        ManuallyDrop::new(self).pointer
    }

    /// The pointer for a C function that frees the handle itself, with the closures that must
    /// outlive that call.
    ///
    /// # Panics
    ///
    /// As for [`Handle::as_ptr_for`]; the handle is then dropped, which frees it.
    #[inline]
    #[track_caller]
    pub fn release(self, binding: &B) -> Released {
        let _ = self.as_ptr_for(binding);
        let this = ManuallyDrop::new(self);
        Released { pointer: this.pointer, kept: ManuallyDrop::new(this.kept.take()) }
    }
}

impl<B> Drop for Handle<'_, B> {
    fn drop(&mut self) {
        let Some(free) = self.free else { return };
        // SAFETY: the caller of `new` guaranteed that `free` takes this binding and this pointer. The
        // binding is borrowed, and handles from `into_raw` and `release` are never dropped.
        unsafe { free(ptr::from_ref(self.binding).cast(), self.pointer.as_ptr()) };
        if !self.kept.get_mut().is_empty() {
            resume_kept_panic();
        }
    }
}

impl<B> fmt::Debug for Handle<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.pointer).finish()
    }
}

/// A handle that other code frees. It can be borrowed and passed to C, but not moved out, so no
/// function that frees handles accepts it.
pub struct Borrowed<T>(T);

impl<T> Borrowed<T> {
    /// Wraps `handle`, which is not owned.
    #[doc(hidden)]
    #[inline]
    pub fn new(handle: T) -> Self {
        Self(handle)
    }

    /// The handle itself, for a function that frees it. Dropping it does not free it.
    ///
    /// # Safety
    ///
    /// No other code frees the handle.
    pub unsafe fn assume_owned(self) -> T {
        self.0
    }
}

impl<T> Deref for Borrowed<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Borrowed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Borrowed").field(&self.0).finish()
    }
}

/// A handle that C is about to free, from [`Handle::release`]. [`Released::freed`] drops its
/// closures; otherwise, also after a panic, they are leaked, because C may still call them.
#[must_use = "its closures are leaked unless it is known to be freed"]
pub struct Released {
    pointer: NonNull<c_void>,
    kept: ManuallyDrop<Vec<Box<dyn Any>>>,
}

impl Released {
    /// The pointer for C.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// Drops the closures, after C has freed the handle.
    ///
    /// # Safety
    ///
    /// C has freed the handle and does not call the closures again.
    #[inline]
    pub unsafe fn freed(self) {
        drop(ManuallyDrop::into_inner(self.kept));
    }
}

impl fmt::Debug for Released {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Released").field(&self.pointer).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callback::Kept;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::rc::Rc;

    /// A binding that records events in order.
    #[derive(Default)]
    struct Log(Rc<RefCell<Vec<&'static str>>>);

    impl Log {
        fn handle(&self) -> Handle<'_, Self> {
            // SAFETY: `free` takes a `Log` and does not follow the pointer.
            unsafe { Handle::new(self, ptr::dangling_mut(), Some(free)) }.expect("not NULL")
        }

        fn closure(&self) -> Box<dyn Any> {
            Box::new(Closure(Rc::clone(&self.0)))
        }

        fn entries(&self) -> Vec<&'static str> {
            self.0.borrow().clone()
        }
    }

    struct Closure(Rc<RefCell<Vec<&'static str>>>);

    impl Drop for Closure {
        fn drop(&mut self) {
            self.0.borrow_mut().push("closure");
        }
    }

    unsafe fn free(binding: *const (), _: *mut c_void) {
        // SAFETY: the binding of every handle here is a `Log`.
        unsafe { &*binding.cast::<Log>() }.0.borrow_mut().push("free");
    }

    #[test]
    fn dropping_frees_once_and_then_drops_the_closures() {
        let log = Log::default();
        let handle = log.handle();
        handle.keep(log.closure());
        handle.keep(log.closure());
        assert!(log.entries().is_empty());
        drop(handle);
        assert_eq!(log.entries(), ["free", "closure", "closure"]);
    }

    #[test]
    fn a_closure_that_panics_while_the_handle_is_freed_panics_the_drop() {
        type Closure = fn();
        unsafe fn free_calling(_: *const (), pointer: *mut c_void) {
            // SAFETY: the pointer is the user data of a `Kept<Closure>`, which the handle keeps.
            unsafe { Kept::<Closure>::invoke(pointer, (), |closure| closure()) }
        }
        let log = Log::default();
        let kept = Kept::<Closure>::new(|| panic!("while it is freed"));
        // SAFETY: `free_calling` takes any binding, and the user data of a `Kept`.
        let handle = unsafe { Handle::new(&log, kept.user_data(), Some(free_calling)) }.expect("not NULL");
        handle.keep(Box::new(kept));
        handle.keep(log.closure());
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(handle)));
        assert_eq!(dropped.expect_err("a panic").downcast_ref(), Some(&"while it is freed"));
        assert_eq!(log.entries(), ["closure"]);
    }

    #[test]
    fn null_is_not_a_handle_and_a_borrowed_one_is_not_freed() {
        let log = Log::default();
        // SAFETY: NULL is allowed.
        assert!(unsafe { Handle::new(&log, ptr::null_mut(), Some(free)) }.is_none());
        // SAFETY: no function is called with it.
        drop(unsafe { Handle::new(&log, ptr::dangling_mut(), None) });
        assert!(log.entries().is_empty());
    }

    #[test]
    fn releasing_does_not_free_and_keeps_the_closures_until_c_has() {
        let log = Log::default();
        let handle = log.handle();
        let pointer = handle.as_ptr();
        handle.keep(log.closure());
        let released = handle.release(&log);
        assert_eq!(released.as_ptr(), pointer);
        assert!(log.entries().is_empty());
        // SAFETY: no C code holds the closure.
        unsafe { released.freed() };
        assert_eq!(log.entries(), ["closure"]);
    }

    #[test]
    fn a_borrowed_handle_derefs_to_the_handle() {
        let log = Log::default();
        // SAFETY: no function is called with it.
        let handle =
            unsafe { Handle::new(&log, ptr::dangling_mut(), None) }.map(Borrowed::new).expect("not NULL");
        assert_eq!(handle.as_ptr(), ptr::dangling_mut());
    }

    #[test]
    #[should_panic(expected = "the handle was made by another binding")]
    fn a_handle_of_another_binding_is_refused() {
        let (log, other) = (Log::default(), Log::default());
        let handle = log.handle();
        let _ = handle.as_ptr_for(&other);
    }

    #[test]
    fn closures_stay_where_c_may_still_call_them() {
        /// A handle with a closure, and the vector that keeps it.
        fn keeping(log: &Log) -> (Handle<'_, Log>, ManuallyDrop<Vec<Box<dyn Any>>>) {
            let handle = log.handle();
            handle.keep(log.closure());
            let mut kept = handle.kept.borrow_mut();
            let (pointer, length, capacity) = (kept.as_mut_ptr(), kept.len(), kept.capacity());
            drop(kept);
            // SAFETY: these are the parts of the vector, and only one of the two is ever dropped.
            (handle, ManuallyDrop::new(unsafe { Vec::from_raw_parts(pointer, length, capacity) }))
        }
        let log = Log::default();
        let (released, first) = keeping(&log);
        drop(released.release(&log));
        let (given_up, second) = keeping(&log);
        let _ = given_up.into_raw();
        assert!(log.entries().is_empty());
        // Dropping the closures shows that they were alive, and leaks nothing.
        drop([first, second].map(ManuallyDrop::into_inner));
        assert_eq!(log.entries(), ["closure", "closure"]);
    }

    #[test]
    fn a_handle_shows_its_address() {
        let log = Log::default();
        let handle = log.handle();
        assert_eq!(format!("{handle:?}"), format!("Handle({:?})", handle.as_ptr()));
    }
}

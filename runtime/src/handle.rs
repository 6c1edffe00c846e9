//! An opaque pointer of a type of its own, for Rust callers.
//!
//! A generated newtype for each `x-handle` holds a [`Handle`]; what JSON callers hold is in
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

/// A handle that C gave: it borrows the binding, or the handle that it lives in, and if it is
/// owned it is freed when dropped.
///
/// It can neither be sent to another thread nor shared. The closures that it keeps for C need not
/// be `Send`, and that a library is thread-safe says nothing of one handle in two threads.
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
    /// What C may call until the handle is freed. It is dropped after `drop` has run.
    kept: RefCell<Vec<Box<dyn Any>>>,
}

impl<'l, B> Handle<'l, B> {
    /// The handle at `pointer`, owned if there is a `free`; `None` for NULL.
    ///
    /// # Safety
    ///
    /// `free`, if given, takes a `B`. A pointer that is not NULL is valid for `'l`, and `free` may
    /// be called with it once, which nobody else does.
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
    /// The handle was made by another binding: its pointer means nothing to the functions of this
    /// one, which may be another library.
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

    /// Keeps a closure that C may call until the handle is freed. One that C was given before is
    /// kept too: when C stops to use it is not known. Of a handle that somebody else frees it is not
    /// known either when that is, so there the closure stays for ever.
    pub fn keep(&self, closure: Box<dyn Any>) {
        match self.free {
            Some(_) => self.kept.borrow_mut().push(closure),
            None => mem::forget(closure),
        }
    }

    /// The pointer, which is not freed any more: [`Handles`](crate::Handles) takes it over. Closures
    /// that were kept stay for ever, because C may still call them.
    #[inline]
    #[must_use]
    pub fn into_raw(self) -> NonNull<c_void> {
        ManuallyDrop::new(self).pointer
    }

    /// The pointer for a C function that frees the handle itself, with the closures that have to
    /// outlive that call.
    ///
    /// # Panics
    ///
    /// As for [`Handle::as_ptr_for`]; the handle is then freed as when it is dropped.
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
        // SAFETY: whoever made this vouched for binding and pointer; the binding is borrowed, and
        // `into_raw` and `release` do not come here.
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

/// A handle that somebody else frees: it can be looked at and given to C, but not taken, so that no
/// function that frees handles gets it.
pub struct Borrowed<T>(T);

impl<T> Borrowed<T> {
    /// Lends `handle`, which owns nothing.
    #[doc(hidden)]
    #[inline]
    pub fn new(handle: T) -> Self {
        Self(handle)
    }

    /// The handle itself, for a function that frees it. Dropping it frees nothing.
    ///
    /// # Safety
    ///
    /// Nobody else frees the handle.
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

/// A handle that C is about to free, from [`Handle::release`]. Its closures are dropped when C has
/// done so; in any other case, a panic included, they stay for ever, because C may still call them.
#[must_use = "its closures stay for ever unless it is known to be freed"]
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

    /// C has freed the handle.
    ///
    /// # Safety
    ///
    /// It has, so that it does not call the closures any more.
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

    /// A binding that writes down what happens, in order.
    #[derive(Default)]
    struct Log(Rc<RefCell<Vec<&'static str>>>);

    impl Log {
        fn handle(&self) -> Handle<'_, Self> {
            // SAFETY: `free` only writes it down.
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
        // SAFETY: the tests give a `Log`.
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
            // SAFETY: the test gives the user data of a `Kept<Closure>`, which the handle keeps.
            unsafe { Kept::<Closure>::invoke(pointer, (), |closure| closure()) }
        }
        let log = Log::default();
        let kept = Kept::<Closure>::new(|| panic!("while it is freed"));
        // SAFETY: `free_calling` takes any binding.
        let handle = unsafe { Handle::new(&log, kept.user_data(), Some(free_calling)) }.expect("not NULL");
        handle.keep(Box::new(kept));
        handle.keep(log.closure());
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(handle)));
        assert_eq!(dropped.expect_err("a panic").downcast_ref(), Some(&"while it is freed"));
        assert_eq!(log.entries(), ["closure"]);
    }

    #[test]
    fn null_is_no_handle_and_what_is_borrowed_is_not_freed() {
        let log = Log::default();
        // SAFETY: NULL is allowed.
        assert!(unsafe { Handle::new(&log, ptr::null_mut(), Some(free)) }.is_none());
        // SAFETY: nothing is called with it.
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
        // SAFETY: there is no C that could call the closure.
        unsafe { released.freed() };
        assert_eq!(log.entries(), ["closure"]);
    }

    #[test]
    fn what_is_borrowed_is_seen_through() {
        let log = Log::default();
        // SAFETY: nothing is called with it.
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
            // SAFETY: these are its parts, and only one of the two is ever dropped.
            (handle, ManuallyDrop::new(unsafe { Vec::from_raw_parts(pointer, length, capacity) }))
        }
        let log = Log::default();
        let (released, first) = keeping(&log);
        drop(released.release(&log));
        let (given_up, second) = keeping(&log);
        let _ = given_up.into_raw();
        assert!(log.entries().is_empty());
        // Nothing is left behind, and what is dropped here was still there.
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

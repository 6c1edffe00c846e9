use super::*;
use crate::callback::Kept;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A binding that records events in order.
#[derive(Default)]
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    fn handle(&self) -> Handle<'_, Self> {
        // SAFETY: `free` takes a `Log` and does not follow the pointer.
        unsafe { Handle::new(self, ptr::dangling_mut(), Some(free)) }.expect("not NULL")
    }

    fn closure(&self) -> Box<dyn Any + Send> {
        Box::new(Closure(Arc::clone(&self.0)))
    }

    fn entries(&self) -> Vec<&'static str> {
        self.0.lock().expect("no panic").clone()
    }
}

struct Closure(Arc<Mutex<Vec<&'static str>>>);

impl Drop for Closure {
    fn drop(&mut self) {
        self.0.lock().expect("no panic").push("closure");
    }
}

unsafe fn free(binding: *const (), _: *mut c_void, _: &[u64]) -> bool {
    // SAFETY: the binding of every handle here is a `Log`.
    unsafe { &*binding.cast::<Log>() }.0.lock().expect("no panic").push("free");
    true
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
    unsafe fn free_calling(_: *const (), pointer: *mut c_void, _: &[u64]) -> bool {
        // SAFETY: the pointer is the user data of a `Kept<Closure>`, which the handle keeps.
        unsafe { Kept::<Closure>::invoke(pointer, (), |closure| closure()) };
        true
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

/// A binding whose functions refuse to free while it is busy.
#[derive(Default)]
struct Busy {
    log: Log,
    is_busy: std::cell::Cell<bool>,
}

unsafe fn free_unless_busy(binding: *const (), _: *mut c_void, _: &[u64]) -> bool {
    // SAFETY: the binding of every handle that is freed with this is a `Busy`.
    let busy = unsafe { &*binding.cast::<Busy>() };
    busy.log.0.lock().expect("no panic").push(if busy.is_busy.get() { "refuse" } else { "free" });
    !busy.is_busy.get()
}

impl Busy {
    fn handle(&self) -> Handle<'_, Self> {
        // SAFETY: the function takes a `Busy` and does not follow the pointer.
        unsafe { Handle::new(self, ptr::dangling_mut(), Some(free_unless_busy)) }.expect("not NULL")
    }
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_c_refuses_to_free_is_leaked_with_what_it_keeps() {
    let busy = Busy::default();
    // Shown by a weak pointer, because what is leaked is not dropped.
    let kept = Arc::new(());
    let handle = busy.handle();
    handle.keep(Box::new(Arc::clone(&kept)));
    busy.is_busy.set(true);
    drop(handle);
    assert_eq!(busy.log.entries(), ["refuse"]);
    assert_eq!(Arc::strong_count(&kept), 2, "C may still use it");
    // SAFETY: the one that is leaked is never dropped, so its count is given back here, for leak checkers.
    unsafe { Arc::decrement_strong_count(Arc::as_ptr(&kept)) };
}

#[test]
fn a_handle_that_c_refuses_to_free_is_given_back_whole() {
    let busy = Busy::default();
    let handle = busy.handle();
    handle.keep(busy.log.closure());
    let releasing = handle.releasing(&busy);
    // SAFETY: no function has freed it.
    let handle = unsafe { releasing.back() };
    assert!(busy.log.entries().is_empty());
    let mut releasing = handle.releasing(&busy);
    // SAFETY: no C code holds the closure, and the handle is not used again.
    unsafe { releasing.freed() };
    assert!(releasing.unless_freed().is_none());
    assert_eq!(busy.log.entries(), ["closure"]);
    assert!(busy.handle().releasing(&busy).unless_freed().is_some());
    assert_eq!(busy.log.entries(), ["closure", "free"]);
}

#[test]
fn what_is_kept_replaces_what_the_same_argument_kept() {
    let log = Log::default();
    let handle = log.handle();
    handle.keep_as(1, log.closure());
    handle.keep_as(2, log.closure());
    assert!(log.entries().is_empty());
    handle.keep_as(1, log.closure());
    assert_eq!(log.entries(), ["closure"]);
    drop(handle);
    assert_eq!(log.entries(), ["closure", "free", "closure", "closure"]);
}

#[test]
fn further_arguments_reach_the_function_that_frees() {
    unsafe fn free_with(binding: *const (), _: *mut c_void, captured: &[u64]) -> bool {
        // SAFETY: the binding is a `Log`.
        let log = unsafe { &*binding.cast::<Log>() };
        log.0.lock().expect("no panic").push(if captured == [7, 8] { "free with 7 and 8" } else { "free" });
        true
    }
    let log = Log::default();
    let captured = Captured::from([7, 8]);
    // SAFETY: the function takes a `Log` and does not follow the pointer.
    drop(unsafe { Handle::with_captured(&log, ptr::dangling_mut(), free_with, captured) });
    assert_eq!(log.entries(), ["free with 7 and 8"]);
}

#[test]
fn a_handle_shows_its_address() {
    let log = Log::default();
    let handle = log.handle();
    assert_eq!(format!("{handle:?}"), format!("Handle({:?})", handle.as_ptr()));
}

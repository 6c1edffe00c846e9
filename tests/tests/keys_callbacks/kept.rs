//! Closures that C may call until a handle is freed: they live as long as it does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};

use super::{Hub, KeysCallbacks, callbacks};

#[test]
fn a_closure_is_kept_until_its_handle_is_dropped() {
    let callbacks = callbacks();
    let events = Arc::new(Mutex::new(Vec::new()));
    let hub = callbacks.hub_new().expect("a hub");
    let heard = Arc::clone(&events);
    hub.listen(Some(Box::new(move |event| {
        heard.lock().expect("no panic").push(event);
        event * 2
    })));
    assert_eq!(Arc::strong_count(&events), 2);
    assert_eq!(hub.fire(5), 10);
    assert_eq!(hub.fire(6), 12);
    drop(hub);
    // C notified it of the end, and then it was dropped.
    assert_eq!(*events.lock().expect("no panic"), [5, 6, -1]);
    assert_eq!((Arc::strong_count(&events), callbacks.keys_living()), (1, 0));
}

#[test]
fn a_closure_is_kept_until_a_function_has_freed_its_handle() {
    let callbacks = callbacks();
    for close in [false, true] {
        let events = Arc::new(Mutex::new(Vec::new()));
        let hub = callbacks.hub_new().expect("a hub");
        let heard = Arc::clone(&events);
        hub.listen(Some(Box::new(move |event| {
            heard.lock().expect("no panic").push(event);
            7
        })));
        if close {
            assert_eq!(hub.close(), 7);
            assert_eq!(*events.lock().expect("no panic"), [-2, -1]);
        } else {
            hub.free();
            assert_eq!(*events.lock().expect("no panic"), [-1]);
        }
        assert_eq!((Arc::strong_count(&events), callbacks.keys_living()), (1, 0));
    }
}

#[test]
fn a_closure_that_c_was_given_before_is_kept_too() {
    let callbacks = callbacks();
    let (first, second) = (Arc::new(AtomicI32::new(0)), Arc::new(AtomicI32::new(0)));
    let listener = |count: &Arc<AtomicI32>| -> Option<Box<dyn Fn(i32) -> i32 + Send>> {
        let count = Arc::clone(count);
        Some(Box::new(move |_| count.fetch_add(1, Ordering::Relaxed)))
    };
    let hub = callbacks.hub_new().expect("a hub");
    hub.listen(listener(&first));
    hub.listen(listener(&second));
    hub.fire(1);
    hub.listen(None);
    assert_eq!(hub.fire(1), -1, "there is no listener");
    assert_eq!((first.load(Ordering::Relaxed), second.load(Ordering::Relaxed)), (0, 1));
    assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (2, 2));
    drop(hub);
    assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (1, 1));
    assert_eq!(
        (first.load(Ordering::Relaxed), second.load(Ordering::Relaxed)),
        (0, 1),
        "C had forgotten both"
    );
}

#[test]
fn a_closure_that_is_required_is_kept_as_well() {
    let callbacks = callbacks();
    let texts = Arc::new(Mutex::new(Vec::new()));
    let hub = callbacks.hub_new().expect("a hub");
    let log = |texts: &Arc<Mutex<Vec<_>>>| {
        let texts = Arc::clone(texts);
        move |text: &std::ffi::CStr| texts.lock().expect("no panic").push(text.to_owned())
    };
    let error = hub.log(log(&texts), 4).expect_err("a code");
    assert_eq!(error.to_string(), "4: stopped by a callback");
    hub.fire(1);
    assert!(texts.lock().expect("no panic").is_empty(), "C did not take it");
    assert_eq!(hub.log(log(&texts), 0), Ok(()));
    hub.fire(1);
    assert_eq!(*texts.lock().expect("no panic"), [c"fire".to_owned()]);
    drop(hub);
    assert_eq!(Arc::strong_count(&texts), 1);
}

#[test]
fn each_handle_keeps_its_own() {
    let callbacks = callbacks();
    let (one, other) = (callbacks.hub_new().expect("a hub"), callbacks.hub_new().expect("a hub"));
    one.listen(Some(Box::new(|event| event + 1)));
    other.listen(Some(Box::new(|event| event + 2)));
    assert_eq!((one.fire(10), other.fire(10)), (11, 12));
    drop(one);
    assert_eq!(other.fire(10), 12);
    assert_eq!(callbacks.keys_living(), 1);
}

#[test]
fn a_kept_closure_may_be_called_while_it_runs() {
    let callbacks = callbacks();
    let hub = callbacks.hub_new().expect("a hub");
    // Addresses, because neither a handle nor a reference to the binding can be sent to another thread.
    let (binding, pointer) =
        (std::ptr::from_ref(&*callbacks).expose_provenance(), hub.as_ptr().expose_provenance());
    hub.listen(Some(Box::new(move |event| {
        // SAFETY: these are the binding and the hub that calls this closure, in this thread; both are alive.
        let hub = unsafe {
            let binding = &*std::ptr::with_exposed_provenance::<KeysCallbacks>(binding);
            Hub::from_ptr(binding, std::ptr::with_exposed_provenance_mut(pointer))
        };
        let hub = hub.expect("not NULL");
        if event > 0 { event + hub.fire(event - 1) } else { 0 }
    })));
    assert_eq!(hub.fire(4), 10);
    drop(hub);
    assert_eq!(callbacks.keys_living(), 0);
}

#[test]
fn a_handle_that_c_refuses_to_free_comes_back_with_its_closure() {
    let callbacks = callbacks();
    let hub = callbacks.hub_new().expect("a hub");
    let kept = Arc::new(());
    let inside = Arc::clone(&kept);
    hub.listen(Some(Box::new(move |event| event + i32::try_from(Arc::strong_count(&inside)).unwrap_or(0))));
    let refused = hub.try_close(4).expect_err("it refuses");
    assert!(refused.is(4));
    assert_eq!((callbacks.keys_living(), Arc::strong_count(&kept)), (1, 2));
    let hub = refused.into_inner();
    assert_eq!(hub.fire(10), 12, "C still calls the closure");
    hub.try_close(0).expect("it frees");
    assert_eq!((callbacks.keys_living(), Arc::strong_count(&kept)), (0, 1));
}

/// Tries to close a hub, which C does not free and says so. Its listener, which owns a clone of `kept`,
/// panics at the attempt. Returns the reference count of `kept` while C has the listener.
fn not_closed(kept: &Arc<()>) -> usize {
    let callbacks = callbacks();
    let hub = callbacks.hub_new().expect("a hub");
    let (pointer, inside) = (hub.as_ptr(), Arc::clone(kept));
    hub.listen(Some(Box::new(move |_| {
        assert!(Arc::strong_count(&inside) == 0, "at the attempt");
        0
    })));
    let closed = catch_unwind(AssertUnwindSafe(|| hub.try_close(4).is_ok()));
    assert_eq!(closed.expect_err("a panic").downcast_ref(), Some(&"at the attempt"));
    assert_eq!(callbacks.keys_living(), 1);
    let count = Arc::strong_count(kept);
    // SAFETY: the hub is alive, because C did not free it.
    let hub = unsafe { Hub::from_ptr(&callbacks, pointer) }.expect("not NULL");
    // Before any assertion: C must not call a dropped closure.
    hub.listen(None);
    // SAFETY: no other code frees the hub.
    let hub = unsafe { hub.assume_owned() };
    hub.try_close(0).expect("it frees");
    assert_eq!(callbacks.keys_living(), 0);
    count
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "the closure is leaked")]
fn a_closure_that_panicked_stays_where_c_did_not_free_the_handle() {
    assert_eq!(not_closed(&Arc::new(())), 2);
}

/// C keeps the closure for the hub, whichever handle it was passed through.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "the closure is leaked")]
fn a_closure_given_through_a_borrowed_handle_outlives_that() {
    let callbacks = callbacks();
    let kept = Arc::new(());
    let hub = callbacks.hub_new().expect("a hub");
    // SAFETY: the hub is alive.
    let borrowed = unsafe { Hub::from_ptr(&callbacks, hub.as_ptr()) }.expect("not NULL");
    let inside = Arc::clone(&kept);
    borrowed.listen(Some(Box::new(move |_| i32::try_from(Arc::strong_count(&inside)).unwrap_or(0))));
    drop(borrowed);
    let count = Arc::strong_count(&kept);
    // Before any assertion: C must not call a dropped closure.
    hub.listen(None);
    assert_eq!(count, 2, "the hub is there, and C may call the closure");
}

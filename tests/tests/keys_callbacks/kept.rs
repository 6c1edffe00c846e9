//! Closures that C may call until a handle is freed: they live as long as it does.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::{Hub, callbacks};

#[test]
fn a_closure_is_kept_until_its_handle_is_dropped() {
    let callbacks = callbacks();
    let events = Rc::new(RefCell::new(Vec::new()));
    let hub = callbacks.hub_new().expect("a hub");
    let heard = Rc::clone(&events);
    callbacks.hub_listen(
        &hub,
        Some(Box::new(move |event| {
            heard.borrow_mut().push(event);
            event * 2
        })),
    );
    assert_eq!(Rc::strong_count(&events), 2);
    assert_eq!(callbacks.hub_fire(&hub, 5), 10);
    assert_eq!(callbacks.hub_fire(&hub, 6), 12);
    drop(hub);
    // C notified it of the end, and then it was dropped.
    assert_eq!(*events.borrow(), [5, 6, -1]);
    assert_eq!((Rc::strong_count(&events), callbacks.keys_living()), (1, 0));
}

#[test]
fn a_closure_is_kept_until_a_function_has_freed_its_handle() {
    let callbacks = callbacks();
    for close in [false, true] {
        let events = Rc::new(RefCell::new(Vec::new()));
        let hub = callbacks.hub_new().expect("a hub");
        let heard = Rc::clone(&events);
        callbacks.hub_listen(
            &hub,
            Some(Box::new(move |event| {
                heard.borrow_mut().push(event);
                7
            })),
        );
        if close {
            assert_eq!(callbacks.hub_close(hub), 7);
            assert_eq!(*events.borrow(), [-2, -1]);
        } else {
            callbacks.hub_free(hub);
            assert_eq!(*events.borrow(), [-1]);
        }
        assert_eq!((Rc::strong_count(&events), callbacks.keys_living()), (1, 0));
    }
}

#[test]
fn a_closure_that_c_was_given_before_is_kept_too() {
    let callbacks = callbacks();
    let (first, second) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let listener = |count: &Rc<Cell<i32>>| -> Option<Box<dyn Fn(i32) -> i32>> {
        let count = Rc::clone(count);
        Some(Box::new(move |_| count.replace(count.get() + 1)))
    };
    let hub = callbacks.hub_new().expect("a hub");
    callbacks.hub_listen(&hub, listener(&first));
    callbacks.hub_listen(&hub, listener(&second));
    callbacks.hub_fire(&hub, 1);
    callbacks.hub_listen(&hub, None);
    assert_eq!(callbacks.hub_fire(&hub, 1), -1, "there is no listener");
    assert_eq!((first.get(), second.get()), (0, 1));
    assert_eq!((Rc::strong_count(&first), Rc::strong_count(&second)), (2, 2));
    drop(hub);
    assert_eq!((Rc::strong_count(&first), Rc::strong_count(&second)), (1, 1));
    assert_eq!((first.get(), second.get()), (0, 1), "C had forgotten both");
}

#[test]
fn a_closure_that_is_required_is_kept_as_well() {
    let callbacks = callbacks();
    let texts = Rc::new(RefCell::new(Vec::new()));
    let hub = callbacks.hub_new().expect("a hub");
    let log = |texts: &Rc<RefCell<Vec<_>>>| {
        let texts = Rc::clone(texts);
        move |text: &std::ffi::CStr| texts.borrow_mut().push(text.to_owned())
    };
    let error = callbacks.hub_log(&hub, log(&texts), 4).expect_err("a code");
    assert_eq!(error.to_string(), "4: stopped by a callback");
    callbacks.hub_fire(&hub, 1);
    assert!(texts.borrow().is_empty(), "C did not take it");
    assert_eq!(callbacks.hub_log(&hub, log(&texts), 0), Ok(()));
    callbacks.hub_fire(&hub, 1);
    assert_eq!(*texts.borrow(), [c"fire".to_owned()]);
    drop(hub);
    assert_eq!(Rc::strong_count(&texts), 1);
}

#[test]
fn each_handle_keeps_its_own() {
    let callbacks = callbacks();
    let (one, other) = (callbacks.hub_new().expect("a hub"), callbacks.hub_new().expect("a hub"));
    callbacks.hub_listen(&one, Some(Box::new(|event| event + 1)));
    callbacks.hub_listen(&other, Some(Box::new(|event| event + 2)));
    assert_eq!((callbacks.hub_fire(&one, 10), callbacks.hub_fire(&other, 10)), (11, 12));
    drop(one);
    assert_eq!(callbacks.hub_fire(&other, 10), 12);
    assert_eq!(callbacks.keys_living(), 1);
}

#[test]
fn a_kept_closure_may_be_called_while_it_runs() {
    let callbacks = Rc::new(callbacks());
    let hub = callbacks.hub_new().expect("a hub");
    let (again, pointer) = (Rc::clone(&callbacks), hub.as_ptr());
    callbacks.hub_listen(
        &hub,
        Some(Box::new(move |event| {
            // SAFETY: the pointer is the hub that calls this closure, which is alive.
            let hub = unsafe { Hub::from_ptr(&again, pointer) }.expect("not NULL");
            if event > 0 { event + again.hub_fire(&hub, event - 1) } else { 0 }
        })),
    );
    assert_eq!(callbacks.hub_fire(&hub, 4), 10);
    drop(hub);
    assert_eq!((Rc::strong_count(&callbacks), callbacks.keys_living()), (1, 0));
}

/// Tries to close a hub, which C does not free and says so. Its listener, which owns a clone of `kept`,
/// panics at the attempt if `panics`. Returns the reference count of `kept` while C has the listener.
fn not_closed(kept: &Rc<()>, panics: bool) -> usize {
    let callbacks = callbacks();
    let hub = callbacks.hub_new().expect("a hub");
    let (pointer, inside) = (hub.as_ptr(), Rc::clone(kept));
    callbacks.hub_listen(
        &hub,
        Some(Box::new(move |_| {
            assert!(!panics || Rc::strong_count(&inside) == 0, "at the attempt");
            0
        })),
    );
    let closed = catch_unwind(AssertUnwindSafe(|| callbacks.hub_try_close(hub, 4)));
    match closed {
        Ok(closed) => assert_eq!(closed.map_err(|error| error.code()), Err(4)),
        Err(payload) => assert!(panics && payload.downcast_ref() == Some(&"at the attempt")),
    }
    assert_eq!(callbacks.keys_living(), 1);
    let count = Rc::strong_count(kept);
    // SAFETY: the hub is alive, because C did not free it.
    let hub = unsafe { Hub::from_ptr(&callbacks, pointer) }.expect("not NULL");
    // Before any assertion: C must not call a dropped closure.
    callbacks.hub_listen(&hub, None);
    // SAFETY: no other code frees the hub.
    let hub = unsafe { hub.assume_owned() };
    assert_eq!(callbacks.hub_try_close(hub, 0), Ok(()));
    assert_eq!(callbacks.keys_living(), 0);
    count
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "the closure is leaked")]
fn a_closure_stays_where_c_did_not_free_the_handle() {
    assert_eq!(not_closed(&Rc::new(()), false), 2);
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "the closure is leaked")]
fn a_closure_that_panicked_stays_where_c_did_not_free_the_handle() {
    assert_eq!(not_closed(&Rc::new(()), true), 2);
}

/// C keeps the closure for the hub, whichever handle it was passed through.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "the closure is leaked")]
fn a_closure_given_through_a_borrowed_handle_outlives_that() {
    let callbacks = callbacks();
    let kept = Rc::new(());
    let hub = callbacks.hub_new().expect("a hub");
    // SAFETY: the hub is alive.
    let borrowed = unsafe { Hub::from_ptr(&callbacks, hub.as_ptr()) }.expect("not NULL");
    let inside = Rc::clone(&kept);
    callbacks.hub_listen(
        &borrowed,
        Some(Box::new(move |_| i32::try_from(Rc::strong_count(&inside)).unwrap_or(0))),
    );
    drop(borrowed);
    let count = Rc::strong_count(&kept);
    // Before any assertion: C must not call a dropped closure.
    callbacks.hub_listen(&hub, None);
    assert_eq!(count, 2, "the hub is there, and C may call the closure");
}

//! A panic does not cross C: it is resumed once, after the function has returned.

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use super::{Hub, KeysCallbacks, callbacks};

/// The text with which `call` panics.
fn panic_of<R>(call: impl FnOnce() -> R) -> String {
    let payload: Box<dyn Any + Send> = catch_unwind(AssertUnwindSafe(call)).err().expect("a panic");
    payload.downcast_ref::<&str>().map_or_else(String::new, ToString::to_string)
}

/// A hub with a listener that panics for odd events; `heard` counts the events.
fn hub_with_listener<'l>(callbacks: &'l KeysCallbacks, heard: &Arc<AtomicI32>) -> Hub<'l> {
    let hub = callbacks.hub_new().expect("a hub");
    let heard = Arc::clone(heard);
    hub.listen(Some(Box::new(move |event| {
        heard.fetch_add(1, Ordering::Relaxed);
        assert!(event % 2 == 0, "odd");
        event
    })));
    hub
}

#[test]
fn a_panic_is_resumed_after_c_has_returned() {
    let callbacks = callbacks();
    let mut calls = 0;
    let text = panic_of(|| {
        callbacks.each_int(&[1, 2, 3, 4], |x| {
            calls += 1;
            assert!(x != 2, "at two");
            0
        })
    });
    assert_eq!((text.as_str(), calls), ("at two", 2), "a closure that has panicked is not called again");
    assert_eq!(callbacks.each_int(&[1, 2], Into::into), 3, "and all is as before");
}

#[test]
fn a_payload_stays_what_it_is() {
    let callbacks = callbacks();
    let result = catch_unwind(AssertUnwindSafe(|| {
        callbacks.each_text(|_| std::panic::resume_unwind(Box::new(42_u8)));
    }));
    assert_eq!(result.expect_err("a panic").downcast_ref(), Some(&42_u8));
}

#[test]
fn c_continues_with_the_value_for_a_panic() {
    let callbacks = callbacks();
    // 0 is false: from the second element on, nothing is chosen.
    let mut added = Vec::new();
    let text = panic_of(|| {
        callbacks.choose(
            |i| {
                assert!(i == 0, "no choice");
                true
            },
            |i| {
                added.push(i);
                i
            },
            4,
        )
    });
    assert_eq!((text.as_str(), added), ("no choice", vec![0]));
    // C does not stop: it calls the other closure to the end.
    let mut asked = Vec::new();
    let text = panic_of(|| {
        callbacks.choose(
            |i| {
                asked.push(i);
                true
            },
            |_| panic!("no value"),
            4,
        )
    });
    assert_eq!((text.as_str(), asked), ("no value", vec![0, 1, 2, 3]));
}

#[test]
fn an_optional_closure_panics_in_the_same_way() {
    let callbacks = callbacks();
    let mut seen = Vec::new();
    let text = panic_of(|| {
        callbacks.count_down(
            3,
            Some(&mut |i| {
                seen.push(i);
                assert!(i != 2, "at two");
            }),
        )
    });
    assert_eq!((text.as_str(), seen), ("at two", vec![3, 2]));
    assert_eq!(panic_of(|| callbacks.each_row(2, Some(&mut |_, _| panic!("in a row")))), "in a row");
}

#[test]
fn a_panic_of_an_inner_closure_goes_through_the_outer_one() {
    let callbacks = callbacks();
    let mut outer = 0;
    let text = panic_of(|| {
        callbacks.each_int(&[1, 2], |_| {
            outer += 1;
            callbacks.each_int(&[1], |_| panic!("inside"))
        })
    });
    assert_eq!((text.as_str(), outer), ("inside", 1));
}

#[test]
fn a_panic_of_a_kept_closure_is_resumed_in_the_call_that_caused_it() {
    let callbacks = callbacks();
    let heard = Arc::new(AtomicI32::new(0));
    let hub = hub_with_listener(&callbacks, &heard);
    assert_eq!(hub.fire(2), 2);
    assert_eq!(panic_of(|| hub.fire(1)), "odd");
    assert_eq!(hub.fire(4), 4, "it is called again, and the panic does not come twice");
    assert_eq!(heard.load(Ordering::Relaxed), 3);
    hub.listen(None);
}

#[test]
fn c_sees_what_the_document_says_for_a_panic() {
    type Fire = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
    let callbacks = callbacks();
    let heard = Arc::new(AtomicI32::new(0));
    let hub = hub_with_listener(&callbacks, &heard);
    // SAFETY: this is the signature of `hub_fire` in C.
    let fire = unsafe { callbacks.library().get::<Fire>(b"hub_fire") }.expect("it is there");
    // SAFETY: the hub is alive.
    assert_eq!(unsafe { fire(hub.as_ptr(), 1) }, -9);
    assert_eq!(panic_of(|| hub.fire(2)), "odd", "the panic of the call before");
    assert_eq!(heard.load(Ordering::Relaxed), 1, "nothing is called while a panic is pending");
    hub.listen(None);
}

#[test]
fn a_panic_while_the_handle_is_freed_leaves_nothing_behind() {
    type End = fn(Hub<'_>);
    let callbacks = callbacks();
    let ends: [(End, i32); 3] = [
        (|hub| drop(hub), 1),
        (|hub| hub.free(), 1),
        // It fires once more first, with an even event.
        (|hub| _ = hub.close(), 2),
    ];
    for (end, calls) in ends {
        let heard = Arc::new(AtomicI32::new(0));
        let hub = hub_with_listener(&callbacks, &heard);
        assert_eq!(panic_of(|| end(hub)), "odd");
        assert_eq!(
            (heard.load(Ordering::Relaxed), Arc::strong_count(&heard), callbacks.keys_living()),
            (calls, 1, 0)
        );
    }
}

#[test]
fn a_second_panic_does_not_end_the_process() {
    let callbacks = callbacks();
    let heard = Arc::new(AtomicI32::new(0));
    let text = panic_of(|| {
        let _hub = hub_with_listener(&callbacks, &heard);
        panic!("the first");
    });
    assert_eq!(
        (text.as_str(), heard.load(Ordering::Relaxed), Arc::strong_count(&heard)),
        ("the first", 1, 1)
    );
    let even = hub_with_listener(&callbacks, &heard);
    assert_eq!(even.fire(2), 2, "and the second is not kept for later");
    even.listen(None);
}

#[test]
fn of_two_kept_closures_the_first_panic_counts() {
    let callbacks = callbacks();
    let heard = Arc::new(AtomicI32::new(0));
    let hub = hub_with_listener(&callbacks, &heard);
    assert_eq!(hub.log(|_| panic!("in the log"), 0), Ok(()));
    assert_eq!(panic_of(|| hub.fire(1)), "in the log");
    assert_eq!(heard.load(Ordering::Relaxed), 0);
    hub.listen(None);
}

//! States that are linked to another one, with callbacks that they keep, and that end when the other one runs again.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use opendyn::CallError;
use serde_json::json;

use crate::{call, counted, states, token};

/// A closure that adds what it is passed, and the sum.
fn adding() -> (Arc<AtomicI32>, impl Fn(i32) -> i32 + Send + 'static) {
    let sum = Arc::new(AtomicI32::new(0));
    let added = Arc::clone(&sum);
    (sum, move |value| {
        added.fetch_add(value, Ordering::Relaxed);
        1
    })
}

#[test]
fn a_state_can_be_used_while_others_are_linked_to_it() {
    let states = states();
    let hub = states.hub_begin(false);
    let (one, other) = (hub.alarm_begin(5).expect("an alarm"), hub.alarm_begin(7).expect("an alarm"));
    assert_eq!(hub.alarms(), 2);
    let (sum, add) = adding();
    one.set(add, 5).expect("a callback");
    assert_eq!((hub.run(), sum.load(Ordering::Relaxed)), (1, 5));
    assert_eq!((one.value(), other.value()), (5, 7));
    drop((one, other));
    hub.run();
    hub.end().map_err(CallError::from).expect("its alarms have ended");
    assert_eq!((states.keys_living(), states.keys_faults()), (0, 0));
}

#[test]
fn closures_of_several_states_are_found_by_their_addresses() {
    let states = states();
    let hub = states.hub_begin(false);
    let (one, other) = (hub.alarm_begin(1).expect("an alarm"), hub.alarm_begin(1).expect("an alarm"));
    let ((first, add_first), (second, add_second)) = (adding(), adding());
    one.set(add_first, 10).expect("a callback");
    other.set(add_second, 200).expect("a callback");
    assert_eq!(hub.run(), 2);
    assert_eq!((first.load(Ordering::Relaxed), second.load(Ordering::Relaxed)), (10, 200));
    let (third, add_third) = adding();
    one.set(add_third, 3).expect("a callback");
    hub.run();
    assert_eq!((first.load(Ordering::Relaxed), third.load(Ordering::Relaxed)), (10, 3));
}

/// C calls the closure and writes to the memory after the alarm was dropped.
#[test]
fn what_ends_later_lives_until_its_keeper_is_freed() {
    let states = states();
    let hub = states.hub_begin(false);
    let (sum, add) = adding();
    {
        let alarm = hub.alarm_begin(5).expect("an alarm");
        alarm.set(add, 5).expect("a callback");
        assert_eq!(Arc::strong_count(&sum), 2);
    }
    assert_eq!(hub.alarms(), 1);
    assert_eq!((hub.run(), sum.load(Ordering::Relaxed)), (1, -1), "C calls it once more");
    assert_eq!(hub.alarms(), 0);
    assert_eq!(Arc::strong_count(&sum), 2);
    drop(hub);
    assert_eq!(Arc::strong_count(&sum), 1, "now nothing can use it");
    assert_eq!((states.keys_living(), states.keys_faults()), (0, 0));
}

#[test]
fn a_state_that_is_closed_explicitly_ends_later_too() {
    extern "C" fn closed(_: *mut std::ffi::c_void) {
        CLOSED.fetch_add(1, Ordering::Relaxed);
    }
    static CLOSED: AtomicI32 = AtomicI32::new(0);
    let states = states();
    let hub = states.hub_begin(true);
    hub.alarm_begin(5).expect("an alarm").close(Some(closed));
    hub.alarm_begin(6).expect("an alarm").close(None);
    let refused = hub.end().expect_err("it has alarms");
    assert_eq!(refused.code(), Some(16));
    let hub = refused.into_inner();
    hub.run();
    assert_eq!(CLOSED.load(Ordering::Relaxed), 1);
    hub.end().map_err(CallError::from).expect("they have ended");
    assert_eq!((states.keys_living(), states.keys_faults()), (0, 0));
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_a_refusing_keeper_keeps_is_never_freed() {
    let states = states();
    let hub = states.hub_begin(true);
    let (sum, add) = adding();
    let alarm = hub.alarm_begin(5).expect("an alarm");
    alarm.set(add, 5).expect("a callback");
    drop(alarm);
    drop(hub);
    assert_eq!(Arc::strong_count(&sum), 2, "C may still call it");
    assert_eq!(states.keys_living(), 2);
}

#[test]
fn a_state_that_does_not_begin_is_freed() {
    let states = states();
    let hub = states.hub_begin(false);
    assert_eq!(hub.alarm_begin(-1).err().map(|error| error.code()), Some(22));
    assert_eq!(hub.alarms(), 0);
}

#[test]
fn json_callers_get_the_calls_of_a_state() {
    let states = states();
    let hub = token(&states, "hub_begin", &json!({"strict": true}), "h");
    let alarm = token(&states, "alarm_begin", &json!({"h": hub, "value": 5}), "a");
    let set = call(&states, "alarm_set", &json!({"a": alarm, "value": 6}));
    assert_eq!(set, Ok(json!({"events": []})));
    assert_eq!(call(&states, "hub_run", &json!({"h": hub})), Ok(json!({"sum": 1})));
    let value = call(&states, "alarm_value", &json!({"a": alarm}));
    assert_eq!(value, Ok(json!({"value": 6, "events": [{"callback": "ring", "value": 6}]})));
    let error = call(&states, "hub_end", &json!({"h": hub})).expect_err("the alarm is in it");
    assert!(error.to_string().contains(&alarm), "{error}");
    call(&states, "alarm_close", &json!({"a": alarm})).expect("it is closed");
    let error = call(&states, "alarm_value", &json!({"a": alarm})).expect_err("it is closed");
    assert!(error.to_string().contains("was freed"), "{error}");
    let error = call(&states, "hub_end", &json!({"h": hub})).expect_err("the alarm has not ended");
    assert!(error.to_string().contains("busy"), "{error}");
    assert_eq!(call(&states, "hub_run", &json!({"h": hub})), Ok(json!({"sum": 1})));
    call(&states, "hub_end", &json!({"h": hub})).expect("the alarm has ended");
    assert_eq!(counted(&states), (json!(0), json!(0)));
}

#[test]
fn states_of_json_callers_end_with_their_table() {
    let states = states();
    let hub = token(&states, "hub_begin", &json!({"strict": false}), "h");
    let alarm = token(&states, "alarm_begin", &json!({"h": hub, "value": 5}), "a");
    call(&states, "alarm_set", &json!({"a": alarm, "value": 6})).expect("a callback");
    assert_eq!(counted(&states), (json!(2), json!(0)));
}

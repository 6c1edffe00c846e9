//! Memory of the caller that C links: it ends when it is dropped, or it is never freed.

use opendyn::{Binding, Handles};
use serde_json::json;

use crate::{alive, call, counted, token, tool};

/// A caller-allocated state that C links to, dropped without its end.
#[test]
fn a_dropped_state_ends_before_its_memory_is_freed() {
    let tool = tool();
    let timer = tool.timer_init(3).expect("a timer");
    assert_eq!((timer.ticks(), tool.timers_run()), (3, 3));
    drop(timer);
    assert_eq!(tool.timers_run(), 0, "C does not read its memory");
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn a_state_that_c_refuses_to_end_is_never_freed() {
    let tool = tool();
    let timer = tool.timer_init(200).expect("a timer");
    let refused = timer.stop().expect_err("it refuses");
    assert_eq!(refused.code(), Some(5));
    let timer = refused.into_inner();
    assert_eq!(timer.ticks(), 200);
    drop(timer);
    assert_eq!(tool.timers_run(), 200, "C reads its memory");
    assert_eq!(alive(&tool), (1, 0));
}

/// A table of handles that no binding frees: without the rule its timers would be freed, and C reads them.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn a_dropped_table_leaves_c_the_memory_of_its_states() {
    fn begins_and_drops(binding: &impl Binding) {
        let (handles, mut out) = (Handles::new(), Vec::new());
        binding.call_with(&handles, "timer_init", br#"{"ticks":7}"#, &mut out).expect("a timer");
        assert_eq!(handles.len(), 1);
    }
    let tool = tool();
    begins_and_drops(tool.compiled());
    begins_and_drops(tool.interpreted());
    assert_eq!(call(&tool, "timers_run", &json!({})), Ok(json!({"sum": 7})), "C reads its memory");
    assert_eq!(counted(&tool), (1, 0));
}

#[test]
fn a_state_that_is_ended_explicitly_is_freed() {
    let tool = tool();
    let timer = tool.timer_init(3).expect("a timer");
    timer.stop().expect("it stops");
    assert_eq!(tool.timer_init(-1).err().map(|error| error.code()), Some(3));
    assert_eq!((tool.timers_run(), alive(&tool)), (0, (0, 0)));
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn a_state_without_a_known_end_is_never_freed_unless_it_is_ended() {
    let tool = tool();
    drop(tool.watch_init(3).expect("a timer"));
    assert_eq!(tool.timers_run(), 3, "C reads its memory");
    let watch = tool.watch_init(4).expect("a timer");
    watch.stop().expect("it stops");
    assert_eq!((tool.timers_run(), alive(&tool)), (3, (0, 0)));
}

#[test]
fn a_state_lives_in_the_handle_that_links_it() {
    let tool = tool();
    let store = tool.store_open(1).expect("a store");
    let alarm = store.alarm_init(5).expect("an alarm");
    assert_eq!(tool.timers_run(), 5);
    drop(alarm);
    assert_eq!((tool.timers_run(), alive(&tool)), (0, (1, 0)));
    drop(store);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn states_of_json_callers_end_with_their_table() {
    let tool = tool();
    let timer = token(&tool, "timer_init", &json!({"ticks": 3}), "timer");
    assert_eq!(call(&tool, "timers_run", &json!({})), Ok(json!({"sum": 3})));
    call(&tool, "timer_stop", &json!({"timer": timer})).expect("it stops");
    let timer = token(&tool, "timer_init", &json!({"ticks": 200}), "timer");
    let error = call(&tool, "timer_stop", &json!({"timer": timer})).expect_err("it refuses");
    assert!(error.to_string().contains("busy"), "{error}");
    assert_eq!(call(&tool, "timer_ticks", &json!({"timer": timer})), Ok(json!({"ticks": 200})));
    call(&tool, "timer_init", &json!({"ticks": -1})).expect_err("a wrong argument");
    assert_eq!(counted(&tool), (1, 0));
    let store = token(&tool, "store_open", &json!({"id": 1}), "store");
    let alarm = token(&tool, "alarm_init", &json!({"store": store, "ticks": 2}), "alarm");
    let error = call(&tool, "store_close", &json!({"store": store})).expect_err("the alarm is in it");
    assert!(error.to_string().contains(&alarm), "{error}");
}

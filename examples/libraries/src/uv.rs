//! libuv: a loop with two timers, which call back while it runs. A timer is memory that the loop links to, also after the
//! timer was closed: it ends when the loop runs again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use opendyn::{CallError, Tool};
use serde_json::{Value, json};

use crate::report::{Done, Report, call};

opendyn::opendyn!("documents/uv.json", strings = str);

/// How often the timer that repeats must call.
const TICKS: usize = 3;

fn report(once: usize, ticks: usize, repeat: u64, stopped: bool) -> Report {
    let mut report = Report::default();
    report.fact(format!("one call after its time: {once}"));
    report.fact(format!("a call every {repeat} ms, {TICKS} or more: {}", ticks >= TICKS));
    report.fact(format!("none when it is stopped: {stopped}"));
    report
}

/// A closure that counts its calls, and their number.
fn counter() -> (Arc<AtomicUsize>, impl Fn() + Send + 'static) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    (calls, move || {
        counted.fetch_add(1, Ordering::Relaxed);
    })
}

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Uv, _: &Path) -> Done {
    let events = library.loop_init()?;
    let (once, tick) = (events.timer_init()?, events.timer_init()?);
    let never_started = once.again();

    let ((once_calls, once_counts), (tick_calls, tick_counts)) = (counter(), counter());
    once.start(once_counts, 2, 0)?;
    tick.start(tick_counts, 1, 1)?;
    // The timers borrow the loop, which can run all the same.
    while once.is_active() || tick_calls.load(Ordering::Relaxed) < TICKS {
        events.run(RunMode::Once)?;
    }
    tick.stop()?;
    let ticks = tick_calls.load(Ordering::Relaxed);
    events.run(RunMode::Default)?;
    let stopped = ticks == tick_calls.load(Ordering::Relaxed);
    let mut report = report(once_calls.load(Ordering::Relaxed), ticks, tick.get_repeat(), stopped);
    report.failure(never_started)?;

    // One is closed, the other dropped, which closes it. Both end when the loop runs again.
    once.close(None);
    drop(tick);
    let Err(refused) = events.close() else { return Err("the loop was closed before its timers".into()) };
    report.failure::<(), _>(Err(refused.error()))?;
    let events = refused.into_inner();
    events.run(RunMode::Default)?;
    events.close().map_err(CallError::from)?;
    Ok(report)
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, _: &Path) -> Done {
    let events = call(tool, "uv_loop_init", &json!({}))?["loop"].take();
    let timer =
        || call(tool, "uv_timer_init", &json!({"loop": events})).map(|mut reply| reply["timer"].take());
    let (once, tick) = (timer()?, timer()?);
    let never_started = call(tool, "uv_timer_again", &json!({"timer": once}));

    // What happened since the last reply for the same timer.
    let calls = |reply: &Value| reply["events"].as_array().map_or(0, Vec::len);
    call(tool, "uv_timer_start", &json!({"timer": once, "timeout": 2, "repeat": 0}))?;
    call(tool, "uv_timer_start", &json!({"timer": tick, "timeout": 1, "repeat": 1}))?;
    let (mut once_calls, mut ticks, mut active) = (0, 0, true);
    while active || ticks < TICKS {
        call(tool, "uv_run", &json!({"loop": events, "mode": 1}))?;
        let reply = call(tool, "uv_timer_is_active", &json!({"timer": once}))?;
        active = reply["active"] == true;
        once_calls += calls(&reply);
        ticks += calls(&call(tool, "uv_timer_is_active", &json!({"timer": tick}))?);
    }
    call(tool, "uv_timer_stop", &json!({"timer": tick}))?;
    call(tool, "uv_run", &json!({"loop": events, "mode": 0}))?;
    let repeat = call(tool, "uv_timer_get_repeat", &json!({"timer": tick}))?;
    let mut report =
        report(once_calls, ticks, repeat["repeat"].as_u64().unwrap_or_default(), calls(&repeat) == 0);
    report.failure(never_started)?;

    call(tool, "uv_timer_close", &json!({"timer": once}))?;
    call(tool, "uv_timer_close", &json!({"timer": tick}))?;
    report.failure(call(tool, "uv_loop_close", &json!({"loop": events})))?;
    call(tool, "uv_run", &json!({"loop": events, "mode": 0}))?;
    call(tool, "uv_loop_close", &json!({"loop": events}))?;
    Ok(report)
}

//! One call of a script, and its calls of other tools.
//!
//! `CALLS` is the stack of calls of the current thread. If this thread already uses the worker of a script, the call is
//! sent to that worker, which runs it on top of the waiting script. The depth of the stack is limited.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::log::Target;
use super::pool::{Pool, Workers};
use super::process::{Lost, Process};
use super::protocol::{self, Load, Outcome};
use opentool::{CallContext, Deadline, ToolError};

/// A script to run, and the settings of the call.
pub(crate) struct Running<'r> {
    /// The number of the tool, and that of the version of its script.
    pub(crate) script: u64,
    pub(crate) version: u64,
    pub(crate) path: &'r str,
    pub(crate) name: &'r str,
    pub(crate) source: &'r str,
    pub(crate) entry: &'r str,
    pub(crate) globals: &'r Map<String, Value>,
    /// The public name of the function.
    pub(crate) function: &'r str,
    pub(crate) deadline: Deadline,
    pub(crate) context: &'r CallContext,
    pub(crate) depth: usize,
    pub(crate) log: Target,
}

/// Calls another tool, the first of the names that exists, with a JSON object.
pub(crate) type Reach<'r> = &'r dyn Fn(&[String], &str) -> Result<Vec<u8>, ToolError>;

/// A running call of this thread.
struct Frame {
    function: String,
    until: Instant,
    limit: Duration,
    pool: Arc<Pool>,
    process: Rc<RefCell<Process>>,
}

thread_local! {
    static CALLS: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Runs a script and returns its result: an object with `success`, which is true, `message` and `data`.
pub(crate) fn call(
    workers: &Workers,
    running: &Running<'_>,
    arguments: &RawValue,
    reach: Reach<'_>,
) -> Result<Box<RawValue>, ToolError> {
    let Deadline { mut until, mut limit } = running.deadline;
    let (outer, depth) = CALLS.with_borrow(|calls| {
        if let Some(frame) = calls.iter().min_by_key(|frame| frame.until).filter(|frame| frame.until < until)
        {
            (until, limit) = (frame.until, frame.limit);
        }
        let same = calls.iter().rev().find(|frame| Arc::ptr_eq(&frame.pool, workers.pool()));
        (same.map(|frame| Rc::clone(&frame.process)), calls.len())
    });
    if depth >= running.depth {
        return Err(too_deep(running));
    }
    let failed = |lost: Lost| failure(lost, running.name, limit);
    let is_nested = outer.is_some();
    if outer.as_ref().is_some_and(|process| process.try_borrow().is_err()) {
        let message = format!("{}: the function that receives its log cannot call it", running.name);
        return Err(ToolError::call_failed(message));
    }
    let holder = match outer {
        Some(process) => Holder { pool: None, process: Some(process) },
        None => {
            let process = workers.pool().take(depth > 0, until).map_err(failed)?;
            Holder { pool: Some(workers.pool()), process: Some(Rc::new(RefCell::new(process))) }
        }
    };
    let Some(process) = holder.process.clone() else { return Err(failed(Lost::TimedOut)) };
    let _frame = Entered::new(Frame {
        function: running.function.to_owned(),
        until,
        limit,
        pool: Arc::clone(workers.pool()),
        process: Rc::clone(&process),
    });
    let waiting = process.borrow_mut().lines.begin(running.log.clone());
    let outer = process.borrow_mut().context.replace(running.context.clone());
    let result = converse(&process, running, arguments, reach, (until, limit));
    process.borrow_mut().context = outer;
    let lines = &mut process.borrow_mut().lines;
    match waiting {
        Some(turn) if is_nested => lines.resume(turn),
        // Output until the next call belongs to this call.
        _ => lines.finish(),
    }
    result
}

/// Sends the call, executes the calls that the script makes, and returns its result.
fn converse(
    process: &RefCell<Process>,
    running: &Running<'_>,
    arguments: &RawValue,
    reach: Reach<'_>,
    (until, limit): (Instant, Duration),
) -> Result<Box<RawValue>, ToolError> {
    let failed = |lost: Lost| failure(lost, running.name, limit);
    let id = send(&mut process.borrow_mut(), running, arguments, until).map_err(failed)?;
    loop {
        let line = process.borrow_mut().receive(until).map_err(failed)?;
        let Some(answer) = protocol::answer(&line, &id) else {
            return Err(failed(process.borrow_mut().misused()));
        };
        if let (Some(names), Some(arguments)) = (&answer.tools, answer.arguments) {
            let reply = serve(names, arguments, reach);
            let mut process = process.borrow_mut();
            // The called tool may have run in the same worker and ended it.
            if let Some(lost) = process.ended() {
                let called = names.first().map_or("", String::as_str);
                return Err(match lost {
                    Lost::TimedOut if Instant::now() >= until => failed(Lost::TimedOut),
                    lost => lost_to(called, lost, running.name),
                });
            }
            process.send(&reply, until).map_err(failed)?;
            continue;
        }
        let mut process = process.borrow_mut();
        match answer.loaded {
            true => process.loaded.insert(running.script, running.version),
            false => process.loaded.remove(&running.script),
        };
        if answer.retire {
            process.retire();
        }
        return match (answer.error, answer.result) {
            (Some(message), _) => Err(ToolError::call_failed(message)),
            (None, Some(result)) if answer.ok => Ok(result.to_owned()),
            (None, Some(result)) => Err(refused(result, running.name)),
            (None, None) => Err(failed(process.misused())),
        };
    }
}

fn send(
    process: &mut Process,
    running: &Running<'_>,
    arguments: &RawValue,
    until: Instant,
) -> Result<String, Lost> {
    let id = process.nonces.next();
    let module = format!("tool_{}_{}", running.script, running.version);
    let load = (process.loaded.get(&running.script) != Some(&running.version)).then_some(Load {
        path: running.path,
        name: running.name,
        module: &module,
        source: running.source,
        globals: running.globals,
    });
    let call = protocol::Call { id: &id, script: running.script, entry: running.entry, arguments, load };
    process.send(&protocol::line(&call), until)?;
    Ok(id)
}

/// Calls another tool for the script, and returns the result in the form of a script's result.
fn serve(names: &[String], arguments: &RawValue, reach: Reach<'_>) -> Vec<u8> {
    /// The result of a script. Other tools rarely return the same keys.
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct OfScript<'s> {
        success: bool,
        message: String,
        #[serde(borrow)]
        data: &'s RawValue,
    }
    let result = match reach(names, arguments.get()) {
        Ok(result) => result,
        Err(error) => {
            return protocol::reply(&Outcome { success: false, message: &flat(&error), data: None });
        }
    };
    if let Ok(OfScript { success, message, data }) = serde_json::from_slice(&result) {
        return protocol::reply(&Outcome { success, message: &message, data: Some(data) });
    }
    match serde_json::from_slice(&result) {
        Ok(data) => protocol::reply(&Outcome { success: true, message: "", data: Some(data) }),
        Err(error) => {
            let message = format!("the result of the tool is not JSON: {error}");
            protocol::reply(&Outcome { success: false, message: &message, data: None })
        }
    }
}

/// The text of an error, without prefixes that would be added at every level.
fn flat(error: &ToolError) -> String {
    match error {
        ToolError::CallFailed { code: None, message, .. } => message.clone(),
        other => other.to_string(),
    }
}

/// The script returned `success=False`.
fn refused(result: &RawValue, script: &str) -> ToolError {
    #[derive(serde::Deserialize)]
    struct Said {
        message: String,
    }
    match serde_json::from_str(result.get()) {
        Ok(Said { message }) if !message.is_empty() => ToolError::call_failed(message),
        _ => ToolError::call_failed(format!("{script} failed without a message")),
    }
}

fn failure(lost: Lost, script: &str, limit: Duration) -> ToolError {
    match lost {
        Lost::TimedOut => {
            ToolError::TimedOut { limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) }
        }
        Lost::Cancelled => ToolError::call_failed(format!("{script}: the call was cancelled")),
        Lost::Ended(reason) => ToolError::WorkerDied { reason: format!("{script}: {reason}") },
    }
}

/// The error of a waiting script whose worker was ended by another script.
fn lost_to(called: &str, lost: &Lost, script: &str) -> ToolError {
    let why = match lost {
        Lost::TimedOut => "took too long",
        Lost::Cancelled => "was cancelled",
        Lost::Ended(reason) => reason,
    };
    ToolError::WorkerDied {
        reason: format!("{script}: `{called}`, which it called in the same worker: {why}"),
    }
}

fn too_deep(running: &Running<'_>) -> ToolError {
    let names = CALLS.with_borrow(|calls| {
        let last = calls.len().saturating_sub(4);
        calls[last..].iter().map(|frame| frame.function.clone()).collect::<Vec<_>>()
    });
    let way = [names, vec![running.function.to_owned()]].concat().join(" -> ");
    ToolError::call_failed(format!(
        "tools call each other more than {} levels deep, last {way}; is there a cycle?",
        running.depth
    ))
}

/// The time `limit` from now; if that is out of range, a time in the far future.
pub(crate) fn after(time: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    Instant::now() + time.min(FAR)
}

/// A process that a call uses.
struct Holder<'p> {
    /// The pool that it came from; `None` if an outer call of this thread owns it.
    pool: Option<&'p Arc<Pool>>,
    process: Option<Rc<RefCell<Process>>>,
}

impl Drop for Holder<'_> {
    fn drop(&mut self) {
        if let (Some(pool), Some(process)) = (self.pool, self.process.take()) {
            // The frame that shared it was entered later, so it has been left already.
            match Rc::try_unwrap(process) {
                Ok(process) if !std::thread::panicking() => pool.put_back(process.into_inner()),
                _ => pool.give_up(),
            }
        }
    }
}

/// A frame on the stack, removed when this is dropped.
struct Entered;

impl Entered {
    fn new(frame: Frame) -> Self {
        CALLS.with_borrow_mut(|calls| calls.push(frame));
        Self
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CALLS.with_borrow_mut(Vec::pop);
    }
}

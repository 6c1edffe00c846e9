//! Each rule of the executor, with a tool whose functions wait, panic or return too much on request.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Condvar, Mutex};
use std::time::Instant;

use super::*;
use opentool::Function;

/// `wait` ends when the gate is opened, `panic` panics, `long` returns 100 bytes, `text` returns something else than
/// an object; every other function returns its arguments.
#[derive(Default)]
struct Obedient {
    open: Mutex<bool>,
    opened: Condvar,
    calls: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Obedient {
    fn open(&self) {
        *self.open.lock().expect("no panic") = true;
        self.opened.notify_all();
    }
}

impl Tool for Obedient {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.most_at_once.fetch_max(1 + self.at_once.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
        match name {
            "wait" => {
                let open = self.open.lock().expect("no panic");
                drop(self.opened.wait_while(open, |open| !*open).expect("no panic"));
                out.extend_from_slice(arguments);
            }
            "panic" => {
                self.at_once.fetch_sub(1, Ordering::SeqCst);
                panic!("told to");
            }
            "long" => out.extend_from_slice(format!("{{\"x\":\"{}\"}}", "x".repeat(92)).as_bytes()),
            "text" => out.extend_from_slice(b"\"no object\""),
            _ => out.extend_from_slice(arguments),
        }
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        Some(OpenTool { opentool: "1.0.0".to_owned(), ..OpenTool::default() })
    }
}

fn serial() -> (Arc<Obedient>, Executor) {
    let tool = Arc::new(Obedient::default());
    (Arc::clone(&tool), Executor::serial(tool))
}

/// Waits until the executor runs a call.
fn until_running(executor: &Executor, count: usize) {
    let begin = Instant::now();
    while executor.running() != count {
        assert!(begin.elapsed() < Duration::from_secs(10), "it does not begin");
        std::thread::yield_now();
    }
}

#[test]
fn a_serial_tool_runs_one_call_at_a_time_and_each_caller_gets_its_own_result() {
    let (tool, executor) = serial();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let executor = &executor;
            scope.spawn(move || {
                for call in 0..200 {
                    let arguments = format!("{{\"n\":{}}}", thread * 1000 + call).into_bytes();
                    assert_eq!(executor.call_blocking("echo", arguments.clone()), Ok(arguments));
                }
            });
        }
    });
    assert_eq!(tool.calls.load(Ordering::SeqCst), 1600);
    assert_eq!(tool.most_at_once.load(Ordering::SeqCst), 1);
}

#[test]
fn a_parallel_tool_runs_as_many_calls_as_there_are_threads() {
    struct Meet(Barrier);
    impl Tool for Meet {
        fn call_into(&self, _: &str, _: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
            self.0.wait();
            out.extend_from_slice(b"{}");
            Ok(())
        }
        fn load(&self) -> Option<OpenTool> {
            None
        }
    }
    // Three calls that wait for each other: with fewer threads, none would end.
    let executor = Executor::parallel(Meet(Barrier::new(3)), 3);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert_eq!(executor.call_blocking("meet", b"{}".to_vec()), Ok(b"{}".to_vec())));
        }
    });
}

#[test]
fn a_panic_is_an_error_and_the_next_call_works() {
    let (_, executor) = serial();
    let error = executor.call_blocking("panic", b"{}".to_vec()).expect_err("it panics");
    assert_eq!(error.to_string(), "the call failed: the tool panicked: told to");
    assert_eq!(executor.call_blocking("echo", b"{}".to_vec()), Ok(b"{}".to_vec()));
    assert_eq!(executor.running(), 0);
}

#[test]
fn a_full_queue_is_busy() {
    let (tool, executor) = serial();
    let executor = executor.with_limits(Limits { queue: 2, ..Limits::default() });
    let running = executor.call("wait", b"{}".to_vec());
    until_running(&executor, 1);
    let waiting = [executor.call("echo", b"{}".to_vec()), executor.call("echo", b"{}".to_vec())];
    let error = executor.call_blocking("echo", b"{}".to_vec()).expect_err("two wait already");
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (429, "busy: calls already waiting: 2; try again later")
    );
    tool.open();
    drop((running, waiting));
}

#[tokio::test]
async fn calls_whose_callers_are_gone_do_not_count_in_the_queue() {
    let (tool, executor) = serial();
    let executor = executor.with_limits(Limits { queue: 2, ..Limits::default() });
    let running = executor.call("wait", b"{}".to_vec());
    until_running(&executor, 1);
    for _ in 0..10 {
        drop(executor.call("echo", b"{}".to_vec()));
    }
    let last = executor.call("echo", b"{}".to_vec());
    tool.open();
    assert_eq!(last.await, Ok(b"{}".to_vec()));
    drop(running);
}

#[test]
fn an_empty_queue_still_accepts_calls_for_free_threads() {
    let (_, executor) = serial();
    let executor = executor.with_limits(Limits { queue: 0, ..Limits::default() });
    for _ in 0..100 {
        assert_eq!(executor.call_blocking("echo", b"{}".to_vec()), Ok(b"{}".to_vec()));
    }
}

#[tokio::test]
async fn after_the_deadline_the_caller_has_its_error_and_the_call_runs_on() {
    let (tool, executor) = serial();
    let limited = executor
        .clone()
        // Long enough that the call begins, also on a busy machine.
        .with_limits(Limits { deadline: Some(Duration::from_millis(500)), ..Limits::default() });
    let error = limited.call("wait", b"{}".to_vec()).await.expect_err("it waits");
    assert_eq!(error, ToolError::TimedOut { limit_ms: 500 });
    assert_eq!(executor.running(), 1, "the call runs on");
    let error = limited.call_blocking("echo", b"{}".to_vec()).expect_err("the thread is taken");
    assert_eq!(error, ToolError::NeverStarted { limit_ms: 500, behind: "wait".to_owned() });
    tool.open();
    assert_eq!(executor.call("echo", b"{}".to_vec()).await, Ok(b"{}".to_vec()));
    assert_eq!(tool.calls.load(Ordering::SeqCst), 2, "what timed out in the queue was not called");
}

#[tokio::test]
async fn a_call_whose_caller_is_gone_before_it_starts_is_not_made() {
    let (tool, executor) = serial();
    let running = executor.call("wait", b"{}".to_vec());
    until_running(&executor, 1);
    drop(executor.call("echo", b"{}".to_vec()));
    tool.open();
    running.await.expect("the gate is open");
    executor.stop().await;
    assert_eq!(tool.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn stop_refuses_new_calls_and_ends_when_the_accepted_ones_have() {
    let (tool, executor) = serial();
    let accepted: Vec<_> = (0..3).map(|_| executor.call("wait", b"{}".to_vec())).collect();
    let stopped = executor.stop();
    let error = executor.call("echo", b"{}".to_vec()).await.expect_err("it stops");
    assert_eq!((error.clone(), error.code()), (ToolError::Stopping, 503));
    let mut stopped = std::pin::pin!(stopped);
    let early = tokio::time::timeout(Duration::from_millis(20), stopped.as_mut()).await;
    assert!(early.is_err(), "a call still runs");
    tool.open();
    for call in accepted {
        assert_eq!(call.await, Ok(b"{}".to_vec()));
    }
    stopped.await;
    assert_eq!(Arc::strong_count(&tool), 1, "the tool is dropped");
    executor.stop().await;
}

#[tokio::test]
async fn dropping_the_executor_lets_accepted_calls_end() {
    let (tool, executor) = serial();
    let call = executor.call("wait", b"{}".to_vec());
    drop(executor);
    tool.open();
    assert_eq!(call.await, Ok(b"{}".to_vec()));
}

#[test]
fn a_result_beyond_the_limit_is_an_error_that_names_both_sizes() {
    let (_, executor) = serial();
    let exact = executor.clone().with_limits(Limits { output: 100, ..Limits::default() });
    assert_eq!(exact.call_blocking("long", b"{}".to_vec()).expect("it just fits").len(), 100);
    let below = executor.with_limits(Limits { output: 99, ..Limits::default() });
    let error = below.call_blocking("long", b"{}".to_vec()).expect_err("one byte too many");
    assert_eq!(error.to_string(), "the call failed: the result has 100 bytes; at most 99 are allowed");
}

#[test]
fn a_result_other_than_an_object_is_an_error() {
    let (_, executor) = serial();
    let error = executor.call_blocking("text", b"{}".to_vec()).expect_err("a string");
    assert_eq!(error.to_string(), "the call failed: the tool did not return a JSON object");
}

#[test]
fn the_document_is_that_of_the_tool() {
    let (_, executor) = serial();
    assert_eq!(executor.load().expect("it has one").opentool, "1.0.0");
}

#[test]
fn a_document_that_can_change_is_asked_for_each_time() {
    let (_, executor) = serial();
    let asked = AtomicUsize::new(0);
    let executor = executor.described_by(move || {
        let functions = vec![Function::default(); asked.fetch_add(1, Ordering::Relaxed)];
        Some(Arc::new(OpenTool { functions, ..OpenTool::default() }))
    });
    for count in 0..3 {
        assert_eq!(executor.load().expect("a document").functions.len(), count);
    }
}

/// Says which thread calls it, and does what `Obedient` does besides.
#[cfg(feature = "http")]
struct Here(Arc<Obedient>);

#[cfg(feature = "http")]
impl Tool for Here {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        if name == "here" {
            out.extend_from_slice(format!("{{\"here\":\"{:?}\"}}", std::thread::current().id()).as_bytes());
            return Ok(());
        }
        self.0.call_into(name, arguments, out)
    }

    fn load(&self) -> Option<OpenTool> {
        None
    }
}

#[cfg(feature = "http")]
fn seated() -> (Arc<Obedient>, Executor, Seat) {
    let tool = Arc::new(Obedient::default());
    let executor = Executor::serial(Here(Arc::clone(&tool)));
    let seat = executor.seat().expect("the first place");
    (tool, executor, seat)
}

#[tokio::test]
#[cfg(feature = "http")]
async fn calls_of_a_seat_are_made_by_the_thread_that_runs_its_tasks() {
    let (_, executor, seat) = seated();
    let other = executor.call_blocking("here", b"{}".to_vec()).expect("it says so");
    let (asked, same) = (executor.clone(), other.clone());
    let task = seat.handle().spawn(async move {
        let mut own = 0;
        for _ in 0..200 {
            let here = format!("{{\"here\":\"{:?}\"}}", std::thread::current().id()).into_bytes();
            let called = asked.call("here", b"{}".to_vec()).await.expect("it says so");
            assert_eq!(called, same, "all calls are made by one thread");
            own += u32::from(called == here);
        }
        own
    });
    // On a busy machine the watch runs the tasks now and then.
    assert!(task.await.expect("no panic") > 100);
    assert_eq!(executor.call_blocking("here", b"{}".to_vec()), Ok(other));
}

#[tokio::test]
#[cfg(feature = "http")]
async fn a_long_call_keeps_no_task_of_a_seat_waiting() {
    let (tool, executor, seat) = seated();
    for _ in 0..20 {
        *tool.open.lock().expect("no panic") = false;
        let long = seat.handle().spawn(executor.call("wait", b"{}".to_vec()));
        until_running(&executor, 1);
        let (limited, begin) =
            (Limits { deadline: Some(Duration::from_millis(5)), ..Limits::default() }, Instant::now());
        let late = seat.handle().spawn(executor.clone().with_limits(limited).call("echo", b"{}".to_vec()));
        let late = late.await.expect("no panic");
        assert_eq!(late, Err(ToolError::NeverStarted { limit_ms: 5, behind: "wait".to_owned() }));
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        tool.open();
        assert_eq!(long.await.expect("no panic"), Ok(b"{}".to_vec()));
    }
}

#[tokio::test]
#[cfg(feature = "http")]
async fn a_seat_gets_the_replies_to_its_calls_after_the_end_of_the_executor() {
    let (tool, executor, seat) = seated();
    let (sender, receiver) = oneshot::channel();
    let call = executor.call("wait", b"{}".to_vec());
    let handle = seat.handle().clone();
    handle.spawn(async move {
        let reply = call.await;
        // What is left to do after the reply, such as sending it.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let _ = sender.send(reply);
        drop(seat);
    });
    until_running(&executor, 1);
    let stopped = executor.stop();
    assert!(executor.seat().is_none(), "no connection begins after the end");
    tool.open();
    stopped.await;
    assert_eq!(receiver.await, Ok(Ok(b"{}".to_vec())));
    assert_eq!(Arc::strong_count(&tool), 1, "the tool is dropped");
}

#[test]
#[cfg(feature = "http")]
fn calls_from_everywhere_reach_a_thread_with_a_runtime() {
    let (tool, executor, seat) = seated();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let executor = &executor;
            let seated = seat.handle().spawn({
                let executor = executor.clone();
                async move {
                    for call in 0..200 {
                        let arguments = format!("{{\"n\":{call}}}").into_bytes();
                        assert_eq!(
                            executor.call_among_others("echo", arguments.clone()).await,
                            Ok(arguments)
                        );
                    }
                }
            });
            scope.spawn(move || {
                for call in 0..200 {
                    let arguments = format!("{{\"n\":{}}}", thread * 1000 + call).into_bytes();
                    assert_eq!(executor.call_blocking("echo", arguments.clone()), Ok(arguments));
                }
                while !seated.is_finished() {
                    std::thread::yield_now();
                }
            });
        }
    });
    assert_eq!(tool.calls.load(Ordering::SeqCst), 1600);
    assert_eq!(tool.most_at_once.load(Ordering::SeqCst), 1);
}

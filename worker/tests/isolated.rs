//! A tool in a worker, whatever it does there. The worker is this program, so that it has a `main` of its own.

#![cfg(any(unix, windows))]
#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use opentool::{
    CallContext, Caller, Deadline, Function, Map, MapTool, OpenTool, Progress, Tool, ToolError, Value,
};
use opentool_worker::{Isolated, is_worker};
use serde_json::json;

/// How long is waited for what happens at once on a machine without other work.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a process ends that aborts. In Rust that is a `__fastfail` on Windows.
const ABORT: &str = if cfg!(unix) { "SIGABRT" } else { "abort or stack buffer overrun (0xc0000409)" };

/// A tool that threads share.
type Dyn<'t> = &'t (dyn Tool + Sync);
type Test = fn(Dyn<'_>);

fn main() {
    let tool = Isolated::with("hostile", |program| program.memory(Some(1 << 30)).reply(1 << 20), hostile)
        .expect("it starts");
    let listening = Isolated::start("listening", || Ok(Listening::default())).expect("it starts");
    assert!(is_worker().is_none(), "a worker does not return");
    let tests: &[(&str, Test)] = &[
        ("results and errors come back as they are", results),
        ("a crash is an error that names function, signal and address", crashes),
        ("a process that ends itself is an error", exits),
        ("a deadline ends a call", deadlines),
        ("a cancelled call ends", cancelled),
        #[cfg(unix)]
        ("bytes on every descriptor are not believed", fakes),
        #[cfg(unix)]
        ("progress that nobody asked for is not believed", reports),
        #[cfg(unix)]
        ("closed descriptors are an error", closed),
        #[cfg(unix)]
        ("a process that the library made ends with its worker", forks),
        #[cfg(target_os = "linux")]
        ("memory is limited", memory),
        ("a result has at most so many bytes", sizes),
        ("a caller that waits says for what", waits),
    ];
    for (name, test) in tests {
        test(&tool);
        assert_eq!(tool.call_json("echo", r#"{"a":1}"#), Ok(r#"{"a":1}"#.to_owned()), "after: {name}");
        println!("test {name} ... ok");
    }
    asked_to_end(&listening);
    println!("test a tool that can end its calls goes on ... ok");
    told(&listening);
    println!("test a worker tells how far a call is, and at the end the last report ... ok");
    deaf(&listening);
    println!("test a call that does not end when it is asked to is killed after a second ... ok");
    let before = open();
    for _ in 0..50 {
        died(&tool, "null");
    }
    tool.call_json("echo", "{}").expect("a new worker");
    assert_eq!(open(), before, "descriptors are closed");
    let name = "descriptors of workers are closed";
    println!("test {name} ... ok");
    cost(&tool);
}

/// A tool that does what a native library can do.
fn hostile() -> Result<impl Tool, ToolError> {
    Ok(MapTool::new(|name, arguments| {
        match name {
            "echo" => return Ok(arguments.clone()),
            "process" => return Ok(Map::from_iter([("id".to_owned(), json!(std::process::id()))])),
            "refuse" => return Err(ToolError::invalid_arguments("/xs/3", "too large")),
            "panic" => panic!("on purpose"),
            "big" => return Ok(Map::from_iter([("big".to_owned(), "x".repeat(2 << 20).into())])),
            "hang" => loop {
                std::hint::spin_loop();
            },
            "exit" => std::process::exit(7),
            "abort" => std::process::abort(),
            _ => {}
        }
        // SAFETY: none. This is what must not harm the process that calls.
        unsafe {
            match name {
                "null" => _ = std::ptr::without_provenance::<u8>(16).read_volatile(),
                #[cfg(unix)]
                "fake" => {
                    let fake = [b"{\"result\":1}".as_slice(), &[0; 13], &[255; 64]].concat();
                    (0..1024).for_each(|fd| _ = libc::write(fd, fake.as_ptr().cast(), fake.len()));
                    loop {
                        libc::pause();
                    }
                }
                // A frame that tells how far a call is, with a nonce that is none.
                #[cfg(unix)]
                "report" => {
                    let body = b"{\"done\":1}";
                    let fake =
                        [[7; 8].as_slice(), &[8, body.len() as u8, 0, 0, 0, 0, 0, 0, 0], body].concat();
                    (3..1024).for_each(|fd| _ = libc::write(fd, fake.as_ptr().cast(), fake.len()));
                    loop {
                        libc::pause();
                    }
                }
                #[cfg(unix)]
                "close" => {
                    (0..1024).for_each(|fd| _ = libc::close(fd));
                    loop {
                        libc::pause();
                    }
                }
                #[cfg(unix)]
                "fork" => {
                    let id = libc::fork();
                    if id == 0 {
                        loop {
                            libc::pause();
                        }
                    }
                    return Ok(Map::from_iter([("id".to_owned(), json!(id))]));
                }
                #[cfg(unix)]
                "allocate" => {
                    let memory = libc::malloc(10 << 30);
                    return Ok(Map::from_iter([("isNull".to_owned(), json!(memory.is_null()))]));
                }
                _ => return Err(ToolError::unknown_function(name, ["echo"])),
            }
        }
        Ok(Map::new())
    }))
}

/// A tool that ends calls of `listen` when they are cancelled, and says so of `deaf` and `aborts` too. `calls` counts.
#[derive(Default)]
struct Listening(AtomicUsize);

impl Tool for Listening {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_for(&CallContext::default(), name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        _: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let calls = self.0.fetch_add(1, Ordering::SeqCst);
        for done in (1..=5).filter(|_| name == "counts") {
            context.report(Progress { done: f64::from(done), ..Progress::default() });
            std::thread::sleep(Duration::from_millis(60));
        }
        while !matches!(name, "calls" | "counts") && (name == "deaf" || !context.is_cancelled()) {
            std::hint::spin_loop();
        }
        if name == "aborts" {
            std::process::abort();
        }
        out.extend_from_slice(json!({"calls": calls}).to_string().as_bytes());
        Ok(())
    }

    fn can_cancel(&self, name: &str) -> bool {
        !matches!(name, "calls" | "counts")
    }

    fn load(&self) -> Option<OpenTool> {
        let function = |name: &str| Function { name: name.to_owned(), ..Function::default() };
        let functions = ["listen", "deaf", "aborts", "calls"].map(function).to_vec();
        Some(OpenTool { opentool: "1.0.0".to_owned(), functions, ..OpenTool::default() })
    }
}

fn asked_to_end(tool: Dyn<'_>) {
    let short = Duration::from_millis(200);
    assert_eq!(call_within(tool, "listen", short), Err(ToolError::TimedOut { limit_ms: 200 }));
    assert_eq!(tool.call_json("calls", "{}"), Ok(r#"{"calls":1}"#.to_owned()), "it is the same worker");
    let context = CallContext::default();
    let canceller = context.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        canceller.cancel();
    });
    let error = tool.call_for(&context, "listen", b"{}", &mut Vec::new()).expect_err("it is cancelled");
    assert_eq!(error.to_string(), "the call failed: it was cancelled");
    thread.join().expect("it only cancels");
    // One that is cancelled before it begins.
    let error = tool.call_for(&context, "listen", b"{}", &mut Vec::new()).expect_err("it is cancelled");
    assert_eq!(error.to_string(), "the call failed: it was cancelled");
    assert_eq!(tool.call_json("calls", "{}"), Ok(r#"{"calls":4}"#.to_owned()), "it is the same worker");
}

fn told(tool: Dyn<'_>) {
    let (context, told) = watched();
    let mut out = Vec::new();
    tool.call_for(&context, "counts", b"{}", &mut out).expect("it counts");
    context.report_last();
    drop(context);
    let told: Vec<f64> = told.iter().map(|progress| progress.done).collect();
    assert_eq!((told.first(), told.last()), (Some(&1.0), Some(&5.0)), "{told:?}");
    assert!(told.len() > 2 && told.is_sorted(), "{told:?}");
    let silent = tool.call_json("counts", "{}").expect("nobody is told");
    assert!(silent.contains("calls"), "{silent}");
}

fn deaf(tool: Dyn<'_>) {
    let short = Duration::from_millis(200);
    let begin = Instant::now();
    assert_eq!(call_within(tool, "deaf", short), Err(ToolError::TimedOut { limit_ms: 200 }));
    let took = begin.elapsed();
    assert!((Duration::from_millis(1200)..PATIENCE).contains(&took), "{took:?}");
    assert_eq!(tool.call_json("calls", "{}"), Ok(r#"{"calls":0}"#.to_owned()), "it is another worker");
    assert_eq!(
        call_within(tool, "aborts", short),
        Err(ToolError::WorkerDied { reason: format!("{ABORT} in `aborts`") })
    );
    assert_eq!(tool.call_json("calls", "{}"), Ok(r#"{"calls":0}"#.to_owned()), "it is another worker");
}

fn within(limit: Duration) -> CallContext {
    CallContext::new(Caller::default(), Deadline::after(limit))
}

fn call_within(tool: Dyn<'_>, name: &str, limit: Duration) -> Result<Vec<u8>, ToolError> {
    let mut out = Vec::new();
    tool.call_for(&within(limit), name, b"{}", &mut out).map(|()| out)
}

fn died(tool: Dyn<'_>, name: &str) -> String {
    match call_within(tool, name, Duration::from_secs(10)) {
        Err(ToolError::WorkerDied { reason }) => reason,
        other => panic!("{name}: {other:?}"),
    }
}

fn results(tool: Dyn<'_>) {
    let refused = tool.call_json("refuse", "{}");
    assert_eq!(refused, Err(ToolError::invalid_arguments("/xs/3", "too large")));
    let panicked = tool.call_json("panic", "{}").expect_err("it panics").to_string();
    assert!(panicked.contains("the tool panicked: on purpose"), "{panicked}");
    let unknown = tool.call_json("ech", "{}").expect_err("unknown").to_string();
    assert_eq!(unknown, "unknown function `ech`; did you mean `echo`?");
    let long = "é".repeat(300_000);
    let arguments = Map::from_iter([("text".to_owned(), Value::String(long))]);
    assert_eq!(tool.call("echo", &arguments), Ok(arguments));
}

fn crashes(tool: Dyn<'_>) {
    let reason = died(tool, "null");
    if cfg!(target_os = "linux") {
        assert_eq!(reason, "SIGSEGV in `null`, at address 0x10");
    } else if cfg!(windows) {
        assert_eq!(reason, "access violation (0xc0000005) in `null`, at address 0x10");
    }
    assert_eq!(died(tool, "abort"), format!("{ABORT} in `abort`"));
}

fn exits(tool: Dyn<'_>) {
    assert_eq!(died(tool, "exit"), "`exit` ended it with exit status 7");
}

fn deadlines(tool: Dyn<'_>) {
    let begin = Instant::now();
    let late = call_within(tool, "hang", Duration::from_millis(200));
    assert_eq!(late, Err(ToolError::TimedOut { limit_ms: 200 }));
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}

fn cancelled(tool: Dyn<'_>) {
    let context = CallContext::default();
    let canceller = context.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        canceller.cancel();
    });
    let error = tool.call_for(&context, "hang", b"{}", &mut Vec::new()).expect_err("it is cancelled");
    assert_eq!(error.to_string(), "the call failed: it was cancelled");
    thread.join().expect("it only cancels");
}

#[cfg(unix)]
fn fakes(tool: Dyn<'_>) {
    assert_eq!(died(tool, "fake"), "`fake` wrote to the worker's descriptor, which is not believed");
}

/// Also where progress is wanted.
#[cfg(unix)]
fn reports(tool: Dyn<'_>) {
    assert!(died(tool, "report").contains("is not believed"), "{}", died(tool, "report"));
    let (context, told) = watched();
    let error = tool.call_for(&context, "report", b"{}", &mut Vec::new()).expect_err("it lies").to_string();
    assert!(error.contains("is not believed"), "{error}");
    drop(context);
    assert_eq!(told.iter().count(), 0);
}

/// A call whose progress is told.
fn watched() -> (CallContext, mpsc::Receiver<Progress>) {
    let (sender, told) = mpsc::channel();
    let context = CallContext::default().reporting_to(move |progress| {
        let _ = sender.send(progress);
    });
    (context, told)
}

#[cfg(unix)]
fn closed(tool: Dyn<'_>) {
    assert_eq!(died(tool, "close"), "`close` closed the descriptor for its reply");
}

#[cfg(unix)]
fn forks(tool: Dyn<'_>) {
    let forked = tool.call("fork", &Map::new()).expect("it forks");
    let id = forked["id"].as_i64().expect("a number");
    // The descriptor of the dead worker is still open in the process that it made.
    assert_eq!(died(tool, "abort"), "SIGABRT in `abort`");
    if cfg!(target_os = "linux") {
        // It is gone, or a zombie that only its new parent can bury.
        let is_gone = || {
            let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            status.is_empty() || status.contains(") Z ")
        };
        let until = Instant::now() + PATIENCE;
        while !is_gone() {
            assert!(Instant::now() < until, "{id} is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(target_os = "linux")]
fn memory(tool: Dyn<'_>) {
    assert_eq!(tool.call_json("allocate", "{}"), Ok(r#"{"isNull":true}"#.to_owned()));
}

fn sizes(tool: Dyn<'_>) {
    let error = tool.call_json("big", "{}").expect_err("too large").to_string();
    assert!(error.contains("at most 1048576 are allowed"), "{error}");
}

fn waits(tool: Dyn<'_>) {
    let error = std::thread::scope(|scope| {
        let running = scope.spawn(|| call_within(tool, "hang", Duration::from_secs(3)));
        // Until the other one runs, this one does.
        let error = loop {
            match call_within(tool, "echo", Duration::from_millis(150)) {
                Err(error @ ToolError::NeverStarted { .. }) => break error,
                other => assert!(!running.is_finished(), "{other:?}"),
            }
        };
        assert!(running.join().is_ok_and(|late| late.is_err()));
        error
    });
    assert_eq!(error, ToolError::NeverStarted { limit_ms: 150, behind: "hang".to_owned() });
}

/// What a call costs here, in this process, and with a process for every call.
fn cost(tool: Dyn<'_>) {
    let time = |count: u32, call: &dyn Fn()| {
        let begin = Instant::now();
        (0..count).for_each(|_| call());
        begin.elapsed() / count
    };
    let own = hostile().expect("it opens");
    let in_process = time(20_000, &|| drop(own.call_json("echo", r#"{"a":1}"#)));
    let in_worker = time(5_000, &|| drop(tool.call_json("echo", r#"{"a":1}"#)));
    let in_a_process = time(20, &|| drop(died(tool, "null")));
    println!(
        "a call: {in_process:?} in process, {in_worker:?} in a worker, {in_a_process:?} with a new worker each"
    );
    // How much cheaper is measured in `benchmarks`, on a machine that does nothing else.
    assert!(in_worker < in_a_process, "a worker that lives is cheaper than a new one");
}

/// How many descriptors this process has.
#[cfg(unix)]
fn open() -> usize {
    std::fs::read_dir("/dev/fd").map_or(0, Iterator::count)
}

/// How many handles this process has.
#[cfg(windows)]
fn open() -> u32 {
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessHandleCount};

    let mut count = 0;
    // SAFETY: the pseudo handle of this process is valid.
    assert_ne!(unsafe { GetProcessHandleCount(GetCurrentProcess(), &raw mut count) }, 0);
    count
}

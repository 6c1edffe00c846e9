//! Starts the process that makes the calls, and reads what it reports until it ends or its time is over.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::protocol::{Call, Event, Script};
use crate::failure::{Failure, Outcome};

/// What memory that was freed holds; memory that was never written holds its complement. Only glibc does so, and not for
/// what it keeps for the thread.
const PERTURB: &str = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0";

/// The maximum of what is kept of the standard error of the process.
const TAIL: usize = 4096;

/// What was seen of a process.
pub(crate) struct Watched {
    pub(crate) events: Vec<Event>,
    pub(crate) fault: Option<Fault>,
    pub(crate) end: End,
    /// The end of its standard error.
    pub(crate) said: String,
}

/// An access that the system refused.
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    pub(crate) address: usize,
    /// Whether it was a write; `None` if the system does not tell.
    pub(crate) is_write: Option<bool>,
    /// The address of the instruction; 0 if it is not known.
    pub(crate) instruction: usize,
}

/// How a process ended.
pub(crate) enum End {
    /// By itself, or by a signal.
    Status(ExitStatus),
    /// After the time limit.
    Late(Duration),
}

enum Heard {
    Report(String),
    Closed,
}

/// Carries out `script` in a new process.
pub(crate) fn run(script: &Script, limit: Duration) -> Outcome<Watched> {
    let failed =
        |error: std::io::Error| Failure::new(format!("cannot start a process to try calls: {error}"));
    let own = std::env::current_exe().map_err(failed)?;
    let mut child = Command::new(own)
        .args(["check", "--tried", "-"])
        .env("GLIBC_TUNABLES", PERTURB)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let text = serde_json::to_string(script).map_err(|error| failed(error.into()))?;
    let (sender, receiver) = mpsc::channel();
    let said = std::thread::spawn(move || stderr.map_or_else(String::new, tail));
    // Both end when the process does: they are its pipes. The threads are not waited for if C has left a process behind.
    std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A process that ended early has not read it.
            let _ = stdin.write_all(text.as_bytes());
        }
        for line in stdout.map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
            let _ = sender.send(Heard::Report(line));
        }
        let _ = sender.send(Heard::Closed);
    });
    let until = Instant::now() + limit;
    let (mut events, mut fault, mut is_late) = (Vec::new(), None, false);
    loop {
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Heard::Report(line)) => match line.strip_prefix("fault ") {
                Some(line) => fault = fault_of(line),
                None => events.extend(serde_json::from_str::<Event>(&line).ok()),
            },
            Ok(Heard::Closed) | Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                is_late = true;
                break;
            }
        }
    }
    // It may close its output and go on.
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if is_late || Instant::now() >= until {
            is_late = true;
            child.kill().map_err(failed)?;
            break child.wait().map_err(failed)?;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let end = if is_late { End::Late(limit) } else { End::Status(status) };
    let said = if is_late { String::new() } else { said.join().unwrap_or_default() };
    Ok(Watched { events, fault, end, said })
}

/// `SIGNAL ADDRESS KIND INSTRUCTION`
fn fault_of(line: &str) -> Option<Fault> {
    let mut fields = line.split(' ');
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    fields.next()?;
    Some(Fault {
        address: number(fields.next()?)?,
        is_write: match fields.next()? {
            "w" => Some(true),
            "r" => Some(false),
            _ => None,
        },
        instruction: number(fields.next()?)?,
    })
}

/// The end of what a process writes.
fn tail(mut from: impl Read) -> String {
    let (mut kept, mut part) = (Vec::new(), [0; TAIL]);
    while let Ok(length @ 1..) = from.read(&mut part) {
        kept.extend_from_slice(&part[..length]);
        let extra = kept.len().saturating_sub(TAIL);
        kept.drain(..extra);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

impl Watched {
    /// Why the calls, or some of them, could not be made.
    pub(crate) fn refused(&self, calls: &[Call]) -> Option<Failure> {
        self.events.iter().find_map(|event| match event {
            Event::Refused { message } => Some(Failure::new(message.as_str())),
            Event::NotCalled { call, message } => {
                let function = calls.get(*call).map_or("", |call| call.function.as_str());
                let notes = self.notes(calls);
                let before =
                    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
                Some(Failure::fault(format!("`{function}` was not called: {message}{before}")))
            }
            _ => None,
        })
    }

    /// The calls that failed as functions do, and memory that could not be guarded.
    pub(crate) fn notes(&self, calls: &[Call]) -> Vec<String> {
        let mut notes = Vec::new();
        let mut function = "";
        for event in &self.events {
            match event {
                Event::Begin { call } => {
                    function = calls.get(*call).map_or("", |call| call.function.as_str());
                }
                Event::End { failed: Some(error) } => notes.push(format!("`{function}` failed: {error}")),
                Event::Lent(lent) => {
                    let bare = lent.iter().filter(|one| one.from == one.to).count();
                    if bare > 0 {
                        notes.push(format!("`{function}`: {bare} pieces of memory could not be guarded"));
                    }
                }
                _ => {}
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_read_from_its_line() {
        let fault = fault_of("b 7f0012340ff0 w 4f0").expect("a fault");
        assert_eq!((fault.address, fault.is_write, fault.instruction), (0x7f00_1234_0ff0, Some(true), 0x4f0));
        assert_eq!(fault_of("b 0 u 0").expect("a fault").is_write, None);
        assert!(fault_of("b x").is_none());
    }

    #[test]
    fn only_the_end_of_much_text_is_kept() {
        let text = "a".repeat(10_000) + "end";
        assert!(tail(text.as_bytes()).ends_with("aend"));
        assert_eq!(tail(text.as_bytes()).len(), TAIL);
    }
}

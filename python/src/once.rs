//! Runs a program once, with input, output and a time limit. Used to check scripts and to find Python.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// How much of the standard error of a program is kept, in bytes.
const ERRORS: u64 = 64 * 1024;

/// The result of a program that ended within the time limit.
pub(super) struct Ended {
    pub(super) is_success: bool,
    /// Its standard output.
    pub(super) output: Vec<u8>,
    status: String,
    errors: Vec<u8>,
}

/// Why a program did not end by itself.
#[derive(Debug)]
pub(super) enum Unfinished {
    NotStarted(String),
    /// It was killed at the deadline. `output` is what it had written.
    TimedOut {
        output: Vec<u8>,
    },
}

/// The status, and the last line of its standard error.
impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = String::from_utf8_lossy(&self.errors);
        match errors.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => write!(f, "{}: {}", self.status, line.trim()),
            None => f.write_str(&self.status),
        }
    }
}

pub(super) fn run(mut command: Command, input: Vec<u8>, limit: Duration) -> Result<Ended, Unfinished> {
    let deadline = Instant::now() + limit;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Unfinished::NotStarted(error.to_string()))?;
    // Each pipe has its own thread, so that a program that does not read, or fills one pipe while we wait for the other,
    // does not block us. The threads are not joined, because a child of the program may keep a pipe open.
    if let Some(mut stdin) = child.stdin.take() {
        std::thread::spawn(move || {
            // A program that does not read its input is judged by its output.
            let _ = stdin.write_all(&input);
        });
    }
    let output = child.stdout.take().map(|stdout| collect(stdout, u64::MAX));
    let errors = child.stderr.take().map(|stderr| collect(stderr, ERRORS));
    let status = match end(&mut child, deadline) {
        Some(status) => status,
        None => {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Unfinished::TimedOut { output: received(output) });
        }
    };
    let (is_success, status) = match status {
        Ok(status) => (status.success(), status.to_string()),
        Err(error) => (false, error.to_string()),
    };
    Ok(Ended { is_success, output: received(output), status, errors: received(errors) })
}

/// Waits for the end; `None` if the program still runs at the deadline.
fn end(child: &mut Child, deadline: Instant) -> Option<std::io::Result<std::process::ExitStatus>> {
    // The pause starts short, so that quick programs are not delayed.
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(Ok(status)),
            Ok(None) if Instant::now() >= deadline => return None,
            Ok(None) => std::thread::sleep(pause),
            Err(error) => return Some(Err(error)),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Reads everything and keeps the first `limit` bytes.
fn collect(mut pipe: impl Read + Send + 'static, limit: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        let mut room = limit;
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let kept = count.min(usize::try_from(room).unwrap_or(usize::MAX));
            room -= kept as u64;
            if kept > 0 && sender.send(buffer[..kept].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The output of a program that has ended.
fn received(pipe: Option<Receiver<Vec<u8>>>) -> Vec<u8> {
    // All output is in the pipe already. Only a child that still has the pipe keeps it open.
    const LAST: Duration = Duration::from_millis(500);
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        while let Ok(part) = pipe.recv_timeout(LAST) {
            bytes.extend(part);
        }
    }
    bytes
}

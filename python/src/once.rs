//! Runs a program once: bytes in, bytes out, within a time. For what is asked of Python before a
//! script runs.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// As much as is kept of what a program says about its own failure.
const ERRORS: u64 = 64 * 1024;

/// How a program ended that was given the time it needed.
pub(super) struct Ended {
    pub(super) is_success: bool,
    /// What it wrote to its standard output.
    pub(super) output: Vec<u8>,
    status: String,
    errors: Vec<u8>,
}

/// Why there is no end to tell of.
#[derive(Debug)]
pub(super) enum Unfinished {
    NotStarted(String),
    /// It was ended. What it wrote until then is here.
    TimedOut {
        output: Vec<u8>,
    },
}

/// The status, and the last line of what it complained of.
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
    // A program that does not read, or that fills one pipe while we wait at the other, would hold
    // us up: so each pipe has its thread. They are not waited for, since a program that this one
    // started may hold the pipe open.
    if let Some(mut stdin) = child.stdin.take() {
        std::thread::spawn(move || {
            // Whoever does not read is judged by the answer.
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

/// How it ended; `None` if it still runs at the deadline.
fn end(child: &mut Child, deadline: Instant) -> Option<std::io::Result<std::process::ExitStatus>> {
    // Begins short, so that what is quick is not made slow.
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

/// Reads everything, and keeps the first `limit` bytes.
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

/// What came of a program that has ended.
fn received(pipe: Option<Receiver<Vec<u8>>>) -> Vec<u8> {
    // What it wrote is in the pipe already; only one who still holds the pipe keeps it open.
    const LAST: Duration = Duration::from_millis(500);
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        while let Ok(part) = pipe.recv_timeout(LAST) {
            bytes.extend(part);
        }
    }
    bytes
}

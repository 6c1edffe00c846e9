//! The output of scripts, line by line. [`Process`](super::process::Process) passes on what it reads from the pipe that
//! is standard output and standard error of a worker and its children.

use std::sync::Arc;

/// The maximum length of a line; longer ones are split.
const LONGEST: usize = 8 << 10;

/// A line printed by a script, or by a process that it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine<'l> {
    /// The name of the script's file.
    pub script: &'l str,
    /// The line without its line end. Invalid UTF-8 is replaced.
    pub text: &'l str,
}

/// The function that receives the lines.
pub(crate) type Sink = Arc<dyn Fn(LogLine<'_>) + Send + Sync>;

/// The receiver of the lines of a call, and the limit in bytes.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) script: Arc<str>,
    pub(crate) sink: Sink,
    pub(crate) limit: usize,
}

/// The output of a worker, and the call that it belongs to; if none runs, the last one.
pub(super) struct Lines {
    turn: Option<Turn>,
    /// The beginning of an incomplete line.
    partial: Vec<u8>,
}

/// The call that prints.
pub(super) struct Turn {
    target: Target,
    /// The number of bytes that it may still log.
    left: usize,
    dropped: usize,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { turn: None, partial: Vec::new() }
    }

    /// Assigns the following lines to a call, and returns the previous one.
    pub(super) fn begin(&mut self, target: Target) -> Option<Turn> {
        self.finish();
        let left = target.limit;
        self.turn.replace(Turn { target, left, dropped: 0 })
    }

    /// Assigns the following lines to the waiting call again.
    pub(super) fn resume(&mut self, turn: Turn) {
        self.finish();
        self.turn = Some(turn);
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let Some(turn) = &mut self.turn else { return };
            if turn.left == 0 {
                turn.dropped += bytes.len();
                return;
            }
            let room = (LONGEST - self.partial.len()).min(turn.left).min(bytes.len());
            let (part, rest) = match bytes[..room].iter().position(|byte| *byte == b'\n') {
                Some(newline) => (&bytes[..newline], &bytes[newline + 1..]),
                None => (&bytes[..room], &bytes[room..]),
            };
            let taken = bytes.len() - rest.len();
            self.partial.extend_from_slice(part);
            turn.left -= taken;
            if taken > part.len() || self.partial.len() >= LONGEST || turn.left == 0 {
                self.write();
            }
            bytes = rest;
        }
    }

    /// Logs an incomplete line at the end of a call.
    pub(super) fn finish(&mut self) {
        if !self.partial.is_empty() {
            self.write();
        }
        if let Some(Turn { target, dropped, .. }) = &mut self.turn
            && *dropped > 0
        {
            let text = format!("({dropped} more bytes were printed and dropped)");
            *dropped = 0;
            (target.sink)(LogLine { script: &target.script, text: &text });
        }
    }

    fn write(&mut self) {
        if let Some(Turn { target, .. }) = &self.turn {
            let text = String::from_utf8_lossy(&self.partial);
            (target.sink)(LogLine { script: &target.script, text: text.trim_end_matches('\r') });
        }
        self.partial.clear();
    }
}

/// Writes lines to standard error.
pub(crate) fn to_stderr() -> Sink {
    Arc::new(|line| eprintln!("{}: {}", line.script, line.text))
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    #[test]
    fn lines_are_complete_and_within_the_limit() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let sink: Sink = Arc::new(move |line| {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(line.text.to_owned());
        });
        let mut lines = Lines::new();
        lines.begin(Target { script: "a.py".into(), sink, limit: 20 });
        for part in ["on", "e\r\ntw", "o\n\nth", "ree\n0123456789", "0123456789"] {
            lines.feed(part.as_bytes());
        }
        lines.finish();
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(*seen, ["one", "two", "", "three", "0123", "(16 more bytes were printed and dropped)"]);
    }

    #[test]
    fn an_endless_line_is_split() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let sink: Sink = Arc::new(move |line| {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(line.text.len());
        });
        let mut lines = Lines::new();
        lines.begin(Target { script: "a.py".into(), sink, limit: 1 << 20 });
        lines.feed(&vec![b'x'; 2 * LONGEST + 5]);
        lines.finish();
        assert_eq!(*seen.lock().unwrap_or_else(PoisonError::into_inner), [LONGEST, LONGEST, 5]);
    }
}

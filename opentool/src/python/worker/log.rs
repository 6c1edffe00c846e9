//! What scripts print, line by line. [`Process`](super::process::Process) feeds it with what
//! comes through the pipe that is the standard output and error of a worker and its children.

use std::sync::Arc;

/// How much of one line is kept together.
const LONGEST: usize = 8 << 10;

/// A line that a script, or a process that it started, has printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine<'l> {
    /// The name of the script's file.
    pub script: &'l str,
    /// The line, without its end. What is not UTF-8 is replaced.
    pub text: &'l str,
}

/// Who takes the lines.
pub(crate) type Sink = Arc<dyn Fn(LogLine<'_>) + Send + Sync>;

/// Where the lines of a call go, and how many bytes of them.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) script: Arc<str>,
    pub(crate) sink: Sink,
    pub(crate) limit: usize,
}

/// Lines that are not whole yet, and how many bytes this call may still log.
pub(super) struct Lines {
    target: Option<Target>,
    partial: Vec<u8>,
    left: usize,
    dropped: usize,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { target: None, partial: Vec::new(), left: 0, dropped: 0 }
    }

    /// From now on lines are those of another call. Returns whose they were.
    pub(super) fn turn_to(&mut self, target: Option<Target>) -> Option<Target> {
        self.finish();
        self.left = target.as_ref().map_or(0, |target| target.limit);
        std::mem::replace(&mut self.target, target)
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.left == 0 {
                self.dropped += bytes.len();
                return;
            }
            let room = (LONGEST - self.partial.len()).min(self.left).min(bytes.len());
            let (part, rest) = match bytes[..room].iter().position(|byte| *byte == b'\n') {
                Some(newline) => (&bytes[..newline], &bytes[newline + 1..]),
                None => (&bytes[..room], &bytes[room..]),
            };
            let taken = bytes.len() - rest.len();
            self.partial.extend_from_slice(part);
            self.left -= taken;
            if taken > part.len() || self.partial.len() >= LONGEST || self.left == 0 {
                self.write();
            }
            bytes = rest;
        }
    }

    /// The call is over: a line without an end is a line too.
    pub(super) fn finish(&mut self) {
        if !self.partial.is_empty() {
            self.write();
        }
        if self.dropped > 0
            && let Some(target) = &self.target
        {
            let text = format!("({} bytes more were printed, and dropped)", self.dropped);
            (target.sink)(LogLine { script: &target.script, text: &text });
        }
        self.dropped = 0;
    }

    fn write(&mut self) {
        if let Some(target) = &self.target {
            let text = String::from_utf8_lossy(&self.partial);
            (target.sink)(LogLine { script: &target.script, text: text.trim_end_matches('\r') });
        }
        self.partial.clear();
    }
}

/// The standard error of the host.
pub(crate) fn to_stderr() -> Sink {
    Arc::new(|line| eprintln!("{}: {}", line.script, line.text))
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    #[test]
    fn lines_are_whole_and_within_the_limit() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let sink: Sink = Arc::new(move |line| {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(line.text.to_owned());
        });
        let mut lines = Lines::new();
        lines.turn_to(Some(Target { script: "a.py".into(), sink, limit: 20 }));
        for part in ["on", "e\r\ntw", "o\n\nth", "ree\n0123456789", "0123456789"] {
            lines.feed(part.as_bytes());
        }
        lines.turn_to(None);
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(*seen, ["one", "two", "", "three", "0123", "(16 bytes more were printed, and dropped)"]);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let sink: Sink = Arc::new(move |line| {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(line.text.len());
        });
        let mut lines = Lines::new();
        lines.turn_to(Some(Target { script: "a.py".into(), sink, limit: 1 << 20 }));
        lines.feed(&vec![b'x'; 2 * LONGEST + 5]);
        lines.finish();
        assert_eq!(*seen.lock().unwrap_or_else(PoisonError::into_inner), [LONGEST, LONGEST, 5]);
    }
}

//! The options of workers: their names, words and defaults. The command has the same ones.

use std::time::Duration;

/// Whether a tool runs in workers, and what these may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Isolation {
    /// No workers: the tool runs in the process of the server.
    pub in_process: bool,
    /// How long a call may take, from its arrival.
    pub deadline: Duration,
    /// The workers that all callers share, of a tool without handles.
    pub workers: usize,
    /// The callers that can have a worker of their own, of a tool with handles.
    pub sessions: usize,
    /// The time without a call after which such a worker is ended.
    pub idle: Duration,
    /// The handles that a caller can have.
    pub handles: usize,
    /// The address space of a worker, or on Windows the memory that it can commit, in MiB.
    pub memory: u64,
}

impl Isolation {
    /// One worker per core, and at least two, so that one call that hangs does not keep all others waiting.
    #[must_use]
    pub fn default_workers() -> usize {
        std::thread::available_parallelism().map_or(2, usize::from).max(2)
    }

    /// [`Isolation::memory`] in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory.saturating_mul(1 << 20)
    }
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            in_process: false,
            deadline: Duration::from_secs_f64(DEADLINE),
            workers: Self::default_workers(),
            sessions: SESSIONS,
            idle: Duration::from_secs_f64(IDLE),
            handles: HANDLES,
            memory: MEMORY,
        }
    }
}

/// The default of `--deadline`, in seconds.
pub const DEADLINE: f64 = 60.0;
/// The default of `--sessions`.
pub const SESSIONS: usize = 16;
/// The default of `--idle`, in seconds.
pub const IDLE: f64 = 900.0;
/// The default of `--handles`.
pub const HANDLES: usize = 10_000;
/// The default of `--memory`, in MiB.
pub const MEMORY: u64 = 4096;

/// What `--help` says.
pub mod help {
    /// `--in-process`
    pub const IN_PROCESS: &str = "Call libraries in the process of the server: cheaper, but a crash ends it";
    /// `--deadline`
    pub const DEADLINE: &str = "The time for a call, in seconds; it is then cancelled, or its worker killed";
    /// `--workers`
    pub const WORKERS: &str =
        "Workers that all callers of a library without handles share; default: one per core";
    /// `--sessions`
    pub const SESSIONS: &str = "Callers that can have a worker of their own for a library with handles";
    /// `--idle`
    pub const IDLE: &str = "The seconds without a call after which the handles of a caller are freed";
    /// `--handles`
    pub const HANDLES: &str = "The handles that a caller can have of a library";
    /// `--memory`
    pub const MEMORY: &str = match cfg!(windows) {
        true => "The memory that a worker can commit, in MiB",
        false => "The address space of a worker, in MiB",
    };
}

/// The options in the text of `--help`.
pub(super) fn help_text() -> String {
    let in_seconds = |seconds: f64| format!(" [default: {seconds}]");
    let options = [
        ("--in-process", help::IN_PROCESS, String::new()),
        ("--deadline SECONDS", help::DEADLINE, in_seconds(DEADLINE)),
        ("--workers N", help::WORKERS, String::new()),
        ("--sessions N", help::SESSIONS, format!(" [default: {SESSIONS}]")),
        ("--idle SECONDS", help::IDLE, in_seconds(IDLE)),
        ("--handles N", help::HANDLES, format!(" [default: {HANDLES}]")),
        ("--memory MIB", help::MEMORY, format!(" [default: {MEMORY}]")),
    ];
    let lines = options.map(|(option, words, default)| format!("    {option:<20} {words}{default}\n"));
    format!("\nWorkers:\n{}", lines.concat())
}

/// A number of seconds that a clock can count.
///
/// # Errors
///
/// It is not a number, or too small or too large.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if (0.001..=1e9).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("expected 0.001 to 1e9 seconds".to_owned())
    }
}

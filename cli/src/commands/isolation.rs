//! Where `serve` and `mcp` run libraries, and for how long a call may run.

use std::time::Duration;

use clap::Args;

use crate::tool::Workers;

/// Only for these: a heading of the group would be that of what follows too.
const HEADING: &str = "Workers";

#[derive(Args)]
pub(super) struct Isolation {
    /// Call libraries in the process of the server: cheaper, but a crash ends it
    #[arg(long, help_heading = HEADING)]
    in_process: bool,
    /// The time for a call, in seconds; its worker is then killed
    #[arg(long, help_heading = HEADING, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    deadline: f64,
    /// Workers that all callers of a library without handles share; default: one per core
    #[arg(long, help_heading = HEADING, value_name = "N", conflicts_with = "in_process")]
    workers: Option<usize>,
    /// Callers that can have a worker of their own for a library with handles
    #[arg(long, help_heading = HEADING, value_name = "N", default_value_t = 16, conflicts_with = "in_process")]
    sessions: usize,
    /// The seconds without a call after which the handles of a caller are freed
    #[arg(long, help_heading = HEADING, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds, conflicts_with = "in_process")]
    idle: f64,
    /// The handles that a caller can have of a library
    #[arg(long, help_heading = HEADING, value_name = "N", default_value_t = 10_000, conflicts_with = "in_process")]
    handles: usize,
    /// The address space of a worker, in MiB
    #[arg(long, help_heading = HEADING, value_name = "MIB", default_value_t = 4096, conflicts_with = "in_process")]
    memory: u64,
}

/// A duration that a clock can count.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if (0.001..=1e9).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("expected 0.001 to 1e9 seconds".to_owned())
    }
}

impl Isolation {
    pub(super) fn deadline(&self) -> Duration {
        Duration::from_secs_f64(self.deadline)
    }

    /// `None` if libraries run in the process of the server.
    pub(super) fn workers(&self) -> Option<Workers> {
        if self.in_process {
            return None;
        }
        if cfg!(not(unix)) {
            anstream::eprintln!("opendyn: libraries run in this process: there are workers on Unix only");
            return None;
        }
        Some(Workers {
            pool: self.workers.unwrap_or_else(Workers::default_pool).max(1),
            sessions: self.sessions.max(1),
            idle: Duration::from_secs_f64(self.idle),
            handles: self.handles,
            memory: self.memory.saturating_mul(1 << 20),
        })
    }
}

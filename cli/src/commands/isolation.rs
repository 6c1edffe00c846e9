//! Where `serve` and `mcp` run libraries, and for how long a call may run. Words and defaults are those of `serve!` too.

use std::time::Duration;

use clap::Args;
use opentool_sandbox::Allowed;
use opentool_server::serve::isolation::{self, help, seconds};

use crate::tool::Workers;

/// Only for these: a heading of the group would be that of what follows too.
const HEADING: &str = "Workers";

#[derive(Args)]
pub(super) struct Isolation {
    #[arg(long, help = help::IN_PROCESS, help_heading = HEADING)]
    in_process: bool,
    #[arg(long, help = help::DEADLINE, help_heading = HEADING, value_name = "SECONDS", default_value_t = isolation::DEADLINE, value_parser = seconds)]
    deadline: f64,
    #[arg(long, help = help::WORKERS, help_heading = HEADING, value_name = "N", conflicts_with = "in_process")]
    workers: Option<usize>,
    #[arg(long, help = help::SESSIONS, help_heading = HEADING, value_name = "N", default_value_t = isolation::SESSIONS, conflicts_with = "in_process")]
    sessions: usize,
    #[arg(long, help = help::IDLE, help_heading = HEADING, value_name = "SECONDS", default_value_t = isolation::IDLE, value_parser = seconds, conflicts_with = "in_process")]
    idle: f64,
    #[arg(long, help = help::HANDLES, help_heading = HEADING, value_name = "N", default_value_t = isolation::HANDLES, conflicts_with = "in_process")]
    handles: usize,
    #[arg(long, help = help::MEMORY, help_heading = HEADING, value_name = "MIB", default_value_t = isolation::MEMORY, conflicts_with = "in_process")]
    memory: u64,
}

impl Isolation {
    pub(super) fn deadline(&self) -> Duration {
        Duration::from_secs_f64(self.deadline)
    }

    /// `None` if libraries run in the process of the server.
    pub(super) fn workers(&self, allowed: Option<Allowed>) -> Option<Workers> {
        if self.in_process {
            return None;
        }
        Some(Workers {
            pool: self.workers.unwrap_or_else(isolation::Isolation::default_workers).max(1),
            sessions: self.sessions.max(1),
            idle: Duration::from_secs_f64(self.idle),
            handles: self.handles,
            memory: self.memory.saturating_mul(1 << 20),
            allowed,
        })
    }
}

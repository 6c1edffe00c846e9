//! What `serve` and `mcp` allow libraries and scripts beyond what they need to run. Names and most words are those of `serve!` too.

use std::path::PathBuf;

use clap::Args;
use opentool_sandbox::Allowed;
use opentool_server::serve::confinement::{self, help};

use crate::failure::{Failure, Outcome};

/// Only for these: a heading of the group would be that of what follows too.
const HEADING: &str = "Sandbox";

#[derive(Args)]
pub(super) struct Confinement {
    /// A folder or file that libraries and scripts may read; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "DIR")]
    allow_read: Vec<PathBuf>,
    #[arg(long, help = help::ALLOW_WRITE, help_heading = HEADING, value_name = "DIR")]
    allow_write: Vec<PathBuf>,
    #[arg(long, help = help::ALLOW_NET, help_heading = HEADING)]
    allow_net: bool,
    #[arg(long, help = help::NO_SANDBOX, help_heading = HEADING, conflicts_with_all = ["allow_read", "allow_write", "allow_net"])]
    no_sandbox: bool,
}

impl Confinement {
    /// `None` without a sandbox.
    pub(super) fn allowed(self) -> Outcome<Option<Allowed>> {
        let Self { allow_read, allow_write, allow_net, no_sandbox } = self;
        let confinement = confinement::Confinement {
            read: allow_read,
            write: allow_write,
            network: allow_net,
            none: no_sandbox,
        };
        confinement.allowed().map_err(Failure::new)
    }
}

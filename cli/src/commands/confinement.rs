//! What `serve` and `mcp` allow libraries and scripts beyond what they need to run.

use std::path::{Path, PathBuf};

use clap::Args;
use opentool_sandbox::Allowed;

use crate::failure::{Failure, Outcome};

/// Only for these: a heading of the group would be that of what follows too.
const HEADING: &str = "Sandbox";

#[derive(Args)]
pub(super) struct Confinement {
    /// A folder or file that libraries and scripts may read; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "DIR")]
    allow_read: Vec<PathBuf>,
    /// A folder or file that they may read and write; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "DIR")]
    allow_write: Vec<PathBuf>,
    /// Let them use the network
    #[arg(long, help_heading = HEADING)]
    allow_net: bool,
    /// Let them do all that this account can do, such as starting processes
    #[arg(long, help_heading = HEADING, conflicts_with_all = ["allow_read", "allow_write", "allow_net"])]
    no_sandbox: bool,
}

impl Confinement {
    /// `None` without a sandbox.
    pub(super) fn allowed(self) -> Outcome<Option<Allowed>> {
        if self.no_sandbox || cfg!(not(unix)) {
            return Ok(None);
        }
        let there = |flag: &str, paths: Vec<PathBuf>| {
            paths.iter().map(|path| there(flag, path)).collect::<Outcome<Vec<_>>>()
        };
        Ok(Some(Allowed {
            read: there("--allow-read", self.allow_read)?,
            write: there("--allow-write", self.allow_write)?,
            network: self.allow_net,
            ..Allowed::default()
        }))
    }
}

/// The absolute path, because a library may change the folder.
fn there(flag: &str, path: &Path) -> Outcome<PathBuf> {
    let shown = path.display();
    if !path.exists() {
        return Err(Failure::new(format!("{flag}: `{shown}` does not exist")));
    }
    std::path::absolute(path).map_err(|error| Failure::new(format!("{flag}: `{shown}`: {error}")))
}

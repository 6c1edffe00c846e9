//! What `serve` and `mcp` allow, and where they write who called what.

use std::path::PathBuf;

use clap::Args;
use opentool_server::Rules;

use crate::tool::Guard;

/// Which functions are allowed. A key has rules too.
#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct Allowed {
    /// Functions to allow, a name with `*` and `?`; may be repeated. Others are refused
    #[arg(long, value_name = "GLOB")]
    allow: Vec<String>,
    /// Functions to refuse; may be repeated
    #[arg(long, value_name = "GLOB")]
    deny: Vec<String>,
    /// Allow only functions whose `x-annotations` say `readOnly`
    #[arg(long)]
    read_only: bool,
}

impl Allowed {
    pub(super) fn rules(self) -> Rules {
        Rules { allow: self.allow, deny: self.deny, read_only: self.read_only }
    }
}

#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct Policy {
    #[command(flatten)]
    allowed: Allowed,
    /// Append a line of JSON for every call: who called what, with which outcome
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
    /// Write arguments to the audit log too
    #[arg(long, requires = "audit")]
    audit_arguments: bool,
}

impl Policy {
    pub(super) fn guard(self) -> Guard {
        Guard { rules: self.allowed.rules(), audit: self.audit, audit_arguments: self.audit_arguments }
    }
}

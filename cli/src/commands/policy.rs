//! What `serve` and `mcp` allow, and where they write who called what.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use opentool_server::{Asking, Confirm, Guarded, Listing, Rules};

use crate::tool::Guard;

/// Which functions are allowed. A key has rules too.
#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct Allowed {
    /// Functions to allow, a name with `*` and `?`; may be repeated. Others are refused
    #[arg(long, visible_alias = "tools", value_name = "GLOB")]
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
    /// Ask a person before functions that `x-annotations` say are `destructive`: off, ask (if the
    /// client can), or require
    #[arg(long, value_name = "WHEN", default_value = Asking::default().name(), hide_possible_values = true, value_parser = asking())]
    confirm: Asking,
    /// Further functions to ask about; may be repeated
    #[arg(long, value_name = "GLOB")]
    confirm_also: Vec<String>,
    /// How MCP clients find functions: all, search, or auto
    #[arg(long, value_name = "HOW", default_value = Listing::default().name(), hide_possible_values = true, value_parser = listing())]
    list: Listing,
    /// Show MCP clients results of more bytes in parts; 0: show all
    #[arg(long, value_name = "N", default_value_t = Guarded::LARGE)]
    large_result: usize,
    /// Append a line of JSON for every call: who called what, with which outcome
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
    /// Write arguments to the audit log too
    #[arg(long, requires = "audit")]
    audit_arguments: bool,
}

fn asking() -> impl TypedValueParser<Value = Asking> {
    PossibleValuesParser::new(Asking::ALL.map(Asking::name)).try_map(|name| name.parse::<Asking>())
}

fn listing() -> impl TypedValueParser<Value = Listing> {
    PossibleValuesParser::new(Listing::ALL.map(Listing::name)).try_map(|name| name.parse::<Listing>())
}

impl Policy {
    pub(super) fn guard(self) -> Guard {
        Guard {
            rules: self.allowed.rules(),
            confirm: Confirm { asking: self.confirm, also: self.confirm_also },
            listing: self.list,
            large_result: self.large_result,
            audit: self.audit,
            audit_arguments: self.audit_arguments,
        }
    }
}

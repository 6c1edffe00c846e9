//! `opendyn mcp`

use clap::Args;

use super::installing::Installing;
use super::policy::Policy;
use super::served::Served;
use crate::failure::{Failure, Outcome};
use crate::tool;

/// Serve libraries and Python scripts to the MCP client that starts this command
#[derive(Args)]
#[command(after_help = "\
A changed document or script is used from the next call on. The configuration of a client:

  {\"command\": \"opendyn\", \"args\": [\"mcp\", \"/path/to/zlib.json\"]}

  opendyn mcp zlib.json --install claude            writes it, after showing the change
  opendyn mcp zlib.json --install claude --remove   undoes that")]
pub(crate) struct Arguments {
    #[command(flatten)]
    served: Served,
    #[command(flatten)]
    policy: Policy,
    #[command(flatten)]
    installing: Installing,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if self.served.reads_stdin() {
            return Err(Failure::new("the document cannot come from stdin, which the client uses"));
        }
        if let Some(client) = self.installing.client() {
            return self.installing.run(client, || self.served.wanted());
        }
        let deadline = self.served.deadline();
        tool::mcp(self.served.wanted()?, deadline, self.policy.guard())
    }
}

//! `opendyn mcp`

use clap::Args;

use super::served::Served;
use crate::failure::Outcome;

/// Serve the functions of libraries to the MCP client that starts this command, on stdin and stdout
///
/// The first start compiles a program, which is kept. Clients do not wait that long: start it once with
/// --prepare before.
#[derive(Args)]
#[command(after_help = "\
Examples:
  opendyn mcp zlib.json --prepare
  opendyn mcp zlib.json

For a client: {\"mcpServers\": {\"zlib\": {\"command\": \"opendyn\", \"args\": [\"mcp\", \"/path/to/zlib.json\"]}}}")]
pub(crate) struct Arguments {
    #[command(flatten)]
    served: Served,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        self.served.start("mcp", |launch| launch)
    }
}

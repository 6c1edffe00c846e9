//! `opendyn mcp`

use clap::Args;

use super::served::Served;
use crate::failure::{Failure, Outcome};

/// Serve libraries and Python scripts to the MCP client that starts this command
#[derive(Args)]
#[command(after_help = "\
The first start compiles a program, which is kept. Clients do not wait that long: start it once
with --prepare before. What a client is told:

  {\"command\": \"opendyn\", \"args\": [\"mcp\", \"/path/to/zlib.json\"]}")]
pub(crate) struct Arguments {
    #[command(flatten)]
    served: Served,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if self.served.reads_stdin() {
            return Err(Failure::new("the document cannot come from stdin: the client speaks there"));
        }
        self.served.start("mcp", |launch| launch)
    }
}

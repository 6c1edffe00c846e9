//! `opendyn mcp`

use clap::Args;

use super::served::Served;
use crate::failure::{Failure, Outcome};

/// Serve libraries and Python scripts to the MCP client that starts this command
#[derive(Args)]
#[command(after_help = "\
The first start compiles a program, which is cached. Clients do not wait that long: run it once
with --prepare first. The configuration of a client:

  {\"command\": \"opendyn\", \"args\": [\"mcp\", \"/path/to/zlib.json\"]}")]
pub(crate) struct Arguments {
    #[command(flatten)]
    served: Served,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if self.served.reads_stdin() {
            return Err(Failure::new("the document cannot come from stdin, which the client uses"));
        }
        self.served.start("mcp", |launch| launch)
    }
}

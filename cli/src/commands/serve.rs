//! `opendyn serve`

use clap::Args;

use super::served::Served;
use crate::failure::{Failure, Outcome};
use crate::host::{Launch, OWN_KEY};

/// Serve libraries and Python scripts over HTTP, to clients of OpenTool and MCP
#[derive(Args)]
#[command(after_help = "\
The address and a request to try are printed on stderr.
The first start compiles a program, which is cached.
OPENDYN_API_KEY adds a key that is not visible in the list of processes.
The daemon of the SDKs may use --opentoolServerHost, …Port, …ApiKeys and …Tag.

  opendyn serve zlib.json
  opendyn serve zlib.json cpu.py report.py    scripts call zlib through InterClient.tool_exe
  opendyn serve calc.json db.json --library ./libcalc.so --library ./libdb.so --port 8080")]
pub(crate) struct Arguments {
    #[command(flatten)]
    served: Served,
    /// The name or address to listen on
    #[arg(long, alias = "opentoolServerHost", default_value = "127.0.0.1")]
    host: String,
    /// The port to listen on; 0 takes a free one
    #[arg(long, alias = "opentoolServerPort", default_value_t = 17001)]
    port: u16,
    /// An accepted API key, sent as `Authorization: Bearer KEY`; may be repeated
    #[arg(long = "api-key", alias = "opentoolServerApiKeys", value_name = "KEY")]
    keys: Vec<String>,
    /// The version that the server reports, instead of the document's
    #[arg(long, alias = "opentoolServerTag")]
    tag: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let from_environment = std::env::var(OWN_KEY).ok().filter(|key| !key.is_empty());
        let keys: Vec<String> = self.keys.into_iter().chain(from_environment).collect();
        // They are passed one per line, and a header has one line too.
        if keys.iter().any(|key| key.trim().is_empty() || key.contains(['\n', '\r'])) {
            return Err(Failure::new("an API key is empty, or has more than one line"));
        }
        let (host, port) = (self.host, self.port.to_string());
        let tag = self.tag;
        self.served.start("serve", |launch: Launch| {
            let launch = launch.option("--host", host).option("--port", port).keys(&keys);
            tag.into_iter().fold(launch, |launch, tag| launch.option("--tag", tag))
        })
    }
}

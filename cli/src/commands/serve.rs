//! `opendyn serve`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use opentool_server::serve::isolation::seconds;

use super::policy::Policy;
use super::served::Served;
use crate::failure::{Failure, Outcome};
use crate::tool::{self, KEY, Listen};

/// Serve libraries and Python scripts over HTTP, to clients of OpenTool and MCP
#[derive(Args)]
#[command(after_help = "\
The address and a request to try are printed on stderr.
A changed document or script is used from the next call on.
The list of processes shows --api-key; OPENDYN_API_KEY adds a key that it does not show.
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
    /// A file with further keys and their rights; `opendyn keys` writes it
    #[arg(long = "keys", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Listen on an address that other machines reach although no key is required
    #[arg(long)]
    no_key: bool,
    /// A host name that requests may use, besides addresses and localhost; may be repeated
    #[arg(long = "host-name", value_name = "NAME")]
    host_names: Vec<String>,
    /// Serve HTTPS with this certificate chain, a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate, a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Serve no page at /, where people try the functions in a browser
    #[arg(long)]
    no_page: bool,
    /// The version that the server reports, instead of the document's
    #[arg(long, alias = "opentoolServerTag")]
    tag: Option<String>,
    /// The seconds that requests have to end when the server is stopped; their calls are then cancelled
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    grace: f64,
    #[command(flatten)]
    policy: Policy,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let from_environment = std::env::var(KEY).ok().filter(|key| !key.is_empty());
        let keys: Vec<String> = self.keys.into_iter().chain(from_environment).collect();
        // A key is sent in a header, which has one line.
        if keys.iter().any(|key| key.trim().is_empty() || key.contains(['\n', '\r'])) {
            return Err(Failure::new("an API key is empty, or has more than one line"));
        }
        let listen = Listen {
            host: self.host,
            port: self.port,
            keys,
            key_file: self.key_file,
            no_key: self.no_key,
            host_names: self.host_names,
            no_page: self.no_page,
            certificate: self.tls_cert.zip(self.tls_key),
            tag: self.tag,
            grace: Duration::from_secs_f64(self.grace),
        };
        let deadline = self.served.deadline();
        tool::http(self.served.wanted()?, deadline, self.policy.guard(), listen)
    }
}

//! A ready `main`: a command line in front of a [`Server`].
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     opentool_server::serve::main(opentool::MapTool::new(|_, arguments| Ok(arguments.clone())))
//! }
//! ```
//!
//! With the feature `mcp` it also serves clients of the Model Context Protocol: at `/mcp`, under the
//! same keys, or with `--mcp-stdio` the one that started it.
//!
//! [`Program`] is for those who want another name, or open what they serve only when it is served.

mod arguments;

use std::error::Error;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::{Executor, Server};
use arguments::{Command, Start};
use opentool::Tool;

/// What goes wrong before anything is served.
pub type StartError = Box<dyn Error + Send + Sync>;

/// The environment variable with one more API key, which a command line would show to everybody on
/// the machine.
const KEY_VARIABLE: &str = "OPENTOOL_API_KEY";
/// The environment variable with the level of the log.
const LOG_VARIABLE: &str = "OPENTOOL_LOG";

/// A program that serves one tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Program {
    /// The name of the executable, in snake case.
    pub name: String,
    /// Its version, which is also that of the server unless the command line gives another.
    pub version: String,
    /// What it is for, in one line.
    pub about: String,
    /// Whether `--library` says where the library is.
    pub takes_library: bool,
    /// Serves on standard input and output instead, for `--mcp-stdio`.
    pub mcp_stdio: Option<fn(Executor) -> Result<(), StartError>>,
}

/// Serves `tool`, one call at a time, as the command line of the process says.
pub fn main(tool: impl Tool + Send + 'static) -> ExitCode {
    let executor = Executor::serial(tool);
    let mut program = Program::new("", "1.0.0");
    if let Some(document) = executor.load() {
        program.version.clone_from(&document.info.version);
        program.about = document.info.description.as_ref().unwrap_or(&document.info.title).clone();
    }
    program.run(|_| Ok(executor))
}

impl Program {
    /// A program without a library. An empty name is that of the executable.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        let executable = || std::env::args_os().next().map(PathBuf::from);
        let name = match name {
            "" => executable().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned())),
            name => Some(name.to_owned()),
        };
        Self {
            name: name.unwrap_or_else(|| "server".to_owned()),
            version: version.to_owned(),
            about: "serves functions to agents".to_owned(),
            takes_library: false,
            #[cfg(feature = "mcp")]
            mcp_stdio: Some(|executor| Ok(crate::mcp::run_stdio(executor)?)),
            #[cfg(not(feature = "mcp"))]
            mcp_stdio: None,
        }
    }

    /// Does what the command line of the process says. What is served is made by `open`, which is
    /// given the path of `--library`, and only if something is to be served.
    pub fn run(&self, open: impl FnOnce(Option<&Path>) -> Result<Executor, StartError>) -> ExitCode {
        self.run_with(std::env::args_os().skip(1), open)
    }

    /// As [`Program::run`], for other arguments.
    pub fn run_with(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        open: impl FnOnce(Option<&Path>) -> Result<Executor, StartError>,
    ) -> ExitCode {
        let result = match arguments::parse(arguments) {
            Ok(Command::Help) => print(&self.help()),
            Ok(Command::Version) => print(&format!("{} {}\n", self.name, self.version)),
            Ok(Command::Start(start)) => match self.misplaced(&start) {
                None => self.start(start, open),
                Some(option) => return self.misused(&format!("this program has no `{option}`")),
            },
            Err(error) => return self.misused(&error.to_string()),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", self.name);
                ExitCode::FAILURE
            }
        }
    }

    fn misplaced(&self, start: &Start) -> Option<&'static str> {
        if start.library.is_some() && !self.takes_library {
            Some("--library")
        } else if start.mcp_stdio && self.mcp_stdio.is_none() {
            Some("--mcp-stdio")
        } else {
            None
        }
    }

    /// 2 is what shells take for a wrong command line.
    fn misused(&self, message: &str) -> ExitCode {
        eprintln!("{name}: {message}\nTry `{name} --help`.", name = self.name);
        ExitCode::from(2)
    }

    fn start(
        &self,
        start: Start,
        open: impl FnOnce(Option<&Path>) -> Result<Executor, StartError>,
    ) -> Result<(), StartError> {
        log_to_stderr()?;
        let executor = open(start.library.as_deref())?;
        if let Some(serve_stdio) = self.mcp_stdio.filter(|_| start.mcp_stdio) {
            return serve_stdio(executor);
        }
        let version = start.version.as_deref().unwrap_or(&self.version);
        let mut server = server(executor, &start.host)?.port(start.port).version(version);
        let from_environment = std::env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty());
        let keys: Vec<String> = start.keys.into_iter().chain(from_environment).collect();
        for key in &keys {
            server = server.key(key);
        }
        server.run(|address| {
            if keys.is_empty() && !is_loopback(address.ip()) {
                eprintln!("{}: without --apiKeys everybody who reaches {address} can call", self.name);
            }
            // Somebody who reads it may have gone; the server serves all the same.
            let _ = print(&format!("{} listens on http://{address}/opentool\n", self.name));
        })?;
        Ok(())
    }

    /// What `--help` prints.
    #[must_use]
    pub fn help(&self) -> String {
        let Self { name, version, about, .. } = self;
        let title: String = name.to_uppercase().replace('-', "_");
        let library = match self.takes_library {
            true => {
                "        --library PATH   The library to load, instead of the one that is found without it\n"
            }
            false => "",
        };
        let mcp = match self.mcp_stdio {
            Some(_) => "        --mcp-stdio      Serve MCP on standard input and output instead\n",
            None => "",
        };
        format!(
            "{title} OpenTool Server CLI ({version}) - {about}

Usage: {name} [start] [options]

Commands:
  start                  Serve until stopped. So does running without arguments.
    -v, --version TAG    The version that the server reports [default: {version}]
    -t, --toolPort PORT  The port to listen on; 0 takes a free one [default: 17001]
        --host HOST      The name or address to listen on [default: 127.0.0.1]
    -k, --apiKeys KEY    A key that requests may have; repeat it for several [default: none needed]
{library}{mcp}
Global options:
    -v, --version        Print the version of this program, where no TAG follows
    -h, --help           Print this

Environment:
    {KEY_VARIABLE}     One more key, which the list of processes does not show
    {LOG_VARIABLE}         What is logged: off, error, warn, info or debug [default: info]
"
        )
    }
}

/// A server that listens on `host`. With the feature `mcp` it also has the route `/mcp`.
///
/// # Errors
///
/// The document cannot be listed for MCP.
pub fn server(executor: Executor, host: &str) -> Result<Server, StartError> {
    #[cfg(feature = "mcp")]
    let mcp = mcp(&executor, host)?;
    let server = Server::new(executor).host(host);
    #[cfg(feature = "mcp")]
    let server = server.routes(mcp);
    Ok(server)
}

/// The route of MCP, for clients that reach this machine by its loopback names; where it listens for
/// others too, by whatever name they know.
#[cfg(feature = "mcp")]
fn mcp(executor: &Executor, host: &str) -> Result<axum::Router, StartError> {
    let mut options = crate::mcp::HttpOptions::default();
    let local = host == "localhost" || host.parse().is_ok_and(is_loopback);
    if !local {
        options.allowed_hosts.clear();
    }
    Ok(crate::mcp::router(executor, options)?)
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Not `println!`, which panics when nobody reads.
fn print(text: &str) -> Result<(), StartError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Logs to standard error what `OPENTOOL_LOG` asks for; standard output may be a protocol's. A program
/// that has a log of its own keeps it.
///
/// # Errors
///
/// `OPENTOOL_LOG` names no level.
pub fn log_to_stderr() -> Result<(), StartError> {
    let level = match std::env::var(LOG_VARIABLE) {
        Ok(level) if !level.is_empty() => level,
        _ => "info".to_owned(),
    };
    let level: LevelFilter = level
        .parse()
        .map_err(|_| format!("{LOG_VARIABLE} is `{level}`; expected off, error, warn, info or debug"))?;
    let ansi = std::io::stderr().is_terminal();
    // Of MCP's own steps there are several a request, and none says which function.
    let targets = Targets::new().with_default(level).with_target("rmcp", level.min(LevelFilter::WARN));
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_ansi(ansi);
    let _ = log.finish().with(targets).try_init();
    Ok(())
}

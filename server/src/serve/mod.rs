//! A complete `main`: a command line for a [`Server`].
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     opentool_server::serve::main(opentool::MapTool::new(|_, arguments| Ok(arguments.clone())))
//! }
//! ```
//!
//! With the feature `mcp` it also serves clients of the Model Context Protocol, at `/mcp` with the same keys, or over
//! the standard streams with `--mcp-stdio`.
//!
//! [`Program`] allows another name, and opens the tool only when the command line asks to serve it.
//!
//! # Workers
//!
//! Native code can crash, hang or end the process that calls it. [`Program::run_isolated`] runs a tool in workers: the
//! program starts itself again, and the copies make the calls. If the document of the tool has handles, each caller has a
//! worker of its own, otherwise all callers share some. The options are those of the command
//! (`--workers`, `--sessions`, `--idle`, `--handles`, `--memory`, `--deadline`; `--in-process` turns workers off), and
//! `opendyn::serve!` is such a program.
//!
//! A worker enters a sandbox before it opens the tool: it reads the libraries that it is said to need and the system's, and
//! writes nothing, has no network and starts no processes. `--allow-read`, `--allow-write` and `--allow-net` allow more,
//! `--no-sandbox` everything. At its start the server says what is allowed, and what the kernel lacks.
//!
//! [`main`] and [`Program::run`] get a tool that exists already, in this process, and leave it there. For one that calls
//! native code, pass an `Isolated` of the crate `opentool-worker`.

mod arguments;
pub mod confinement;
mod isolated;
pub mod isolation;

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

use crate::{Confirm, Executor, Guarded, Listing, OpenToAll, Server};
use arguments::{Command, Start};
pub use isolated::{Opening, Past};
use opentool::Tool;

/// Why a program could not start.
pub type StartError = Box<dyn Error + Send + Sync>;

/// The environment variable with an additional API key, because every user of the machine can see a command line.
const KEY_VARIABLE: &str = "OPENTOOL_API_KEY";
/// The environment variable with the log level.
const LOG_VARIABLE: &str = "OPENTOOL_LOG";

/// A program that serves one tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Program {
    /// The name of the executable, in snake case.
    pub name: String,
    /// Its version, which is also that of the server unless the command line sets another.
    pub version: String,
    /// What it does, in one line.
    pub about: String,
    /// Whether it has the option `--library`.
    pub takes_library: bool,
    /// Serves over standard input and output, for `--mcp-stdio`.
    pub mcp_stdio: Option<fn(Guarded) -> Result<(), StartError>>,
}

/// Serves `tool`, one call at a time and in this process, with the options of the command line. See [workers](self#workers)
/// for tools that call native code.
///
/// ```no_run
/// use opentool::MapTool;
///
/// fn main() -> std::process::ExitCode {
///     opentool_server::serve::main(MapTool::new(|_, arguments| Ok(arguments.clone())))
/// }
/// ```
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
    /// A program without `--library`. If the name is empty, that of the executable is used.
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
            mcp_stdio: Some(|guarded| Ok(crate::mcp::run_stdio(guarded)?)),
            #[cfg(not(feature = "mcp"))]
            mcp_stdio: None,
        }
    }

    /// Runs the command line of the process. If it asks to serve, `open` makes the executor from the path of `--library`.
    pub fn run(&self, open: impl FnOnce(Option<&Path>) -> Result<Executor, StartError>) -> ExitCode {
        self.run_with(std::env::args_os().skip(1), open)
    }

    /// Like [`Program::run`], with other arguments.
    pub fn run_with(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        open: impl FnOnce(Option<&Path>) -> Result<Executor, StartError>,
    ) -> ExitCode {
        self.run_as(false, arguments, |start| open(start.library.as_deref()))
    }

    fn run_as(
        &self,
        has_workers: bool,
        arguments: impl IntoIterator<Item = OsString>,
        open: impl FnOnce(&Start) -> Result<Executor, StartError>,
    ) -> ExitCode {
        let result = match arguments::parse(arguments) {
            Ok(Command::Help) => print(&self.help_of(has_workers)),
            Ok(Command::Version) => print(&format!("{} {}\n", self.name, self.version)),
            Ok(Command::Start(start)) => match self.misplaced(&start, has_workers) {
                None => self.start(*start, open),
                Some(option) => return self.misused(&format!("this program has no option `{option}`")),
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

    fn misplaced(&self, start: &Start, has_workers: bool) -> Option<&'static str> {
        if start.library.is_some() && !self.takes_library {
            Some("--library")
        } else if start.mcp_stdio && self.mcp_stdio.is_none() {
            Some("--mcp-stdio")
        } else {
            start.of_workers.first().copied().filter(|_| !has_workers)
        }
    }

    fn say(&self, message: &str) {
        eprintln!("{}: {message}", self.name);
    }

    /// 2 is the usual exit status for a wrong command line.
    fn misused(&self, message: &str) -> ExitCode {
        eprintln!("{name}: {message}\nTry `{name} --help`.", name = self.name);
        ExitCode::from(2)
    }

    fn start(
        &self,
        start: Start,
        open: impl FnOnce(&Start) -> Result<Executor, StartError>,
    ) -> Result<(), StartError> {
        log_to_stderr()?;
        #[cfg(feature = "otel")]
        let _traces = crate::traces_from_environment()?;
        let confirm = Confirm { asking: start.confirm, also: Vec::new() };
        let guarded = Guarded::new(open(&start)?).rules(start.rules).confirm(confirm).listing(start.listing);
        let guarded = guarded.large_results(start.large_result);
        if let Some(serve_stdio) = self.mcp_stdio.filter(|_| start.mcp_stdio) {
            return serve_stdio(guarded);
        }
        let version = start.version.as_deref().unwrap_or(&self.version);
        let mut server = server(guarded, &start.host)?.port(start.port).version(version).page(!start.no_page);
        server = start
            .host_names
            .iter()
            .fold(server.allow_no_key(start.no_key), |server, name| server.host_name(name));
        let from_environment = std::env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty());
        let keys: Vec<String> = start.keys.into_iter().chain(from_environment).collect();
        for key in &keys {
            server = server.key(key);
        }
        let served = server.run(|address| {
            if keys.is_empty() && !is_loopback(address.ip()) {
                eprintln!("{}: without --apiKeys, everyone who can reach {address} can call", self.name);
            }
            // The reader of standard output may be gone; the server serves anyway.
            let _ = print(&format!("{} listens on http://{address}/opentool\n", self.name));
        });
        served.map_err(|error| match error.get_ref().is_some_and(|error| error.is::<OpenToAll>()) {
            true => format!("{error}; give a key with --apiKeys, or say --no-key").into(),
            false => error.into(),
        })
    }

    /// The text of `--help` of [`Program::run`].
    #[must_use]
    pub fn help(&self) -> String {
        self.help_of(false)
    }

    fn help_of(&self, has_workers: bool) -> String {
        let workers = match has_workers {
            true => isolation::help_text() + &confinement::help_text(),
            false => String::new(),
        };
        let Self { name, version, about, .. } = self;
        let title: String = name.to_uppercase().replace('-', "_");
        let library = match self.takes_library {
            true => "        --library PATH   The library to load instead of the default\n",
            false => "",
        };
        let mcp = match self.mcp_stdio {
            Some(_) => "        --mcp-stdio      Serve MCP on standard input and output instead\n",
            None => "",
        };
        let (many, large) = (Listing::MANY, Guarded::LARGE);
        format!(
            "{title} OpenTool Server CLI ({version}) - {about}

Usage: {name} [start] [options]

Commands:
  start                  Serve until stopped; the default command
    -v, --version TAG    The version that the server reports [default: {version}]
    -t, --toolPort PORT  The port to listen on; 0 chooses a free one [default: 17001]
        --host HOST      The name or address to listen on [default: 127.0.0.1]
    -k, --apiKeys KEY    An accepted API key; repeatable [default: none required]
{library}{mcp}        --no-key         Listen where other machines reach it although no key is required
        --host-name NAME A host name that requests may use; repeatable
        --no-page        Without the page at /, where people try the functions in a browser
        --allow GLOB     Allow only functions with such names; repeatable
        --deny GLOB      Refuse functions with such names; repeatable
        --read-only      Allow only functions that the document marks `readOnly`
        --confirm WHEN   Ask a person before functions that it marks `destructive`:
                         off, ask (if the client can), require [default: ask]
        --list HOW       How MCP clients learn of the functions: all in a list, by a search,
                         or auto: by a search from {many} functions on [default: auto]
        --large-result N The largest result, in bytes, that MCP clients are shown whole; larger
                         ones are read in parts. 0 is without limit [default: {large}]
{workers}
Global options:
    -v, --version        Print the version of this program, if no TAG follows
    -h, --help           Print this help

Environment:
    {KEY_VARIABLE}     An additional key, hidden from the list of processes
    {LOG_VARIABLE}         The log level: off, error, warn, info or debug [default: info]
"
        )
    }
}

/// A server that listens on `host`. With the feature `mcp` it also has the route `/mcp`.
///
/// # Errors
///
/// The functions cannot be listed for MCP.
pub fn server(executor: impl Into<Guarded>, host: &str) -> Result<Server, StartError> {
    let guarded = executor.into();
    #[cfg(feature = "mcp")]
    let mcp = crate::mcp::router(&guarded, crate::mcp::HttpOptions::behind_server())?;
    let server = Server::new(guarded).host(host);
    #[cfg(feature = "mcp")]
    let server = server.with_mcp(mcp);
    Ok(server)
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// `println!` would panic if standard output is closed.
fn print(text: &str) -> Result<(), StartError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Logs to standard error at the level of `OPENTOOL_LOG`, because standard output may belong to a protocol. Does
/// nothing if the program has set up its own log.
///
/// # Errors
///
/// `OPENTOOL_LOG` is not a level.
pub fn log_to_stderr() -> Result<(), StartError> {
    let level = match std::env::var(LOG_VARIABLE) {
        Ok(level) if !level.is_empty() => level,
        _ => "info".to_owned(),
    };
    let level: LevelFilter = level
        .parse()
        .map_err(|_| format!("{LOG_VARIABLE} is `{level}`; expected off, error, warn, info or debug"))?;
    let ansi = std::io::stderr().is_terminal();
    // rmcp logs several steps per request, none of which names the function.
    let targets = Targets::new().with_default(level).with_target("rmcp", level.min(LevelFilter::WARN));
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_ansi(ansi);
    let _ = log.finish().with(targets).try_init();
    Ok(())
}

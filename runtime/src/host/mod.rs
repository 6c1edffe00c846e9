//! The programs that the command `opendyn` compiles: a document's functions called, or served, with no
//! Rust written by anybody.
//!
//! [`run`] is all that such a program does. Its arguments are made by the command of the same version, and
//! are read in `request`; `documents` opens the libraries, `scripts` the Python scripts beside them, `call` and
//! `serve` do what is asked.

mod call;
mod documents;
mod pretty;
mod request;
#[cfg(all(feature = "python", unix))]
mod scripts;
#[cfg(all(feature = "mcp", feature = "server"))]
mod serve;

use std::ffi::OsString;
use std::fmt;
use std::io::IsTerminal;
use std::process::ExitCode;

use request::{Order, Request};

pub use documents::{HostedDocument, Opened, at_once, in_turn};

/// What a call ends with that did not give a result.
const FAILED: u8 = 1;
/// What everything ends with that could not be done.
const IMPOSSIBLE: u8 = 2;

/// Does what the arguments of the process say, with the documents that the program was compiled for.
pub fn run(hosted: &[HostedDocument]) -> ExitCode {
    run_with(hosted, std::env::args_os().skip(1))
}

/// The same with other arguments than those of the process. Once in a process: it takes the standard streams.
pub fn run_with(hosted: &[HostedDocument], arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let request = match Request::parse(arguments) {
        Ok(request) => request,
        Err(message) => {
            report(&message, Some("this program is started by `opendyn`, and made anew by it"));
            return ExitCode::from(IMPOSSIBLE);
        }
    };
    let result = match &request.order {
        Order::Call { function, arguments, compact } => {
            call::one(hosted, &request, function, arguments, *compact)
        }
        Order::Batch => call::batch(hosted, &request),
        #[cfg(all(feature = "mcp", feature = "server"))]
        Order::Serve { host, port, tag } => serve::http(hosted, &request, host, *port, tag.as_deref()),
        #[cfg(all(feature = "mcp", feature = "server"))]
        Order::Mcp => serve::mcp(hosted, &request),
        #[cfg(not(all(feature = "mcp", feature = "server")))]
        Order::Serve { .. } | Order::Mcp => Err(HostError::new("this program only calls")),
    };
    result.unwrap_or_else(|failure| {
        if failure.is_findings {
            eprintln!("{}", failure.message);
            return ExitCode::from(FAILED);
        }
        report(&failure.message, failure.help.as_deref());
        ExitCode::from(IMPOSSIBLE)
    })
}

/// How many calls a server runs at once.
#[cfg(any(all(feature = "python", unix), all(feature = "mcp", feature = "server")))]
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).max(2)
}

/// Why nothing could be done.
struct HostError {
    message: String,
    help: Option<String>,
    /// Whether it is what was found in files of the user's, which says all by itself.
    is_findings: bool,
}

impl HostError {
    fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), help: None, is_findings: false }
    }

    #[cfg(all(feature = "python", unix))]
    fn findings(message: impl fmt::Display) -> Self {
        Self { is_findings: true, ..Self::new(message) }
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// Writes an error as the command does.
fn report(message: &str, help: Option<&str>) {
    let colours =
        std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let (red, plain) = if colours { ("\x1b[1m\x1b[31m", "\x1b[0m") } else { ("", "") };
    eprintln!("{red}error{plain}: {message}");
    if let Some(help) = help {
        eprintln!("  help: {help}");
    }
}

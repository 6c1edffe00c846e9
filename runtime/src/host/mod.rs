//! The programs that the command `opendyn` compiles to call or serve the functions of a document.
//!
//! [`run`] is all that such a program does. The command of the same version writes its arguments, which
//! `request` reads; `documents` opens the libraries, `scripts` the Python scripts, `call` and `serve` carry
//! out the request.

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

/// The exit code of a call that failed.
const FAILED: u8 = 1;
/// The exit code if the request cannot be carried out.
const IMPOSSIBLE: u8 = 2;

/// Carries out the request in the arguments of the process, with the documents that the program was compiled for.
pub fn run(hosted: &[HostedDocument]) -> ExitCode {
    run_with(hosted, std::env::args_os().skip(1))
}

/// As [`run`], with other arguments. It takes the standard streams, so it may run once per process.
pub fn run_with(hosted: &[HostedDocument], arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let request = match Request::parse(arguments) {
        Ok(request) => request,
        Err(message) => {
            report(&message, Some("only the command `opendyn` starts this program"));
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

/// How many calls a server runs in parallel.
#[cfg(any(all(feature = "python", unix), all(feature = "mcp", feature = "server")))]
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).max(2)
}

/// Why the request cannot be carried out.
struct HostError {
    message: String,
    help: Option<String>,
    /// Whether the message is findings in files of the user, printed without a prefix.
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

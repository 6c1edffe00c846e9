//! Servers, for many clients over HTTP or for the client that started the process.

use std::process::ExitCode;
use std::sync::Arc;

use opentool_server::Executor;
use opentool_server::serve::{log_to_stderr, server};

use super::announce::announcement;
use super::streams;
use super::tools::{Tools, Wanted};
use crate::failure::{Failure, Outcome};

/// Where and how to listen.
pub(crate) struct Listen {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The accepted keys; if empty, none is required.
    pub(crate) keys: Vec<String>,
    /// The version that the server reports, if not the document's.
    pub(crate) tag: Option<String>,
}

/// Serves OpenTool and MCP until it is stopped.
pub(crate) fn http(wanted: Wanted, listen: Listen) -> Outcome {
    log_to_stderr().map_err(failed)?;
    // Standard input is not read, and output that a library prints is not a result.
    drop(streams::take()?);
    let executor = executor(Tools::open(wanted)?);
    let document = executor.load().unwrap_or_default();
    let Listen { host, port, keys, tag } = listen;
    let version = tag.as_ref().unwrap_or(&document.info.version);
    let server = server(executor, &host).map_err(failed)?.port(port).version(version);
    let server = keys.iter().fold(server, |server, key| server.key(key));
    server
        .run(|address| anstream::eprint!("{}", announcement(&document, address, !keys.is_empty())))
        .map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the MCP client that started the process, until it closes our standard input.
pub(crate) fn mcp(wanted: Wanted) -> Outcome {
    log_to_stderr().map_err(failed)?;
    // Before the libraries are opened: they may print when they are loaded.
    #[cfg(unix)]
    let (input, output) = streams::take()?;
    let executor = executor(Tools::open(wanted)?);
    #[cfg(unix)]
    opentool_server::mcp::run_taken(executor, input, output).map_err(failed)?;
    #[cfg(not(unix))]
    opentool_server::mcp::run_stdio(executor).map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Calls run on as many threads as the tools allow at the start; a document that changes does not change that.
fn executor(tools: Tools) -> Executor {
    let tools = Arc::new(tools);
    let described = Arc::downgrade(&tools);
    let threads = tools.threads();
    // Weak, so that the tools end with the threads of the executor.
    Executor::parallel(tools, threads).described_by(move || described.upgrade()?.document())
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}

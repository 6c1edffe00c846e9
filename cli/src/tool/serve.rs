//! Servers, for many clients over HTTP or for the client that started the process.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use opentool_server::serve::{log_to_stderr, server};
use opentool_server::{Audit, Confirm, Executor, Guarded, Identity, Limits, Listing, OpenToAll, Rules};

use super::announce::announcement;
use super::sandbox::Said;
use super::streams;
use super::tools::{Tools, Wanted};
use crate::failure::{Failure, Outcome};

/// Where and how to listen.
pub(crate) struct Listen {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The accepted keys; if empty, none is required.
    pub(crate) keys: Vec<String>,
    pub(crate) key_file: Option<PathBuf>,
    /// Whether other machines may call without a key.
    pub(crate) no_key: bool,
    /// The host names that requests may use, besides addresses and `localhost`.
    pub(crate) host_names: Vec<String>,
    /// Whether there is no page for people.
    pub(crate) no_page: bool,
    /// The files of the certificate and of its key, for HTTPS.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// The version that the server reports, if not the document's.
    pub(crate) tag: Option<String>,
    /// How long requests may take after the server is asked to end.
    pub(crate) grace: Duration,
}

/// What is allowed, and where it is written.
pub(crate) struct Guard {
    pub(crate) rules: Rules,
    pub(crate) confirm: Confirm,
    pub(crate) listing: Listing,
    /// In bytes; 0 is without limit.
    pub(crate) large_result: usize,
    pub(crate) audit: Option<PathBuf>,
    pub(crate) audit_arguments: bool,
}

impl Guard {
    fn around(self, executor: Executor) -> Outcome<Guarded> {
        let guarded = Guarded::new(executor).rules(self.rules).confirm(self.confirm).listing(self.listing);
        let guarded = guarded.large_results(Some(self.large_result).filter(|limit| *limit > 0));
        let Some(path) = &self.audit else { return Ok(guarded) };
        let audit = Audit::open(path).map_err(failed)?;
        Ok(guarded.audit(if self.audit_arguments { audit.with_arguments() } else { audit }))
    }
}

/// Serves OpenTool and MCP until it is stopped.
pub(crate) fn http(wanted: Wanted, deadline: Duration, guard: Guard, listen: Listen) -> Outcome {
    log_to_stderr().map_err(failed)?;
    #[cfg(feature = "otel")]
    let _traces = opentool_server::traces_from_environment().map_err(failed)?;
    // Standard input is not read, and output that a library prints is not a result.
    drop(streams::take()?);
    let said = Said::of(&wanted);
    let guarded = guard.around(executor(Tools::open(wanted)?, deadline))?;
    said.say()?;
    let document = guarded.load(&Identity::new("operator")).unwrap_or_default();
    let Listen { host, port, keys, key_file, no_key, host_names, no_page, certificate, tag, grace } = listen;
    let version = tag.as_ref().unwrap_or(&document.info.version);
    let server =
        server(guarded, &host).map_err(failed)?.port(port).version(version).grace(grace).page(!no_page);
    let server = keys.iter().fold(server, |server, key| server.key(key));
    let needs_key = !keys.is_empty() || key_file.is_some();
    let server = key_file.into_iter().fold(server, |server, path| server.key_file(path));
    let server = host_names.iter().fold(server.allow_no_key(no_key), |server, name| server.host_name(name));
    let scheme = if certificate.is_some() { "https" } else { "http" };
    let server = certificate.into_iter().fold(server, |server, (chain, key)| server.tls(chain, key));
    server
        .run(|address| anstream::eprint!("{}", announcement(&document, scheme, address, needs_key, !no_page)))
        .map_err(not_started)?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the MCP client that started the process, until it closes our standard input.
pub(crate) fn mcp(wanted: Wanted, deadline: Duration, guard: Guard) -> Outcome {
    log_to_stderr().map_err(failed)?;
    #[cfg(feature = "otel")]
    let _traces = opentool_server::traces_from_environment().map_err(failed)?;
    // Before the libraries are opened: they may print when they are loaded.
    #[cfg(unix)]
    let (input, output) = streams::take()?;
    let said = Said::of(&wanted);
    let guarded = guard.around(executor(Tools::open(wanted)?, deadline))?;
    said.say()?;
    #[cfg(unix)]
    opentool_server::mcp::run_taken(guarded, input, output).map_err(failed)?;
    #[cfg(not(unix))]
    opentool_server::mcp::run_stdio(guarded).map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// In this process, calls run on as many threads as the tools allow at the start; a document that changes does not change
/// that.
fn executor(tools: Tools, deadline: Duration) -> Executor {
    let tools = Arc::new(tools);
    let described = Arc::downgrade(&tools);
    let executor = match tools.workers() {
        None => {
            let threads = tools.threads();
            Executor::parallel(tools, threads)
        }
        Some(workers) => {
            let per_caller = workers.pool;
            Executor::of_workers(tools, per_caller)
        }
    };
    let limits = Limits { deadline: Some(deadline), ..Limits::default() };
    // Weak, so that the tools end with the threads of the executor.
    executor.with_limits(limits).described_by(move || described.upgrade()?.document())
}

fn not_started(error: std::io::Error) -> Failure {
    let open = error.get_ref().is_some_and(|error| error.is::<OpenToAll>());
    let help = "`--api-key` or `--keys` requires a key; `--no-key` says that everyone may call";
    failed(error).maybe_help(open.then(|| help.to_owned()))
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}

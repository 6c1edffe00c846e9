//! MCP for one client, over the standard streams or any other two streams.

use std::future::Future;
use std::io;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};

use super::handler::Handler;
use super::ids::OwnIds;
use crate::policy::{Identity, Protocol};
use crate::{Executor, Guarded};

/// Serves the client that started this process, until it closes our standard input.
///
/// On Unix the standard streams are reserved for the protocol: everything that a library or `println!` prints goes to
/// standard error, and standard input is at its end for other readers, so a library that prints cannot corrupt the
/// messages. Call this once per process, before other threads print.
///
/// On other systems nothing else may print to standard output.
///
/// # Errors
///
/// The functions cannot be listed, or the streams are not available or break.
pub async fn serve_stdio(executor: impl Into<Guarded>) -> io::Result<()> {
    #[cfg(unix)]
    let (input, output) = crate::stdio::take()?;
    #[cfg(unix)]
    let (input, output, _modes) = super::streams::open(input, output)?;
    #[cfg(not(unix))]
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    serve(executor, input, output).await
}

/// Like [`serve_stdio`], in its own runtime. At the end it cancels the calls that still run, and waits for them at most
/// [`Executor::ENDING`].
///
/// ```no_run
/// use opentool::MapTool;
/// use opentool_server::{Executor, mcp};
///
/// fn main() -> std::io::Result<()> {
///     mcp::run_stdio(Executor::serial(MapTool::new(|_, arguments| Ok(arguments.clone()))))
/// }
/// ```
///
/// # Errors
///
/// The same as for [`serve_stdio`], or the system cannot create a thread.
pub fn run_stdio(executor: impl Into<Guarded>) -> io::Result<()> {
    run(executor.into(), serve_stdio)
}

/// Runs `serve` in the runtime of the executor, where a call needs no other thread, and then ends the calls.
fn run<F>(guarded: Guarded, serve: impl FnOnce(Guarded) -> F + Send + 'static) -> io::Result<()>
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let serving = serve(guarded.clone());
        let served = match guarded.executor().seat() {
            Some(seat) => {
                let task = seat.handle().spawn(serving);
                let served = task.await.unwrap_or_else(|error| Err(io::Error::other(error)));
                drop(seat);
                served
            }
            None => serving.await,
        };
        end(guarded.executor()).await;
        served
    })
}

/// The client is gone: calls that can be ended are.
async fn end(executor: &Executor) {
    let stopped = executor.stop();
    executor.cancel();
    if tokio::time::timeout(Executor::ENDING, stopped).await.is_err() {
        tracing::warn!("not waiting for calls that still run");
    }
}

/// Like [`run_stdio`], with streams that the program has [taken](crate::stdio::take) before it loaded a library,
/// because a library may print while it is loaded.
///
/// # Errors
///
/// The same as for [`run_stdio`].
#[cfg(unix)]
pub fn run_taken(
    executor: impl Into<Guarded>,
    input: std::fs::File,
    output: std::fs::File,
) -> io::Result<()> {
    run(executor.into(), |guarded| async move {
        let (input, output, _modes) = super::streams::open(input, output)?;
        serve(&guarded, input, output).await
    })
}

/// Serves one client, with one message per line, until `input` ends.
///
/// # Errors
///
/// The functions cannot be listed, or a stream breaks.
pub async fn serve<R, W>(executor: impl Into<Guarded>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let handler = Handler::new(executor.into(), Protocol::McpStdio, Identity::new("stdio"));
    let handler = handler.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let handler = handler.notifying();
    let transport = OwnIds::new(AsyncRwTransport::new(input, output));
    let running = match handler.serve(transport).await {
        Ok(running) => running,
        // The client left before the first message.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    running.waiting().await.map(|_| ()).map_err(io::Error::other)
}

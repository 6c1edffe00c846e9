//! One client, over two streams: those that it started the process with, or any others.

use std::io;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};

use super::handler::Handler;
use super::ids::OwnIds;
use crate::Executor;

/// Serves the client that started this process, until it closes our standard input.
///
/// On Unix the two standard streams become ours alone: from the first message on, what a library or
/// `println!` prints goes to standard error, and who reads standard input finds it at its end. A
/// library that prints therefore cannot damage the messages. Call this once in a process, before
/// there are threads that print.
///
/// On other systems the streams stay as they are, and nothing else may print to standard output.
///
/// # Errors
///
/// The document cannot be listed, or the streams cannot be had, or break.
pub async fn serve_stdio(executor: &Executor) -> io::Result<()> {
    let (input, output) = streams()?;
    serve(executor, input, output).await
}

/// As [`serve_stdio`], in a runtime of its own; then stops the executor, and waits for its calls.
///
/// # Errors
///
/// As for [`serve_stdio`], or the system has no thread left.
pub fn run_stdio(executor: Executor) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let served = serve_stdio(&executor).await;
        executor.stop().await;
        served
    })
}

/// As [`run_stdio`], over streams that were [taken](crate::stdio::take) before: by a program that loads a
/// library first, which may print already then.
///
/// # Errors
///
/// As for [`run_stdio`].
#[cfg(unix)]
pub fn run_taken(executor: Executor, input: std::fs::File, output: std::fs::File) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (input, output) = (tokio::fs::File::from(input), tokio::fs::File::from(output));
        let served = serve(&executor, input, output).await;
        executor.stop().await;
        served
    })
}

/// Serves one client, one message a line, until `input` ends.
///
/// # Errors
///
/// The document cannot be listed, or a stream breaks.
pub async fn serve<R, W>(executor: &Executor, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let handler =
        Handler::new(executor).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let transport = OwnIds::new(AsyncRwTransport::new(input, output));
    let running = match handler.serve(transport).await {
        Ok(running) => running,
        // It went away before it said what it wants.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    running.waiting().await.map(|_| ()).map_err(io::Error::other)
}

#[cfg(unix)]
fn streams() -> io::Result<(tokio::fs::File, tokio::fs::File)> {
    let (input, output) = crate::stdio::take()?;
    Ok((input.into(), output.into()))
}

#[cfg(not(unix))]
fn streams() -> io::Result<(tokio::io::Stdin, tokio::io::Stdout)> {
    Ok((tokio::io::stdin(), tokio::io::stdout()))
}

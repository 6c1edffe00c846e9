//! A server that has its port, and how it ends.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::connections::{Admitted, Connections};
use super::serving::Serving;
use crate::Executor;

/// Stops a server. Clones stop the same server.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Stops accepting connections. Requests that were accepted still get a reply.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Resolves when the server has been asked to stop.
    pub fn asked(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut asked = self.0.subscribe();
        // The sender is only gone if the server is.
        async move { drop(asked.wait_for(|asked| *asked).await) }
    }
}

/// A server that has its port. Connections wait until it [runs](Listening::run).
#[derive(Debug)]
pub struct Listening {
    pub(super) listener: TcpListener,
    pub(super) serving: Serving,
    pub(super) executor: Executor,
    /// Whether the first connections are served in the runtime of the executor.
    pub(super) at_home: bool,
    pub(super) grace: Duration,
}

impl Listening {
    /// The address of the server.
    ///
    /// # Errors
    ///
    /// The system does not know the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// A handle that stops the server.
    #[must_use]
    pub fn stop_handle(&self) -> Stop {
        self.serving.stop.clone()
    }

    /// Serves until it is stopped. Then it finishes the accepted requests, as long as
    /// [`Server::grace`](crate::Server::grace) allows, cancels the calls that still run, and ends at most
    /// [`Executor::ENDING`] later. Calls that run in this process may go on.
    ///
    /// # Errors
    ///
    /// None at present: errors of the listener are logged, and it goes on.
    pub async fn run(self) -> io::Result<()> {
        let connections = Connections::new(self.serving.limits.connections);
        // Dropping them closes their connections.
        let mut open = JoinSet::new();
        let asked = self.serving.stop.asked();
        tokio::pin!(asked);
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => match connections.admit() {
                        Some(admitted) => self.serve(&mut open, stream, admitted),
                        None => turn_away(&stream, self.serving.is_secret()),
                    },
                    Err(error) => {
                        connections.make_room();
                        refused(&error).await;
                    }
                },
                Some(_) = open.join_next() => {}
                () = &mut asked => break,
            }
        }
        drop(self.listener);
        finished(&mut open, self.grace).await;
        let end = Instant::now() + Executor::ENDING;
        // Refused from now on, so that no further call begins.
        let stopped = self.executor.stop();
        self.executor.cancel();
        if !open.is_empty() {
            tracing::warn!("cancelling calls that still run");
            // Their clients get an error.
            finished(&mut open, Executor::ENDING).await;
        }
        drop(open);
        if tokio::time::timeout_at(end.into(), stopped).await.is_err() {
            tracing::warn!("not waiting for calls that still run");
        }
        Ok(())
    }
}

impl Listening {
    /// Serves a connection in the runtime of the executor, if it has a place there, or else in this one.
    fn serve(&self, open: &mut JoinSet<()>, stream: TcpStream, admitted: Admitted) {
        let serving = self.serving.clone();
        let Some(seat) = self.at_home.then(|| self.executor.seat()).flatten() else {
            open.spawn(serving.connection(stream, admitted));
            return;
        };
        // Its events are those of this runtime until it is there.
        let Ok(stream) = stream.into_std() else { return };
        let runtime = seat.handle().clone();
        let served = async move {
            if let Ok(stream) = TcpStream::from_std(stream) {
                serving.connection(stream, admitted).await;
            }
            drop(seat);
        };
        open.spawn_on(served, &runtime);
    }
}

/// Waits for connections to end, but no longer than that.
async fn finished(open: &mut JoinSet<()>, limit: Duration) {
    let _ = tokio::time::timeout(limit, async { while open.join_next().await.is_some() {} }).await;
}

/// Tells a client that all connections are in use, if it can be told without waiting for it.
fn turn_away(stream: &TcpStream, is_secret: bool) {
    if !is_secret {
        let text = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let _ = stream.try_write(text.as_bytes());
    }
    tracing::warn!("a connection was refused: all connections are in use");
}

/// Waits after an error of `accept`, unless it is only the error of one connection.
async fn refused(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "a connection cannot be accepted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Resolves at Ctrl-C or SIGTERM.
pub(super) async fn signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Without signals there is nothing to wait for.
    if interrupt.await.is_err() {
        std::future::pending::<()>().await;
    }
}

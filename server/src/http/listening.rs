//! A server with a port, and how it ends.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::Executor;

/// Ends a server. Clones end the same one.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// From now on no connection is accepted. Requests that were are answered.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Ends when somebody has asked the server to.
    pub fn asked(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut asked = self.0.subscribe();
        // The sender may be gone only when the server is.
        async move { drop(asked.wait_for(|asked| *asked).await) }
    }
}

/// A server that has its port: connections wait until it [runs](Listening::run).
#[derive(Debug)]
pub struct Listening {
    pub(super) listener: TcpListener,
    pub(super) router: Router,
    pub(super) stop: Stop,
    pub(super) executor: Executor,
    pub(super) grace: Duration,
}

impl Listening {
    /// Where it listens.
    ///
    /// # Errors
    ///
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What ends the server.
    #[must_use]
    pub fn stop_handle(&self) -> Stop {
        self.stop.clone()
    }

    /// Serves until it is stopped, then answers the requests that were accepted, stops the
    /// executor and waits for its calls: for both as long as [`Server::grace`](crate::Server::grace)
    /// allows.
    ///
    /// # Errors
    ///
    /// The listener fails.
    pub async fn run(self) -> io::Result<()> {
        // Small replies would wait for the acknowledgement of the one before.
        let listener = self.listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let serving = axum::serve(listener, self.router).with_graceful_shutdown(self.stop.asked());
        let (asked, grace) = (self.stop.asked(), self.grace);
        let patience = async {
            asked.await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            result = serving.into_future() => result?,
            () = patience => tracing::warn!("connections are still open, and are closed now"),
        }
        if tokio::time::timeout(grace, self.executor.stop()).await.is_err() {
            tracing::warn!("calls still run, and are left to themselves");
        }
        Ok(())
    }
}

/// Ends when the system asks the process to: Ctrl-C, or SIGTERM.
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
    // Where there are no signals, there is none to wait for.
    if interrupt.await.is_err() {
        std::future::pending::<()>().await;
    }
}

//! A server that has its port, and how it ends.

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
    pub(super) router: Router,
    pub(super) stop: Stop,
    pub(super) executor: Executor,
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
        self.stop.clone()
    }

    /// Serves until it is stopped. Then it finishes the accepted requests, stops the executor and waits for its calls;
    /// each of the two may take as long as [`Server::grace`](crate::Server::grace) allows.
    ///
    /// # Errors
    ///
    /// The listener fails.
    pub async fn run(self) -> io::Result<()> {
        // Otherwise a small reply would wait for the acknowledgement of the previous one.
        let listener = self.listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let serving = axum::serve(listener, self.router).with_graceful_shutdown(self.stop.asked());
        let (asked, grace) = (self.stop.asked(), self.grace);
        let patience = async {
            asked.await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            result = serving.into_future() => result?,
            () = patience => tracing::warn!("closing connections that are still open"),
        }
        if tokio::time::timeout(grace, self.executor.stop()).await.is_err() {
            tracing::warn!("not waiting for calls that still run");
        }
        Ok(())
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

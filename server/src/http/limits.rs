//! How much of a server its clients can use, and how long it waits for them.

use std::time::Duration;

/// The limits of connections and requests. Those of calls are [`Limits`](crate::Limits).
///
/// ```
/// use opentool_server::HttpLimits;
///
/// let limits = HttpLimits { connections: 64, ..HttpLimits::default() };
/// assert_eq!(limits.requests, 256);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// The maximum number of connections. If more arrive, connections that wait for their clients are closed, first those
    /// that have not shown a key. On Unix it is at most three quarters of the descriptors that the process may have.
    pub connections: usize,
    /// The maximum number of requests in progress. Further ones get the status 503 and a `Retry-After`, unless their caller (a
    /// key, or everyone without one) has fewer than its share: a caller with many requests locks out only itself.
    pub requests: usize,
    /// How long the head of a request may take to arrive; with TLS, also the handshake.
    pub header: Duration,
    /// How long a connection may be silent between two requests, or a client may leave a reply unread.
    pub idle: Duration,
    /// How long the body of a request may take to arrive.
    pub body: Duration,
}

impl Default for HttpLimits {
    /// 512 connections and 256 requests; 10, 60 and 30 seconds.
    fn default() -> Self {
        Self {
            connections: 512,
            requests: 256,
            header: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            body: Duration::from_secs(30),
        }
    }
}

impl HttpLimits {
    /// With no more connections than the process can have descriptors for. The limit of descriptors is not raised: C
    /// libraries that call `select` overrun their memory with a descriptor from 1,024 up.
    pub(super) fn within_descriptors(self) -> Self {
        #[cfg(unix)]
        if let Some(soft) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
            let most = usize::try_from(soft / 4 * 3).unwrap_or(usize::MAX);
            return Self { connections: self.connections.min(most), ..self };
        }
        self
    }

    /// How often a connection is looked at: often enough for the shortest time.
    pub(super) fn look(&self) -> Duration {
        (self.header.min(self.idle) / 4).max(Duration::from_millis(5))
    }
}

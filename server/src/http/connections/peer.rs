//! What one connection is doing, and since when.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use crate::http::limits::HttpLimits;

/// The other end of a connection.
#[derive(Debug)]
pub(in crate::http) struct Peer {
    state: Mutex<State>,
    closed: Notify,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// When the phase began, or when the client last took a part of a reply.
    since: Instant,
    has_key: bool,
    #[cfg(test)]
    is_closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// For the first byte of the first request.
    New,
    /// For the first byte of a further request, or for the client to take the reply.
    Idle,
    /// For the rest of the head of a request.
    Head,
    /// For the rest of its body. The server has not begun to answer.
    Body,
    /// The server has the request.
    Answering,
}

impl Peer {
    pub(super) fn new() -> Self {
        let state = State {
            phase: Phase::New,
            since: Instant::now(),
            has_key: false,
            #[cfg(test)]
            is_closed: false,
        };
        Self { state: Mutex::new(state), closed: Notify::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The client has sent something.
    pub(super) fn sent(&self) {
        let mut state = self.lock();
        match state.phase {
            // The time for the head of the first request includes that for its first byte.
            Phase::New => state.phase = Phase::Head,
            Phase::Idle => (state.phase, state.since) = (Phase::Head, Instant::now()),
            Phase::Head | Phase::Body | Phase::Answering => {}
        }
    }

    /// The client has taken a part of a reply.
    pub(super) fn took(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Idle {
            state.since = Instant::now();
        }
    }

    /// The client has shown a key, or none is required.
    pub(in crate::http) fn has_key(&self) {
        self.lock().has_key = true;
    }

    /// The server has a request, all of it or only its head, until the result is dropped.
    pub(in crate::http) fn answer(peer: &Arc<Self>, is_whole: bool) -> Answering {
        peer.lock().phase = if is_whole { Phase::Answering } else { Phase::Body };
        Answering(Arc::clone(peer))
    }

    /// The body of the request is there, or not waited for any more.
    pub(in crate::http) fn sent_all(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Body {
            state.phase = Phase::Answering;
        }
    }

    /// How well the connection can be spared, the least first; `None` if the server answers a request of it.
    pub(super) fn can_be_spared(&self) -> Option<(bool, Instant)> {
        let state = self.lock();
        (state.phase != Phase::Answering).then_some((state.has_key, state.since))
    }

    /// When the patience with the client is over; `None` while the server has its request.
    pub(in crate::http) fn patience(&self, limits: &HttpLimits) -> Option<Instant> {
        let state = self.lock();
        match state.phase {
            Phase::New | Phase::Head => state.since.checked_add(limits.header),
            Phase::Idle => state.since.checked_add(limits.idle),
            // The body has a time of its own.
            Phase::Body | Phase::Answering => None,
        }
    }

    pub(super) fn close(&self) {
        #[cfg(test)]
        {
            self.lock().is_closed = true;
        }
        self.closed.notify_one();
    }

    /// Resolves when the connection is to be closed.
    pub(in crate::http) async fn closed(&self) {
        self.closed.notified().await;
    }

    #[cfg(test)]
    pub(super) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }
}

/// The server has a request of a connection. Dropped, it waits for the next one.
#[derive(Debug)]
pub(in crate::http) struct Answering(Arc<Peer>);

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        (state.phase, state.since) = (Phase::Idle, Instant::now());
    }
}

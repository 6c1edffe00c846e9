//! The open connections of a server, of which there is a limited number.
//!
//! If a connection arrives and the limit is reached, one that waits for its client is closed: first those that have not
//! shown a key, the one that has waited longest first. So clients without a key cannot lock out those with one.

mod peer;
mod stream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) use peer::Peer;
pub(super) use stream::Watched;

/// The open connections.
#[derive(Debug)]
pub(super) struct Connections {
    open: Mutex<Open>,
    limit: usize,
}

#[derive(Debug, Default)]
struct Open {
    peers: HashMap<u64, Arc<Peer>>,
    accepted: u64,
}

impl Connections {
    /// At most `limit` connections, and at least one.
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { open: Mutex::default(), limit: limit.max(1) })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a new connection; `None` if all connections are being answered.
    pub(super) fn admit(self: &Arc<Self>) -> Option<Admitted> {
        let mut open = self.lock();
        if open.peers.len() >= self.limit && !open.close_one() {
            return None;
        }
        open.accepted += 1;
        let (number, peer) = (open.accepted, Arc::new(Peer::new()));
        open.peers.insert(number, Arc::clone(&peer));
        Some(Admitted { connections: Arc::clone(self), number, peer })
    }

    /// Closes a connection that waits, because the system has no more descriptors.
    pub(super) fn make_room(&self) {
        self.lock().close_one();
    }
}

impl Open {
    /// Closes the connection that can best be spared; false if there is none.
    fn close_one(&mut self) -> bool {
        let spared = self.peers.iter().filter_map(|(number, peer)| Some((peer.can_be_spared()?, *number)));
        let Some((_, number)) = spared.min() else { return false };
        if let Some(peer) = self.peers.remove(&number) {
            peer.close();
        }
        true
    }
}

/// A connection that counts until this is dropped.
pub(super) struct Admitted {
    connections: Arc<Connections>,
    number: u64,
    pub peer: Arc<Peer>,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.connections.lock().peers.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_without_a_key_go_first_then_those_that_wait_longest() {
        let connections = Connections::new(3);
        let admit = || connections.admit().expect("there is room");
        let (keyed, first, second) = (admit(), admit(), admit());
        keyed.peer.has_key();
        let third = admit();
        assert!(first.peer.is_closed() && !second.peer.is_closed() && !keyed.peer.is_closed());
        let _fourth = admit();
        assert!(second.peer.is_closed() && !keyed.peer.is_closed() && !third.peer.is_closed());
    }

    #[test]
    fn what_is_being_answered_is_never_closed() {
        let connections = Connections::new(2);
        let admit = || connections.admit().expect("there is room");
        let (one, two) = (admit(), admit());
        let answering = (Peer::answer(&one.peer, true), Peer::answer(&two.peer, false));
        two.peer.sent_all();
        assert!(connections.admit().is_none());
        drop(answering.0);
        let _three = admit();
        assert!(one.peer.is_closed() && !two.peer.is_closed());
    }

    #[test]
    fn a_request_without_its_body_is_not_being_answered() {
        let connections = Connections::new(1);
        let one = connections.admit().expect("there is room");
        one.peer.has_key();
        let _answering = Peer::answer(&one.peer, false);
        assert!(connections.admit().is_some());
        assert!(one.peer.is_closed());
    }

    #[test]
    fn a_connection_that_ended_makes_room() {
        let connections = Connections::new(1);
        let one = connections.admit().expect("there is room");
        let _answering = Peer::answer(&one.peer, true);
        assert!(connections.admit().is_none());
        drop(one);
        assert!(connections.admit().is_some());
    }
}

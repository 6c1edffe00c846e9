//! The calls that run in the sessions of MCP over HTTP, so that a client can cancel one.
//!
//! Before revision 2026-07-28 a client sends `notifications/cancelled` in a request of its own, and keeps the connection of
//! the call. Ids of requests are unique in a session only: a call without a session cannot be cancelled in this way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::oneshot;

use crate::policy::Identity;

/// The calls of all sessions. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<HashMap<Of, oneshot::Sender<()>>>>);

/// The number of a session, and the id of a request.
type Of = (u64, RequestId);

impl Running {
    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, HashMap<Of, oneshot::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a call runs; `None` without a session.
    pub(super) fn begin(&self, by: &Identity, id: RequestId) -> Option<Begun> {
        let of = (by.session()?, id);
        let (sender, cancelled) = oneshot::channel();
        // A client that gives two calls one id can cancel only the last.
        self.lock().insert(of.clone(), sender);
        Some(Begun { running: self.clone(), of, cancelled })
    }

    /// Cancels a call of the same session. It may have ended already.
    pub(super) fn cancel(&self, by: &Identity, id: RequestId) {
        let Some(session) = by.session() else { return };
        if let Some(call) = self.lock().remove(&(session, id)) {
            // It ends at this moment, if nobody listens.
            let _ = call.send(());
        }
    }
}

/// A call that runs until this is dropped.
pub(super) struct Begun {
    running: Running,
    of: Of,
    cancelled: oneshot::Receiver<()>,
}

impl Begun {
    /// Resolves when the client cancels the call, or never.
    pub(super) async fn cancelled(&mut self) {
        if (&mut self.cancelled).await.is_err() {
            std::future::pending().await
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.cancelled.close();
        let mut running = self.running.lock();
        // Another call may have its place.
        if running.get(&self.of).is_some_and(oneshot::Sender::is_closed) {
            running.remove(&self.of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(number: u64) -> Identity {
        Identity::new("one").in_session(number)
    }

    fn id(id: i64) -> RequestId {
        RequestId::Number(id)
    }

    fn is_cancelled(call: &mut Option<Begun>) -> bool {
        call.as_mut().is_some_and(|call| call.cancelled.try_recv().is_ok())
    }

    #[test]
    fn a_call_is_cancelled_by_its_id_in_its_session_alone() {
        let running = Running::default();
        let mut calls = [running.begin(&session(1), id(7)), running.begin(&session(2), id(7))];
        running.cancel(&session(1), id(8));
        running.cancel(&session(3), id(7));
        running.cancel(&session(1), RequestId::String("7".into()));
        running.cancel(&Identity::new("one"), id(7));
        assert_eq!(calls.each_mut().map(is_cancelled), [false, false]);
        running.cancel(&session(2), id(7));
        assert_eq!(calls.each_mut().map(is_cancelled), [false, true]);
        assert!(running.begin(&Identity::new("one"), id(7)).is_none(), "ids are those of a session");
    }

    #[test]
    fn nothing_is_kept_of_a_call_that_has_ended() {
        let running = Running::default();
        drop(running.begin(&session(1), id(7)));
        running.cancel(&session(1), id(7));
        assert!(running.lock().is_empty());
        let (first, second) = (running.begin(&session(1), id(7)), running.begin(&session(1), id(7)));
        drop(first);
        assert_eq!(running.lock().len(), 1, "that of the second");
        drop(second);
        assert!(running.lock().is_empty());
    }
}

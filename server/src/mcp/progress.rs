//! How far a call is, for a client that gave a token for it: `notifications/progress`.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};

use crate::executor::Watcher;
use crate::reports::{Reports, watch};
use opentool::Progress;

/// What the client of a request is told.
pub(super) struct Told {
    /// `None` if it does not ask.
    asked: Option<Asked>,
}

struct Asked {
    reports: Reports,
    token: ProgressToken,
    peer: Peer<RoleServer>,
    /// What it was told last.
    done: Option<f64>,
}

impl Told {
    /// Who tells it, and what it is told.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> (Option<Watcher>, Self) {
        let Some(token) = context.meta.get_progress_token() else { return (None, Self { asked: None }) };
        let (watcher, reports) = watch();
        let asked = Asked { reports, token, peer: context.peer.clone(), done: None };
        (Some(watcher), Self { asked: Some(asked) })
    }

    /// Tells it everything, as long as this is awaited. It never ends.
    pub(super) async fn tell(&mut self) {
        if let Some(asked) = &mut self.asked {
            while let Some(progress) = asked.reports.recv().await {
                asked.tell(progress).await;
            }
        }
        std::future::pending().await
    }

    /// Tells it what has not been told.
    pub(super) async fn tell_last(&mut self) {
        if let Some(asked) = &mut self.asked {
            while let Ok(progress) = asked.reports.try_recv() {
                asked.tell(progress).await;
            }
        }
    }
}

impl Asked {
    async fn tell(&mut self, progress: Progress) {
        let Progress { done, total, message } = progress;
        // The protocol lets it only increase.
        if self.done.is_some_and(|last| done <= last) {
            return;
        }
        self.done = Some(done);
        let mut told = ProgressNotificationParam::new(self.token.clone(), done);
        (told.total, told.message) = (total, message);
        // The client may be gone; then the call ends too.
        let _ = self.peer.notify_progress(told).await;
    }
}

//! What a call reports while it runs, from the thread that makes it to the task that waits for it.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::executor::Watcher;
use opentool::Progress;

/// The reports that have not been told. A call reports so seldom that there are never many.
pub(crate) type Reports = mpsc::UnboundedReceiver<Progress>;

/// Someone who is told, and what he is told.
pub(crate) fn watch() -> (Watcher, Reports) {
    let (sender, reports) = mpsc::unbounded_channel();
    // Without a receiver nobody waits any more.
    (Arc::new(move |progress| drop(sender.send(progress))), reports)
}

//! The requests in progress. There may be so many; if there are, a caller with fewer than its share is still answered, so
//! that one caller with many requests locks out only itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::policy::Identity;

/// The requests in progress, by caller.
#[derive(Debug)]
pub(super) struct Requests {
    limit: usize,
    counts: Mutex<HashMap<String, usize>>,
}

impl Requests {
    /// At most `limit`, and at least one.
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit: limit.max(1), counts: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request that counts until the result is dropped; `None` if there are too many.
    pub(super) fn begin(self: &Arc<Self>, by: &Identity) -> Option<InProgress> {
        let mut counts = self.lock();
        let all: usize = counts.values().sum();
        let own = counts.get(by.name()).copied().unwrap_or_default();
        let callers = counts.len() + usize::from(own == 0);
        if all >= self.limit && own >= (self.limit / callers).max(1) {
            return None;
        }
        counts.insert(by.name().to_owned(), own + 1);
        Some(InProgress { requests: Arc::clone(self), caller: by.name().to_owned() })
    }
}

/// A request that counts until this is dropped.
#[derive(Debug)]
pub(super) struct InProgress {
    requests: Arc<Requests>,
    caller: String,
}

impl Drop for InProgress {
    fn drop(&mut self) {
        let mut counts = self.requests.lock();
        if let Some(count) = counts.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_with_many_requests_locks_out_only_itself() {
        let requests = Requests::new(4);
        let (greedy, modest) = (Identity::new("greedy"), Identity::new("modest"));
        let many: Vec<_> = (0..10).map_while(|_| requests.begin(&greedy)).collect();
        assert_eq!(many.len(), 4);
        let few: Vec<_> = (0..10).map_while(|_| requests.begin(&modest)).collect();
        assert_eq!(few.len(), 2, "its share");
        drop(many);
        assert!(requests.begin(&modest).is_some());
        drop(few);
        assert!(requests.lock().is_empty());
    }
}

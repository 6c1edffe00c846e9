//! How many workers were started, and how many ended for which reason.

use std::collections::BTreeMap;

use opentool::{Measure, ToolError};

/// The counters of a pool or of sessions.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    started: u64,
    ended: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// One was started, or tried to.
    pub(crate) fn start<T>(&mut self, started: &Result<T, ToolError>) {
        self.started += 1;
        if started.is_err() {
            self.end("start");
        }
    }

    /// One ended, for a reason in a word.
    pub(crate) fn end(&mut self, why: &'static str) {
        *self.ended.entry(why).or_default() += 1;
    }

    pub(crate) fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        note(Measure::WorkersStarted, self.started);
        self.ended.iter().for_each(|(why, count)| note(Measure::WorkersEnded(why), *count));
    }
}

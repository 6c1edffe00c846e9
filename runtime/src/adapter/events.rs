//! The calls of callbacks that a handle keeps, collected for JSON callers.
//!
//! C makes them while other functions run. Each handle has a queue, to which the callbacks add, and which the next reply of a
//! function with that handle empties.

use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError};

use opentool::ToolError;

use super::calls::List;
use super::output::Output;
use crate::handle::Keep;

/// The name of the value that names the callback.
const EVENT: &str = "callback";

/// The calls of the callbacks that a handle keeps, until a reply has them.
#[derive(Debug, Default)]
pub struct Events(Mutex<List>);

impl Events {
    /// Ignores poisoning: a list is changed by one assignment at its end.
    fn take(&self) -> List {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn has_flaw(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).has_flaw()
    }
}

/// A callback that a handle keeps, which adds its calls to the events of the handle.
#[derive(Debug)]
pub struct KeptCalls {
    name: &'static str,
    limit: u64,
    /// `None` if the caller does not want them.
    events: Option<Arc<Events>>,
}

impl KeptCalls {
    /// Whether the caller wants them.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.events.is_some()
    }

    /// Adds a call, whose values `put` puts. Returns whether C may go on: false for a call that no reply has.
    pub fn add(&self, put: impl FnOnce(&mut Output<'_>)) -> bool {
        let Some(events) = &self.events else { return true };
        let mut list = events.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.add(self.limit, true, &[(EVENT, self.name)], put)
    }
}

impl Output<'_> {
    /// The events with the name `into` of the handle behind `token`; `None` if there is no handle.
    #[must_use]
    pub fn events(&self, token: Option<&CStr>, into: &str) -> Option<Arc<Events>> {
        self.handles?.events(&token?.to_string_lossy(), into)
    }

    /// Begins to collect the calls of the callback `name`, at most `limit` per reply, as events of the handle behind
    /// `token`.
    #[must_use]
    pub fn kept_calls(
        &self,
        name: &'static str,
        limit: u64,
        wanted: bool,
        token: Option<&CStr>,
        into: &str,
    ) -> KeptCalls {
        let events = if wanted { self.events(token, into) } else { None };
        KeptCalls { name, limit, events }
    }

    /// Keeps what C may use until the handle behind `token` is freed. Returns what is replaced, which is dropped when the
    /// results are copied.
    pub fn keep(&mut self, token: Option<&CStr>, kept: Vec<Keep>) -> Vec<Keep> {
        match (self.handles, token) {
            _ if kept.is_empty() => kept,
            (Some(handles), Some(token)) => handles.keep(&token.to_string_lossy(), kept),
            _ => {
                std::mem::forget(kept);
                Vec::new()
            }
        }
    }

    /// Reports a value of an event that could not be copied, as [`Output::check_calls`] does.
    pub fn check_events(&mut self, name: &'static str, events: &[Option<Arc<Events>>]) {
        for events in events.iter().flatten().filter(|events| events.has_flaw()) {
            if let Some(flaw) = events.take().into_flaw() {
                self.fail(ToolError::call_failed(flaw.of(name)));
            }
        }
    }

    /// Adds the events of handles, and under `omitted` how many more there were. If the function failed, they are outputs
    /// of its error.
    pub fn put_events(&mut self, name: &'static str, omitted: &'static str, events: &[Option<Arc<Events>>]) {
        let mut all = List::default();
        for events in events.iter().flatten() {
            all.append(events.take());
        }
        self.put_list_of_calls(name, omitted, all);
    }
}

//! Callbacks that C is passed, those that handles keep, and their calls that are in the reply.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use opendyn::generated::{Calls, Events, Keep, KeptCalls, Output, Progress};
use opendyn::{CallError, Codes, FailedCall};
use opendyn_model::plan::{Argument, Callback, Got, Outcome, Shape};

use crate::call::Call;
use crate::callback::Plan;
use crate::frame::Owned;
use crate::lent::Lent;

/// What a call has to do with callbacks that handles keep.
#[derive(Default)]
pub(crate) struct KeptByHandles {
    /// The callbacks that the caller passes, by the index of the parameter.
    calls: Vec<(usize, KeptCalls)>,
    /// The functions that C may call from now on.
    pub(crate) lent: Vec<(usize, Box<Lent>)>,
    /// The events of the handles that the caller passes, for each outcome with events.
    events: Vec<Vec<Option<Arc<Events>>>>,
}

impl KeptByHandles {
    /// The callback of the parameter at `index`, if a handle keeps it.
    pub(crate) fn take(&mut self, index: usize) -> Option<KeptCalls> {
        let position = self.calls.iter().position(|(of, _)| *of == index)?;
        Some(self.calls.swap_remove(position).1)
    }
}

impl Call<'_> {
    /// Finds the events of the handles that the caller passes, before the call can free them.
    pub(crate) fn find_events(&mut self, out: &Output<'_>) {
        let function = self.function;
        for (index, answering) in &function.callbacks {
            let Plan::Collect(collect) = answering.plan else { continue };
            let Some(into) = &collect.into else { continue };
            let token = self.callback(*index).and_then(|callback| self.token(callback.until?));
            let (name, limit, wanted) =
                (self.param(*index).key.as_str(), collect.limit, self.wants_calls(*index));
            self.kept.calls.push((*index, out.kept_calls(name, limit, wanted, token, &into.value)));
        }
        for (outcome, of, _) in events(&function.plan.outcomes) {
            let found = of.iter().map(|index| out.events(self.token(*index), &outcome.key)).collect();
            self.kept.events.push(found);
        }
    }

    /// Makes a function for C that collects its calls, or tells how far the call is. If the callback is optional, only if
    /// somebody wants that; a callback that is only for Rust code is NULL.
    pub(crate) fn lend(&mut self, index: usize) -> Result<(), CallError> {
        let Some((_, answering)) = self.function.callbacks.iter().find(|(of, _)| *of == index) else {
            return Ok(());
        };
        let no_memory = || {
            FailedCall::new(Codes::new(&[])).with_text(Some("there is no memory for a callback".to_owned()))
        };
        let collect = match answering.plan {
            Plan::Collect(collect) => collect,
            Plan::Progress(_) => {
                let progress = Progress::begin();
                if progress.is_awaited() || !self.is_optional(index) {
                    // SAFETY: the document outlives the call, and C calls the function only while the call runs.
                    let lent = unsafe { Lent::reporting(answering, progress) };
                    self.owned.push(Owned::Callback(index, lent.ok_or_else(no_memory)?));
                }
                return Ok(());
            }
        };
        let wanted = self.wants_calls(index);
        if !wanted && self.is_optional(index) {
            return Ok(());
        }
        if let Some(calls) = self.kept.take(index) {
            let lent = Lent::kept(answering, calls, self.handle_of_callback(index), self.bound);
            self.kept.lent.push((index, lent.ok_or_else(no_memory)?));
        } else {
            let calls = Calls::new(&self.param(index).key, collect.limit, wanted, self.is_text);
            // SAFETY: the document outlives the call, and C calls the function only while the call runs.
            let lent = unsafe { Lent::new(answering, calls) };
            self.owned.push(Owned::Callback(index, lent.ok_or_else(no_memory)?));
        }
        Ok(())
    }

    /// Leaves the callbacks that C keeps to their handles.
    pub(crate) fn keep_callbacks(&mut self, out: &mut Output<'_>) {
        for (index, lent) in std::mem::take(&mut self.kept.lent) {
            let token = self.callback(index).and_then(|callback| self.token(callback.until?));
            out.keep(token, vec![Keep::new(lent)]);
        }
    }

    /// Reports what an event cannot hold.
    pub(crate) fn check_events(&self, out: &mut Output<'_>) {
        for ((outcome, ..), found) in events(&self.function.plan.outcomes).zip(&self.kept.events) {
            out.check_events(&outcome.key, found);
        }
    }

    /// Writes the events, which are the last results.
    pub(crate) fn put_events(&self, out: &mut Output<'_>) {
        for ((outcome, _, omitted), found) in events(&self.function.plan.outcomes).zip(&self.kept.events) {
            out.put_events(&outcome.key, omitted, found);
        }
    }

    /// Whether the caller wants the calls of the callback at `index`.
    pub(crate) fn wants_calls(&self, index: usize) -> bool {
        match self.local(index).field {
            Some(field) if self.args.is_present(field) => self.args.word(field) != 0,
            _ => self.param(index).argument.as_ref().is_some_and(Argument::collects_by_default),
        }
    }

    pub(crate) fn is_optional(&self, index: usize) -> bool {
        self.param(index).argument.as_ref().is_some_and(|argument| argument.is_optional())
    }

    fn callback(&self, index: usize) -> Option<&'static Callback> {
        match self.shape(index) {
            Some(Shape::Closure(callback)) => Some(callback),
            _ => None,
        }
    }

    /// The handle that C passes back to the callback at `index` in place of user data; NULL if it passes user data.
    pub(crate) fn handle_of_callback(&self, index: usize) -> *mut c_void {
        match self.callback(index) {
            Some(Callback { by_handle: true, until: Some(until), .. }) => self.pointer(*until),
            _ => ptr::null_mut(),
        }
    }
}

/// The outcomes with events: the parameters with the handles, and the name of the number of those that are left out.
fn events(
    outcomes: &'static [Outcome],
) -> impl Iterator<Item = (&'static Outcome, &'static [usize], &'static str)> {
    outcomes.iter().filter_map(|outcome| match &outcome.got {
        Got::Events { of, omitted } => Some((outcome, of.as_slice(), omitted.as_str())),
        _ => None,
    })
}

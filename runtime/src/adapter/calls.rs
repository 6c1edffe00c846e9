//! The calls of a callback, collected for a JSON caller.
//!
//! Every value is copied while C is in the callback, and nothing here panics: what cannot be copied is the error of the
//! function that C was called for. Calls beyond the limits are only counted.

use std::cell::RefCell;

use opentool::{CallDetails, ToolError};

use super::datum::{Datum, Flaw};
use super::output::{Output, Sink};
use super::to_serde::{Collected, Owned};
use crate::encoding::Encoding;

/// The maximum memory that the collected calls of one reply take, in bytes.
pub const MAX_COLLECTED: usize = 16 << 20;

/// The calls of a callback while one function runs.
#[derive(Debug)]
pub struct Calls {
    name: &'static str,
    limit: u64,
    /// Whether the caller wants them.
    wanted: bool,
    /// Whether the reply is text.
    text: bool,
    list: RefCell<List>,
}

impl Calls {
    /// Begins to collect the calls of the callback `name`: at most `limit`, and none unless they are `wanted`. `text`
    /// tells whether the reply is text.
    #[must_use]
    pub fn new(name: &'static str, limit: u64, wanted: bool, text: bool) -> Self {
        Self { name, limit, wanted, text, list: RefCell::default() }
    }

    /// Whether the caller wants them.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Adds a call, whose values `put` puts. Returns whether C may go on: false for a call that is not in the reply.
    pub fn add(&self, put: impl FnOnce(&mut Output<'_>)) -> bool {
        if !self.wanted {
            return true;
        }
        // Taken out, so that nothing is borrowed while values are copied.
        let mut list = self.list.take();
        let goes_on = list.add(self.limit, self.text, &[], put);
        self.list.replace(list);
        goes_on
    }
}

/// Collected calls.
#[derive(Debug, Default)]
pub(crate) struct List {
    calls: Vec<Owned>,
    /// How much memory they take.
    bytes: usize,
    /// How many calls were beyond the limits.
    omitted: u64,
    /// Why a value of a call could not be copied.
    flaw: Option<Flaw>,
}

impl List {
    /// Adds a call that begins with the texts `first`.
    pub(crate) fn add(
        &mut self,
        limit: u64,
        text: bool,
        first: &[(&'static str, &str)],
        put: impl FnOnce(&mut Output<'_>),
    ) -> bool {
        if self.flaw.is_some() {
            return false;
        }
        if self.omitted > 0 || self.calls.len() as u64 >= limit {
            self.omitted += 1;
            return false;
        }
        let mut call = Call {
            collected: Collected::new(text),
            room: MAX_COLLECTED.saturating_sub(self.bytes),
            is_full: false,
            flaw: None,
        };
        for (name, text) in first {
            call.push(name, Datum::Text(text));
        }
        put(&mut Output::call(&mut call));
        if let Some(flaw) = call.flaw {
            self.flaw = Some(flaw.inside(self.calls.len()));
            return false;
        }
        if call.is_full {
            self.omitted += 1;
            return false;
        }
        self.bytes = MAX_COLLECTED - call.room;
        self.calls.push(call.collected.into_record());
        true
    }
}

impl List {
    pub(crate) fn has_flaw(&self) -> bool {
        self.flaw.is_some()
    }

    /// Why a value of a call could not be copied.
    pub(crate) fn into_flaw(self) -> Option<Flaw> {
        self.flaw
    }

    /// Adds the calls of another list.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.calls.append(&mut other.calls);
        self.omitted += other.omitted;
    }
}

/// One call, while its values are copied.
pub(crate) struct Call {
    collected: Collected,
    /// How much memory it may take.
    room: usize,
    /// Whether it needs more.
    is_full: bool,
    flaw: Option<Flaw>,
}

impl Call {
    pub(super) fn push(&mut self, name: &'static str, datum: Datum<'_>) {
        if self.is_full || self.flaw.is_some() {
            return;
        }
        match weigh(datum, self.room) {
            Some(room) => self.room = room,
            None => {
                self.is_full = true;
                return;
            }
        }
        if let Err(flaw) = self.collected.push(name, datum) {
            self.flaw = Some(flaw.inside(name));
        }
    }
}

/// What is left of `room` beside a copy of the datum; `None` if it does not fit. It is known before anything is copied.
fn weigh(datum: Datum<'_>, room: usize) -> Option<usize> {
    let room = room.checked_sub(size_of::<(&str, Owned)>())?;
    match datum {
        Datum::Boolean(_)
        | Datum::Signed(_)
        | Datum::Unsigned(_)
        | Datum::Float(_)
        | Datum::Double(_)
        | Datum::Null => Some(room),
        Datum::Text(text) => room.checked_sub(text.len()),
        Datum::Bytes(bytes, Encoding::Utf8) => room.checked_sub(bytes.len()),
        // No encoding has more than three bytes of text for a byte, nor for a unit.
        Datum::Bytes(bytes, _) => room.checked_sub(bytes.len().checked_mul(3)?),
        Datum::Units(units) => room.checked_sub(units.len().checked_mul(3)?),
        Datum::List(list) => list.elements().try_fold(room, |room, element| weigh(element, room)),
        Datum::Record(record) => record.members().try_fold(room, |room, (_, member)| weigh(member, room)),
    }
}

impl Output<'_> {
    /// Whether the reply is text.
    #[must_use]
    pub fn is_text(&self) -> bool {
        match &self.sink {
            Sink::Json(_) | Sink::Call(_) => true,
            Sink::Collected(collected) => collected.is_text(),
        }
    }

    /// Begins to collect the calls of the callback `name` for this reply.
    #[must_use]
    pub fn calls(&self, name: &'static str, limit: u64, wanted: bool) -> Calls {
        Calls::new(name, limit, wanted, self.is_text())
    }

    /// Reports a value of a call that could not be copied. It comes first after the function: such a call may be why
    /// the function failed.
    pub fn check_calls(&mut self, calls: &Calls) {
        let flaw = calls.list.borrow_mut().flaw.take();
        if let Some(flaw) = flaw {
            self.fail(ToolError::call_failed(flaw.of(calls.name)));
        }
    }

    /// Adds the calls of a callback, and under `omitted` how many more there were; null if they are not wanted. If the
    /// function failed, they are outputs of its error.
    pub fn put_calls(&mut self, omitted: &'static str, calls: &Calls) {
        if !calls.wanted {
            return self.put_null(calls.name);
        }
        self.put_list_of_calls(calls.name, omitted, calls.list.take());
    }

    pub(crate) fn put_list_of_calls(&mut self, name: &'static str, omitted: &'static str, list: List) {
        let List { calls, omitted: more, .. } = list;
        let calls = Owned::List(calls);
        match &mut self.error {
            None => {}
            Some(ToolError::CallFailed { details, .. }) => {
                if let Ok(calls) = serde_json::to_value(&calls)
                    && calls.as_array().is_some_and(|calls| !calls.is_empty())
                {
                    details
                        .get_or_insert_with(Box::<CallDetails>::default)
                        .outputs
                        .insert(name.to_owned(), calls);
                }
                return;
            }
            Some(_) => return,
        }
        self.owned(name, calls);
        if more > 0 {
            self.datum(omitted, Datum::Unsigned(more));
        }
    }
}

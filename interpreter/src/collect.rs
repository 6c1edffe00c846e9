//! What a caller gets: the outcomes of the plan, from what C left.
//!
//! First every outcome is checked, as a compiled method does before it returns; then all are written, straight from the
//! memory of C. What C gave is freed after that.

use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};

use opendyn::CallError;
use opendyn::generated::{Encoded, Encoding, Free, Kind, NEVER, NO_END, Output, Parts};
use opendyn::interpreted::{check, count};
use opendyn_model::plan::{Amount, Back, Content, Element, End, Got, Outcome, Place};

use crate::call::Call;
use crate::frame::Owned;
use crate::free::free_handle;
use crate::lent::Lent;
use crate::number::Number;
use crate::prepared::Made;

/// An outcome that can be written.
#[derive(Clone, Copy)]
pub(crate) enum Ready {
    Null,
    /// The code that C returned.
    Code(i64),
    /// A value with the layout of its kind.
    At(*const u8),
    /// So many elements.
    List(*const u8, usize),
    /// So many bytes of text.
    Bytes(*const u8, usize),
    /// So many units of text.
    Units(*const u16, usize),
    Handle(*mut c_void),
    /// So many handles.
    Handles(usize),
    /// The handles of an array that C has taken.
    TakenHandles,
    State,
    /// The calls of a callback.
    Calls,
    /// They are written at the end.
    Events,
}

impl Call<'_> {
    /// Checks every outcome.
    pub(crate) fn collect(&mut self) -> Result<(), CallError> {
        let function = self.function;
        // As in a compiled method, arrays of owned handles come first: what they own is freed if another outcome is an
        // error.
        let owns = |outcome: &Outcome| matches!(outcome.got, Got::Handles { free: Some(_), .. });
        let mut owned = Vec::new();
        for outcome in function.plan.outcomes.iter().filter(|outcome| owns(outcome)) {
            owned.push(self.handles(outcome)?.map_or(Ready::Null, Ready::Handles));
        }
        let mut owned = owned.into_iter();
        for (index, (outcome, made)) in function.plan.outcomes.iter().zip(&function.outcomes).enumerate() {
            let ready = match owned.as_slice() {
                [ready, ..] if owns(outcome) => {
                    let ready = *ready;
                    owned.next();
                    ready
                }
                _ => self.ready(outcome, made)?,
            };
            if outcome.checked {
                check_ready(outcome, made, ready)?;
            }
            match index {
                0 => self.first = ready,
                _ => self.rest.push(ready),
            }
        }
        Ok(())
    }

    fn ready(&mut self, outcome: &'static Outcome, made: &Made) -> Result<Ready, CallError> {
        let place = outcome.from;
        Ok(match &outcome.got {
            Got::Code(_) if self.bound.has_codes() => Ready::Code(self.integer(place) as i64),
            Got::Code(_) | Got::Scalar(_) | Got::Count(_) => Ready::At(self.place(place)),
            Got::Record(_) => Ready::At(match place {
                Place::Returned => self.returned,
                Place::Param(index) => self.pointer_passed(index).cast(),
            }),
            Got::State { .. } => Ready::State,
            Got::Buffer { content, written } => self.buffer(outcome, *content, *written)?,
            Got::Text(_) => match self.pointed(outcome)? {
                Some(pointer) if made.encoding == Encoding::Utf16 => self.wide_text(pointer),
                Some(pointer) => {
                    // SAFETY: the document says that C gives a NUL-terminated string.
                    let text = unsafe { CStr::from_ptr(pointer.cast()) };
                    Ready::Bytes(pointer, text.count_bytes())
                }
                None => Ready::Null,
            },
            Got::Pointed(_) => self.pointed(outcome)?.map_or(Ready::Null, Ready::At),
            Got::PointedRecord(_) => match self.pointed(outcome)? {
                Some(pointer) => Ready::At(self.aligned(pointer, made.align, made.kind.size())),
                None => Ready::Null,
            },
            Got::Elements { content, count: Amount::Terminated } => match self.pointed(outcome)? {
                Some(pointer) => self.until_zero(pointer, made, *content),
                None => Ready::Null,
            },
            Got::Strings { count: Amount::Terminated, .. } => match self.pointed(outcome)? {
                Some(pointer) => {
                    let strings = pointer.cast::<*const u8>();
                    // SAFETY: the document says that C gives pointers up to a NULL, and none before this one is.
                    let is_end = |index: usize| unsafe { strings.add(index).read_unaligned() }.is_null();
                    Ready::List(pointer, (0..).take_while(|index| !is_end(*index)).count())
                }
                None => Ready::Null,
            },
            Got::Elements { content, count } => self.elements(outcome, made, *content, count)?,
            Got::Handles { .. } => self.handles(outcome)?.map_or(Ready::Null, Ready::Handles),
            Got::Strings { count: amount, nullable } => match self.pointed(outcome)? {
                Some(pointer) => {
                    let amount = self.amount(amount)?;
                    let count = count(&outcome.key, amount)?;
                    let strings = pointer.cast::<*const u8>();
                    // SAFETY: the document says that C gives that many pointers.
                    let has_null =
                        (0..count).any(|index| unsafe { strings.add(index).read_unaligned() }.is_null());
                    if has_null && !nullable {
                        return Err(CallError::Null { value: &outcome.key });
                    }
                    Ready::List(pointer, count)
                }
                None => Ready::Null,
            },
            Got::Handle { .. } => match self.pointed(outcome)? {
                Some(pointer) => Ready::Handle(pointer.cast_mut().cast()),
                None => Ready::Null,
            },
            Got::Taken { .. } => match self.pointer_at(place) {
                pointer if pointer.is_null() => Ready::Null,
                pointer => Ready::Handle(pointer),
            },
            Got::TakenAll { .. } => match place {
                Place::Param(index) if self.pointers_of(index).is_some() => Ready::TakenHandles,
                _ => Ready::Null,
            },
            // No function with such a result can be called with JSON.
            Got::Raw => Ready::Null,
            Got::Back(back) => self.back(place, back),
            Got::Events { .. } => Ready::Events,
        })
    }

    /// The pointer that C gave; `None` for a NULL that the document allows.
    fn pointed(&self, outcome: &'static Outcome) -> Result<Option<*const u8>, CallError> {
        let pointer = self.pointer_at(outcome.from);
        match (pointer.is_null(), outcome.nullable) {
            (false, _) => Ok(Some(pointer.cast_const().cast())),
            (true, true) => Ok(None),
            (true, false) => Err(CallError::Null { value: &outcome.key }),
        }
    }

    fn buffer(
        &self,
        outcome: &Outcome,
        content: Content,
        written: Option<Place>,
    ) -> Result<Ready, CallError> {
        let Place::Param(index) = outcome.from else { return Ok(Ready::Null) };
        let Some(room) = self.room(index) else { return Ok(Ready::Null) };
        let count = match written {
            Some(place) => room.written(self.integer(place))?,
            None => room.all()?,
        };
        let start = self.pointer_passed(index).cast_const().cast::<u8>();
        // SAFETY: the buffer has `count` initialised, aligned elements.
        Ok(unsafe { contents(content, start, count, written.is_some()) })
    }

    fn elements(
        &mut self,
        outcome: &'static Outcome,
        made: &Made,
        content: Content,
        amount: &'static Amount,
    ) -> Result<Ready, CallError> {
        let amount = self.amount(amount)?;
        let count = count(&outcome.key, amount)?;
        let pointer = self.pointer_at(outcome.from).cast_const().cast::<u8>();
        if pointer.is_null() && outcome.nullable {
            return Ok(Ready::Null);
        }
        let start = match (pointer.is_null(), count) {
            // Many functions return NULL for no elements.
            (true, 0) => ptr::without_provenance(8),
            (true, _) => return Err(CallError::Null { value: &outcome.key }),
            (false, _) => {
                let (size, _) = self.bound.kinds().content(content);
                self.aligned(pointer, made.align, size.saturating_mul(count))
            }
        };
        // SAFETY: the document says that C gives that many elements; they are aligned now.
        Ok(unsafe { contents(content, start, count, true) })
    }

    /// The elements before the first zero.
    fn until_zero(&mut self, pointer: *const u8, made: &Made, content: Content) -> Ready {
        let Content::Elements(Element::Scalar(scalar)) = content else { return Ready::Null };
        let number = Number::of(scalar.c_type);
        // SAFETY: the document says that C gives elements up to a zero, and none before this one is.
        let count = (0..).take_while(|index| !unsafe { number.is_zero(pointer, *index) }).count();
        Ready::List(self.aligned(pointer, made.align, count * number.size), count)
    }

    /// What C left in an argument.
    fn back(&self, place: Place, back: &Back) -> Ready {
        let Place::Param(index) = place else { return Ready::Null };
        match back {
            Back::Room => return self.text_of_room(),
            Back::Calls { .. } => return Ready::Calls,
            Back::Cell(_) | Back::List(_) | Back::Units(_) | Back::Record(_) => {}
        }
        let Some(field) = self.local(index).field.filter(|field| self.args.is_present(*field)) else {
            return Ready::Null;
        };
        let (memory, length) = self.args.memory(field);
        match back {
            Back::Cell(_) => Ready::At(self.address(index)),
            Back::List(_) => Ready::List(memory, length),
            Back::Units(_) => Ready::Bytes(memory, length),
            Back::Record(_) => Ready::At(memory),
            Back::Room | Back::Calls { .. } => Ready::Null,
        }
    }

    /// The text in the buffer for a string of unknown length.
    fn text_of_room(&self) -> Ready {
        let text = self.owned.iter().find_map(|owned| match owned {
            Owned::Text(buffer) => Some(buffer.text()),
            _ => None,
        });
        text.map_or(Ready::Null, |text| Ready::Bytes(text.as_ptr().cast(), text.count_bytes()))
    }

    /// The same bytes, aligned: C need not have aligned them.
    fn aligned(&mut self, pointer: *const u8, align: usize, bytes: usize) -> *const u8 {
        if pointer.addr().is_multiple_of(align) {
            return pointer;
        }
        let copy = self.words(bytes);
        // SAFETY: the document says that C gives that many bytes, and the copy is as large.
        unsafe { ptr::copy_nonoverlapping(pointer, copy, bytes) };
        copy
    }

    /// UTF-16 up to its NUL, which C need not have aligned.
    fn wide_text(&mut self, pointer: *const u8) -> Ready {
        let mut count = 0;
        // SAFETY: the document says that C gives units up to a NUL.
        while unsafe { pointer.cast::<u16>().add(count).read_unaligned() } != 0 {
            count += 1;
        }
        Ready::Units(self.aligned(pointer, 2, count * 2).cast(), count)
    }

    /// Writes every outcome.
    pub(crate) fn put(&mut self, out: &mut Output<'_>) {
        let function = self.function;
        let rest = std::mem::take(&mut self.rest);
        let ready = std::iter::once(self.first).chain(rest);
        for ((outcome, made), ready) in function.plan.outcomes.iter().zip(&function.outcomes).zip(ready) {
            self.put_one(outcome, made, ready, out);
        }
        self.put_events(out);
    }

    /// Reports what a collected call cannot hold, which may be why the function failed.
    pub(crate) fn check_calls(&self, out: &mut Output<'_>) {
        for (index, _) in &self.function.callbacks {
            if let Some(calls) = self.lent(*index).and_then(Lent::calls) {
                out.check_calls(calls);
            }
        }
        self.check_events(out);
    }

    /// Writes the calls that callbacks have collected before the function failed.
    pub(crate) fn put_calls_of_failure(&self, out: &mut Output<'_>) {
        for outcome in self.function.plan.outcomes.iter().filter(|outcome| outcome.omitted().is_some()) {
            if !matches!(outcome.got, Got::Events { .. }) {
                self.put_calls(outcome, out);
            }
        }
        self.put_events(out);
    }

    fn put_calls(&self, outcome: &'static Outcome, out: &mut Output<'_>) {
        let (Place::Param(index), Some(omitted)) = (outcome.from, outcome.omitted()) else { return };
        match self.lent(index).and_then(Lent::calls) {
            Some(calls) => out.put_calls(omitted, calls),
            None => out.put_null(&outcome.key),
        }
    }

    fn put_one(&mut self, outcome: &'static Outcome, made: &Made, ready: Ready, out: &mut Output<'_>) {
        let name = outcome.key.as_str();
        match ready {
            Ready::Null => out.put_null(name),
            Ready::Code(code) => out.put(name, code),
            // SAFETY: `ready` found a value of this kind there; the document says that the strings in it are NULL or
            // valid. It lives until the call has ended.
            Ready::At(at) => unsafe { out.put_at(name, *made.kind, at) },
            // SAFETY: as above, for so many elements.
            Ready::List(at, count) => unsafe { out.put_list(name, made.kind, at, count) },
            Ready::Bytes(at, count) => {
                // SAFETY: `ready` found so many bytes there, which live until the call has ended.
                let bytes = unsafe { std::slice::from_raw_parts(at, count) };
                out.put(name, Encoded(bytes, made.encoding));
            }
            Ready::Units(at, count) => {
                // SAFETY: as above, for aligned units.
                let units = unsafe { std::slice::from_raw_parts(at, count) };
                out.put(name, Encoded(units, made.encoding));
            }
            Ready::Handle(pointer) if matches!(outcome.got, Got::Taken { .. }) => {
                let (Kind::Handle(of), Got::Taken { into, .. }) = (made.kind, &outcome.got) else { return };
                let parents = self.tokens(&[*into]);
                out.put_borrowed(name, pointer, of, &parents, &[]);
            }
            Ready::Handle(pointer) => {
                let (Kind::Handle(of), Got::Handle { free, parents, until, .. }) = (made.kind, &outcome.got)
                else {
                    return;
                };
                // The table owns it from now on.
                self.release(outcome.from);
                let parents = self.tokens(parents);
                match (free, NonNull::new(pointer)) {
                    (Some(free), Some(pointer)) => {
                        let (kept, captured) = (self.kept_by(outcome.from), self.captured(*free));
                        let parts = Parts { pointer, kept, captured };
                        let free = Free::Numbered(free_handle, *free);
                        let (taken, lists) = self.taken_into(outcome.from);
                        if taken.is_empty() && lists.is_empty() {
                            out.put_handle(name, parts, of, free, &parents);
                        } else {
                            let function = &self.function.plan.name;
                            out.put_owner(name, (parts, free), of, &parents, (&taken, &lists), function);
                        }
                    }
                    _ => {
                        // When C frees it is not known.
                        std::mem::forget(self.kept_by(outcome.from));
                        out.put_borrowed(name, pointer, of, &parents, &self.bound.names_of(until));
                    }
                }
            }
            Ready::TakenHandles => {
                let (Kind::Handle(of), Got::TakenAll { into, .. }, Place::Param(index)) =
                    (made.kind, &outcome.got, outcome.from)
                else {
                    return;
                };
                let parents = self.tokens(&[*into]);
                let pointers = self.pointers_of(index).unwrap_or_default().iter();
                let pointers = pointers.map(|pointer| pointer.map_or(ptr::null_mut(), NonNull::as_ptr));
                out.put_all_borrowed(name, pointers, of, &parents);
            }
            Ready::Handles(number) => {
                if let Kind::Handle(of) = made.kind {
                    self.put_handles(outcome, of, number, out);
                }
            }
            Ready::Calls => self.put_calls(outcome, out),
            Ready::Events => {}
            Ready::State => {
                let (Kind::Handle(of), Got::State { end, parents, lasts, .. }, Place::Param(index)) =
                    (made.kind, &outcome.got, outcome.from)
                else {
                    return;
                };
                let keeper = parents.first().filter(|_| *lasts).map(|keeper| self.token(*keeper));
                let parents = self.tokens(parents);
                let free = match end {
                    End::By(free) => Free::Numbered(free_handle, *free),
                    End::Nothing => Free::By(NO_END),
                    End::Unknown => Free::By(NEVER),
                };
                if let Some(state) = self.owned.iter_mut().find_map(|owned| owned.take_state(index)) {
                    let parts = match keeper {
                        Some(keeper) => {
                            let (parts, shared) = Parts::of_lasting_state(state);
                            out.keep(keeper, vec![shared]);
                            parts
                        }
                        None => Parts::of_state(state),
                    };
                    out.put_handle(name, parts, of, free, &parents);
                }
            }
        }
    }
}

/// Checks what structs of C point to.
fn check_ready(outcome: &'static Outcome, made: &Made, ready: Ready) -> Result<(), CallError> {
    let (start, count) = match ready {
        Ready::At(at) => (at, 1),
        Ready::List(at, count) => (at, count),
        _ => return Ok(()),
    };
    for index in 0..count {
        // SAFETY: `ready` found so many structs there, and the document says what they point to.
        unsafe { check(*made.kind, start.add(index * made.kind.size()).cast(), &outcome.key)? };
    }
    Ok(())
}

/// The elements, or the text in them. Text ends at its first NUL, except bytes, and 16-bit units whose number C gives.
///
/// # Safety
///
/// `start` points to `count` initialised, aligned elements; of text that ends at its first NUL, perhaps to fewer.
unsafe fn contents(content: Content, start: *const u8, count: usize, counted: bool) -> Ready {
    let Content::Text { .. } = content else { return Ready::List(start, count) };
    let ends = content.ends_at_nul(counted);
    let until_nul = |is_nul: &dyn Fn(usize) -> bool| (0..count).find(|index| is_nul(*index)).unwrap_or(count);
    if content.is_wide_text() {
        let units = start.cast::<u16>();
        // SAFETY: none of the units before this one is NUL, so it is there.
        let is_nul = |index: usize| unsafe { units.add(index).read() } == 0;
        return Ready::Units(units, if ends { until_nul(&is_nul) } else { count });
    }
    // SAFETY: none of the bytes before this one is NUL, so it is there.
    let is_nul = |index: usize| unsafe { start.add(index).read() } == 0;
    Ready::Bytes(start, if ends { until_nul(&is_nul) } else { count })
}

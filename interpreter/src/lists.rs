//! Arrays of handles: of tokens that a caller passes, and of pointers that C gives.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use opendyn::CallError;
use opendyn::generated::{Free, HandleType, Output, Parts, TakenBy};
use opendyn::interpreted::{Room, count};
use opendyn_model::plan::{Amount, Got, HandleArray, Outcome, Place, Role, Shape};

use crate::call::Call;
use crate::free::free_handle;
use crate::tokens::TokenList;

/// Handles of an array from C that the call owns until a table does.
pub(crate) struct Elements {
    /// Where C left the array.
    place: Place,
    /// The way to free each of them.
    free: usize,
    pointers: Vec<*mut c_void>,
}

impl Call<'_> {
    /// Passes C the pointers behind the tokens of an array. `None` is an error of the call.
    pub(crate) fn find_list(
        &mut self,
        index: usize,
        key: &'static str,
        of: &'static HandleType,
        out: &mut Output<'_>,
    ) -> Option<()> {
        let tokens = self.token_list(index);
        let found = match self.param(index).role {
            Role::Taken(into) => self.passable_list((index, into), key, tokens, of, out)?,
            _ => out.handles(key, tokens, of)?,
        };
        let Some(pointers) = found else { return Some(()) };
        // One more: an array may end at a NULL.
        let list = self.words((pointers.len() + 1) * size_of::<*mut c_void>()).cast::<*mut c_void>();
        for (position, pointer) in pointers.iter().enumerate() {
            let pointer = pointer.map_or(ptr::null_mut(), NonNull::as_ptr);
            // SAFETY: there is room for so many pointers, aligned for them.
            unsafe { list.add(position).write(pointer) };
        }
        self.pass(index, list.cast());
        self.lists.push((index, pointers));
        Some(())
    }

    /// The pointers behind the tokens of an array whose handles C takes. `None` is an error of the call.
    fn passable_list(
        &self,
        (index, into): (usize, Option<Place>),
        key: &'static str,
        tokens: TokenList<'_>,
        of: &'static HandleType,
        out: &mut Output<'_>,
    ) -> Option<Option<Vec<Option<NonNull<c_void>>>>> {
        let (mut others, mut lists) = (Vec::new(), Vec::new());
        for other in (0..self.function.plan.params.len()).filter(|other| *other != index) {
            match self.shape(other) {
                Some(Shape::Handle { .. } | Shape::State { .. }) => others.push(self.token(other)),
                Some(Shape::Handles { .. }) => lists.push(self.token_list(other)),
                _ => {}
            }
        }
        let by = match into {
            Some(Place::Param(into)) => TakenBy::Handle(self.token(into)),
            Some(Place::Returned) => TakenBy::Result,
            None => TakenBy::C,
        };
        out.passable_handles(key, tokens, of, by, (&others, &lists))
    }

    /// The pointers of an array that the caller passed.
    pub(crate) fn pointers_of(&self, index: usize) -> Option<&[Option<NonNull<c_void>>]> {
        self.lists.iter().find(|(of, _)| *of == index).map(|(_, pointers)| pointers.as_slice())
    }

    /// Where the pointers of an array from C are.
    fn start_of(&self, outcome: &Outcome) -> *const *mut c_void {
        let start = match (&outcome.got, outcome.from) {
            (Got::Handles { of: HandleArray::Buffer(_), .. }, Place::Param(index)) => {
                self.pointer_passed(index)
            }
            (_, place) => self.pointer_at(place),
        };
        start.cast_const().cast()
    }

    /// The buffer of an array that C filled.
    fn room_of(&self, outcome: &Outcome) -> Option<&Room> {
        match outcome.from {
            Place::Param(index) => self.room(index),
            Place::Returned => None,
        }
    }

    /// The handles of an array from C; `None` for NULL. Those that the caller will own are freed with the call until a
    /// table has them.
    pub(crate) fn handles(&mut self, outcome: &'static Outcome) -> Result<Option<usize>, CallError> {
        let Got::Handles { of, nullable, free, .. } = &outcome.got else { return Ok(None) };
        let start = self.start_of(outcome);
        // SAFETY: the document says that C gives as many pointers as it is asked for here. They need not be aligned.
        let at = |index: usize| unsafe { start.add(index).read_unaligned() };
        let is_terminated = *of == HandleArray::Pointed(Amount::Terminated);
        let number = match of {
            HandleArray::Buffer(written) => match (self.room_of(outcome), written) {
                (Some(room), Some(place)) => room.written(self.integer(*place))?,
                (Some(room), None) => room.all()?,
                (None, _) => 0,
            },
            HandleArray::Pointed(Amount::Terminated) if start.is_null() => 0,
            HandleArray::Pointed(Amount::Terminated) => {
                (0..).take_while(|index| !at(*index).is_null()).count()
            }
            HandleArray::Pointed(amount) => {
                let number = self.amount(amount)?;
                count(&outcome.key, number)?
            }
        };
        if start.is_null() {
            let is_empty = number == 0 && !is_terminated;
            return match (outcome.nullable, is_empty) {
                (true, _) => Ok(None),
                // Many functions return NULL for no elements.
                (false, true) => Ok(Some(0)),
                (false, false) => Err(CallError::Null { value: &outcome.key }),
            };
        }
        let has_null = (0..number).any(|index| at(index).is_null());
        if let Some(free) = free {
            let pointers = (0..number).map(at).collect();
            self.elements.push(Elements { place: outcome.from, free: *free, pointers });
        }
        if has_null && !nullable {
            return Err(CallError::Null { value: &outcome.key });
        }
        Ok(Some(number))
    }

    /// Writes the tokens of an array of `number` handles.
    pub(crate) fn put_handles(
        &mut self,
        outcome: &'static Outcome,
        of: &'static HandleType,
        number: usize,
        out: &mut Output<'_>,
    ) {
        let Got::Handles { free, parents, .. } = &outcome.got else { return };
        let parents = self.tokens(parents);
        let Some(free) = free else {
            let start = self.start_of(outcome);
            // SAFETY: `handles` found so many pointers there, and the memory is freed after this.
            let pointers = (0..number).map(|index| unsafe { start.add(index).read_unaligned() });
            return out.put_all_borrowed(&outcome.key, pointers, of, &parents);
        };
        let owned = self.elements.extract_if(.., |elements| elements.place == outcome.from);
        let pointers: Vec<*mut c_void> = owned.flat_map(|elements| elements.pointers).collect();
        let captured = self.captured(*free);
        let parts = pointers.into_iter().map(|pointer| {
            NonNull::new(pointer).map(|pointer| Parts {
                pointer,
                kept: Vec::new(),
                captured: captured.clone(),
            })
        });
        out.put_handles(&outcome.key, parts, of, Free::Numbered(free_handle, *free), &parents);
    }

    /// Frees the handles of arrays that no table took over.
    pub(crate) fn free_elements(&mut self) {
        for Elements { free, pointers, .. } in std::mem::take(&mut self.elements) {
            let captured = self.captured(free);
            for pointer in pointers.into_iter().filter(|pointer| !pointer.is_null()) {
                // SAFETY: the document says that the function frees what C left there, and nothing else frees it.
                unsafe { self.bound.free(free, pointer, &captured) };
            }
        }
    }
}

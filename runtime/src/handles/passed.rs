//! Handles that are passed to C (`x-takes`): for good, or into another handle, which frees them from now on.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::ptr::NonNull;

use super::table::{Gone, Table};
use super::{HandleError, HandleType, Handles};
use crate::free::Captured;

/// What frees a handle that C takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenBy<T> {
    /// C, at a time that is not known.
    C,
    /// The handle behind a token, which it lives in from now on.
    Handle(T),
    /// The handle that the call returns, which it lives in from now on.
    Result,
}

/// The pointers for the tokens of an array, or the position of the one that is refused.
type Elements = Result<Vec<Option<NonNull<c_void>>>, (usize, HandleError)>;

impl Handles {
    /// The pointer for `token`, if C can take it. If it lives in no other handle from now on, no owned handle may live in
    /// it. None of the `others`, the tokens of the other arguments, may live in it.
    ///
    /// # Errors
    ///
    /// The token is refused, is not owned, or C would be passed handles that live in each other.
    pub(crate) fn check_pass(
        &self,
        token: &str,
        of: &'static HandleType,
        by: TakenBy<&str>,
        others: &[&str],
    ) -> Result<NonNull<c_void>, HandleError> {
        let table = self.table();
        let (slot, pointer) = self.passable(&table, token, of, by)?;
        let within = table.within(slot);
        let other_slots = others.iter().filter_map(|other| Some((*other, self.slot(&table, other)?)));
        for (other, other_slot) in other_slots {
            let cycles = by == TakenBy::Handle(other) && table.would_cycle(slot, other_slot);
            if within.contains(&other_slot) || cycles {
                return Err(HandleError::Within { token: token.to_owned(), other: other.to_owned() });
            }
        }
        Ok(pointer)
    }

    /// Refuses a call with the handle behind `token`, which ends with it, and with one of `others` that lives in that
    /// handle. With `function`, only what was borrowed from the handle until that function is called ends.
    ///
    /// # Errors
    ///
    /// One of `others` would end with the call.
    pub(crate) fn check_outside<'t>(
        &self,
        token: &str,
        function: Option<&str>,
        others: impl Iterator<Item = Cow<'t, str>>,
    ) -> Result<(), HandleError> {
        let table = self.table();
        let Some(slot) = self.slot(&table, token) else { return Ok(()) };
        let ending = match function {
            Some(function) => table.ending(slot, function).flat_map(|child| table.within(child)).collect(),
            None => table.within(slot),
        };
        for other in others {
            if self.slot(&table, &other).is_some_and(|other| ending.contains(&other)) {
                let (token, other) = (token.to_owned(), other.into_owned());
                return Err(HandleError::EndsWith { token, other });
            }
        }
        Ok(())
    }

    fn passable(
        &self,
        table: &Table,
        token: &str,
        of: &'static HandleType,
        by: TakenBy<&str>,
    ) -> Result<(usize, NonNull<c_void>), HandleError> {
        match by {
            TakenBy::C => {
                let found = self.takeable(table, token, of)?;
                // It would outlive what it lives in, as the owner of a handle that depends on another one does.
                let parents = table.entry(found.0).map(|entry| &entry.parents);
                match parents.and_then(|parents| parents.first()) {
                    Some(parent) => {
                        let (token, other) = (token.to_owned(), self.token(table, *parent));
                        Err(HandleError::Within { token, other })
                    }
                    None => Ok(found),
                }
            }
            TakenBy::Handle(_) | TakenBy::Result => {
                let found = self.find(table, token, of)?;
                self.check_owned(table, found.0, token)?;
                Ok(found)
            }
        }
    }

    /// As [`Handles::check_pass`], for the elements of an array; `None` is NULL. C takes all of them or none, so they differ,
    /// and none of them lives in another.
    pub(crate) fn check_pass_all(
        &self,
        tokens: &[Option<&str>],
        of: &'static HandleType,
        by: TakenBy<&str>,
        others: &[&str],
    ) -> Elements {
        let table = self.table();
        let mut pointers = Vec::with_capacity(tokens.len());
        let mut elements: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, token) in tokens.iter().enumerate() {
            let Some(token) = token else {
                pointers.push(None);
                continue;
            };
            let (slot, pointer) = self.passable(&table, token, of, by).map_err(|error| (index, error))?;
            pointers.push(Some(pointer));
            if elements.insert(slot, index).is_some() {
                return Err((index, HandleError::Twice { token: (*token).to_owned() }));
            }
        }
        let others: BTreeMap<usize, &str> =
            others.iter().filter_map(|other| Some((self.slot(&table, other)?, *other))).collect();
        let owner = match by {
            TakenBy::Handle(owner) => self.slot(&table, owner).map(|slot| (slot, owner)),
            TakenBy::C | TakenBy::Result => None,
        };
        for (slot, index) in &elements {
            let within = table.within(*slot);
            let another = within.iter().find_map(|inner| match elements.get(inner) {
                Some(element) if element != index => tokens[*element],
                _ => others.get(inner).copied(),
            });
            let cycles = owner.filter(|(owner, _)| table.would_cycle(*slot, *owner)).map(|(_, token)| token);
            if let (Some(other), Some(token)) = (another.or(cycles), tokens[*index]) {
                let (token, other) = (token.to_owned(), other.to_owned());
                return Err((*index, HandleError::Within { token, other }));
            }
        }
        Ok(pointers)
    }

    /// C has taken the handle behind `token`, in a call of `function`: it lives in the one behind `into`, or the token
    /// becomes invalid, together with those of borrowed handles that lived in it.
    pub(crate) fn pass(&self, token: &str, into: Option<&str>, function: &str) {
        let mut table = self.table();
        let Some(slot) = self.slot(&table, token) else { return };
        match into.and_then(|into| self.slot(&table, into)) {
            Some(owner) => {
                let owner_token = self.token(&table, owner);
                table.pass(slot, owner, (function.to_owned(), owner_token));
            }
            None => table.forget(slot, || Gone::Passed(function.to_owned())),
        }
    }

    /// The further arguments that the handle behind `token` is freed with.
    pub(crate) fn captured(&self, token: &str) -> Captured {
        let table = self.table();
        let entry = self.slot(&table, token).and_then(|slot| table.entry(slot));
        entry.map(|entry| entry.captured.clone()).unwrap_or_default()
    }

    /// Refuses a handle that is not owned.
    pub(super) fn check_owned(&self, table: &Table, slot: usize, token: &str) -> Result<(), HandleError> {
        if table.owns(slot) {
            return Ok(());
        }
        let token = token.to_owned();
        Err(match table.entry(slot).and_then(|entry| entry.passed.clone()) {
            Some((function, owner)) => HandleError::BelongsTo { token, owner, function },
            None => HandleError::NotOwned { token },
        })
    }
}

impl Table {
    /// Everything that lives in the entry in `slot`, with other entries for the same objects.
    fn within(&self, slot: usize) -> BTreeSet<usize> {
        let mut within = BTreeSet::new();
        let mut found = vec![slot];
        while let Some(slot) = found.pop() {
            let Some(entry) = self.entry(slot).filter(|_| within.insert(slot)) else { continue };
            found.extend(&entry.children);
            found.extend(self.at_address(entry.pointer));
        }
        within
    }

    /// The owned entries that the entry in `slot` lives in: itself, or the next ones above it.
    fn owners(&self, slot: usize) -> BTreeSet<usize> {
        let (mut owners, mut seen, mut found) = (BTreeSet::new(), BTreeSet::new(), vec![slot]);
        while let Some(slot) = found.pop() {
            let Some(entry) = self.entry(slot).filter(|_| seen.insert(slot)) else { continue };
            if entry.free.is_some() {
                owners.insert(slot);
            } else {
                found.extend(&entry.parents);
            }
        }
        owners
    }

    /// Whether handles would live in each other if `slot` went into `owner`, which then lives in everything that `slot`
    /// lives in. If nothing known frees `owner`, it may outlive that.
    fn would_cycle(&self, slot: usize, owner: usize) -> bool {
        let Some(entry) = self.entry(slot) else { return false };
        let owners = self.owners(owner);
        entry.parents.iter().filter(|parent| !owners.contains(parent)).any(|parent| {
            owners.is_empty() || owners.iter().any(|owner| self.within(*owner).contains(parent))
        })
    }

    /// The entry in `slot` is borrowed from now on: it is freed with the one in `owner`, which keeps for C what it kept
    /// and lives in everything that it lived in.
    fn pass(&mut self, slot: usize, owner: usize, passed: (String, String)) {
        let owners = self.owners(owner);
        let Some(entry) = self.entry_mut(slot) else { return };
        entry.free = None;
        entry.captured = Box::default();
        entry.passed = Some(passed);
        let (kept, is_counted) = (std::mem::take(&mut entry.kept), entry.of.is_counted);
        let parents = entry.parents.clone();
        for owner in owners {
            for parent in parents.iter().filter(|parent| **parent != owner) {
                self.adopt(owner, *parent);
            }
        }
        self.adopt(slot, owner);
        match self.entry_mut(owner).filter(|owner| owner.free.is_some() && !is_counted) {
            Some(owner) => owner.kept.extend(kept.into_iter().map(crate::handle::Keep::for_another)),
            // When a borrowed handle is freed is unknown; a handle that has other owners outlives the one it is in.
            None => std::mem::forget(kept),
        }
    }
}

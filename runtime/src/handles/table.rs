//! The entries of a table of handles, their slots, and which handle lives in which.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;
use std::sync::Arc;

use super::HandleType;
use crate::adapter::Events;
use crate::free::{Captured, Free};
use crate::handle::Keep;

/// A live handle.
pub(super) struct Entry {
    pub pointer: NonNull<c_void>,
    pub of: &'static HandleType,
    /// `None` for a borrowed entry, which becomes invalid with its parents.
    pub free: Option<Free>,
    /// Further arguments of the function that frees.
    pub captured: Captured,
    /// What C may use until the handle is freed.
    pub kept: Vec<Keep>,
    /// The functions that end a borrowed entry when they are called with one of its parents.
    pub until: Vec<String>,
    /// The number of the insertion, which is never reused.
    pub generation: u64,
    /// The calls of the callbacks that it keeps, by the name of the result that they are in.
    pub events: Vec<(String, Arc<Events>)>,
    /// The function that passed it on to C, and the token of the handle that it lives in since then.
    pub passed: Option<(String, String)>,
    pub(super) parents: BTreeSet<usize>,
    pub(super) children: BTreeSet<usize>,
}

/// What a new entry has.
pub(super) struct New {
    pub pointer: NonNull<c_void>,
    pub of: &'static HandleType,
    pub free: Option<Free>,
    pub captured: Captured,
    pub kept: Vec<Keep>,
    pub until: Vec<String>,
    pub parents: BTreeSet<usize>,
}

// SAFETY: the table only stores addresses and what it keeps for C. Calls of the binding use them, one at a time
// (`Handles::enter`), and bindings are `Send`. What is kept is `Send` too.
unsafe impl Send for Entry {}

/// Why an entry is gone.
pub(super) enum Gone {
    /// It was valid until this function was called.
    Ended(String),
    /// This function passed it on to C for good.
    Passed(String),
    /// It was freed with the handle of this token, in which it lived since this function was called.
    FreedWith(String, String),
}

/// How many entries that are gone are remembered, for the message of an error.
const REMEMBERED: usize = 1024;

/// Entries in slots that are reused.
#[derive(Default)]
pub(super) struct Table {
    slots: Vec<Option<Entry>>,
    vacant: Vec<usize>,
    /// The slots of the entries at an address: one object can have several types.
    at: HashMap<Address, Vec<usize>>,
    inserted: u64,
    /// The generations of entries that are gone for a reason of their own, the oldest first.
    gone: VecDeque<(u64, Gone)>,
}

/// An address that is only compared.
type Address = usize;

impl Table {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.slots.len() - self.vacant.len()
    }

    /// The entry in `slot`.
    pub fn entry(&self, slot: usize) -> Option<&Entry> {
        self.slots.get(slot)?.as_ref()
    }

    /// The entry in `slot`, to change what it keeps.
    pub fn entry_mut(&mut self, slot: usize) -> Option<&mut Entry> {
        self.slots.get_mut(slot)?.as_mut()
    }

    /// The entry in `slot`, if it has this `generation`.
    pub fn living(&self, slot: usize, generation: u64) -> Option<&Entry> {
        self.entry(slot).filter(|entry| entry.generation == generation)
    }

    /// Why the entry with this `generation` is gone, if it has a reason of its own that is remembered.
    pub fn gone(&self, generation: u64) -> Option<&Gone> {
        self.gone.iter().find(|(gone, _)| *gone == generation).map(|(_, why)| why)
    }

    /// The existing entry for a borrowed pointer: the one that owns it, or one borrowed from the same
    /// parents.
    pub fn known(
        &self,
        pointer: NonNull<c_void>,
        of: &HandleType,
        parents: &BTreeSet<usize>,
    ) -> Option<usize> {
        let same = || {
            let slots = self.at.get(&pointer.addr().get()).into_iter().flatten();
            slots.filter_map(|&slot| Some((slot, self.entry(slot)?))).filter(|(_, entry)| entry.of == of)
        };
        let owned = same().find(|(_, entry)| entry.free.is_some());
        owned.or_else(|| same().find(|(_, entry)| entry.parents == *parents)).map(|(slot, _)| slot)
    }

    /// The slots of the entries at an address.
    pub fn at_address(&self, pointer: NonNull<c_void>) -> impl Iterator<Item = &usize> {
        self.at.get(&pointer.addr().get()).into_iter().flatten()
    }

    /// Adds an entry and returns its slot.
    pub fn insert(&mut self, new: New) -> usize {
        self.inserted += 1;
        let New { pointer, of, free, captured, kept, until, parents } = new;
        let generation = self.inserted;
        let children = BTreeSet::new();
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        for parent in &parents {
            if let Some(parent) = self.entry_mut(*parent) {
                parent.children.insert(slot);
            }
        }
        self.at.entry(pointer.addr().get()).or_default().push(slot);
        self.slots[slot] = Some(Entry {
            pointer,
            of,
            free,
            captured,
            kept,
            until,
            generation,
            events: Vec::new(),
            passed: None,
            parents,
            children,
        });
        slot
    }

    /// Makes the entry in `child` live in the one in `parent`. A handle that lives in itself changes nothing.
    pub fn adopt(&mut self, child: usize, parent: usize) {
        if child == parent || self.entry(parent).is_none() {
            return;
        }
        if let Some(child) = self.entry_mut(child) {
            child.parents.insert(parent);
        }
        if let Some(parent) = self.entry_mut(parent) {
            parent.children.insert(child);
        }
    }

    /// The entries in which the one in `slot` lives, by way of others too.
    pub fn ancestors(&self, slot: usize) -> impl Iterator<Item = &Entry> {
        let (mut found, mut open) = (BTreeSet::new(), vec![slot]);
        while let Some(slot) = open.pop() {
            let parents = self.entry(slot).into_iter().flat_map(|entry| &entry.parents);
            open.extend(parents.filter(|parent| found.insert(**parent)));
        }
        found.into_iter().filter_map(|slot| self.entry(slot))
    }

    /// Whether the entry in `slot` is owned.
    pub fn owns(&self, slot: usize) -> bool {
        self.entry(slot).is_some_and(|entry| entry.free.is_some())
    }

    /// The slots of the owned entries that live in the entry in `slot`.
    pub fn owned_children(&self, slot: usize) -> BTreeSet<usize> {
        self.falling(slot).1
    }

    /// Removes the entry in `slot` and every borrowed entry that lives in it, and returns what it kept.
    pub fn remove(&mut self, slot: usize) -> Vec<Keep> {
        let mut kept = Vec::new();
        for falling in self.falling(slot).0 {
            let Some(entry) = self.vacate(falling) else { continue };
            if let Some((function, owner)) = entry.passed {
                self.remember(entry.generation, Gone::FreedWith(owner, function));
            }
            if entry.of.is_counted {
                // C may have other owners.
                mem::forget(entry.kept);
            } else if falling == slot {
                kept = entry.kept;
            }
        }
        kept
    }

    /// Ends the borrowed entry in `slot`, because `function` is called.
    pub fn end(&mut self, slot: usize, function: &str) {
        self.forget(slot, || Gone::Ended(function.to_owned()));
    }

    /// The slots of the borrowed entries that live in the entry in `slot`, or in another one for the same object, and end when
    /// `function` is called with it.
    pub(super) fn ending(&self, slot: usize, function: &str) -> impl Iterator<Item = usize> {
        let ends = move |child: &usize| {
            self.entry(*child)
                .is_some_and(|entry| entry.free.is_none() && entry.until.iter().any(|end| end == function))
        };
        let same = self.entry(slot).into_iter().flat_map(|entry| self.at_address(entry.pointer));
        same.filter_map(|slot| self.entry(*slot)).flat_map(|entry| &entry.children).copied().filter(ends)
    }

    /// Removes the entry in `slot`, which is gone for a reason of its own, with every borrowed entry that lives in it.
    /// What it kept is C's.
    pub(super) fn forget(&mut self, slot: usize, why: impl Fn() -> Gone) {
        for falling in self.falling(slot).0 {
            if let Some(entry) = self.vacate(falling) {
                mem::forget(entry.kept);
                self.remember(entry.generation, why());
            }
        }
    }

    fn remember(&mut self, generation: u64, why: Gone) {
        self.gone.push_back((generation, why));
        while self.gone.len() > REMEMBERED {
            self.gone.pop_front();
        }
    }

    /// The entries to remove with the entry in `slot`, and the owned entries that prevent that.
    fn falling(&self, slot: usize) -> (Vec<usize>, BTreeSet<usize>) {
        let mut falling = vec![slot];
        // Entries borrowed at the same address, with another type or parent, become invalid too.
        if let Some(entry) = self.entry(slot) {
            let aliases = self.at.get(&entry.pointer.addr().get()).into_iter().flatten();
            falling.extend(aliases.filter(|&&alias| alias != slot && self.is_borrowed(alias)));
        }
        let mut living = BTreeSet::new();
        let mut next = 0;
        while let Some(&slot) = falling.get(next) {
            next += 1;
            for &child in self.entry(slot).into_iter().flat_map(|entry| &entry.children) {
                if !self.is_borrowed(child) {
                    living.insert(child);
                } else if !falling.contains(&child) {
                    falling.push(child);
                }
            }
        }
        (falling, living)
    }

    /// The index of an entry among these that lives in itself, by way of others.
    fn in_a_circle(&self, among: &[(u64, usize)]) -> usize {
        let lives_in_itself = |(_, start): &(u64, usize)| {
            let (mut seen, mut found) = (BTreeSet::new(), vec![*start]);
            while let Some(slot) = found.pop() {
                for child in self.entry(slot).into_iter().flat_map(|entry| &entry.children) {
                    if child == start {
                        return true;
                    }
                    if seen.insert(*child) {
                        found.push(*child);
                    }
                }
            }
            false
        };
        among.iter().position(lives_in_itself).unwrap_or(0)
    }

    pub(super) fn is_borrowed(&self, slot: usize) -> bool {
        self.entry(slot).is_some_and(|entry| entry.free.is_none())
    }

    /// Does nothing for an empty slot: an entry can be both a child and an alias.
    fn vacate(&mut self, slot: usize) -> Option<Entry> {
        let entry = self.slots.get_mut(slot).and_then(Option::take)?;
        self.vacant.push(slot);
        let address = entry.pointer.addr().get();
        if let Some(slots) = self.at.get_mut(&address) {
            slots.retain(|&other| other != slot);
            if slots.is_empty() {
                self.at.remove(&address);
            }
        }
        for parent in &entry.parents {
            if let Some(parent) = self.entry_mut(*parent) {
                parent.children.remove(&slot);
            }
        }
        for child in &entry.children {
            if let Some(child) = self.entry_mut(*child) {
                child.parents.remove(&slot);
            }
        }
        Some(entry)
    }

    /// Takes all entries out, children before their parents, and the newest first where neither lives in the other. Of
    /// handles that live in each other, the newest is left to C, with what it keeps: those that use it are freed first, and
    /// it would use one of them when it is freed.
    pub fn drain(&mut self) -> Vec<Entry> {
        let mut newest: Vec<(u64, usize)> =
            (0..self.slots.len()).filter_map(|slot| Some((self.entry(slot)?.generation, slot))).collect();
        newest.sort_unstable_by(|a, b| b.cmp(a));
        let mut drained = Vec::with_capacity(newest.len());
        while !newest.is_empty() {
            let before = newest.len();
            newest.retain(|(_, slot)| {
                let is_free = self.entry(*slot).is_none_or(|entry| entry.children.is_empty());
                if is_free {
                    drained.extend(self.vacate(*slot));
                }
                !is_free
            });
            if newest.len() == before {
                let (_, slot) = newest.remove(self.in_a_circle(&newest));
                mem::forget(self.vacate(slot).map(|entry| entry.kept));
            }
        }
        drained
    }
}

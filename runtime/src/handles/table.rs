//! The entries of a table of handles, their slots, and which handle lives in which.

use std::collections::{BTreeSet, HashMap};
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;

use super::HandleType;
use crate::free::Free;

/// A live handle.
pub(super) struct Entry {
    pub pointer: NonNull<c_void>,
    pub of: &'static HandleType,
    /// `None` for a borrowed entry, which becomes invalid with its parent.
    pub free: Option<Free>,
    /// The number of the insertion, which is never reused. A child is inserted after its parent.
    pub generation: u64,
    parent: Option<usize>,
    children: BTreeSet<usize>,
}

// SAFETY: the table only stores the address. Calls of the binding use it, one at a time
// (`Handles::enter`), and bindings are `Send`.
unsafe impl Send for Entry {}

/// Entries in slots that are reused.
#[derive(Default)]
pub(super) struct Table {
    slots: Vec<Option<Entry>>,
    vacant: Vec<usize>,
    /// The slots of the entries at an address: one object can have several types.
    at: HashMap<Address, Vec<usize>>,
    inserted: u64,
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

    /// The entry in `slot`, if it has this `generation`.
    pub fn living(&self, slot: usize, generation: u64) -> Option<&Entry> {
        self.entry(slot).filter(|entry| entry.generation == generation)
    }

    /// The existing entry for a borrowed pointer: the one that owns it, or one borrowed from the same
    /// parent.
    pub fn known(&self, pointer: NonNull<c_void>, of: &HandleType, parent: Option<usize>) -> Option<usize> {
        let same = || {
            let slots = self.at.get(&pointer.addr().get()).into_iter().flatten();
            slots.filter_map(|&slot| Some((slot, self.entry(slot)?))).filter(|(_, entry)| entry.of == of)
        };
        let owned = same().find(|(_, entry)| entry.free.is_some());
        owned.or_else(|| same().find(|(_, entry)| entry.parent == parent)).map(|(slot, _)| slot)
    }

    /// Adds an entry and returns its slot.
    pub fn insert(
        &mut self,
        pointer: NonNull<c_void>,
        of: &'static HandleType,
        free: Option<Free>,
        parent: Option<usize>,
    ) -> usize {
        self.inserted += 1;
        let generation = self.inserted;
        let entry = Entry { pointer, of, free, generation, parent, children: BTreeSet::new() };
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(entry);
        self.at.entry(pointer.addr().get()).or_default().push(slot);
        if let Some(parent) = parent.and_then(|parent| self.slots.get_mut(parent)?.as_mut()) {
            parent.children.insert(slot);
        }
        slot
    }

    /// Whether the entry in `slot` is owned.
    pub fn owns(&self, slot: usize) -> bool {
        self.entry(slot).is_some_and(|entry| entry.free.is_some())
    }

    /// The slots of the owned entries that live in the entry in `slot`.
    pub fn owned_children(&self, slot: usize) -> BTreeSet<usize> {
        self.falling(slot).1
    }

    /// Removes the entry in `slot` and every borrowed entry that lives in it.
    pub fn remove(&mut self, slot: usize) {
        for slot in self.falling(slot).0 {
            self.vacate(slot);
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
                if self.is_borrowed(child) {
                    falling.push(child);
                } else {
                    living.insert(child);
                }
            }
        }
        (falling, living)
    }

    fn is_borrowed(&self, slot: usize) -> bool {
        self.entry(slot).is_some_and(|entry| entry.free.is_none())
    }

    /// Does nothing for an empty slot: an entry can be both a child and an alias.
    fn vacate(&mut self, slot: usize) {
        let Some(entry) = self.slots.get_mut(slot).and_then(Option::take) else { return };
        self.vacant.push(slot);
        let address = entry.pointer.addr().get();
        if let Some(slots) = self.at.get_mut(&address) {
            slots.retain(|&other| other != slot);
            if slots.is_empty() {
                self.at.remove(&address);
            }
        }
        if let Some(parent) = entry.parent.and_then(|parent| self.slots.get_mut(parent)?.as_mut()) {
            parent.children.remove(&slot);
        }
    }

    /// Takes all entries out, newest first, so children come before their parents.
    pub fn drain(&mut self) -> Vec<Entry> {
        let empty = Self { inserted: self.inserted, ..Self::default() };
        let mut entries: Vec<Entry> = mem::replace(self, empty).slots.into_iter().flatten().collect();
        entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.generation));
        entries
    }
}

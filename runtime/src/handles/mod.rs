//! The handles of JSON callers, which hold tokens instead of pointers.
//!
//! A generated binding owns one table, for direct callers, and every [`Session`](crate::Session)
//! owns another. `token` is the text of a token, `table` the entries; this module checks every
//! token before it returns a pointer. The handles of Rust callers are in
//! [`handle`](crate::handle).

mod error;
mod passed;
mod past;
mod table;
mod token;

use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::adapter::Events;
use crate::free::{Captured, Free};
use crate::handle::{Keep, Parts};
use table::{Gone, New, Table};
use token::Token;

pub use error::HandleError;
pub use passed::TakenBy;
pub use past::resume;

/// How many of the blocking child handles an error names.
const NAMED: usize = 4;

/// A handle type, named by `x-handle`. Types are compared by name.
#[derive(Clone, Copy, Debug, Eq)]
pub struct HandleType {
    name: &'static str,
    is_counted: bool,
}

impl PartialEq for HandleType {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl HandleType {
    /// The type with this name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, is_counted: false }
    }

    /// The same type, of whose handles C counts the owners (`x-retain`). C may be one of them, so that what such a handle
    /// keeps is never freed.
    #[must_use]
    pub const fn counted(self) -> Self {
        Self { is_counted: true, ..self }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// A handle from C, for a table.
pub(crate) enum Given {
    /// The caller owns it.
    Owned {
        /// The pointer, and what C may use until it is freed.
        parts: Parts,
        /// What frees it.
        free: Free,
    },
    /// C owns it.
    Borrowed {
        /// The pointer.
        pointer: NonNull<c_void>,
        /// The functions that end it when they are called with a handle that it lives in.
        until: Vec<String>,
    },
}

/// A table of the handles that JSON callers of one binding hold as tokens.
///
/// An unknown token, a freed one, and one of another type or table is refused, without following a
/// pointer.
///
/// A table does not know its binding, so dropping it frees nothing, nor what the handles keep for C: the binding or the
/// [`Session`](crate::Session) that owns it frees the handles first.
///
/// ```
/// let handles = opendyn::Handles::new();
/// assert!(handles.is_empty());
/// ```
pub struct Handles {
    /// Its number in this process; not 0.
    id: u64,
    /// The number of its binding's own table; 0 until the first call.
    binding: AtomicU64,
    calls: Mutex<()>,
    table: Mutex<Table>,
}

impl Handles {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = past::first_table().wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        Self { id, binding: AtomicU64::new(0), calls: Mutex::default(), table: Mutex::default() }
    }

    /// How many handles there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table().len()
    }

    /// Whether there are no handles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins a call with handles of this table, for the binding whose own table is `own`. The
    /// pointers from `get` and `check_take` are valid while the guard is held: without it another thread
    /// could free a handle that this one has just passed to C.
    ///
    /// # Errors
    ///
    /// The table was used with another binding, whose functions do not take these handles.
    #[doc(hidden)]
    pub fn enter(&self, own: &Self) -> Result<Entered<'_>, HandleError> {
        let entered = Entered { _calls: self.calls.lock().unwrap_or_else(PoisonError::into_inner) };
        match self.binding.compare_exchange(0, own.id, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Ok(entered),
            Err(binding) if binding == own.id => Ok(entered),
            Err(_) => Err(HandleError::OtherBinding),
        }
    }

    /// The token for a handle from C. `parents` are the tokens of the handles that it lives in.
    ///
    /// A borrowed pointer that the table already has with that type, owned or borrowed from the same
    /// parents, keeps its token, so repeated calls do not fill the table.
    #[must_use]
    pub(crate) fn insert(&self, given: Given, of: &'static HandleType, parents: &[&str]) -> String {
        let mut table = self.table();
        let parents = parents.iter().filter_map(|parent| self.slot(&table, parent)).collect();
        let new = |(pointer, free, captured, kept, until)| New {
            pointer,
            of,
            free,
            captured,
            kept,
            until,
            parents,
        };
        let slot = match given {
            Given::Owned { parts: Parts { pointer, kept, captured }, free } => {
                table.insert(new((pointer, Some(free), captured, kept, Vec::new())))
            }
            Given::Borrowed { pointer, until } => {
                let new = new((pointer, None, Captured::default(), Vec::new(), until));
                table.known(pointer, of, &new.parents).unwrap_or_else(|| table.insert(new))
            }
        };
        self.token(&table, slot)
    }

    /// The slot of the living handle behind a token.
    fn slot(&self, table: &Table, token: &str) -> Option<usize> {
        let token = Token::parse(token).filter(|token| token.table == self.id)?;
        table.living(token.slot, token.generation).map(|_| token.slot)
    }

    /// The handle behind `token` keeps `kept` for C until it is freed. When a borrowed handle is freed is unknown: what
    /// it keeps is leaked. Returns what is replaced.
    pub(crate) fn keep(&self, token: &str, kept: Vec<Keep>) -> Vec<Keep> {
        let mut table = self.table();
        let slot = self.slot(&table, token);
        match slot.and_then(|slot| table.entry_mut(slot)).filter(|entry| entry.free.is_some()) {
            Some(entry) => kept.into_iter().flat_map(|keep| keep.add_to(&mut entry.kept)).collect(),
            None => {
                std::mem::forget(kept);
                Vec::new()
            }
        }
    }

    /// The handle behind `child` lives no longer than the one behind `parent`.
    pub(crate) fn adopt(&self, child: &str, parent: &str) {
        let mut table = self.table();
        if let (Some(child), Some(parent)) = (self.slot(&table, child), self.slot(&table, parent)) {
            table.adopt(child, parent);
        }
    }

    /// The handles of type `of` in which the one behind `token` lives, by way of others too.
    pub(crate) fn ancestors(&self, token: &str, of: &'static HandleType) -> Vec<NonNull<c_void>> {
        let table = self.table();
        let slot = self.slot(&table, token);
        let ancestors = slot.into_iter().flat_map(|slot| table.ancestors(slot));
        ancestors.filter(|entry| entry.of == of).map(|entry| entry.pointer).collect()
    }

    /// The events with the name `into` of the handle behind `token`.
    pub(crate) fn events(&self, token: &str, into: &str) -> Option<Arc<Events>> {
        let mut table = self.table();
        let slot = self.slot(&table, token)?;
        let events = &mut table.entry_mut(slot)?.events;
        if let Some((_, known)) = events.iter().find(|(name, _)| name == into) {
            return Some(Arc::clone(known));
        }
        let new = Arc::<Events>::default();
        events.push((into.to_owned(), Arc::clone(&new)));
        Some(new)
    }

    /// Ends the borrowed handles that live in the one behind `token` until `function` is called with it.
    ///
    /// # Errors
    ///
    /// Owned handles live in one of them.
    pub(crate) fn end_children(&self, token: &str, function: &str) -> Result<(), HandleError> {
        let mut table = self.table();
        let Some(slot) = self.slot(&table, token) else { return Ok(()) };
        let ending: Vec<usize> = table.ending(slot, function).collect();
        for child in &ending {
            self.check_childless(&table, *child, &self.token(&table, *child))?;
        }
        for child in ending {
            table.end(child, function);
        }
        Ok(())
    }

    /// Refuses a handle in which owned handles live.
    fn check_childless(&self, table: &Table, slot: usize, token: &str) -> Result<(), HandleError> {
        let living = table.owned_children(slot);
        if living.is_empty() {
            return Ok(());
        }
        Err(HandleError::HasChildren {
            token: token.to_owned(),
            count: living.len(),
            children: living.iter().take(NAMED).map(|&child| self.token(table, child)).collect(),
        })
    }

    /// The pointer for `token`.
    ///
    /// # Errors
    ///
    /// The token is refused.
    pub(crate) fn get(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        self.find(&self.table(), token, of).map(|(_, pointer)| pointer)
    }

    /// What the handle behind `token` kept for C, which has freed it. The token becomes invalid, and so do the tokens of
    /// borrowed handles that lived in it or had the same address.
    ///
    /// # Errors
    ///
    /// The token is refused, is not owned, or owned handles live in it.
    pub(crate) fn remove(&self, token: &str, of: &'static HandleType) -> Result<Vec<Keep>, HandleError> {
        let mut table = self.table();
        let (slot, _) = self.takeable(&table, token, of)?;
        Ok(table.remove(slot))
    }

    /// As [`Handles::remove`], with the pointer.
    #[cfg(test)]
    pub(crate) fn take(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        let pointer = self.check_take(token, of)?;
        self.remove(token, of).map(|_| pointer)
    }

    /// The pointer for `token`, if [`Handles::remove`] would remove it.
    ///
    /// # Errors
    ///
    /// As for [`Handles::remove`].
    pub(crate) fn check_take(
        &self,
        token: &str,
        of: &'static HandleType,
    ) -> Result<NonNull<c_void>, HandleError> {
        self.takeable(&self.table(), token, of).map(|(_, pointer)| pointer)
    }

    fn takeable(
        &self,
        table: &Table,
        token: &str,
        of: &'static HandleType,
    ) -> Result<(usize, NonNull<c_void>), HandleError> {
        let (slot, pointer) = self.find(table, token, of)?;
        self.check_owned(table, slot, token)?;
        self.check_childless(table, slot, token)?;
        Ok((slot, pointer))
    }

    /// Frees every remaining handle once, children before their parents. All tokens become invalid.
    ///
    /// # Safety
    ///
    /// `binding` points to the binding that the `free` of every entry takes, and each `free` may be
    /// called with its pointer. No call that uses these handles is running: the guard of
    /// [`Handles::enter`] is held.
    #[doc(hidden)]
    pub unsafe fn free_all(&self, binding: *const ()) {
        let entries = self.table().drain();
        for entry in entries {
            if let Some(free) = entry.free {
                // SAFETY: the caller guarantees that `free` takes this binding and pointer. The entry is
                // out of the table, so it is freed once.
                let is_freed = unsafe { free.call(binding, entry.pointer.as_ptr(), &entry.captured) };
                if !is_freed || entry.of.is_counted {
                    // C has refused, or has other owners, and may still use it.
                    std::mem::forget(entry.kept);
                }
            }
        }
    }

    fn find(
        &self,
        table: &Table,
        text: &str,
        of: &'static HandleType,
    ) -> Result<(usize, NonNull<c_void>), HandleError> {
        let token = Token::parse(text).ok_or_else(|| HandleError::made_up(text))?;
        // From here on, the token is one that this process wrote, and short.
        if token.table != self.id {
            if let Some(reason) = past::lost(token.table) {
                return Err(HandleError::Lost { token: text.to_owned(), reason });
            }
            return Err(HandleError::OtherSession { token: text.to_owned() });
        }
        let entry = table.living(token.slot, token.generation).ok_or_else(|| {
            let token_text = text.to_owned();
            match table.gone(token.generation) {
                None => HandleError::Freed { token: token_text },
                Some(Gone::Ended(function)) => {
                    HandleError::Ended { token: token_text, function: function.clone() }
                }
                Some(Gone::Passed(function)) => {
                    HandleError::Passed { token: token_text, function: function.clone() }
                }
                Some(Gone::FreedWith(owner, function)) => HandleError::FreedWith {
                    token: token_text,
                    owner: owner.clone(),
                    function: function.clone(),
                },
            }
        })?;
        if entry.of != of {
            let (found, needed) = (entry.of.name, of.name);
            return Err(HandleError::OtherType { token: text.to_owned(), found, needed });
        }
        Ok((token.slot, entry.pointer))
    }

    /// The token of the entry in `slot`; an empty string, which is not a token, if there is none.
    fn token(&self, table: &Table, slot: usize) -> String {
        table.entry(slot).map_or_else(String::new, |entry| {
            let (name, generation) = (entry.of.name, entry.generation);
            Token { name, table: self.id, slot, generation }.to_string()
        })
    }

    /// Ignores poisoning: no operation on `table` panics before it is complete.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        // C has not freed these handles, and may use what they keep.
        let table = self.table.get_mut().unwrap_or_else(PoisonError::into_inner);
        for entry in table.drain() {
            std::mem::forget(entry.kept);
        }
    }
}

impl Default for Handles {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Handles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handles").field("id", &self.id).field("len", &self.len()).finish_non_exhaustive()
    }
}

/// The guard of a call that uses the handles of a table, from [`Handles::enter`]. Other calls wait.
#[must_use = "other calls wait only while it is held"]
#[derive(Debug)]
pub struct Entered<'h> {
    _calls: MutexGuard<'h, ()>,
}

#[cfg(test)]
mod tests;

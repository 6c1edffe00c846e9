//! The handles of JSON callers, which hold tokens instead of pointers.
//!
//! A generated binding owns one table, for direct callers, and every [`Session`](crate::Session)
//! owns another. `token` is the text of a token, `table` the entries; this module checks every
//! token before it returns a pointer. The handles of Rust callers are in
//! [`handle`](crate::handle).

mod error;
mod table;
mod token;

use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::free::Free;
use table::Table;
use token::Token;

pub use error::HandleError;

/// How many of the blocking child handles an error names.
const NAMED: usize = 4;

/// A handle type, named by `x-handle`. Types are compared by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandleType {
    name: &'static str,
}

impl HandleType {
    /// The type with this name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// A table of the handles that JSON callers of one binding hold as tokens.
///
/// An unknown token, a freed one, and one of another type or table is refused, without following a
/// pointer.
///
/// A table does not know its binding, so dropping it frees nothing: the binding or the
/// [`Session`](crate::Session) that owns it frees the handles first.
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
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
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
    /// pointers from `get` and `take` are valid while the guard is held: without it another thread
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

    /// The token for a handle from C; with `free` it is owned. `parent` is the token of the handle
    /// that it lives in.
    ///
    /// A borrowed pointer that the table already has with that type, owned or borrowed from the same
    /// parent, keeps its token, so repeated calls do not fill the table.
    #[doc(hidden)]
    #[must_use]
    pub fn insert(
        &self,
        pointer: NonNull<c_void>,
        of: &'static HandleType,
        free: Option<Free>,
        parent: Option<&str>,
    ) -> String {
        let mut table = self.table();
        let parent = parent
            .and_then(Token::parse)
            .filter(|parent| {
                parent.table == self.id && table.living(parent.slot, parent.generation).is_some()
            })
            .map(|parent| parent.slot);
        let known = if free.is_none() { table.known(pointer, of, parent) } else { None };
        let slot = known.unwrap_or_else(|| table.insert(pointer, of, free, parent));
        self.token(&table, slot)
    }

    /// The pointer for `token`.
    ///
    /// # Errors
    ///
    /// The token is refused.
    #[doc(hidden)]
    pub fn get(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        self.find(&self.table(), token, of).map(|(_, pointer)| pointer)
    }

    /// The pointer for `token`, which the caller frees. The token becomes invalid, and so do the
    /// tokens of borrowed handles that lived in it or had the same address.
    ///
    /// # Errors
    ///
    /// The token is refused, is not owned, or owned handles live in it.
    #[doc(hidden)]
    pub fn take(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        let mut table = self.table();
        let (slot, pointer) = self.takeable(&table, token, of)?;
        table.remove(slot);
        Ok(pointer)
    }

    /// The pointer for `token`, if [`Handles::take`] would return it.
    ///
    /// # Errors
    ///
    /// As for [`Handles::take`].
    #[doc(hidden)]
    pub fn check_take(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        self.takeable(&self.table(), token, of).map(|(_, pointer)| pointer)
    }

    fn takeable(
        &self,
        table: &Table,
        token: &str,
        of: &'static HandleType,
    ) -> Result<(usize, NonNull<c_void>), HandleError> {
        let (slot, pointer) = self.find(table, token, of)?;
        if !table.owns(slot) {
            return Err(HandleError::NotOwned { token: token.to_owned() });
        }
        let living = table.owned_children(slot);
        if !living.is_empty() {
            return Err(HandleError::HasChildren {
                token: token.to_owned(),
                count: living.len(),
                children: living.iter().take(NAMED).map(|&child| self.token(table, child)).collect(),
            });
        }
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
                unsafe { free.call(binding, entry.pointer.as_ptr()) }
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
            return Err(HandleError::OtherSession { token: text.to_owned() });
        }
        let entry = table
            .living(token.slot, token.generation)
            .ok_or_else(|| HandleError::Freed { token: text.to_owned() })?;
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

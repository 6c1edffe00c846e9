//! The handles of JSON callers, who hold tokens instead of pointers.
//!
//! Generated bindings own one table, for those who call the binding itself, and every
//! [`Session`](crate::Session) owns another. `token` is the spelling, `table` what is there; here
//! every token is checked before a pointer leaves. What Rust callers hold is in
//! [`handle`](crate::handle).

mod error;
mod table;
mod token;

use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::free::FreeFn;
use table::Table;
use token::Token;

pub use error::HandleError;

/// How many of the handles that are in the way an error names.
const NAMED: usize = 4;

/// A type of handles: the name that `x-handle` gives it. Types are compared by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandleType {
    name: &'static str,
}

impl HandleType {
    /// The type of that name.
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

/// The handles that JSON callers of one binding hold, as tokens.
///
/// A token that was made up, has been freed, is of another type or comes from another table is
/// refused, and no pointer is followed to find that out.
///
/// A table does not know its binding, so dropping it frees nothing: the binding, or the
/// [`Session`](crate::Session), that owns it does that before.
pub struct Handles {
    /// Its number in this process, never 0.
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

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins a call with handles of this table, for the binding whose own table is `own`. What
    /// `get` and `take` return is valid while the guard is held: without it another thread could
    /// free a handle that this one has just given to C.
    ///
    /// # Errors
    ///
    /// The table was used with another binding, whose functions do not take these handles.
    pub fn enter(&self, own: &Self) -> Result<Entered<'_>, HandleError> {
        let entered = Entered { _calls: self.calls.lock().unwrap_or_else(PoisonError::into_inner) };
        match self.binding.compare_exchange(0, own.id, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Ok(entered),
            Err(binding) if binding == own.id => Ok(entered),
            Err(_) => Err(HandleError::OtherBinding),
        }
    }

    /// The token for a handle that C gave; with `free` it is owned. `parent` is the token of the
    /// handle that it lives in.
    ///
    /// A borrowed pointer that is here with that type, owned or borrowed from the same parent, keeps
    /// the token that it has, so that asking again and again does not fill the table.
    #[must_use]
    pub fn insert(
        &self,
        pointer: NonNull<c_void>,
        of: &'static HandleType,
        free: Option<FreeFn>,
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

    /// The pointer that `token` stands for.
    ///
    /// # Errors
    ///
    /// [`HandleError`] says why it is refused.
    pub fn get(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        self.find(&self.table(), token, of).map(|(_, pointer)| pointer)
    }

    /// The pointer that `token` stands for, which the caller is going to free. The token is gone, and
    /// with it those of borrowed handles that lived in it or were at the same address.
    ///
    /// # Errors
    ///
    /// [`HandleError`] says why it is refused; that it is not owned, or that owned handles live in it, is a reason.
    pub fn take(&self, token: &str, of: &'static HandleType) -> Result<NonNull<c_void>, HandleError> {
        let mut table = self.table();
        let (slot, pointer) = self.takeable(&table, token, of)?;
        table.remove(slot);
        Ok(pointer)
    }

    /// Whether [`Handles::take`] would give it.
    ///
    /// # Errors
    ///
    /// As for [`Handles::take`].
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

    /// Frees every handle that is left, each once, children before what they live in. All tokens
    /// are gone.
    ///
    /// # Safety
    ///
    /// `binding` points to what the `free` of every entry takes, and those may be called with their
    /// pointers. No call that uses these handles is running: the guard of [`Handles::enter`] is held.
    pub unsafe fn free_all(&self, binding: *const ()) {
        let entries = self.table().drain();
        for entry in entries {
            if let Some(free) = entry.free {
                // SAFETY: the caller vouches for it, and the entry is out of the table.
                unsafe { free(binding, entry.pointer.as_ptr()) }
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
        // From here on it is a token that this process wrote, and short.
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

    /// The token of the entry in `slot`; empty, which is no token, if there is none.
    fn token(&self, table: &Table, slot: usize) -> String {
        table.entry(slot).map_or_else(String::new, |entry| {
            let (name, generation) = (entry.of.name, entry.generation);
            Token { name, table: self.id, slot, generation }.to_string()
        })
    }

    /// A panic of another thread is no reason to refuse: nothing in `table` panics half way.
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

/// A call is running that uses the handles of a table; others wait. From [`Handles::enter`].
#[must_use = "other calls wait only while it is held"]
#[derive(Debug)]
pub struct Entered<'h> {
    _calls: MutexGuard<'h, ()>,
}

#[cfg(test)]
mod tests;

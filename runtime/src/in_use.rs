//! Which libraries this process has bound. Every binding of a file is a binding of the same C code and the same
//! variables, so that the rules about threads belong to the library, not to the binding.
//!
//! A library is known by the handle of the system's loader, which is the same for every `open` of one file. What
//! `from_library` binds is not here: its caller vouches for the threads.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// How a binding uses its library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// One thread at a time, which the binding ensures for its own calls alone: no other binding may be there.
    Alone,
    /// All threads, because the library is thread-safe.
    ThreadSafe,
    /// One thread at a time: every call waits for its turn (`InUse::turn`), also those of other bindings.
    InTurn,
    /// All threads, but not beside a call that needs the library for itself (`InUse::turn`).
    ThreadSafeInTurn,
}

impl Sharing {
    /// Whether bindings that use one library in these two ways can never run it in two threads against the will of one.
    fn agrees_with(self, other: Self) -> bool {
        use Sharing::{Alone, InTurn, ThreadSafe, ThreadSafeInTurn};
        match (self, other) {
            (Alone, _) | (_, Alone) | (ThreadSafe, InTurn) | (InTurn, ThreadSafe) => false,
            (ThreadSafe | ThreadSafeInTurn, ThreadSafe | ThreadSafeInTurn)
            | (InTurn, InTurn | ThreadSafeInTurn)
            | (ThreadSafeInTurn, InTurn) => true,
        }
    }
}

/// One library that is bound.
#[derive(Default)]
struct Entry {
    bindings: Vec<Sharing>,
    turns: Arc<RwLock<()>>,
}

/// The libraries that are bound, by the loader's handle.
type Libraries = HashMap<usize, Entry>;

/// Ignores poisoning: no operation panics before it is complete.
fn libraries() -> MutexGuard<'static, Libraries> {
    static LIBRARIES: LazyLock<Mutex<Libraries>> = LazyLock::new(Mutex::default);
    LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A binding of a library, until it is dropped.
#[derive(Debug)]
pub struct InUse {
    /// `None` if other bindings are not looked for.
    library: Option<usize>,
    sharing: Sharing,
    turns: Arc<RwLock<()>>,
}

impl InUse {
    /// The library is used in this way from now on; `None` if it is bound already in a way that does not agree.
    pub(crate) fn new(library: usize, sharing: Sharing) -> Option<Self> {
        let mut libraries = libraries();
        let entry = libraries.entry(library).or_default();
        if !entry.bindings.iter().all(|other| other.agrees_with(sharing)) {
            return None;
        }
        entry.bindings.push(sharing);
        Some(Self { library: Some(library), sharing, turns: Arc::clone(&entry.turns) })
    }

    /// A library that is used in this way, whose other bindings are not looked for and do not find this one.
    pub(crate) fn unseen(sharing: Sharing) -> Self {
        Self { library: None, sharing, turns: Arc::default() }
    }

    /// Waits until the library may be called.
    #[inline]
    pub fn turn(&self) -> Turn<'_> {
        // A panic in another call leaves nothing behind that this one could see.
        match self.sharing {
            Sharing::Alone | Sharing::InTurn => {
                Turn::Alone(self.turns.write().unwrap_or_else(PoisonError::into_inner))
            }
            Sharing::ThreadSafe | Sharing::ThreadSafeInTurn => {
                Turn::WithOthers(self.turns.read().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let Some(library) = &self.library else { return };
        let mut libraries = libraries();
        let Some(entry) = libraries.get_mut(library) else { return };
        if let Some(index) = entry.bindings.iter().position(|other| *other == self.sharing) {
            entry.bindings.swap_remove(index);
        }
        if entry.bindings.is_empty() {
            libraries.remove(library);
        }
    }
}

/// The guard of a call, from `InUse::turn`.
#[must_use = "other calls wait only while it is held"]
#[derive(Debug)]
pub enum Turn<'u> {
    /// No other call runs.
    Alone(RwLockWriteGuard<'u, ()>),
    /// Calls of thread-safe documents may run too.
    WithOthers(RwLockReadGuard<'u, ()>),
}

#[cfg(test)]
mod tests {
    use super::*;

    use Sharing::{Alone, InTurn, ThreadSafe, ThreadSafeInTurn};

    const ALL: [Sharing; 4] = [Alone, ThreadSafe, InTurn, ThreadSafeInTurn];

    #[test]
    fn the_order_in_which_a_library_is_bound_does_not_matter() {
        for one in ALL {
            for other in ALL {
                assert_eq!(one.agrees_with(other), other.agrees_with(one), "{one:?}, {other:?}");
            }
        }
    }

    #[test]
    fn a_binding_alone_is_refused_beside_any_other_until_that_is_dropped() {
        // No loader has handles as small as these numbers.
        for (library, other) in (1..).zip(ALL) {
            let first = InUse::new(library, other).expect("it is not bound");
            assert!(InUse::new(library, Alone).is_none(), "{other:?}");
            assert!(InUse::new(library + 100, Alone).is_some(), "another library");
            drop(first);
            assert!(InUse::new(library, Alone).is_some(), "{other:?} has gone");
            assert!(InUse::new(library, other).is_some(), "a refused binding leaves nothing behind");
        }
    }

    #[test]
    fn calls_that_wait_for_their_turn_share_one_lock() {
        let bind = |sharing| InUse::new(200, sharing).expect("they agree");
        let (one, two, safe) = (bind(InTurn), bind(InTurn), bind(ThreadSafeInTurn));
        assert!(InUse::new(200, ThreadSafe).is_none(), "it would not wait");
        let turn = one.turn();
        assert!(two.turns.try_write().is_err() && safe.turns.try_read().is_err());
        drop(turn);
        let turn = safe.turn();
        assert!(safe.turns.try_read().is_ok(), "thread-safe calls run together");
        assert!(two.turns.try_write().is_err(), "but not beside a call that needs the library for itself");
        drop(turn);
    }
}

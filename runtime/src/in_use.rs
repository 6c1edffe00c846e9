//! Which libraries this process has bound. Every binding of a file is a binding of the same C code and the same
//! variables, so that the rules about threads belong to the library, not to the binding.
//!
//! A library is known by the handle of the system's loader, which is the same for every `open` of one file. What
//! `from_library` binds is not looked for: its caller vouches for the threads. It only counts where a library must end.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::begun::{Begun, Init};

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

/// One library. It is known for as long as the process lives: a library is never unloaded once it is bound.
#[derive(Default)]
struct Library {
    turns: RwLock<()>,
    bindings: Mutex<Bindings>,
}

/// The bindings of a library. Whoever has the lock begins or ends the library, or waits until another has.
#[derive(Default)]
struct Bindings {
    /// How those use it that look for each other.
    seen: Vec<Sharing>,
    /// How many there are besides.
    unseen: usize,
    begun: Begun,
}

impl Library {
    /// Ignores poisoning: no operation panics before it is complete.
    fn bindings(&self) -> MutexGuard<'_, Bindings> {
        self.bindings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no call runs that waits for its turn.
    fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        // A panic in another call leaves nothing behind that this one could see.
        self.turns.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").finish_non_exhaustive()
    }
}

/// The library that the loader knows by this handle.
fn library(handle: usize) -> Arc<Library> {
    static LIBRARIES: LazyLock<Mutex<HashMap<usize, Arc<Library>>>> = LazyLock::new(Mutex::default);
    Arc::clone(LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner).entry(handle).or_default())
}

/// A binding of a library, until it is dropped. The last one ends the library.
#[derive(Debug)]
pub struct InUse {
    library: Arc<Library>,
    sharing: Sharing,
    is_seen: bool,
}

impl InUse {
    /// The library is used in this way from now on; `None` if it is bound already in a way that does not agree.
    pub(crate) fn new(handle: usize, sharing: Sharing) -> Option<Self> {
        let library = library(handle);
        let mut bindings = library.bindings();
        if !bindings.seen.iter().all(|other| other.agrees_with(sharing)) {
            return None;
        }
        bindings.seen.push(sharing);
        drop(bindings);
        Some(Self { library, sharing, is_seen: true })
    }

    /// A library that is used in this way, whose other bindings are not looked for and do not find this one.
    pub(crate) fn unseen(sharing: Sharing) -> Self {
        Self::counted_in(Arc::default(), sharing)
    }

    /// The same, but the library ends with the last of all its bindings.
    pub(crate) fn counted(handle: usize, sharing: Sharing) -> Self {
        Self::counted_in(library(handle), sharing)
    }

    fn counted_in(library: Arc<Library>, sharing: Sharing) -> Self {
        library.bindings().unseen += 1;
        Self { library, sharing, is_seen: false }
    }

    /// Begins the library with `call`, unless a binding has begun it in the same way. It ends with its last binding.
    ///
    /// # Errors
    ///
    /// `call` failed: the library has not begun.
    pub(crate) fn begin<E>(&self, init: Init, call: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let mut bindings = self.library.bindings();
        if !bindings.begun.has(&init) {
            let _alone = self.library.alone();
            call()?;
        }
        bindings.begun.add(init);
        Ok(())
    }

    /// Waits until the library may be called.
    #[inline]
    pub fn turn(&self) -> Turn<'_> {
        match self.sharing {
            Sharing::Alone | Sharing::InTurn => Turn::Alone(self.library.alone()),
            Sharing::ThreadSafe | Sharing::ThreadSafeInTurn => {
                Turn::WithOthers(self.library.turns.read().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut bindings = self.library.bindings();
        if bindings.seen.len() + bindings.unseen == 1 {
            let begun = std::mem::take(&mut bindings.begun);
            // This binding is still there: others that would not agree with it are refused until the library has ended.
            begun.end(|| self.library.alone());
        }
        if !self.is_seen {
            bindings.unseen -= 1;
        } else if let Some(index) = bindings.seen.iter().position(|other| *other == self.sharing) {
            bindings.seen.swap_remove(index);
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
    use crate::begun::End;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

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
        assert!(two.library.turns.try_write().is_err() && safe.library.turns.try_read().is_err());
        drop(turn);
        let turn = safe.turn();
        assert!(safe.library.turns.try_read().is_ok(), "thread-safe calls run together");
        assert!(
            two.library.turns.try_write().is_err(),
            "but not beside a call that needs the library for itself"
        );
        drop(turn);
    }

    /// How often a library has begun and ended.
    #[derive(Default)]
    struct Calls {
        begun: AtomicUsize,
        ended: AtomicUsize,
    }

    impl Calls {
        /// Begins with the function at `address`, and ends with the one behind it.
        fn begin(self: &Arc<Self>, binding: &InUse, address: usize, args: &[i128]) {
            let calls = Arc::clone(self);
            let end =
                End { address: address + 1, call: Box::new(move || _ = calls.ended.fetch_add(1, SeqCst)) };
            let init = Init { address, args: args.to_vec(), end: Some(end) };
            let begun = binding.begin(init, || {
                self.begun.fetch_add(1, SeqCst);
                Ok::<(), ()>(())
            });
            assert_eq!(begun, Ok(()));
        }

        fn counts(&self) -> (usize, usize) {
            (self.begun.load(SeqCst), self.ended.load(SeqCst))
        }
    }

    #[test]
    fn a_library_begins_with_its_first_binding_and_ends_with_its_last() {
        let calls = Arc::new(Calls::default());
        let bind = || InUse::new(300, ThreadSafe).expect("they agree");
        for round in 1..=2 {
            let (one, two, counted) = (bind(), bind(), InUse::counted(300, ThreadSafe));
            // It has no `x-init`, but uses the library all the same.
            let plain = bind();
            calls.begin(&one, 10, &[3]);
            calls.begin(&two, 10, &[3]);
            calls.begin(&counted, 10, &[3]);
            assert_eq!(calls.counts(), (round, round - 1));
            drop((one, two));
            drop(plain);
            assert_eq!(calls.counts(), (round, round - 1), "one is left");
            drop(counted);
            assert_eq!(calls.counts(), (round, round));
        }
    }

    #[test]
    fn a_library_that_could_not_begin_does_not_end() {
        let calls = Arc::new(Calls::default());
        let bind = || InUse::new(301, ThreadSafe).expect("they agree");
        let failing = bind();
        let counted = Arc::clone(&calls);
        let end = End { address: 11, call: Box::new(move || _ = counted.ended.fetch_add(1, SeqCst)) };
        let init = Init { address: 10, args: Vec::new(), end: Some(end) };
        assert_eq!(failing.begin(init, || Err("no")), Err("no"));
        let other = bind();
        calls.begin(&other, 10, &[]);
        assert_eq!(calls.counts(), (1, 0), "it is tried again");
        drop(other);
        assert_eq!(calls.counts(), (1, 0), "the other one is still there");
        drop(failing);
        assert_eq!(calls.counts(), (1, 1));
    }

    #[test]
    fn other_arguments_begin_the_library_again_and_it_ends_once() {
        let calls = Arc::new(Calls::default());
        let bind = || InUse::new(302, InTurn).expect("they agree");
        let (one, two) = (bind(), bind());
        calls.begin(&one, 10, &[1]);
        calls.begin(&two, 10, &[2]);
        assert_eq!(calls.counts(), (2, 0));
        drop((one, two));
        assert_eq!(calls.counts(), (2, 1));
    }

    #[test]
    fn threads_that_bind_a_library_wait_until_it_has_begun() {
        let calls = Arc::new(Calls::default());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let binding = InUse::new(303, ThreadSafe).expect("they agree");
                        let calls = Arc::clone(&calls);
                        let ended = Arc::clone(&calls);
                        let end =
                            End { address: 11, call: Box::new(move || _ = ended.ended.fetch_add(1, SeqCst)) };
                        let init = Init { address: 10, args: Vec::new(), end: Some(end) };
                        let begun = binding.begin(init, || {
                            calls.begun.fetch_add(1, SeqCst);
                            Ok::<(), ()>(())
                        });
                        assert_eq!(begun, Ok(()));
                        let (begun, ended) = calls.counts();
                        assert_eq!(begun, ended + 1, "no thread sees a library that has ended");
                    }
                });
            }
        });
        let (begun, ended) = calls.counts();
        assert_eq!(begun, ended);
    }
}

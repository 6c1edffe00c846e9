//! Closures that are found by the address of a handle, for callbacks whose only user data is the handle itself.
//!
//! A generated method registers the closure before it passes the trampoline to C; the trampoline gets the handle back from C
//! and looks the closure up. An address alone would not do: a handle can have several closures, and the trampoline must
//! know the type of the one that it finds.

use std::any::TypeId;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ptr;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::callback::Kept;

/// A parameter of a function that takes such a closure. Its address is its identity.
#[derive(Debug)]
pub struct Slot(#[expect(dead_code, reason = "it has an address because it has a size")] u8);

impl Slot {
    /// A new parameter; it is a `static`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is only made for a `static`")]
    pub const fn new() -> Self {
        Self(0)
    }
}

/// The address of the handle, that of the slot, and the type of the closure.
type Key = (usize, usize, TypeId);

/// The user data of the living closures for each key. The latest is found.
type Registry = HashMap<Key, Vec<usize>>;

/// Ignores poisoning: no operation panics before it is complete.
fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A closure that the trampoline finds as long as this lives. The handle keeps it.
pub struct Registered<F: 'static> {
    key: Key,
    kept: Kept<F>,
}

impl<F: 'static> Registered<F> {
    /// Registers the closure for the handle at `handle`, in place of an earlier one of the same type, which is found again
    /// if this is dropped before it.
    pub fn new(slot: &'static Slot, handle: *mut c_void, kept: Kept<F>) -> Self {
        let key = (handle.addr(), ptr::from_ref(slot).addr(), TypeId::of::<F>());
        registry().entry(key).or_default().push(kept.user_data().expose_provenance());
        Self { key, kept }
    }

    /// A number for closures of this type in this slot: the handle keeps only the latest, which is the only one that is
    /// found.
    #[must_use]
    pub fn number(&self) -> usize {
        let mut hasher = DefaultHasher::new();
        (self.key.1, self.key.2).hash(&mut hasher);
        // Not 0, which numbers nothing.
        hasher.finish() as usize | 1
    }

    /// Calls the closure that is registered for the handle, from the trampoline. Returns `on_panic` if there is none, and
    /// where [`Kept::invoke`] does.
    ///
    /// # Safety
    ///
    /// If `F` is not `Sync`, no other thread calls it or drops it meanwhile.
    pub unsafe fn invoke<R>(
        slot: &'static Slot,
        handle: *mut c_void,
        on_panic: R,
        call: impl FnOnce(&F) -> R,
    ) -> R {
        let key = (handle.addr(), ptr::from_ref(slot).addr(), TypeId::of::<F>());
        let found = registry().get(&key).and_then(|closures| closures.last()).map(|user_data| {
            // While the registry is locked: another thread may replace the closure at any time.
            // SAFETY: the type is part of the key, and a closure that is dropped is taken out of the registry first, by
            // `Registered`, which owns it.
            unsafe { Kept::<F>::shared(ptr::with_exposed_provenance(*user_data)) }
        });
        let Some(closure) = found else { return on_panic };
        let user_data = Arc::as_ptr(&closure).cast_mut().cast();
        // SAFETY: the reference that was taken keeps the closure alive; the caller guarantees the threads.
        unsafe {
            Kept::<F>::invoke(user_data, on_panic, move |borrowed| {
                let _closure = closure;
                call(borrowed)
            })
        }
    }
}

impl<F: 'static> Drop for Registered<F> {
    fn drop(&mut self) {
        let mut registry = registry();
        let Some(closures) = registry.get_mut(&self.key) else { return };
        // Wherever it is: other threads may have registered closures since then, and dropped some.
        closures.retain(|user_data| *user_data != self.kept.user_data().addr());
        if closures.is_empty() {
            registry.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

    use super::*;

    static FIRST: Slot = Slot::new();
    static SECOND: Slot = Slot::new();

    type Closure = Box<dyn Fn() -> i32>;

    fn call(slot: &'static Slot, handle: *mut c_void) -> i32 {
        // SAFETY: one thread calls it.
        unsafe { Registered::<Closure>::invoke(slot, handle, -1, |closure| closure()) }
    }

    fn register(slot: &'static Slot, handle: *mut c_void, answer: i32) -> Registered<Closure> {
        Registered::new(slot, handle, Kept::new(Box::new(move || answer)))
    }

    #[test]
    fn a_closure_is_found_by_its_handle_and_its_slot_until_it_is_dropped() {
        let mut memory = [0_u8; 2];
        let (here, there): (*mut c_void, *mut c_void) =
            (ptr::from_mut(&mut memory[0]).cast(), ptr::from_mut(&mut memory[1]).cast());
        let one = register(&FIRST, here, 1);
        let two = register(&SECOND, here, 2);
        let three = register(&FIRST, there, 3);
        assert_eq!([call(&FIRST, here), call(&SECOND, here), call(&FIRST, there)], [1, 2, 3]);
        assert_eq!(call(&SECOND, there), -1);
        // SAFETY: as above.
        let other = unsafe { Registered::<fn() -> i32>::invoke(&FIRST, here, -1, |closure| closure()) };
        assert_eq!(other, -1, "closures of another type are others");
        let refused = register(&FIRST, here, 5);
        assert_eq!(call(&FIRST, here), 5);
        drop(refused);
        assert_eq!(call(&FIRST, here), 1, "C has kept the earlier one");
        let later = register(&FIRST, here, 4);
        assert_eq!(call(&FIRST, here), 4);
        drop(one);
        assert_eq!(call(&FIRST, here), 4, "it was replaced");
        assert!(later.number() != two.number() && later.number() == three.number());
        drop((later, two, three));
        assert_eq!([call(&FIRST, here), call(&SECOND, here), call(&FIRST, there)], [-1; 3]);
    }

    /// Two threads give the handle a closure at the same time, and C refuses both.
    #[test]
    fn closures_that_are_refused_in_any_order_are_never_found_again() {
        static SLOT: Slot = Slot::new();
        let mut memory = 0_u8;
        let handle: *mut c_void = ptr::from_mut(&mut memory).cast();
        let kept = register(&SLOT, handle, 1);
        let (one, two) = (register(&SLOT, handle, 2), register(&SLOT, handle, 3));
        drop(one);
        assert_eq!(call(&SLOT, handle), 3);
        drop(two);
        assert_eq!(call(&SLOT, handle), 1, "not the one that is gone");
        drop(kept);
        assert_eq!(call(&SLOT, handle), -1);
    }

    /// Holds the number 1 while it lives.
    struct Living(AtomicI32);

    impl Drop for Living {
        fn drop(&mut self) {
            self.0.store(-1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_closure_that_another_thread_replaces_lives_until_its_call_ends() {
        static SLOT: Slot = Slot::new();
        let mut memory = 0_u8;
        let handle = Sent(ptr::from_mut(&mut memory).cast());
        let living = || Registered::new(&SLOT, handle.get(), Kept::new(Living(AtomicI32::new(1))));
        let mut registered = living();
        let (calls, is_over) = (AtomicI32::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let call = |living: &Living| {
                        std::thread::yield_now();
                        living.0.load(Ordering::Relaxed)
                    };
                    // SAFETY: `Living` is `Sync`.
                    let seen = unsafe { Registered::<Living>::invoke(&SLOT, handle.get(), 1, call) };
                    assert_eq!(seen, 1);
                    calls.fetch_add(1, Ordering::Relaxed);
                }
            });
            for _ in 0..2_000 {
                registered = living();
                std::thread::yield_now();
            }
            while calls.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            is_over.store(true, Ordering::Relaxed);
        });
        drop(registered);
    }

    /// An address for two threads.
    #[derive(Clone, Copy)]
    struct Sent(*mut c_void);
    // SAFETY: it is only compared.
    unsafe impl Sync for Sent {}

    impl Sent {
        fn get(&self) -> *mut c_void {
            self.0
        }
    }
}

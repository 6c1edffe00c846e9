//! Typed opaque pointers for Rust callers.
//!
//! A generated newtype for each `x-handle` holds a [`Handle`]; the tokens of JSON callers are in
//! [`handles`](crate::handles).

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};
use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::sync::{Arc, Mutex, PoisonError};

use crate::callback::resume_kept_panic;
use crate::free::{Captured, FreeFn};
use crate::state::State;

mod list;
mod released;
mod released_list;

pub use list::{handles, nullable_handles};
pub use released::{Released, Releasing};
pub use released_list::ReleasedHandles;

/// A handle from C: it borrows the binding, or the handle that it lives in. An owned handle is
/// freed when dropped.
///
/// It is neither `Send` nor `Sync`: only the document can say which threads may use it (`x-threadSafe`), and then the
/// generated newtype is. Nothing here stands in its way: what it keeps for C is `Send`, and behind a lock.
///
/// ```compile_fail
/// fn assert_send<T: Send>() {}
/// assert_send::<opendyn::generated::Handle<'static, ()>>();
/// ```
/// ```compile_fail
/// fn assert_sync<T: Sync>() {}
/// assert_sync::<opendyn::generated::Handle<'static, ()>>();
/// ```
pub struct Handle<'l, B> {
    binding: &'l B,
    pointer: Address,
    owner: Owner,
    /// What C may use until the handle is freed: closures, and memory. It is dropped after `drop` has run.
    kept: Mutex<Vec<Keep>>,
    /// Further arguments of the function that frees.
    captured: Captured,
    /// Whether C counts owners, so that it may use what this keeps when this is freed.
    is_counted: bool,
}

/// What the compiler names where a handle is sent to another thread or shared: `x-threadSafe` of the document says which
/// threads may use a handle.
pub trait StaysInItsThreadUnlessXThreadSafe {}

/// A pointer for C. The marker alone decides that it stays in its thread.
#[derive(Clone, Copy)]
struct Address(Pointer, PhantomData<dyn StaysInItsThreadUnlessXThreadSafe>);

/// An address, which any thread may have.
#[derive(Clone, Copy)]
struct Pointer(NonNull<c_void>);

// SAFETY: nothing here follows it; C does, in calls that the marker of `Address` keeps in one thread.
unsafe impl Send for Pointer {}
// SAFETY: as above.
unsafe impl Sync for Pointer {}

impl Address {
    #[inline]
    fn new(pointer: NonNull<c_void>) -> Self {
        Self(Pointer(pointer), PhantomData)
    }

    #[inline]
    fn get(self) -> NonNull<c_void> {
        self.0.0
    }
}

/// Who frees a handle.
#[derive(Clone, Copy)]
enum Owner {
    /// This value, when it is dropped.
    This(FreeFn),
    /// Other code, at a time that is not known.
    Other,
    /// The table of a JSON caller, which also takes over what the call makes the handle keep.
    Table,
}

/// Something that C may use until a handle is freed.
pub struct Keep {
    /// What it replaces: the same argument of an earlier call. 0 replaces nothing.
    slot: usize,
    item: Box<dyn Any + Send>,
}

impl Keep {
    /// Something that is kept until the handle is freed.
    #[must_use]
    pub fn new(item: Box<dyn Any + Send>) -> Self {
        Self { slot: 0, item }
    }

    /// Keeps `item`, and drops what was kept with the same `slot`, if that is not 0.
    #[must_use]
    pub fn replacing(slot: usize, item: Box<dyn Any + Send>) -> Self {
        Self { slot, item }
    }

    /// The same item, kept by another handle: nothing there replaces it.
    pub(crate) fn for_another(self) -> Self {
        Self { slot: 0, ..self }
    }

    /// Adds this to `kept`, and returns what it replaces, to be dropped where no lock is held.
    #[must_use]
    pub(crate) fn add_to(self, kept: &mut Vec<Self>) -> Vec<Self> {
        if let Some(lasting) = kept.first().and_then(|first| first.item.downcast_ref::<Arc<Lasting>>()) {
            let lasting = Arc::clone(lasting);
            let mut others = lasting.others.lock().unwrap_or_else(PoisonError::into_inner);
            return self.add_to(&mut others);
        }
        let is_replaced = |earlier: &mut Self| self.slot != 0 && earlier.slot == self.slot;
        let replaced = kept.extract_if(.., is_replaced).collect();
        kept.push(self);
        replaced
    }
}

/// The memory of a state that C uses after its end, and what the state keeps. The state and its keeper share it: it is
/// freed with the keeper, which outlives the state.
struct Lasting {
    #[expect(dead_code, reason = "it is only kept, and dropped")]
    memory: State,
    others: Mutex<Vec<Keep>>,
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keep").field("slot", &self.slot).finish_non_exhaustive()
    }
}

impl<'l, B> Handle<'l, B> {
    /// The handle at `pointer`, owned if there is a `free`; `None` for NULL.
    ///
    /// # Safety
    ///
    /// `free`, if given, takes a `B`. A pointer that is not NULL is valid for `'l`, `free` may be
    /// called with it, and no other code frees it.
    #[inline]
    pub unsafe fn new(binding: &'l B, pointer: *mut c_void, free: Option<FreeFn>) -> Option<Self> {
        let owner = free.map_or(Owner::Other, Owner::This);
        let pointer = Address::new(NonNull::new(pointer)?);
        Some(Self {
            binding,
            pointer,
            owner,
            kept: Mutex::default(),
            captured: Captured::default(),
            is_counted: false,
        })
    }

    fn at(binding: &'l B, pointer: NonNull<c_void>, owner: Owner) -> Self {
        Self {
            binding,
            pointer: Address::new(pointer),
            owner,
            kept: Mutex::default(),
            captured: Captured::default(),
            is_counted: false,
        }
    }

    /// As [`Handle::new`], with further arguments for `free`.
    ///
    /// # Safety
    ///
    /// As for [`Handle::new`]; `free` takes these arguments.
    #[inline]
    pub unsafe fn with_captured(
        binding: &'l B,
        pointer: *mut c_void,
        free: FreeFn,
        captured: Captured,
    ) -> Option<Self> {
        let pointer = Address::new(NonNull::new(pointer)?);
        Some(Self {
            binding,
            pointer,
            owner: Owner::This(free),
            kept: Mutex::default(),
            captured,
            is_counted: false,
        })
    }

    /// The handle of a JSON caller at `pointer`, for one call: its table frees it.
    ///
    /// # Safety
    ///
    /// The pointer is valid for `'l`. What the handle keeps after the call is passed on to the table.
    #[inline]
    #[must_use]
    pub unsafe fn of_table(binding: &'l B, pointer: NonNull<c_void>) -> Self {
        let (kept, captured) = (Mutex::default(), Captured::default());
        Self {
            binding,
            pointer: Address::new(pointer),
            owner: Owner::Table,
            kept,
            captured,
            is_counted: false,
        }
    }

    /// The same handle of a table, which remembers these arguments of the function that frees it.
    #[must_use]
    pub fn capturing(mut self, captured: Captured) -> Self {
        self.captured = captured;
        self
    }

    /// The handle of a state, which keeps its memory: C has begun it, and `free` ends it.
    ///
    /// # Safety
    ///
    /// As for [`Handle::new`].
    #[must_use]
    pub unsafe fn of_state(binding: &'l B, memory: State, free: FreeFn) -> Self {
        let Parts { pointer, kept, captured } = Parts::of_state(memory);
        Self {
            binding,
            pointer: Address::new(pointer),
            owner: Owner::This(free),
            kept: Mutex::new(kept),
            captured,
            is_counted: false,
        }
    }

    /// As [`Handle::of_state`], for a state whose memory C uses after its end, until `keeper` is freed.
    ///
    /// # Safety
    ///
    /// As for [`Handle::new`]; `keeper` is not freed before this handle.
    #[must_use]
    pub unsafe fn of_lasting_state(
        binding: &'l B,
        memory: State,
        free: FreeFn,
        keeper: &Handle<'_, B>,
    ) -> Self {
        let (Parts { pointer, kept, captured }, shared) = Parts::of_lasting_state(memory);
        keeper.keep(shared.item);
        Self {
            binding,
            pointer: Address::new(pointer),
            owner: Owner::This(free),
            kept: Mutex::new(kept),
            captured,
            is_counted: false,
        }
    }

    /// The same handle, of which C counts the owners. C may be one of them, and which of them is the last one is known to C
    /// alone: what this keeps is never freed.
    #[must_use]
    pub fn counted(mut self) -> Self {
        self.is_counted = true;
        self
    }

    /// One more owner of the same object, which C has counted. What any of the owners keeps is never freed, as for
    /// [`Handle::counted`].
    ///
    /// # Safety
    ///
    /// `free` takes a `B`, and may be called with the pointer once more than without this owner.
    #[must_use]
    pub unsafe fn retained(&self, free: FreeFn) -> Self {
        Self {
            binding: self.binding,
            pointer: self.pointer,
            owner: Owner::This(free),
            kept: Mutex::default(),
            captured: Captured::default(),
            is_counted: true,
        }
    }

    /// The pointer for C.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.get().as_ptr()
    }

    /// The pointer for a function of `binding`.
    ///
    /// # Panics
    ///
    /// The handle was made by another binding. Its functions may be those of another library, to
    /// which the pointer means nothing.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn as_ptr_for(&self, binding: &B) -> *mut c_void {
        assert!(ptr::eq(self.binding, binding), "the handle was made by another binding");
        self.pointer.get().as_ptr()
    }

    /// The binding whose functions take the handle.
    #[inline]
    #[must_use]
    pub fn binding(&self) -> &'l B {
        self.binding
    }

    /// Keeps something that C may use until the handle is freed, such as a closure. What was passed to C earlier is
    /// kept too, because C may still use it. When a borrowed handle is freed is unknown, so what it keeps is leaked.
    pub fn keep(&self, item: Box<dyn Any + Send>) {
        drop(self.keep_as(0, item));
    }

    /// As [`Handle::keep`], for an item that replaces the one with the same `slot`, if that is not 0. Returns what is
    /// replaced: a result of the call may point to it, so it is dropped when the results are copied.
    pub fn keep_as(&self, slot: usize, item: Box<dyn Any + Send>) -> Vec<Keep> {
        match self.owner {
            Owner::This(_) | Owner::Table => {
                let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                Keep { slot, item }.add_to(&mut kept)
            }
            Owner::Other => {
                mem::forget(item);
                Vec::new()
            }
        }
    }

    /// Keeps what another handle kept, which C frees with this one. Nothing is replaced: each was kept for its own handle.
    fn keep_all(&self, items: Vec<Keep>) {
        match self.owner {
            Owner::This(_) | Owner::Table => {
                let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(items.into_iter().map(Keep::for_another));
            }
            Owner::Other => mem::forget(items),
        }
    }

    /// What the handle keeps, which the table of a JSON caller takes over.
    #[must_use]
    pub fn take_kept(&self) -> Vec<Keep> {
        mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn kept(&mut self) -> &mut Vec<Keep> {
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// What can be dropped when this is freed. What other owners need is leaked.
    fn own_kept(&mut self) -> Vec<Keep> {
        let kept = mem::take(self.kept());
        if self.is_counted {
            mem::forget(kept);
            return Vec::new();
        }
        kept
    }

    /// The pointer, which this no longer frees, and what it keeps: [`Handles`](crate::Handles) takes both over.
    #[inline]
    #[must_use]
    pub fn into_parts(self) -> Parts {
        let mut this = ManuallyDrop::new(self);
        Parts { pointer: this.pointer.get(), kept: this.own_kept(), captured: mem::take(&mut this.captured) }
    }

    /// The pointer for a C function that frees the handle itself, with what must outlive that call.
    ///
    /// # Panics
    ///
    /// As for [`Handle::as_ptr_for`]; the handle is then dropped, which frees it.
    #[inline]
    #[track_caller]
    pub fn release(self, binding: &B) -> Released {
        let _ = self.as_ptr_for(binding);
        let Parts { pointer, kept, .. } = self.into_parts();
        Released { pointer, kept: ManuallyDrop::new(kept) }
    }

    /// As [`Handle::release`], for a C function that may refuse, so that the handle can be given back.
    ///
    /// # Panics
    ///
    /// As for [`Handle::as_ptr_for`]; the handle is then dropped, which frees it.
    #[inline]
    #[track_caller]
    pub fn releasing(self, binding: &B) -> Releasing<'l, B> {
        let _ = self.as_ptr_for(binding);
        Releasing::new(self)
    }
}

impl<B> Drop for Handle<'_, B> {
    fn drop(&mut self) {
        let Owner::This(free) = self.owner else {
            // What the table did not take over, C may still use.
            return mem::forget(mem::take(self.kept()));
        };
        // SAFETY: the caller of `new` guaranteed that `free` takes this binding and this pointer. The
        // binding is borrowed, and handles that were taken apart or released are never dropped.
        let is_freed =
            unsafe { free(ptr::from_ref(self.binding).cast(), self.pointer.get().as_ptr(), &self.captured) };
        let is_counted = self.is_counted;
        let kept = self.kept();
        if kept.is_empty() {
            return;
        }
        if !is_freed || is_counted {
            // C has refused, or has other owners, and may still use it.
            mem::forget(mem::take(kept));
        }
        resume_kept_panic();
    }
}

impl<B> fmt::Debug for Handle<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.pointer.get()).finish()
    }
}

/// A handle that is taken apart, for a table of handles.
#[derive(Debug)]
pub struct Parts {
    /// The pointer.
    pub pointer: NonNull<c_void>,
    /// What C may use until the handle is freed.
    pub kept: Vec<Keep>,
    /// Further arguments of the function that frees.
    pub captured: Captured,
}

impl Parts {
    /// A state, which keeps its memory.
    #[must_use]
    pub fn of_state(memory: State) -> Self {
        let pointer = memory.pointer();
        let kept = vec![Keep { slot: 0, item: Box::new(memory) }];
        Self { pointer, kept, captured: Captured::default() }
    }

    /// A state whose memory C uses after its end, and what its keeper keeps until it is freed.
    #[must_use]
    pub fn of_lasting_state(memory: State) -> (Self, Keep) {
        let pointer = memory.pointer();
        let shared = Arc::new(Lasting { memory, others: Mutex::default() });
        let keep = |shared| Keep { slot: 0, item: Box::new(shared) };
        let kept = vec![keep(Arc::clone(&shared))];
        (Self { pointer, kept, captured: Captured::default() }, keep(shared))
    }
}

/// A handle that other code frees. It can be borrowed and passed to C, but not moved out, so no
/// function that frees handles accepts it.
///
/// Others may have the same handle, as with a reference: it is `Send` only if the handle is `Sync`
/// (`"x-threadSafe": "handles"`).
pub struct Borrowed<T>(T, PhantomData<*const T>);

// SAFETY: as for `&T`: several threads may use the handle at the same time.
unsafe impl<T: Sync> Send for Borrowed<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Borrowed<T> {}

impl<T> Borrowed<T> {
    /// Wraps `handle`, which is not owned.
    #[doc(hidden)]
    #[inline]
    pub fn new(handle: T) -> Self {
        Self(handle, PhantomData)
    }

    /// The handle itself, for a function that frees it. Dropping it does not free it.
    ///
    /// # Safety
    ///
    /// No other code frees the handle.
    pub unsafe fn assume_owned(self) -> T {
        self.0
    }
}

impl<T> Deref for Borrowed<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Borrowed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Borrowed").field(&self.0).finish()
    }
}

/// Memory that C keeps for good.
#[must_use]
pub fn leaked<T: ?Sized>(owned: impl Into<Box<T>>) -> &'static T {
    Box::leak(owned.into())
}

#[cfg(test)]
mod tests;

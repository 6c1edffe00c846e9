//! The handles of an array that a caller has given up, while C takes them.

use std::ffi::c_void;
use std::fmt;
use std::ptr;

use super::{Handle, Releasing};

/// The handles of an array that C may take; `None` is NULL. C takes all of them or none. Unless they are given back, also
/// after a panic, they are leaked with what they keep.
#[must_use = "the handles are leaked unless they are taken or given back"]
pub struct ReleasedHandles<'l, B>(Vec<Option<Releasing<'l, B>>>);

impl<'l, B> ReleasedHandles<'l, B> {
    /// These handles, for a function of `binding`.
    ///
    /// # Panics
    ///
    /// As for [`Handle::as_ptr_for`]; the handles are then dropped, which frees them.
    #[track_caller]
    pub fn new(binding: &B, handles: impl IntoIterator<Item = Option<Handle<'l, B>>>) -> Self {
        let handles: Vec<Option<Handle<'l, B>>> = handles.into_iter().collect();
        // All of them before the first is given up.
        for handle in handles.iter().flatten() {
            let _ = handle.as_ptr_for(binding);
        }
        Self(handles.into_iter().map(|handle| handle.map(Releasing::new)).collect())
    }

    /// How many there are.
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "only generated code uses it, for the length that C is passed"
    )]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The pointers for C, which may change them, with a NULL behind them if `terminated`.
    #[must_use]
    pub fn pointers(&self, terminated: bool) -> Vec<*mut c_void> {
        let pointers = self.0.iter().map(|handle| handle.as_ref().map_or(ptr::null_mut(), Releasing::as_ptr));
        pointers.chain(terminated.then(ptr::null_mut)).collect()
    }

    /// C owns the handles for good: what they keep stays, too.
    pub fn taken(&mut self) {
        self.0.iter_mut().flatten().for_each(Releasing::taken);
    }

    /// As [`Releasing::given_away`].
    pub fn given_away(&mut self) {
        self.0.iter_mut().flatten().for_each(Releasing::given_away);
    }

    /// C frees the handles with `owner`, which keeps for C from now on what they kept.
    ///
    /// # Safety
    ///
    /// When `owner` is freed, C does not use again what the handles kept.
    pub unsafe fn taken_into<T>(&mut self, owner: &Handle<'_, T>) {
        for handle in self.0.iter_mut().flatten() {
            // SAFETY: the caller guarantees it for each of them.
            unsafe { handle.taken_into(owner) };
        }
    }

    /// The handles as ones that C owns and frees with another handle.
    ///
    /// # Safety
    ///
    /// C does not free them as long as `'h`, and `binding` is their binding.
    #[must_use]
    pub unsafe fn lent<'h, T>(&self, binding: &'h T) -> Vec<Option<Handle<'h, T>>> {
        // SAFETY: the caller guarantees it for each of them.
        self.0.iter().map(|handle| handle.as_ref().map(|handle| unsafe { handle.lent(binding) })).collect()
    }

    /// The handles, which C has not taken.
    ///
    /// # Safety
    ///
    /// C has not taken them.
    #[must_use]
    pub unsafe fn back(self) -> Vec<Option<Handle<'l, B>>> {
        // SAFETY: the caller guarantees it for each of them.
        self.0.into_iter().map(|handle| handle.map(|handle| unsafe { handle.back() })).collect()
    }

    /// The handles, unless C has taken them.
    #[must_use]
    pub fn unless_freed(self) -> Option<Vec<Option<Handle<'l, B>>>> {
        let each = self.0.into_iter().map(|handle| match handle {
            Some(handle) => handle.unless_freed().map(Some),
            None => Some(None),
        });
        each.collect()
    }
}

impl<B> fmt::Debug for ReleasedHandles<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReleasedHandles").field(&self.0).finish()
    }
}

//! Tables behind `&'static`, owned by the document that they are made of.
//!
//! The tables of compiled bindings are statics, and the runtime takes them as such. Those of an interpreted document
//! must go when the document goes: `serve` reads documents again and again.

use std::any::Any;
use std::fmt;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

/// The owner of tables.
pub(crate) struct Store {
    kept: Mutex<Vec<Kept>>,
}

/// A table, from `Box::into_raw`.
struct Kept(NonNull<dyn Any + Send + Sync>);

// SAFETY: the table is `Send` and `Sync`, and the pointer is its only owner.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

impl Store {
    /// An empty store.
    ///
    /// # Safety
    ///
    /// What [`Store::keep`] returns must not be used after the store is dropped.
    pub(crate) unsafe fn new() -> Self {
        Self { kept: Mutex::default() }
    }

    /// Keeps `table` until the store is dropped.
    pub(crate) fn keep<T: Any + Send + Sync>(&self, table: T) -> &'static T {
        let table = NonNull::from(Box::leak(Box::new(table)));
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(Kept(table));
        // SAFETY: the table stays in place and unchanged until the store is dropped, and whoever made the store
        // guaranteed that the reference is not used after that.
        unsafe { table.as_ref() }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        // Newest first: a table may refer to earlier ones.
        for Kept(table) in kept.drain(..).rev() {
            // SAFETY: the pointer is from `Box::leak`, and is taken back once.
            drop(unsafe { Box::from_raw(table.as_ptr()) });
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn tables_stay_until_the_store_goes_and_then_go() {
        let table = Arc::new(7);
        // SAFETY: the references are not used after the store is dropped.
        let store = unsafe { Store::new() };
        let first = store.keep(Arc::clone(&table));
        for _ in 0..100 {
            store.keep(Arc::clone(&table));
        }
        assert_eq!((**first, Arc::strong_count(&table)), (7, 102));
        drop(store);
        assert_eq!(Arc::strong_count(&table), 1);
    }
}

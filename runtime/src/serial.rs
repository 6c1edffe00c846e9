//! Whether several threads may use a binding at once.

use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opentool::{CallContext, Map, OpenTool, Tool, ToolError, Value};

/// What the compiler names where a binding is shared that is not thread-safe: share it through [`Serial`], or write
/// `x-threadSafe` into the document, if the library is.
pub trait ShareItThroughSerialOrWriteXThreadSafe {}

/// A field that makes a binding `Send` but not `Sync`: C code is assumed not to be thread-safe
/// unless the document says so (`x-threadSafe`).
#[derive(Clone, Copy, Debug, Default)]
pub struct ShareThroughSerial(PhantomData<dyn ShareItThroughSerialOrWriteXThreadSafe + Send>);

impl ShareThroughSerial {
    /// The marker.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A lock that makes a binding shareable that is not thread-safe: one call at a time.
///
/// ```
/// use std::cell::Cell;
///
/// // Like a binding, a `Cell` is `Send` but not `Sync`.
/// let counter = opendyn::Serial::new(Cell::new(0));
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| {
///             let counter = counter.lock();
///             counter.set(counter.get() + 1);
///         });
///     }
/// });
/// assert_eq!(counter.into_inner().get(), 4);
/// ```
#[derive(Debug, Default)]
pub struct Serial<T>(Mutex<T>);

impl<T> Serial<T> {
    /// Puts `binding` behind a lock.
    #[must_use]
    pub const fn new(binding: T) -> Self {
        Self(Mutex::new(binding))
    }

    /// Waits for the calls of other threads to end, and locks the binding.
    ///
    /// Poisoning is ignored: a binding holds only addresses, which a panic in another thread cannot
    /// leave inconsistent.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the binding out again.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Tool> Tool for Serial<T> {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.lock().call_into(name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.lock().call_for(context, name, arguments, out)
    }

    fn can_cancel(&self, name: &str) -> bool {
        self.lock().can_cancel(name)
    }

    fn load(&self) -> Option<OpenTool> {
        self.lock().load()
    }

    fn call_json(&self, name: &str, arguments: &str) -> Result<String, ToolError> {
        self.lock().call_json(name, arguments)
    }

    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        self.lock().call(name, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn assert_send<T: Send>() {}
    fn assert_sync<T: Sync>() {}

    #[test]
    fn the_lock_makes_what_is_only_send_shareable() {
        assert_send::<ShareThroughSerial>();
        assert_sync::<Serial<ShareThroughSerial>>();
    }

    #[test]
    fn the_lock_survives_a_panic() {
        let serial = Serial::new(Cell::new(1));
        let panicked = std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    let _held = serial.lock();
                    panic!("while the lock is held");
                })
                .join()
        });
        assert!(panicked.is_err());
        assert_eq!(serial.lock().get(), 1);
        assert_eq!(serial.into_inner().get(), 1);
    }
}

//! One caller of a binding with handles, isolated from other callers.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use opentool::{CallContext, Function, Measure, OpenTool, Tool, ToolError};

use crate::cancel::cancellable;
use crate::{Handles, Serial};

/// A binding whose functions take and return handles. Generated bindings implement it if the
/// document has an `x-handle`.
///
/// ```
/// use opendyn::{Binding, Session, Tool, ToolError};
///
/// /// Calls for one caller, whose handles are freed when the session is dropped.
/// fn library_version<T: Binding>(binding: T) -> Result<String, ToolError> {
///     Session::new(binding).call_json("sqlite3_libversion", "{}")
/// }
/// ```
pub trait Binding {
    /// As [`Tool::call_into`], with the handles of one caller. Other calls with these handles wait.
    ///
    /// # Errors
    ///
    /// [`ToolError`] says what is wrong, and where. A token that is not in `handles` is an error.
    fn call_with(
        &self,
        handles: &Handles,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError>;

    /// The document that describes the functions, if there is one.
    fn load(&self) -> Option<OpenTool>;

    /// As [`Tool::can_cancel`].
    fn can_cancel(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Frees the remaining `handles`, children first. Handles of another binding are left alone.
    fn free_handles(&self, handles: &Handles);
}

/// Implements `Binding` for pointers to bindings.
macro_rules! binding_behind {
    ($($pointer:ty)*) => {$(
        impl<T: Binding + ?Sized> Binding for $pointer {
            fn call_with(
                &self,
                handles: &Handles,
                name: &str,
                arguments: &[u8],
                out: &mut Vec<u8>,
            ) -> Result<(), ToolError> {
                (**self).call_with(handles, name, arguments, out)
            }

            fn load(&self) -> Option<OpenTool> {
                (**self).load()
            }

            fn can_cancel(&self, name: &str) -> bool {
                (**self).can_cancel(name)
            }

            fn free_handles(&self, handles: &Handles) {
                (**self).free_handles(handles);
            }
        }
    )*};
}
binding_behind!(&T Box<T> Arc<T>);

impl<T: Binding> Binding for Serial<T> {
    fn call_with(
        &self,
        handles: &Handles,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.lock().call_with(handles, name, arguments, out)
    }

    fn load(&self) -> Option<OpenTool> {
        Binding::load(&*self.lock())
    }

    fn can_cancel(&self, name: &str) -> bool {
        self.lock().can_cancel(name)
    }

    fn free_handles(&self, handles: &Handles) {
        self.lock().free_handles(handles);
    }
}

/// One caller of a binding, with handles of its own.
///
/// A server creates one per caller: a token of one session is invalid in another, and when a
/// session ends, its remaining handles are freed. The calls of one session run one after the
/// other; those of different sessions run in parallel, if the binding allows it.
///
/// ```
/// use std::sync::Arc;
/// use opendyn::{Binding, Serial, Session, Tool};
///
/// /// Serves one connection. The binding is shared, the handles are not.
/// fn serve<T: Binding>(binding: &Arc<Serial<T>>, requests: &[(&str, &str)]) {
///     let session = Session::new(Arc::clone(binding));
///     for (function, arguments) in requests {
///         match session.call_json(function, arguments) {
///             Ok(result) => println!("{result}"),
///             Err(error) => println!("{error}"),
///         }
///     }
/// }
/// ```
pub struct Session<T: Binding> {
    binding: T,
    handles: Handles,
    quota: Option<Quota>,
}

/// How many handles a session may have.
struct Quota {
    most: usize,
    /// The functions that return handles.
    creators: BTreeSet<String>,
}

impl<T: Binding> Session<T> {
    /// A session without handles.
    #[must_use]
    pub fn new(binding: T) -> Self {
        Self { binding, handles: Handles::new(), quota: None }
    }

    /// Refuses calls that return handles while the session has `most` of them.
    #[must_use]
    pub fn with_quota(mut self, most: usize) -> Self {
        let functions = self.binding.load().into_iter().flat_map(|document| document.functions);
        let creators = functions.filter(Function::returns_handle).map(|function| function.name).collect();
        self.quota = Some(Quota { most, creators });
        self
    }

    /// The binding.
    #[must_use]
    pub fn binding(&self) -> &T {
        &self.binding
    }

    /// The handles that this session holds.
    #[must_use]
    pub fn handles(&self) -> &Handles {
        &self.handles
    }
}

impl<T: Binding> Tool for Session<T> {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        if let Some(Quota { most, creators }) = &self.quota
            && self.handles.len() >= *most
            && creators.contains(name)
        {
            let message = format!("this session has {most} handles, and may have no more: free some first");
            return Err(ToolError::call_failed(message));
        }
        self.binding.call_with(&self.handles, name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        if self.can_cancel(name) || context.is_watched() {
            return cancellable(context, || self.call_into(name, arguments, out));
        }
        self.call_into(name, arguments, out)
    }

    fn can_cancel(&self, name: &str) -> bool {
        self.binding.can_cancel(name)
    }

    fn load(&self) -> Option<OpenTool> {
        self.binding.load()
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        note(Measure::Handles, self.handles.len() as u64);
    }
}

impl<T: Binding> Drop for Session<T> {
    fn drop(&mut self) {
        self.binding.free_handles(&self.handles);
    }
}

impl<T: Binding> fmt::Debug for Session<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("handles", &self.handles).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::free::Free;
    use crate::handle::Parts;
    use crate::handles::{Given, HandleType};
    use std::ffi::c_void;
    use std::ptr::{self, NonNull};
    use std::sync::atomic::{AtomicUsize, Ordering};

    static FILE: HandleType = HandleType::new("file");

    /// A hand-written binding in the form of a generated one: `open` returns a token, `read` and
    /// `close` take a token as their arguments.
    #[derive(Default)]
    struct Files {
        handles: Handles,
        opened: AtomicUsize,
        freed: AtomicUsize,
    }

    unsafe fn free(binding: *const (), _: *mut c_void, _: &[u64]) -> bool {
        // SAFETY: `free` is only called with a `Files`.
        unsafe { &*binding.cast::<Files>() }.freed.fetch_add(1, Ordering::Relaxed);
        true
    }

    impl Binding for Files {
        fn call_with(
            &self,
            handles: &Handles,
            name: &str,
            arguments: &[u8],
            out: &mut Vec<u8>,
        ) -> Result<(), ToolError> {
            let _entered = handles.enter(&self.handles)?;
            let token = str::from_utf8(arguments).expect("tests give text");
            match name {
                "open" => {
                    let address = self.opened.fetch_add(1, Ordering::Relaxed) + 1;
                    let pointer = NonNull::new(ptr::without_provenance_mut(address)).expect("not NULL");
                    let parts = Parts { pointer, kept: Vec::new(), captured: Box::default() };
                    out.extend(
                        handles.insert(Given::Owned { parts, free: Free::By(free) }, &FILE, &[]).bytes(),
                    );
                }
                "read" => _ = handles.get(token, &FILE)?,
                _ => {
                    let pointer = handles.take(token, &FILE)?;
                    // SAFETY: `self` is a `Files`.
                    unsafe { free(ptr::from_ref(self).cast(), pointer.as_ptr(), &[]) };
                }
            }
            Ok(())
        }

        fn load(&self) -> Option<OpenTool> {
            None
        }

        fn free_handles(&self, handles: &Handles) {
            let Ok(_entered) = handles.enter(&self.handles) else { return };
            // SAFETY: `free` takes a `Files`; the table belongs to this binding, and the guard is held.
            unsafe { handles.free_all(ptr::from_ref(self).cast()) };
        }
    }

    #[test]
    fn remaining_handles_are_freed_once_with_their_session() {
        let files = Files::default();
        let session = Session::new(&files);
        let closed = session.call_json("open", "").expect("opens");
        session.call_json("open", "").expect("opens");
        session.call_json("close", &closed).expect("closes");
        assert_eq!((session.handles().len(), files.freed.load(Ordering::Relaxed)), (1, 1));
        drop(session);
        assert_eq!(files.freed.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn the_tokens_of_one_session_mean_nothing_to_another() {
        let files = Arc::new(Files::default());
        let (one, other) = (Session::new(Arc::clone(&files)), Session::new(files));
        let token = one.call_json("open", "").expect("opens");
        let error = other.call_json("read", &token).expect_err("not its own");
        assert_eq!(error.code(), 400);
        assert_eq!(error.to_string(), format!("invalid arguments: \"{token}\" belongs to another session"));
        one.call_json("read", &token).expect("its own");
    }

    #[test]
    fn handles_stay_with_the_binding_that_gave_them() {
        let (one, other) = (Files::default(), Files::default());
        let handles = Handles::new();
        let mut token = Vec::new();
        one.call_with(&handles, "open", b"", &mut token).expect("opens");
        other.free_handles(&handles);
        assert_eq!((handles.len(), other.freed.load(Ordering::Relaxed)), (1, 0));
        let error = other.call_with(&handles, "read", &token, &mut Vec::new()).expect_err("another");
        assert_eq!(error.to_string(), "invalid arguments: the handles belong to another binding");
        one.free_handles(&handles);
        assert_eq!(one.freed.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn sessions_share_a_binding_behind_every_pointer_and_lock() {
        fn opens(binding: impl Binding) {
            let session = Session::new(binding);
            session.call_json("open", "").expect("opens");
            assert_eq!(session.handles().len(), 1);
            assert_eq!(session.load(), None);
        }
        let files = Arc::new(Serial::new(Files::default()));
        opens(&files);
        opens(Box::new(Arc::clone(&files)) as Box<dyn Binding>);
        opens(Arc::clone(&files));
        assert_eq!(files.lock().freed.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_session_of_a_shared_binding_can_be_shared() {
        fn assert_send_sync<T: Send + Sync>() {}
        assert_send_sync::<Session<Arc<Files>>>();
    }
}

//! A document with its library.

use std::fmt;
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use opendyn::generated::{Deserializer, Map, Serializer, Value};
use opendyn::interpreted::{LoadedLibrary, call_json, call_map, call_serde, cancellable};
use opendyn::{Binding, Handles, LoadError, Tool, ToolError, libloading};
use opentool::{CallContext, Measure, OpenTool};

use crate::Document;
use crate::begin::begin;
use crate::bound::Bound;
use crate::call::call;

/// A document with its library: every function of the document can be called with JSON.
///
/// It can be shared between threads. Calls run one after the other, also those of other documents of the same library,
/// unless the document says that the library is thread-safe.
///
/// ```no_run
/// use opendyn_interpreter::{Document, Interpreted, Options};
/// use opendyn::Tool;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let source = std::fs::read_to_string("calc.json")?;
/// let document = Document::read("calc.json", &source, &Options::default())?;
/// // SAFETY: calc.json describes the functions of libcalc.so correctly.
/// let calc = unsafe { Interpreted::open(document, "libcalc.so")? };
/// assert_eq!(calc.call_json("add", r#"{"a":2,"b":3}"#)?, r#"{"result":5}"#);
/// # Ok(())
/// # }
/// ```
pub struct Interpreted {
    /// Its address stays the same: tables of handles have it. Callbacks that handles keep share it.
    bound: Arc<Bound>,
    handles: Handles,
}

impl Interpreted {
    /// Loads the library at `path` and looks up every function of the document.
    ///
    /// `path` is absolute, or a bare file name that the system looks for.
    ///
    /// # Errors
    ///
    /// The path is relative, the library cannot be loaded, or it lacks functions: all that are missing are listed. Or a
    /// compiled binding of the library is there, and one of the two documents does not say that it is thread-safe
    /// ([`LoadError::InUse`]). Or it could not be initialized ([`LoadError::Init`]).
    ///
    /// # Safety
    ///
    /// The functions of the library must have the signatures and keep the promises of the document, and its
    /// initialisers must be sound to run. If the library is not thread-safe, code that OpenDyn does not know of (another
    /// library that links it, a binding made by `from_library`) must not use it in another thread at the same time.
    pub unsafe fn open(document: Document, path: impl AsRef<Path>) -> Result<Self, LoadError> {
        // SAFETY: the caller vouches for the library.
        let library = unsafe { LoadedLibrary::open(path.as_ref(), document.symbols(), document.sharing())? };
        Self::begun(document, library)
    }

    /// Loads the library that the document names: the one in the environment variable, or else beside the program, or
    /// else wherever the system looks.
    ///
    /// # Errors
    ///
    /// No library was found, or the first one cannot be loaded, lacks functions or could not be initialized.
    ///
    /// # Safety
    ///
    /// As for [`Interpreted::open`].
    pub unsafe fn open_default(document: Document) -> Result<Self, LoadError> {
        let Some(places) = document.places() else {
            return Err(LoadError::NoDefault { variable: document.library_variable().into() });
        };
        // SAFETY: the caller vouches for the library.
        let library = places.open_first(|path| unsafe {
            LoadedLibrary::open(path, document.symbols(), document.sharing())
        })?;
        Self::begun(document, library)
    }

    /// Looks up every function of the document in a library that is loaded already.
    ///
    /// # Errors
    ///
    /// The library lacks functions: all that are missing are listed. Or it could not be initialized.
    ///
    /// # Safety
    ///
    /// The functions of the library must have the signatures and keep the promises of the document. If the library is
    /// not thread-safe, no other binding of it and no other code may run it in another thread at the same time. Other
    /// bindings are not looked for.
    pub unsafe fn from_library(document: Document, library: libloading::Library) -> Result<Self, LoadError> {
        let library = LoadedLibrary::from_loaded(library, document.symbols(), document.sharing())?;
        let library = if document.init().is_some() { library.counted(document.sharing()) } else { library };
        Self::begun(document, library)
    }

    /// The library has begun, if the document says how; it ends when the last binding of it is dropped.
    fn begun(document: Document, library: LoadedLibrary) -> Result<Self, LoadError> {
        let new = Self { bound: Arc::new(Bound::new(document, library)), handles: Handles::new() };
        begin(&new.bound)?;
        Ok(new)
    }

    /// The same, with the memory that C is lent between guard pages.
    #[cfg(all(unix, feature = "guard"))]
    pub(crate) fn guarded(mut self, guarding: crate::guard::Guarding) -> Self {
        // Nothing else has it before the first call.
        if let Some(bound) = Arc::get_mut(&mut self.bound) {
            bound.guard = Some(crate::guard::Guard::new(guarding));
        }
        self
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.bound.document
    }

    /// The loaded library, for what the document does not describe.
    #[must_use]
    pub fn library(&self) -> &libloading::Library {
        self.bound.library().loaded()
    }

    /// Calls `function` with arguments in any format that serde knows, and writes the result in any.
    ///
    /// # Errors
    ///
    /// There is no such function, the arguments do not fit it, the call failed, or the serializer did.
    pub fn call_serde<'de, D: Deserializer<'de>, S: Serializer>(
        &self,
        function: &str,
        arguments: D,
        serializer: S,
    ) -> Result<S::Ok, ToolError> {
        let (bound, document) = (&self.bound, self.document());
        let function = document.callable(document.find(function)?)?;
        // SAFETY: a call puts only handles that it got from C, with the function of the document that frees them.
        unsafe {
            call_serde(&function.fields, &self.handles, arguments, serializer, |own, args, out| {
                call(bound, own, function, args, out)
            })
        }
    }

    #[inline]
    fn call_as(
        &self,
        handles: Option<&Handles>,
        function: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let (bound, document) = (&self.bound, self.document());
        let function = document.callable(document.find(function)?)?;
        // SAFETY: a call puts only handles that it got from C, with the function of the document that frees them.
        unsafe {
            call_json(&function.fields, &self.handles, handles, arguments, out, |own, args, out| {
                call(bound, own, function, args, out)
            })
        }
    }
}

impl Tool for Interpreted {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_as(None, name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        if self.document().can_cancel(name) || context.is_watched() {
            return cancellable(context, || self.call_into(name, arguments, out));
        }
        self.call_into(name, arguments, out)
    }

    fn can_cancel(&self, name: &str) -> bool {
        self.document().can_cancel(name)
    }

    fn load(&self) -> Option<OpenTool> {
        self.document().load()
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        note(Measure::Handles, self.handles.len() as u64);
    }

    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        let (bound, document) = (&self.bound, self.document());
        let function = document.callable(document.find(name)?)?;
        // SAFETY: a call puts only handles that it got from C, with the function of the document that frees them.
        unsafe {
            call_map(&function.fields, &self.handles, arguments, |own, args, out| {
                call(bound, own, function, args, out)
            })
        }
    }
}

impl Binding for Interpreted {
    fn call_with(
        &self,
        handles: &Handles,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.call_as(Some(handles), name, arguments, out)
    }

    fn load(&self) -> Option<OpenTool> {
        self.document().load()
    }

    fn can_cancel(&self, name: &str) -> bool {
        self.document().can_cancel(name)
    }

    fn free_handles(&self, handles: &Handles) {
        let _alone = self.bound.wait();
        let Ok(_entered) = handles.enter(&self.handles) else { return };
        // SAFETY: the entries of a table of this binding were made for this `Bound`, and are freed by functions that the
        // document names. The guard is held, and no other call runs unless the library is thread-safe.
        unsafe { handles.free_all(ptr::from_ref(&*self.bound).cast()) };
    }
}

impl Drop for Interpreted {
    fn drop(&mut self) {
        self.free_handles(&self.handles);
    }
}

impl fmt::Debug for Interpreted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (library, handles) = (self.bound.library(), &self.handles);
        f.debug_struct("Interpreted")
            .field("document", &self.document().title())
            .field("library", library)
            .field("handles", handles)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_share_it() {
        fn assert_send_sync<T: Send + Sync>() {}
        assert_send_sync::<Interpreted>();
        assert_send_sync::<Document>();
    }
}

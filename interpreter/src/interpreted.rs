//! A document with its library.

use std::path::Path;

use opendyn::{Binding, Handles, LoadError, Tool, ToolError};
use opentool::OpenTool;

use crate::Document;

/// A document with its library. It can be shared between threads; calls run one after the other, unless the document
/// says that the library is thread-safe.
#[derive(Debug)]
pub struct Interpreted {
    _private: (),
}

impl Interpreted {
    /// Loads the library at `path` and looks up every function of the document.
    ///
    /// `path` is absolute, or a bare file name that the system looks for.
    ///
    /// # Errors
    ///
    /// The path is relative, the library cannot be loaded, or it lacks functions: all that are missing are listed.
    ///
    /// # Safety
    ///
    /// The functions of the library must have the signatures and keep the promises of the document, and its
    /// initialisers must be sound to run.
    pub unsafe fn open(document: Document, path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let _ = (document, path.as_ref());
        todo!()
    }

    /// Loads the library that the document names: the one in the environment variable, or else beside the program, or
    /// else wherever the system looks.
    ///
    /// # Errors
    ///
    /// No library was found, or the first one cannot be loaded or lacks functions.
    ///
    /// # Safety
    ///
    /// As for [`Interpreted::open`].
    pub unsafe fn open_default(document: Document) -> Result<Self, LoadError> {
        let _ = document;
        todo!()
    }

    /// Whether calls run in parallel.
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        todo!()
    }
}

impl Tool for Interpreted {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        let _ = (name, arguments, out);
        todo!()
    }

    fn load(&self) -> Option<OpenTool> {
        todo!()
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
        let _ = (handles, name, arguments, out);
        todo!()
    }

    fn load(&self) -> Option<OpenTool> {
        todo!()
    }

    fn free_handles(&self, handles: &Handles) {
        let _ = handles;
        todo!()
    }
}

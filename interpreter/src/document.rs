//! A document that has no errors.

use opendyn::ToolError;
use opendyn_model::{Diagnostics, Options};
use opentool::OpenTool;

/// A document that has no errors: what its functions take and return is known, their addresses are not.
#[derive(Debug)]
pub struct Document {
    _private: (),
}

impl Document {
    /// Reads the text of a document. `file` is its name in findings.
    ///
    /// # Errors
    ///
    /// The document has errors: all of them are returned, and its warnings too.
    pub fn read(file: &str, source: &str, options: &Options) -> Result<Self, Diagnostics> {
        let _ = (file, source, options);
        todo!()
    }

    /// Reads only what calls of `function` need, which takes a fraction of the time if the document is large. Errors in
    /// other functions are not found. If there is no such function, the document has none.
    ///
    /// # Errors
    ///
    /// As for [`Document::read`].
    pub fn read_for(file: &str, source: &str, options: &Options, function: &str) -> Result<Self, Diagnostics> {
        let _ = (file, source, options, function);
        todo!()
    }

    /// The warnings about the document.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        todo!()
    }

    /// `info.title`
    #[must_use]
    pub fn title(&self) -> &str {
        todo!()
    }

    /// Whether the document names a library, which [`Interpreted::open_default`](crate::Interpreted::open_default)
    /// opens.
    #[must_use]
    pub fn names_library(&self) -> bool {
        todo!()
    }

    /// Whether calls may run in parallel.
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        todo!()
    }

    /// The functions that can be called with JSON, as an OpenTool document.
    #[must_use]
    pub fn load(&self) -> Option<OpenTool> {
        todo!()
    }

    /// Whether a call is valid, as far as that can be known without the library: tokens are not looked up.
    ///
    /// # Errors
    ///
    /// The function does not exist or cannot be called with JSON, or the arguments are invalid.
    pub fn check_call(&self, function: &str, arguments: &[u8]) -> Result<(), ToolError> {
        let _ = (function, arguments);
        todo!()
    }
}

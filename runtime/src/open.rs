//! Loading a binding whose type is not known by name.

use std::path::Path;

use crate::LoadError;

/// Every binding, for macros that take any of them. Its own function may have another name than `open`, because a
/// function of the document can be called that.
pub trait Open: Sized {
    /// Loads the library at `path`.
    ///
    /// # Errors
    ///
    /// As for the binding's own function.
    ///
    /// # Safety
    ///
    /// As for the binding's own function.
    unsafe fn open_at(path: &Path) -> Result<Self, LoadError>;
}

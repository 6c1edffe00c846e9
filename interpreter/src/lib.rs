//! Calls the functions of a native library as its OpenDyn document describes them, without a compiler.
//!
//! [`Document`] is a document that has no errors; [`Interpreted`] is the document with its library, a
//! [`Tool`](opendyn::Tool) like every binding that `opendyn!` compiles.

mod begin;
mod bound;
mod call;
mod callback;
mod cancel;
mod collect;
mod document;
mod events;
mod failure;
mod foreign;
mod frame;
mod free;
mod guard;
mod interface;
mod interpreted;
mod kept;
mod kinds;
mod layout;
mod lent;
mod limits;
mod lists;
mod member;
mod number;
mod operand;
mod prepared;
mod records;
mod store;
mod tokens;
mod unions;

pub use document::Document;
pub use interpreted::Interpreted;
pub use opendyn::LoadError;
pub use opendyn_model::{Diagnostics, Options, Unchecked};

/// For the command `opendyn`, whose user vouches for the document and the library by naming them.
#[doc(hidden)]
pub mod command {
    use std::path::{Path, PathBuf};

    use crate::{Document, Interpreted, LoadError};

    /// Opens the library at `path`, or else the one that the document names.
    ///
    /// # Errors
    ///
    /// As for [`Interpreted::open`] and [`Interpreted::open_default`].
    pub fn open(document: Document, path: Option<&Path>) -> Result<Interpreted, LoadError> {
        // SAFETY: the user of the command named the document and the library, and vouches that they fit.
        unsafe {
            match path {
                Some(path) => Interpreted::open(document, path),
                None => Interpreted::open_default(document),
            }
        }
    }

    /// Where [`open`] looks for the library that the document names: paths, or a name for the system to find.
    #[must_use]
    pub fn places(document: &Document) -> Vec<PathBuf> {
        document.places().and_then(|places| places.places().ok()).unwrap_or_default()
    }

    pub use opendyn::worker::resume;

    /// The one caller of a worker, who can have so many handles.
    #[must_use]
    pub fn session(opened: Interpreted, handles: usize) -> opendyn::Session<Interpreted> {
        opendyn::Session::new(opened).with_quota(handles)
    }

    #[cfg(all(unix, feature = "guard"))]
    pub use crate::guard::{Guarding, Left, Lent, Observer, Place, What, report_faults};

    /// The same, with the memory that C is lent between guard pages.
    ///
    /// # Errors
    ///
    /// As for [`open`].
    #[cfg(all(unix, feature = "guard"))]
    pub fn open_guarded(
        document: Document,
        path: Option<&Path>,
        guarding: Guarding,
    ) -> Result<Interpreted, LoadError> {
        Ok(open(document, path)?.guarded(guarding))
    }
}

//! Calls the functions of a native library as its OpenDyn document describes them, without a compiler.
//!
//! [`Document`] is a document that has no errors; [`Interpreted`] is the document with its library, a
//! [`Tool`](opendyn::Tool) like every binding that `opendyn!` compiles.

mod bound;
mod call;
mod collect;
mod document;
mod failure;
mod frame;
mod interface;
mod interpreted;
mod kinds;
mod layout;
mod number;
mod operand;
mod prepared;
mod store;
mod tokens;

pub use document::Document;
pub use interpreted::Interpreted;
pub use opendyn::LoadError;
pub use opendyn_model::{Diagnostics, Options, Unchecked};

/// For the command `opendyn`, whose user vouches for the document and the library by naming them.
#[doc(hidden)]
pub mod command {
    use std::path::Path;

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
}

//! The document that a command is given.

use std::path::Path;

use crate::failure::{Failure, Outcome};

/// A document: its name as the user gave it, and its text.
pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) source: String,
}

impl Document {
    /// Reads the document at `path`.
    pub(crate) fn read(path: &Path) -> Outcome<Self> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(source) => Ok(Self { name, source }),
            Err(error) => Err(Failure::new(format!("cannot read the document `{name}`: {error}"))),
        }
    }
}

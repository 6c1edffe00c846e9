//! The document that a command is given.

use std::io::Read;
use std::path::Path;

use crate::failure::{Failure, Outcome};

/// A document: its name as the user gave it, and its text.
pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) source: String,
}

impl Document {
    /// Reads the document at `path`; `-` is stdin.
    pub(crate) fn read(path: &Path) -> Outcome<Self> {
        if is_stdin(path) {
            let mut source = String::new();
            return match std::io::stdin().read_to_string(&mut source) {
                Ok(_) => Ok(Self { name: "stdin".to_owned(), source }),
                Err(error) => Err(Failure::new(format!("cannot read the document from stdin: {error}"))),
            };
        }
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(source) => Ok(Self { name, source }),
            Err(error) => Err(Failure::new(format!("cannot read the document `{name}`: {error}"))),
        }
    }
}

/// Whether a path stands for stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

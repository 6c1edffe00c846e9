//! The document that a command is given.

use std::io::Read;
use std::path::Path;

use crate::failure::{Failure, Outcome};

/// A document with ten thousand functions has five megabytes.
const LARGEST: u64 = 256 << 20;

/// A document: its name as the user gave it, and its text.
#[derive(Clone)]
pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) source: String,
}

impl Document {
    /// Reads the document at `path`; `-` is stdin.
    pub(crate) fn read(path: &Path) -> Outcome<Self> {
        if is_stdin(path) {
            return match bounded(std::io::stdin()) {
                Ok(source) => Ok(Self { name: "stdin".to_owned(), source }),
                Err(error) => Err(Failure::new(format!("cannot read the document from stdin: {error}"))),
            };
        }
        let name = path.display().to_string();
        match std::fs::File::open(path).and_then(bounded) {
            Ok(source) => Ok(Self { name, source }),
            Err(error) => Err(Failure::new(format!("cannot read the document `{name}`: {error}"))),
        }
    }
}

fn bounded(from: impl Read) -> std::io::Result<String> {
    String::from_utf8(bytes(from)?).map_err(|_| std::io::Error::other("it is not UTF-8"))
}

/// Reads everything, up to the limit: the path may be a device that never ends.
pub(crate) fn bytes(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(std::io::Error::other("it is larger than 256 MiB"));
    }
    Ok(bytes)
}

/// Whether a path stands for stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

//! Where results go: stdout, or the file that `-o` names.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::{Failure, Outcome};

/// Writes a result to stdout, as it is.
///
/// A reader that has seen enough, such as `head`, closes the pipe: the command then ends, without a word.
pub(crate) fn print(text: &str) -> Outcome<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::new(format!("cannot write to stdout: {error}"))),
    }
}

/// Writes a file, unless it has that very text already. Whether it was written.
pub(crate) fn write(path: &Path, text: &str) -> Outcome<bool> {
    if std::fs::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(false);
    }
    match std::fs::write(path, text) {
        Ok(()) => Ok(true),
        Err(error) => Err(Failure::new(format!("cannot write `{}`: {error}", path.display()))),
    }
}

//! Where results go: stdout, or the file that `-o` names.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::{Failure, Outcome};

/// Writes a result to stdout, unchanged.
///
/// If the reader closes the pipe, as `head` does, the command ends silently.
pub(crate) fn print(text: &str) -> Outcome<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::new(format!("cannot write to stdout: {error}"))),
    }
}

/// Does the same for code that writes to stdout with `println!`, which panics on errors.
pub(crate) fn exit_on_broken_pipe() {
    let otherwise = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // `println!` formats its message.
        let message = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        let Some(reason) = message.strip_prefix("failed printing to stdout: ") else {
            return otherwise(panic);
        };
        // The error kind is lost here; these are its texts on Unix and on Windows.
        if reason.starts_with("Broken pipe") || reason.contains("os error 232") {
            std::process::exit(0);
        }
        Failure::new(format!("cannot write to stdout: {reason}")).show();
        std::process::exit(2);
    }));
}

/// Writes a file so that it has its old text or all of the new one, whenever the process ends.
pub(crate) fn replace(path: &Path, text: &str) -> Outcome<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let written = fill(Path::new(&beside), path, text).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // It may never have been there.
        let _ = std::fs::remove_file(&beside);
        Failure::new(format!("cannot write `{}`: {error}", path.display()))
    })
}

/// Writes a new file that those may read who may read `like`: a configuration may hold secrets.
fn fill(path: &Path, like: &Path, text: &str) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    if let Ok(present) = std::fs::metadata(like) {
        file.set_permissions(present.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Writes a file, unless it already has this text. Returns whether it was written.
pub(crate) fn write(path: &Path, text: &str) -> Outcome<bool> {
    if std::fs::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(false);
    }
    match std::fs::write(path, text) {
        Ok(()) => Ok(true),
        Err(error) => Err(Failure::new(format!("cannot write `{}`: {error}", path.display()))),
    }
}

//! The standard streams for a protocol alone, whatever a library prints or reads.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

/// Standard input and output as files of the caller's own.
///
/// From now on what a library or `println!` prints goes to standard error, and who reads standard input
/// finds it at its end. Call this once in a process, before there are threads that print.
///
/// # Errors
///
/// The system has no descriptor left, or no `/dev/null`.
pub fn take() -> io::Result<(File, File)> {
    // What was printed so far is not of the protocol; that it lies in our buffer does not make it so.
    io::stdout().flush()?;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok((input.into(), output.into()))
}

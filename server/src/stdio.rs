//! The standard streams, reserved for a protocol.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

/// Takes standard input and output for the caller.
///
/// From then on everything that a library or `println!` prints goes to standard error, and standard input is at its
/// end for other readers. Call this once per process, before other threads print.
///
/// # Errors
///
/// The system has no free descriptor, or no `/dev/null`.
pub fn take() -> io::Result<(File, File)> {
    // Output that is still in the buffer does not belong to the protocol.
    io::stdout().flush()?;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok((input.into(), output.into()))
}

//! A process that enters a sandbox and becomes another program: what a server starts in order to run Python in a sandbox.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::{Sandbox, SandboxError};

/// Enters the sandbox that [`Sandbox::to_arguments`] wrote, and becomes the program that follows, with the arguments that follow it.
/// The program does not get the environment variable `without`, which tells the process what to do.
///
/// Files and folders that are gone are not allowed, and no error.
///
/// # Errors
///
/// The arguments are no sandbox, it cannot be entered, or the program cannot be executed.
pub fn become_program(
    arguments: impl IntoIterator<Item = OsString>,
    without: &str,
) -> Result<Infallible, SandboxError> {
    let mut arguments = arguments.into_iter();
    let sandbox = Sandbox::from_arguments(&mut arguments)?;
    let program = arguments
        .next()
        .ok_or_else(|| SandboxError::Arguments("no program follows the sandbox".to_owned()))?;
    let mut command = Command::new(&program);
    command.args(arguments).env_remove(without);
    sandbox.present().enter()?;
    Err(SandboxError::Program(program.into(), command.exec()))
}

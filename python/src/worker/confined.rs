//! The sandbox of the processes: a program enters it and becomes Python, because a process can only be restricted by itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use opentool_sandbox::{Allowed, Sandbox};

use crate::{Interpreter, environment};

/// A program that enters a sandbox and becomes the program that its arguments name.
///
/// If `variable` is in its environment, it calls [`become_program`](opentool_sandbox::become_program) with its arguments, first in
/// `main`. It can be the program that runs the scripts.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The path of the program.
    pub program: PathBuf,
    /// The environment variable that is set for it, and that Python does not get.
    pub variable: OsString,
}

/// What the processes may do, and what starts them.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) allowed: Allowed,
    pub(super) launcher: Launcher,
}

/// The sandbox of every process of a pool.
#[derive(Debug)]
pub(super) struct Confined {
    pub(super) sandbox: Sandbox,
    launcher: Launcher,
}

impl Wanted {
    /// Python reads its own files and the folders of modules.
    pub(super) fn of(
        self,
        interpreter: &Interpreter,
        module_folders: &[PathBuf],
        memory: Option<u64>,
    ) -> Confined {
        let files = [&interpreter.files, module_folders].concat();
        let mut sandbox = Sandbox::for_program(interpreter.path(), &files, &self.allowed);
        sandbox.limits.memory = memory;
        Confined { sandbox, launcher: self.launcher }
    }
}

impl Confined {
    /// As [`Interpreter::command`], in the sandbox.
    pub(super) fn command(&self, interpreter: &Interpreter, program: &str) -> Command {
        let mut command = Command::new(&self.launcher.program);
        let sandbox = self.sandbox.clone().present();
        command.args(sandbox.to_arguments()).arg(interpreter.path()).args(Interpreter::arguments(program));
        command.env_clear().envs(environment::passed()).env(&self.launcher.variable, "1");
        command
    }
}

//! A sandbox as arguments of a command, so that a server can hand it to the process that enters it. Paths travel as they are, also
//! where they are not UTF-8.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::{Limits, Sandbox, SandboxError};

/// Ends the arguments of the sandbox.
const END: &str = "--";

impl Sandbox {
    /// This sandbox as arguments, which end with `--`. [`from_arguments`](Self::from_arguments) reads them.
    #[must_use]
    pub fn to_arguments(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        for (name, paths) in [("--read", &self.read), ("--write", &self.write), ("--execute", &self.execute)]
        {
            arguments.extend(paths.iter().flat_map(|path| [OsString::from(name), path.into()]));
        }
        let switches = [("--system", self.system), ("--network", self.network), ("--fork", self.fork)];
        arguments.extend(switches.iter().filter(|it| it.1).map(|(name, _)| OsString::from(name)));
        for (name, limit) in limits(&mut self.limits.clone()) {
            if let Some(limit) = limit {
                arguments.extend([OsString::from(name), limit.to_string().into()]);
            }
        }
        arguments.push(END.into());
        arguments
    }

    /// The sandbox that [`to_arguments`](Self::to_arguments) wrote. Takes the arguments up to and with `--`; the rest is the
    /// caller's.
    ///
    /// # Errors
    ///
    /// [`SandboxError::Arguments`] if an argument is unknown, a value is missing or wrong, or there is no `--`.
    pub fn from_arguments(arguments: &mut impl Iterator<Item = OsString>) -> Result<Self, SandboxError> {
        let wrong = |problem: String| SandboxError::Arguments(problem);
        let mut sandbox = Self::default();
        loop {
            let name =
                arguments.next().ok_or_else(|| wrong(format!("the sandbox does not end with `{END}`")))?;
            let name = name.to_string_lossy();
            let mut value = || arguments.next().ok_or_else(|| wrong(format!("`{name}` has no value")));
            match &*name {
                END => return Ok(sandbox),
                "--read" => sandbox.read.push(PathBuf::from(value()?)),
                "--write" => sandbox.write.push(PathBuf::from(value()?)),
                "--execute" => sandbox.execute.push(PathBuf::from(value()?)),
                "--system" => sandbox.system = true,
                "--network" => sandbox.network = true,
                "--fork" => sandbox.fork = true,
                _ => {
                    let mut limits = limits(&mut sandbox.limits);
                    let Some((_, limit)) = limits.iter_mut().find(|limit| limit.0 == name) else {
                        return Err(wrong(format!("a sandbox has no `{name}`")));
                    };
                    let value = value()?;
                    let number = value.to_str().and_then(|value| value.parse().ok());
                    **limit = Some(number.ok_or_else(|| wrong(not_a_number(&name, &value)))?);
                }
            }
        }
    }
}

fn not_a_number(name: &str, value: &OsStr) -> String {
    format!("`{name}` is a number, not `{}`", value.to_string_lossy())
}

fn limits(limits: &mut Limits) -> [(&'static str, &mut Option<u64>); 5] {
    let Limits { memory, processes, open_files, cpu_seconds, file_size } = limits;
    [
        ("--memory", memory),
        ("--processes", processes),
        ("--open-files", open_files),
        ("--cpu-seconds", cpu_seconds),
        ("--file-size", file_size),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_is_read_from_its_arguments_and_the_rest_is_left() {
        let limits = Limits {
            memory: Some(1),
            processes: Some(2),
            open_files: Some(3),
            cpu_seconds: Some(4),
            file_size: Some(u64::MAX),
        };
        let sandbox = Sandbox {
            read: vec!["/a b".into(), "--".into()],
            write: vec!["/c".into()],
            execute: vec!["/d".into()],
            system: true,
            network: true,
            fork: true,
            limits,
        };
        for sandbox in [sandbox, Sandbox::default()] {
            let mut arguments = sandbox.to_arguments().into_iter().chain(["python".into()]);
            assert_eq!(Sandbox::from_arguments(&mut arguments).unwrap(), sandbox);
            assert_eq!(arguments.collect::<Vec<_>>(), ["python"]);
        }
    }

    #[test]
    fn arguments_that_are_not_a_sandbox_are_an_error() {
        for (arguments, message) in [
            (&["--read", "/a"][..], "the sandbox does not end with `--`"),
            (&["--read"], "`--read` has no value"),
            (&["--memory", "1x", "--"], "`--memory` is a number, not `1x`"),
            (&["--raed", "/a", "--"], "a sandbox has no `--raed`"),
        ] {
            let mut arguments = arguments.iter().map(OsString::from);
            assert_eq!(Sandbox::from_arguments(&mut arguments).unwrap_err().to_string(), message);
        }
    }
}

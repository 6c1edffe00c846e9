//! Why a process could not be restricted.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a process could not be restricted.
#[derive(Debug)]
#[non_exhaustive]
pub enum SandboxError {
    /// The process has other threads already, which would not be restricted.
    Threads(usize),
    /// A file or folder of the lists cannot be opened.
    Path(PathBuf, io::Error),
    /// The system refused a limit; the name is that of the limit.
    Limit(&'static str, io::Error),
    /// Landlock failed.
    Files(Box<dyn std::error::Error + Send + Sync>),
    /// seccomp failed.
    Calls(Box<dyn std::error::Error + Send + Sync>),
    /// No thread could be started to ask what the kernel has.
    Probe(io::Error),
    /// The program that the process was to become cannot be executed.
    Program(PathBuf, io::Error),
    /// The arguments do not describe a sandbox.
    Arguments(String),
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads(count) => {
                write!(f, "a process with {count} threads cannot be restricted: it must have one")
            }
            Self::Path(path, error) => write!(f, "`{}` cannot be allowed: {error}", path.display()),
            Self::Limit(name, error) => write!(f, "the limit `{name}` cannot be set: {error}"),
            Self::Files(error) => write!(f, "Landlock: {error}"),
            Self::Calls(error) => write!(f, "seccomp: {error}"),
            Self::Probe(error) => write!(f, "the sandbox cannot be tried: {error}"),
            Self::Program(path, error) => write!(f, "`{}` cannot be executed: {error}", path.display()),
            Self::Arguments(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for SandboxError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Path(_, error) | Self::Limit(_, error) | Self::Probe(error) | Self::Program(_, error) => {
                Some(error)
            }
            Self::Files(error) | Self::Calls(error) => Some(error.as_ref()),
            Self::Threads(_) | Self::Arguments(_) => None,
        }
    }
}

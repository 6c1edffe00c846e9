//! Finds the Python interpreter that checks and runs scripts.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::environment;
use super::once::{self, Ended};

/// The environment variable that names the Python to use. If it is set, no other is tried.
const VARIABLE: &str = "OPENDYN_PYTHON";
/// The names that are tried if the variable is not set.
const NAMES: [&str; 2] = ["python3", "python"];
/// The oldest supported version.
const OLDEST: (u32, u32) = (3, 8);
/// The time limit of the start, which takes a fraction of a second unless the machine is very busy.
const START: Duration = Duration::from_secs(30);

/// Prefixes that Python shares with everything else.
const SHARED: [&str; 3] = ["/", "/usr", "/usr/local"];

/// Python 2 can run it too, so that the error can name the version.
const PROBE: &str = "\
import os, sys
path = sys.executable or ''
found = [path] + sys.path + [sys.prefix, sys.exec_prefix]
found += [getattr(sys, name, sys.prefix) for name in ('base_prefix', 'base_exec_prefix')]
for name in ('sitecustomize', 'usercustomize'):
    file = getattr(sys.modules.get(name), '__file__', None)
    found += [os.path.realpath(file)] if file else []
found = [path if isinstance(path, bytes) else os.fsencode(path) for path in found]
out = getattr(sys.stdout, 'buffer', sys.stdout)
out.write(('%d %d %d\\n' % tuple(sys.version_info[:3])).encode('ascii') + b'\\0'.join(found))
";

/// A Python that is installed and new enough.
///
/// The path is that of the interpreter itself, because a launcher in front of it can take longer to start than Python.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interpreter {
    path: PathBuf,
    version: (u32, u32, u32),
    /// What it reads when it runs: its modules, and where it is installed.
    pub(super) files: Vec<PathBuf>,
}

impl Interpreter {
    /// The Python that `OPENDYN_PYTHON` names; if it is not set, `python3`, then `python`.
    ///
    /// The search runs once per process; a successful result is remembered.
    ///
    /// # Errors
    ///
    /// [`PythonMissing`] says what was tried and why it was not suitable. Errors are not remembered, so the next call
    /// searches again.
    pub fn find() -> Result<Self, PythonMissing> {
        static FOUND: OnceLock<Interpreter> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let found = Self::look(std::env::var_os(VARIABLE).filter(|name| !name.is_empty()))?;
        Ok(FOUND.get_or_init(|| found).clone())
    }

    fn look(named: Option<OsString>) -> Result<Self, PythonMissing> {
        let is_named = named.is_some();
        let names = named.map_or_else(|| NAMES.map(OsString::from).to_vec(), |named| vec![named]);
        let mut tried = Vec::new();
        for name in names {
            match probe(&name) {
                Ok(found) => return Ok(found),
                Err(reason) => tried.push((PathBuf::from(name), reason)),
            }
        }
        Err(PythonMissing { tried, is_named })
    }

    /// The Python at this path, or with this name in `PATH`.
    ///
    /// # Errors
    ///
    /// [`PythonMissing`] says why it is not suitable.
    pub fn at(path: impl AsRef<Path>) -> Result<Self, PythonMissing> {
        let path = path.as_ref();
        probe(path.as_os_str())
            .map_err(|reason| PythonMissing { tried: vec![(path.to_owned(), reason)], is_named: false })
    }

    /// The path of the interpreter.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, such as `(3, 11, 7)`.
    #[must_use]
    pub fn version(&self) -> (u32, u32, u32) {
        self.version
    }

    /// A command that runs `program` without the user's settings and the current folder, with few environment variables,
    /// and without writing bytecode files.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.args(Self::arguments(program)).env_clear().envs(environment::passed());
        command
    }

    /// The arguments with which Python runs `program` so.
    pub(super) fn arguments(program: &str) -> [&str; 4] {
        ["-I", "-B", "-c", program]
    }
}

/// Asks a program whether it is Python, and for its version.
fn probe(name: &OsStr) -> Result<Interpreter, Reason> {
    let mut command = Command::new(name);
    // Python 2 does not support `-I`.
    command.args(["-E", "-s", "-B", "-c", PROBE]);
    let output = match once::run(command, Vec::new(), START) {
        Ok(Ended { output, is_success: true, .. }) => output,
        Ok(ended) => return Err(Reason::Failed(ended.to_string())),
        Err(once::Unfinished::NotStarted(error)) => return Err(Reason::NotStarted(error)),
        Err(once::Unfinished::TimedOut { .. }) => {
            return Err(Reason::Failed(format!("no reply within {START:?}")));
        }
    };
    let (version, path, files) = answer(&output).ok_or(Reason::NotPython)?;
    if (version.0, version.1) < OLDEST {
        let (major, minor, patch) = version;
        return Err(Reason::TooOld(format!("{major}.{minor}.{patch}")));
    }
    // A Python that is embedded in another program does not know its path.
    let path = if path.as_os_str().is_empty() { PathBuf::from(name) } else { path };
    let files = files.into_iter().filter(|file| is_its_own(file)).collect();
    Ok(Interpreter { path, version, files })
}

/// Whether a path that Python names is one of a file or folder that belongs to it, not to the whole system, such as the prefix
/// `/usr`. The modules in such a prefix are named too.
fn is_its_own(path: &Path) -> bool {
    path.is_absolute() && !SHARED.iter().any(|shared| path == Path::new(shared)) && path.exists()
}

/// Its version, its path, and what it reads.
type Answer = ((u32, u32, u32), PathBuf, Vec<PathBuf>);

fn answer(output: &[u8]) -> Option<Answer> {
    let newline = output.iter().position(|byte| *byte == b'\n')?;
    let mut numbers = std::str::from_utf8(&output[..newline]).ok()?.split(' ').map(|it| it.parse().ok());
    let version = (numbers.next()??, numbers.next()??, numbers.next()??);
    let mut paths = output[newline + 1..].split(|byte| *byte == 0).map(path);
    Some((version, paths.next()??, paths.collect::<Option<_>>()?))
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// No suitable Python was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonMissing {
    /// The programs that were tried, and why they were not suitable. Never empty.
    pub tried: Vec<(PathBuf, Reason)>,
    /// Whether `OPENDYN_PYTHON` named the program.
    pub is_named: bool,
}

/// Why a program is not suitable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The system could not start it; this is its error.
    NotStarted(String),
    /// It failed, or did not reply.
    Failed(String),
    /// It is not Python.
    NotPython,
    /// Its version is too old.
    TooOld(String),
}

impl fmt::Display for PythonMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = OLDEST;
        write!(f, "Python {major}.{minor} or newer is required for Python tools")?;
        for (index, (path, reason)) in self.tried.iter().enumerate() {
            let separator = if index == 0 { ": " } else { "; " };
            write!(f, "{separator}`{}` {reason}", path.display())?;
        }
        match self.is_named {
            true => write!(f, "; it is named by {VARIABLE}: name another, or unset it"),
            false => write!(f, "; install Python, or set {VARIABLE} to its path"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "could not be started ({error})"),
            Self::Failed(how) => write!(f, "failed ({how})"),
            Self::NotPython => write!(f, "is not Python"),
            Self::TooOld(version) => write!(f, "is Python {version}"),
        }
    }
}

impl std::error::Error for PythonMissing {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_a_python_is_named_no_other_is_tried() {
        let error = Interpreter::look(Some("no-such-python".into())).expect_err("it is not there");
        assert_eq!(error.tried.len(), 1);
        let shown = error.to_string();
        assert!(
            shown.starts_with("Python 3.8 or newer is required for Python tools: `no-such-python` could")
        );
        assert!(shown.ends_with("it is named by OPENDYN_PYTHON: name another, or unset it"), "{shown}");
    }

    #[test]
    fn the_answer_of_a_python_is_its_version_and_path() {
        let python = ((3, 11, 7), "/a b/python".into(), vec!["/c".into(), "".into()]);
        assert_eq!(answer(b"3 11 7\n/a b/python\0/c\0"), Some(python));
        assert_eq!(answer(b"3 11 7\n/python"), Some(((3, 11, 7), "/python".into(), Vec::new())));
        for nonsense in [&b""[..], b"hello\n", b"3 11\n/python", b"3.11.7", b"3 x 7\n/python", b"\xff\n"] {
            assert_eq!(answer(nonsense), None);
        }
    }
}

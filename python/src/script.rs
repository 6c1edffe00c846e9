//! A script as it is on the disk: read, checked and described, and again whenever it changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::{Description, Interpreter, Origin, PythonError, Script, check};
use opentool::{OpenTool, ToolError};

/// A file that is this young may change again without a sign of it: some systems count time in
/// seconds. It is read again until it is older.
const YOUNG: Duration = Duration::from_secs(2);

/// What a document describes of a result.
const RESULT: &str = "data";

/// One version of a script.
#[derive(Debug)]
pub(super) struct Version {
    /// Counts the versions of this script.
    pub(super) number: u64,
    /// The bytes as the characters of the same numbers, which is how a worker gets them: a script
    /// may have an encoding of its own.
    pub(super) source: String,
    /// The function to call.
    pub(super) entry: String,
    pub(super) document: OpenTool,
    /// Whether somebody wrote the document, so that arguments and data are held to it. What was
    /// told from the script alone may be wrong.
    pub(super) is_binding: bool,
}

/// A script, and the versions of it.
pub(super) struct Source {
    path: PathBuf,
    name: String,
    interpreter: Interpreter,
    /// The document that counts instead of any other.
    document: Option<OpenTool>,
    /// What the function is called outside.
    function: Option<String>,
    current: Mutex<Current>,
}

struct Current {
    stamps: Stamps,
    files: Files,
    version: Arc<Version>,
    /// Why the files as they are now cannot be used.
    fault: Option<String>,
}

/// What is seen of the script and the document beside it without reading them.
type Stamps = [Option<Stamp>; 2];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    length: u64,
    is_settled: bool,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let is_settled = SystemTime::now().duration_since(modified).is_ok_and(|age| age > YOUNG);
        Some(Self { modified, length: metadata.len(), is_settled })
    }
}

/// What the script and the document beside it say.
#[derive(Debug, PartialEq, Eq)]
struct Files {
    script: Vec<u8>,
    sidecar: Option<Vec<u8>>,
}

impl Source {
    pub(super) fn read(
        path: &Path,
        interpreter: Interpreter,
        document: Option<OpenTool>,
        function: Option<String>,
    ) -> Result<Self, PythonError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (stamps, files) = (stamps(&path), files(&path)?);
        let reading =
            Reading { name: &name, interpreter: &interpreter, document: &document, function: &function };
        let version = Arc::new(reading.version(1, &files)?);
        let current = Mutex::new(Current { stamps, files, version, fault: None });
        Ok(Self { path, name, interpreter, document, function, current })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The script as it is now.
    pub(super) fn now(&self) -> Result<Arc<Version>, ToolError> {
        let mut current = self.current();
        let stamps = stamps(&self.path);
        let is_settled = stamps.iter().flatten().all(|stamp| stamp.is_settled);
        if stamps != current.stamps || !is_settled {
            self.read_again(&mut current);
            current.stamps = stamps;
        }
        match &current.fault {
            None => Ok(Arc::clone(&current.version)),
            Some(fault) => Err(ToolError::call_failed(fault.clone())),
        }
    }

    fn read_again(&self, current: &mut Current) {
        let version = match files(&self.path) {
            Ok(files) if files == current.files => return,
            Ok(files) => {
                let Self { name, interpreter, document, function, .. } = self;
                let version = Reading { name, interpreter, document, function }
                    .version(current.version.number + 1, &files);
                current.files = files;
                version
            }
            Err(error) => {
                // Files that come back are read, whatever they say.
                current.files = Files { script: Vec::new(), sidecar: None };
                Err(error)
            }
        };
        match version {
            Ok(version) => (current.version, current.fault) = (Arc::new(version), None),
            Err(error) => {
                let name = &self.name;
                current.fault = Some(format!("{name} was changed, and cannot be run any more: {error}"));
            }
        }
    }

    /// The document of the last version that could be used.
    pub(super) fn document(&self) -> OpenTool {
        // Whoever changed the script is told when it is called.
        let _ = self.now();
        self.current().version.document.clone()
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sidecar(path: &Path) -> PathBuf {
    path.with_extension("json")
}

fn stamps(path: &Path) -> Stamps {
    [Stamp::of(path), Stamp::of(&sidecar(path))]
}

fn files(path: &Path) -> Result<Files, PythonError> {
    let unreadable = |path: &Path, error: &io::Error| PythonError::Unreadable {
        path: path.to_owned(),
        message: error.to_string(),
    };
    let script = fs::read(path).map_err(|error| unreadable(path, &error))?;
    let beside = sidecar(path);
    let sidecar = match fs::read(&beside) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unreadable(&beside, &error)),
    };
    Ok(Files { script, sidecar })
}

/// What it takes to make a version of files.
struct Reading<'r> {
    name: &'r str,
    interpreter: &'r Interpreter,
    document: &'r Option<OpenTool>,
    function: &'r Option<String>,
}

impl Reading<'_> {
    fn version(&self, number: u64, files: &Files) -> Result<Version, PythonError> {
        let report = check(self.name, &files.script, self.interpreter).map_err(PythonError::Failed)?;
        let script = report.into_script().map_err(PythonError::Invalid)?;
        let entry = script.entry().to_owned();
        let source = files.script.iter().map(|byte| char::from(*byte)).collect();
        let Description { mut document, origin, .. } = self.description(&script, files)?;
        if let (Some(outside), Some(function)) = (self.function, document.functions.first_mut()) {
            function.name.clone_from(outside);
        }
        Ok(Version { number, source, entry, document, is_binding: origin == Origin::Sidecar })
    }

    fn description(&self, script: &Script, files: &Files) -> Result<Description, PythonError> {
        let beside = Path::new(self.name).with_extension("json").to_string_lossy().into_owned();
        let (file, text) = match (self.document, &files.sidecar) {
            (Some(document), _) => ("the document".to_owned(), document.to_string_pretty()),
            (None, Some(bytes)) => (beside, String::from_utf8_lossy(bytes).into_owned()),
            (None, None) => return Ok(script.describe()),
        };
        let description = script.described_by(&file, &text).map_err(PythonError::Document)?;
        let returns = description.document.functions.first().and_then(|function| function.returns.as_ref());
        match returns {
            Some(returns) if returns.name != RESULT => {
                Err(PythonError::Return { file, name: returns.name.clone() })
            }
            _ => Ok(description),
        }
    }
}

//! A script on disk: read, checked and described, and again whenever its file changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::{Description, Interpreter, Origin, PythonError, Script, check};
use opentool::{OpenTool, ToolError};

/// Some systems store file times in seconds, so a file modified this recently may change again without a new time. It
/// is read at every call until it is older.
const YOUNG: Duration = Duration::from_secs(2);

/// The part of a result that a document describes.
const RESULT: &str = "data";

/// One version of a script.
#[derive(Debug)]
pub(super) struct Version {
    /// The number of this version.
    pub(super) number: u64,
    /// The bytes of the script as characters of the same values (Latin-1), because a script may declare its own encoding.
    pub(super) source: String,
    /// The function to call.
    pub(super) entry: String,
    pub(super) document: OpenTool,
    /// Whether arguments and data are checked against the document. A document derived from the script may be wrong, so
    /// only a written one is used for checks.
    pub(super) is_binding: bool,
}

/// A script and its versions.
pub(super) struct Source {
    path: PathBuf,
    name: String,
    interpreter: Interpreter,
    /// The document to use instead of any other.
    document: Option<OpenTool>,
    /// The public name of the function.
    function: Option<String>,
    /// Whether changes of the files are ignored.
    is_fixed: bool,
    current: Mutex<Current>,
}

struct Current {
    stamps: Stamps,
    files: Files,
    version: Arc<Version>,
    /// Why the current files cannot be used.
    fault: Option<String>,
}

/// The times and sizes of the script and the document beside it.
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

/// The contents of the script and of the document beside it.
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
        Ok(Self { path, name, interpreter, document, function, is_fixed: false, current })
    }

    /// The same script, whose files are not read again.
    pub(super) fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The current version of the script.
    pub(super) fn now(&self) -> Result<Arc<Version>, ToolError> {
        let mut current = self.current();
        if self.is_fixed {
            return Ok(Arc::clone(&current.version));
        }
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
                // Files that reappear are always read.
                current.files = Files { script: Vec::new(), sidecar: None };
                Err(error)
            }
        };
        match version {
            Ok(version) => (current.version, current.fault) = (Arc::new(version), None),
            Err(error) => {
                let name = &self.name;
                current.fault = Some(format!("{name} was changed and can no longer run: {error}"));
            }
        }
    }

    /// The document of the last version that could be used.
    pub(super) fn document(&self) -> OpenTool {
        // Errors in a changed script are reported when it is called.
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

/// Makes a version from the contents of the files.
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

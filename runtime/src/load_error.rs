//! Why a library could not be bound.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::CallError;

/// Why a library could not be bound.
///
/// ```no_run
/// use opendyn::LoadError;
///
/// opendyn::opendyn!("calc.json");
///
/// // SAFETY: calc.json describes the functions of libcalc.so correctly.
/// match unsafe { Calc::open("libcalc.so") } {
///     Ok(calc) => println!("{}", calc.add(2, 3)),
///     Err(LoadError::MissingSymbols { symbols, .. }) => println!("another version: it lacks {symbols:?}"),
///     Err(error) => println!("{error}"),
/// }
/// ```
#[non_exhaustive]
pub enum LoadError {
    /// The path names a directory relative to the current one.
    RelativePath {
        /// The path as given.
        path: PathBuf,
    },
    /// The system could not load the library.
    Open {
        /// The path as given.
        path: PathBuf,
        /// The error of the system.
        source: libloading::Error,
    },
    /// The library that the document names was not found.
    NotFound {
        /// The environment variable that can name it.
        variable: Cow<'static, str>,
        /// The error for each place that was tried.
        tried: Vec<LoadError>,
    },
    /// The document names no library for this system.
    NoDefault {
        /// The environment variable that can name it.
        variable: Cow<'static, str>,
    },
    /// Another binding of the library is there, and at least one of the two documents does not say that the library is
    /// thread-safe: two threads could run its code at the same time.
    InUse {
        /// The path as given.
        path: PathBuf,
    },
    /// The library could not be initialized (`x-init`).
    Init {
        /// The path as given; `None` for a library that was already loaded.
        path: Option<PathBuf>,
        /// The function that initializes it.
        function: Cow<'static, str>,
        /// The library's own code, if it has one.
        code: Option<i64>,
        /// The library's own text, if it has one.
        text: Option<String>,
        /// Why it failed, as a sentence with the code and the text.
        reason: String,
    },
    /// The library lacks functions that the document describes.
    MissingSymbols {
        /// The path as given; `None` for a library that was already loaded.
        path: Option<PathBuf>,
        /// Every symbol that is missing.
        symbols: Vec<Cow<'static, str>>,
        /// The library that the document was checked against when the bindings were generated, if
        /// any. It has all the functions.
        checked: Option<&'static Checked>,
    },
}

impl LoadError {
    #[cold]
    pub(crate) fn init(
        path: Option<&Path>,
        function: impl Into<Cow<'static, str>>,
        error: CallError,
    ) -> Self {
        // Copies: the names in the error may be in a document, which is gone when the library could not be bound.
        Self::Init {
            path: path.map(Path::to_owned),
            function: function.into(),
            code: error.code(),
            text: error.text().map(str::to_owned),
            reason: opentool::ToolError::from(error).to_string(),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RelativePath { path } => write!(
                f,
                "cannot load `{}`: the path depends on the current directory; \
                 give an absolute path (`std::path::absolute` makes one) or a bare file name",
                path.display()
            ),
            // The message of the system is in the source of libloading's error.
            Self::Open { path, source } => match std::error::Error::source(source) {
                Some(answer) => write!(f, "cannot load `{}`: {answer}", path.display()),
                None => write!(f, "cannot load `{}`: {source}", path.display()),
            },
            Self::NotFound { variable, tried } => {
                f.write_str("the library was not found")?;
                for error in tried {
                    write!(f, "; {error}")?;
                }
                write!(f, "; the environment variable {variable} can name it")
            }
            Self::NoDefault { variable } => write!(
                f,
                "the document names no library for {}; the environment variable {variable} can",
                std::env::consts::OS
            ),
            Self::InUse { path } => write!(
                f,
                "`{}` is bound already, and the library is not thread-safe: two bindings could run it in two \
                 threads at once; share the first binding (between threads behind `opendyn::Serial`) or drop it; \
                 if the library is thread-safe, write \"x-threadSafe\": true into every document of it; \
                 `from_library` leaves the threads to you",
                path.display()
            ),
            Self::Init { path, function, reason, .. } => {
                write_library(f, path.as_deref())?;
                write!(f, " could not be initialized with `{function}`: {reason}")
            }
            Self::MissingSymbols { path, symbols, checked } => {
                write_library(f, path.as_deref())?;
                let noun = if symbols.len() == 1 { "function" } else { "functions" };
                write!(f, " lacks {} {noun} of the document: {}", symbols.len(), symbols.join(", "))?;
                match checked {
                    Some(checked) => {
                        let them = if symbols.len() == 1 { "it" } else { "them" };
                        write!(
                            f,
                            "; this is not the build that the document was checked against, {checked}, "
                        )?;
                        write!(f, "which has {them}")
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

fn write_library(f: &mut fmt::Formatter<'_>, path: Option<&Path>) -> fmt::Result {
    match path {
        Some(path) => write!(f, "`{}`", path.display()),
        None => f.write_str("the loaded library"),
    }
}

/// As `Display`: a program whose `main` returns the error shows this.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open { source, .. } => Some(source),
            // Of the place where the system looked.
            Self::NotFound { tried, .. } => tried.last().map(|error| error as _),
            Self::RelativePath { .. }
            | Self::NoDefault { .. }
            | Self::InUse { .. }
            | Self::Init { .. }
            | Self::MissingSymbols { .. } => None,
        }
    }
}

/// A library that a document was checked against when its bindings were generated: it has every
/// function of the document that is not optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its file name.
    pub library: &'static str,
    /// The identifier of its build, in hex: the build ID of ELF, the UUID of Mach-O.
    pub build: Option<&'static str>,
    /// The size of its file in bytes.
    pub size: u64,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { library, build, size } = self;
        match build {
            Some(build) => write!(f, "`{library}` (build {build}, {size} bytes)"),
            None => write!(f, "`{library}` ({size} bytes)"),
        }
    }
}

/// Adds the library that the document was checked against to the error.
#[cold]
#[must_use]
pub fn checked(error: LoadError, checked: &'static Checked) -> LoadError {
    match error {
        LoadError::MissingSymbols { path, symbols, .. } => {
            LoadError::MissingSymbols { path, symbols, checked: Some(checked) }
        }
        other => other,
    }
}

impl From<LoadError> for opentool::ToolError {
    fn from(error: LoadError) -> Self {
        Self::LibraryMissing { message: error.to_string() }
    }
}

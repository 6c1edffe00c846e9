//! The generator for build scripts.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use opendyn_model::diagnostic::Diagnostics;
use opendyn_model::{Options, Strings, Unchecked};

use crate::{FormatError, Generated, generate};

/// Generates bindings in a build script.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), opendyn_codegen::BuildError> {
///     opendyn_codegen::Builder::new("calc.json").name("Calc").write_to_out_dir()?;
///     Ok(())
/// }
/// ```
///
/// and in the crate, which depends on `opendyn`, one line:
/// `include!(concat!(env!("OUT_DIR"), "/calc.rs"));`
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    document: PathBuf,
    options: Options,
}

impl Builder {
    /// Bindings for the document at `path`, which is relative to the crate's `Cargo.toml`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { document: path.into(), options: Options::default() }
    }

    /// The name of the struct; by default it follows from `info.title`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = Some(name.into());
        self
    }

    /// Names the method of `function`.
    pub fn rename(mut self, function: impl Into<String>, method: impl Into<String>) -> Self {
        self.options.rename.insert(function.into(), method.into());
        self
    }

    /// Makes `function` optional: the library may lack it.
    pub fn optional(mut self, function: impl Into<String>) -> Self {
        self.options.optional.insert(function.into());
        self
    }

    /// Removes `prefix` from the names of methods and types, in place of `x-prefix` of the document.
    pub fn strip_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.options.strip_prefix = Some(prefix.into());
        self
    }

    /// What NUL-terminated UTF-8 strings are in Rust.
    pub fn strings(mut self, strings: Strings) -> Self {
        self.options.strings = strings;
        self
    }

    /// Whether functions with pointers that the document does not fully describe can be called with JSON.
    pub fn unchecked(mut self, unchecked: Unchecked) -> Self {
        self.options.unchecked = unchecked;
        self
    }

    /// Checks the document against a library: that the library exports every function and, if it has debug
    /// info, that every type is as in C. Mismatches are errors and warnings of the document.
    ///
    /// `library` is a path relative to the crate's `Cargo.toml`, or a name that the loader of the system finds, such
    /// as `libz.so.1`. It must be built for the target, because the widths of C types depend on it. The bindings
    /// record which library it was, and name it if another one lacks functions. Needs the feature `check`.
    pub fn check_library(mut self, library: impl Into<String>) -> Self {
        self.options.check_library = Some(library.into());
        self
    }

    /// Generates the bindings and returns them.
    ///
    /// # Errors
    ///
    /// The document cannot be read, or has errors.
    pub fn generate(&self) -> Result<Generated, BuildError> {
        let source = std::fs::read_to_string(&self.document)
            .map_err(|source| BuildError::Read { path: self.document.clone(), source })?;
        Ok(generate(&self.document.display().to_string(), &source, &self.options)?)
    }

    /// Writes the bindings to the file at `path`, unless the file already has that text.
    ///
    /// # Errors
    ///
    /// The document cannot be read or has errors, or the file cannot be written.
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<Generated, BuildError> {
        let path = path.as_ref();
        let generated = self.generate()?;
        let text = generated.to_file().map_err(BuildError::Format)?;
        // Cargo recompiles a file that was written, even if its text is the same.
        if std::fs::read_to_string(path).is_ok_and(|present| present == text) {
            return Ok(generated);
        }
        std::fs::write(path, text).map_err(|source| BuildError::Write { path: path.to_owned(), source })?;
        Ok(generated)
    }

    /// Writes the bindings to `OUT_DIR`, to a file with the name of the document and the extension `.rs`. Tells Cargo
    /// when to run again, and reports every error and warning of the document.
    ///
    /// # Errors
    ///
    /// As for [`Builder::write_to`]; a document of the same name was already written; or
    /// `OUT_DIR` is not set, because this is not a build script.
    pub fn write_to_out_dir(&self) -> Result<PathBuf, BuildError> {
        println!("cargo::rerun-if-changed={}", self.document.display());
        let out_dir = std::env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?;
        let name = self.document.file_stem().unwrap_or(self.document.as_os_str());
        let path = Path::new(&out_dir).join(name).with_extension("rs");
        self.claim(&path)?;
        let (diagnostics, result) = match self.write_to(&path) {
            Ok(generated) => {
                if let Some(library) = generated.library() {
                    println!("cargo::rerun-if-changed={}", library.display());
                }
                (generated.warnings, Ok(path))
            }
            Err(BuildError::Document(diagnostics)) => {
                let errors = diagnostics.errors().count();
                (diagnostics, Err(BuildError::Told { document: self.document.clone(), errors }))
            }
            Err(error) => {
                println!("cargo::error={error}");
                return Err(error);
            }
        };
        for diagnostic in &diagnostics {
            // Cargo reads one directive per line.
            for line in diagnostic.to_string().lines() {
                println!("cargo::{}={line}", diagnostic.severity().name());
            }
        }
        result
    }

    /// Two documents with the same name in two folders would be written to the same file.
    fn claim(&self, path: &Path) -> Result<(), BuildError> {
        static CLAIMED: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());
        let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((_, first)) = claimed.iter().find(|(file, _)| file == path) else {
            claimed.push((path.to_owned(), self.document.clone()));
            return Ok(());
        };
        if *first == self.document {
            return Ok(());
        }
        let error = BuildError::SameFile {
            first: first.clone(),
            second: self.document.clone(),
            path: path.to_owned(),
        };
        println!("cargo::error={error}");
        Err(error)
    }
}

/// Why bindings could not be written.
#[non_exhaustive]
pub enum BuildError {
    /// The document cannot be read.
    Read {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The document has errors.
    Document(Diagnostics),
    /// The document has errors, which were reported to Cargo.
    Told {
        /// The document.
        document: PathBuf,
        /// The number of errors.
        errors: usize,
    },
    /// Two documents would be written to the same file of `OUT_DIR`.
    SameFile {
        /// The document that was written.
        first: PathBuf,
        /// The document that was not written.
        second: PathBuf,
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    Write {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// `OUT_DIR` is not set.
    NoOutDir,
    /// The bindings are not valid Rust, which is a bug in the generator.
    Format(FormatError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => {
                write!(f, "cannot read the document `{}`: {source}", path.display())
            }
            Self::Document(diagnostics) => diagnostics.fmt(f),
            Self::Told { document, errors } => {
                let noun = if *errors == 1 { "error" } else { "errors" };
                write!(f, "{} has {errors} {noun}", document.display())
            }
            Self::SameFile { first, second, path } => write!(
                f,
                "{} and {} would both be written to {}: use `write_to` with another path for one of them",
                first.display(),
                second.display(),
                path.display()
            ),
            Self::Write { path, source } => write!(f, "cannot write `{}`: {source}", path.display()),
            Self::NoOutDir => {
                f.write_str("OUT_DIR is not set, because this is not a build script: use `write_to`")
            }
            Self::Format(error) => {
                write!(f, "the generated bindings are not valid Rust, which is a bug in opendyn: {error}")
            }
        }
    }
}

/// As `Display`, because Rust prints the `Debug` form if `main` of a build script returns the error.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Document(diagnostics) => Some(diagnostics),
            Self::Format(error) => Some(error),
            Self::Told { .. } | Self::SameFile { .. } | Self::NoOutDir => None,
        }
    }
}

impl From<Diagnostics> for BuildError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Document(diagnostics)
    }
}

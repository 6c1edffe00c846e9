//! Why headers could not be read.

use std::fmt;
use std::path::PathBuf;

use super::Mistaken;

/// Why headers could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum HeaderError {
    /// There is no C compiler.
    NoCompiler {
        /// The programs that were tried.
        tried: Vec<String>,
        /// The target that needs one, if it is not this machine.
        triple: Option<String>,
    },
    /// The file is not a header.
    Mistaken {
        /// The file as given.
        header: PathBuf,
        /// What it is instead.
        what: Mistaken,
    },
    /// No compiler for the target, which is not this machine, could read the headers.
    Foreign {
        /// The target.
        triple: String,
        /// The error of the first compiler.
        error: Box<HeaderError>,
    },
    /// The compiler could not be run, or its output could not be read.
    Compiler {
        /// The compiler.
        compiler: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The header was not found.
    NotFound {
        /// The header as given.
        header: PathBuf,
        /// The folders searched in addition to those of the compiler.
        include: Vec<PathBuf>,
    },
    /// The preprocessor reported errors.
    Preprocessor {
        /// The compiler.
        compiler: String,
        /// The first error that it reported.
        message: String,
    },
    /// The compiler is for another target than requested.
    Target {
        /// The compiler.
        compiler: String,
        /// What differs, such as `long has 8 bytes there, not 4`.
        difference: String,
    },
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCompiler { tried, triple: Some(triple) } => write!(
                f,
                "no C compiler for {triple}, the target of the library: {} cannot be run; install one, or \
                 name yours in the environment variable CC",
                list(tried)
            ),
            Self::Mistaken { header, what } => write!(f, "{} is {what}", header.display()),
            Self::Foreign { triple, error } => write!(
                f,
                "the headers cannot be read for {triple}, the target of the library: {error}\n\
                 name a compiler that has the headers of that target in the environment variable CC"
            ),
            Self::NoCompiler { tried, triple: None } => write!(
                f,
                "no C compiler: headers are read through the preprocessor of one, and {} cannot be run; \
                 install gcc or clang, or name yours in the environment variable CC",
                list(tried)
            ),
            Self::Compiler { compiler, source } => write!(f, "{compiler} cannot be run: {source}"),
            Self::NotFound { header, include } => {
                write!(f, "{}: no such header in the current folder", header.display())?;
                let include: Vec<String> =
                    include.iter().map(|folder| folder.display().to_string()).collect();
                if !include.is_empty() {
                    write!(f, ", in {}", list(&include))?;
                }
                write!(f, ", or in the compiler's search path; is the -dev package of the library installed?")
            }
            Self::Preprocessor { compiler, message } => {
                write!(f, "{compiler} cannot preprocess the headers:\n{message}")
            }
            Self::Target { compiler, difference } => write!(
                f,
                "{compiler} compiles for another target: {difference}; name a compiler for the target in CC, \
                 such as `x86_64-w64-mingw32-gcc` or `clang --target=…`"
            ),
        }
    }
}

impl std::error::Error for HeaderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Compiler { source, .. } => Some(source),
            Self::Foreign { error, .. } => Some(error),
            _ => None,
        }
    }
}

fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

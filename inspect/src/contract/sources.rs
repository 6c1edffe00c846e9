//! The library, its debug info and the headers that documents are compared with: those that the caller
//! names, or the library that a document names itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::{NativeLibrary, NativeOptions, default_library, symbols};
use crate::{Interface, LibraryError, Target, header};

/// What documents are compared with.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The library: a path, or a name that the system's loader finds. If absent, the one that each document
    /// names.
    pub library: Option<PathBuf>,
    /// C headers: paths, or names as in `#include <zlib.h>`.
    pub headers: Vec<PathBuf>,
    /// Folders to search for headers.
    pub include: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The file with the library's debug info, if it is not in a usual place.
    pub debug_info: Option<PathBuf>,
    /// The target that the library is for, such as `i686-pc-windows-msvc`.
    pub target: Option<String>,
}

/// What was read.
#[derive(Debug)]
pub struct Sources {
    /// What the headers declare, and their names.
    pub header: Option<(String, Interface)>,
    /// The library that the options name.
    given: Option<NativeLibrary>,
    /// The libraries that documents name, by name, or why they could not be read.
    named: BTreeMap<String, Result<NativeLibrary, String>>,
    system: &'static str,
}

/// The library that a document is compared with.
#[derive(Debug)]
pub enum Library<'s> {
    /// The one that the options name.
    Given(&'s NativeLibrary),
    /// The one that the document names.
    Named(String, &'s NativeLibrary),
    /// The document names one that cannot be read, for this reason.
    Unreadable(String),
    /// The document names none for this system: `linux`, `macos` or `windows`.
    Unnamed(&'static str),
}

impl Sources {
    /// Reads everything that the options and `documents`, the texts of documents, name.
    ///
    /// # Errors
    ///
    /// Something that the options name cannot be read, or is for another target. A library that only a
    /// document names may be missing.
    pub fn read(options: &SourceOptions, documents: &[&str]) -> Result<Self, SourcesError> {
        let triple = options.target.as_deref();
        let target = match triple {
            None => None,
            Some(triple) => {
                let unknown = || SourcesError::UnknownTarget(triple.to_owned());
                Some((triple, Target::of_triple(triple).ok_or_else(unknown)?))
            }
        };
        let system = system(triple);
        let functions: BTreeSet<String> = documents.iter().flat_map(|document| symbols(document)).collect();
        let native = NativeOptions { debug_info: options.debug_info.as_deref(), target: triple };
        let mut named = BTreeMap::new();
        let given = match &options.library {
            Some(path) => Some(given(path, &functions, native)?),
            None => {
                for name in documents.iter().filter_map(|document| default_library(document, system)) {
                    let read =
                        || NativeLibrary::read(&name, &functions, native).map_err(|error| error.to_string());
                    named.entry(name.clone()).or_insert_with(read);
                }
                None
            }
        };
        if let Some(file) = &options.debug_info
            && given.is_none()
            && !named.values().any(Result::is_ok)
        {
            return Err(SourcesError::DebugInfoAlone(file.clone()));
        }
        for library in given.iter().chain(named.values().filter_map(|library| library.as_ref().ok())) {
            fits(library, target)?;
        }
        let header = headers(options, target, given.as_ref())?;
        Ok(Self { header, given, named, system })
    }

    /// The library for the document with this text.
    #[must_use]
    pub fn library(&self, document: &str) -> Library<'_> {
        if let Some(library) = &self.given {
            return Library::Given(library);
        }
        match default_library(document, self.system) {
            None => Library::Unnamed(self.system),
            Some(name) => match self.named.get(&name) {
                Some(Ok(library)) => Library::Named(name, library),
                Some(Err(reason)) => Library::Unreadable(reason.clone()),
                None => Library::Unreadable(format!("no library {name} was found")),
            },
        }
    }
}

/// The library that the options name must be readable.
fn given(
    path: &Path,
    functions: &BTreeSet<String>,
    options: NativeOptions<'_>,
) -> Result<NativeLibrary, SourcesError> {
    LibraryError::check_name(path)?;
    let library = NativeLibrary::read(path, functions, options)?;
    match (&library.debug_info, options.debug_info) {
        (Err(reason), Some(_)) => Err(SourcesError::DebugInfo(reason.clone())),
        _ => Ok(library),
    }
}

/// A library for another target has other widths than requested.
fn fits(library: &NativeLibrary, target: Option<(&str, Target)>) -> Result<(), SourcesError> {
    let found = library.exports.target;
    let model = |target: Target| (target.pointer, target.long, target.has_stdcall);
    match target {
        Some((triple, target)) if model(target) != model(found) => {
            Err(SourcesError::OtherTarget { library: library.path.clone(), target: triple.to_owned() })
        }
        _ => Ok(()),
    }
}

fn headers(
    options: &SourceOptions,
    target: Option<(&str, Target)>,
    library: Option<&NativeLibrary>,
) -> Result<Option<(String, Interface)>, SourcesError> {
    if options.headers.is_empty() {
        return Ok(None);
    }
    let of_library = || library.map(|library| (library.exports.triple.as_str(), library.exports.target));
    let target = target.or_else(of_library);
    let header_options = header::Options {
        include: options.include.clone(),
        define: options.define.clone(),
        target: target.map(|(_, target)| target),
        triple: target.map(|(triple, _)| triple.to_owned()),
        ..header::Options::default()
    };
    let interface = header::read(&options.headers, &header_options)?;
    let names: Vec<String> = options.headers.iter().map(|path| path.display().to_string()).collect();
    Ok(Some((names.join(", "), interface)))
}

/// The system, as `x-library` names it.
fn system(triple: Option<&str>) -> &'static str {
    let name = triple.unwrap_or(std::env::consts::OS);
    if name.contains("windows") || name.contains("mingw") {
        "windows"
    } else if name.contains("macos") || name.contains("apple") || name.contains("darwin") {
        "macos"
    } else {
        "linux"
    }
}

/// Why documents cannot be compared with what the options name.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourcesError {
    /// No target of this name is known.
    UnknownTarget(String),
    /// The library cannot be read.
    Library(LibraryError),
    /// The library is for another target than requested.
    OtherTarget {
        /// The file of the library.
        library: PathBuf,
        /// The requested target.
        target: String,
    },
    /// The debug info that was named cannot be used, for this reason.
    DebugInfo(String),
    /// A file with debug info was named, but there is no library that it could belong to.
    DebugInfoAlone(PathBuf),
    /// The headers cannot be read.
    Header(header::HeaderError),
}

impl fmt::Display for SourcesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTarget(triple) => write!(f, "the target `{triple}` is unknown"),
            Self::Library(error) => error.fmt(f),
            Self::OtherTarget { library, target } => {
                write!(f, "`{}` is not a library for {target}", library.display())
            }
            Self::DebugInfo(reason) => f.write_str(reason),
            Self::DebugInfoAlone(file) => {
                write!(f, "`{}` is debug info of a library that was not found", file.display())
            }
            Self::Header(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SourcesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Library(error) => Some(error),
            Self::Header(error) => Some(error),
            Self::UnknownTarget(_)
            | Self::OtherTarget { .. }
            | Self::DebugInfo(_)
            | Self::DebugInfoAlone(_) => None,
        }
    }
}

impl From<LibraryError> for SourcesError {
    fn from(error: LibraryError) -> Self {
        Self::Library(error)
    }
}

impl From<header::HeaderError> for SourcesError {
    fn from(error: header::HeaderError) -> Self {
        Self::Header(error)
    }
}

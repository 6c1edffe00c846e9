//! The library, its debug info and the headers that the command line names, or that a document does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use opendyn_inspect::contract::{
    Evidence, LibraryError, NativeLibrary, NativeOptions, default_library, symbols,
};
use opendyn_inspect::{Exports, Interface, Target};

use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::headers;

/// What the command line names.
pub(crate) struct Wanted<'w> {
    pub(crate) library: Option<&'w Path>,
    pub(crate) headers: &'w [PathBuf],
    pub(crate) include: &'w [PathBuf],
    pub(crate) define: &'w [String],
    pub(crate) debug_info: Option<&'w Path>,
    pub(crate) target: Option<&'w str>,
}

/// What was read.
pub(crate) struct Sources {
    /// The library that the command line names.
    given: Option<NativeLibrary>,
    /// The libraries that documents name, by name, or why they could not be read.
    named: BTreeMap<String, Result<NativeLibrary, String>>,
    header: Option<(String, Interface)>,
    system: &'static str,
}

impl Sources {
    pub(crate) fn read(wanted: &Wanted<'_>, documents: &[Document]) -> Outcome<Self> {
        let target = match wanted.target {
            None => None,
            Some(triple) => Some(Target::of_triple(triple).ok_or_else(|| {
                Failure::new(format!("the target `{triple}` is not known"))
                    .help("name one as Rust does, such as x86_64-unknown-linux-gnu")
            })?),
        };
        let system = system(wanted.target);
        let functions: BTreeSet<String> =
            documents.iter().flat_map(|document| symbols(&document.source)).collect();
        let options = NativeOptions { debug_info: wanted.debug_info, target: wanted.target };
        let mut named = BTreeMap::new();
        let given = match wanted.library {
            Some(path) => Some(given(path, &functions, options)?),
            None => {
                for name in documents.iter().filter_map(|document| default_library(&document.source, system))
                {
                    let read =
                        || NativeLibrary::read(&name, &functions, options).map_err(|error| error.to_string());
                    named.entry(name.clone()).or_insert_with(read);
                }
                None
            }
        };
        if let Some(file) = wanted.debug_info
            && given.is_none()
            && !named.values().any(Result::is_ok)
        {
            let message = format!("`{}` is debug info of a library that is not there", file.display());
            return Err(Failure::new(message).help("name the library with --library"));
        }
        for library in given.iter().chain(named.values().filter_map(|library| library.as_ref().ok())) {
            fits(library, target, wanted.target)?;
        }
        let target = wanted.target.zip(target);
        let library = given.as_ref().map(|library| &library.exports);
        Ok(Self { header: headers(wanted, target, library)?, given, named, system })
    }

    /// What a document is compared with, and where the library comes from if nobody named it.
    pub(crate) fn of(&self, document: &Document) -> (Evidence<'_>, Option<String>) {
        let nothing = |reason: String| Evidence {
            exports: Err(reason.clone()),
            header: Err("no header was given (--header)".to_owned()),
            debug_info: Err(reason),
        };
        let (mut evidence, note) = match &self.given {
            Some(library) => (library.evidence(), None),
            None => match default_library(&document.source, self.system) {
                None => {
                    let system = self.system;
                    let reason =
                        format!("no library was given (--library), and the document names none for {system}");
                    (nothing(reason), None)
                }
                Some(name) => match self.named.get(&name) {
                    Some(Ok(library)) => {
                        let path = library.path.display();
                        (
                            library.evidence(),
                            Some(format!("the library is the document's own, `{name}`: {path}")),
                        )
                    }
                    Some(Err(reason)) => (nothing(reason.clone()), None),
                    None => (nothing(format!("no library {name} was found")), None),
                },
            },
        };
        evidence.header = match &self.header {
            Some((path, interface)) => Ok((path.clone(), interface)),
            None => Err("no header was given (--header)".to_owned()),
        };
        (evidence, note)
    }
}

/// The library that the command line names has to be there.
fn given(path: &Path, functions: &BTreeSet<String>, options: NativeOptions<'_>) -> Outcome<NativeLibrary> {
    headers::library_file(path)?;
    let library = NativeLibrary::read(path, functions, options).map_err(|error| match &error {
        LibraryError::Read(reason) => headers::not_a_library(reason),
        _ => Failure::new(error.to_string()).help(headers::LIBRARY),
    })?;
    match (&library.debug_info, options.debug_info) {
        (Err(reason), Some(_)) => {
            Err(Failure::new(reason.clone()).help("--debug-info names a file of this build"))
        }
        _ => Ok(library),
    }
}

/// A library of another target has other widths than those that were asked for.
fn fits(library: &NativeLibrary, target: Option<Target>, triple: Option<&str>) -> Outcome<()> {
    let found = library.exports.target;
    let model = |target: Target| (target.pointer, target.long, target.has_stdcall);
    match (target, triple) {
        (Some(target), Some(triple)) if model(target) != model(found) => {
            let path = library.path.display();
            Err(Failure::new(format!("`{path}` is not a library for {triple}"))
                .help("leave out --target: it is told by the library, unless that is for several targets"))
        }
        _ => Ok(()),
    }
}

fn headers(
    wanted: &Wanted<'_>,
    target: Option<(&str, Target)>,
    library: Option<&Exports>,
) -> Outcome<Option<(String, Interface)>> {
    if wanted.headers.is_empty() {
        return Ok(None);
    }
    let (headers, include, define) = (wanted.headers, wanted.include, wanted.define);
    let interface = headers::Wanted { headers, include, define, also: &[], target, library }.read()?;
    let names: Vec<String> = wanted.headers.iter().map(|path| path.display().to_string()).collect();
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

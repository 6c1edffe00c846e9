//! The headers that `import` and `check` read: with a compiler for the target of the library, and with
//! what to write where a file is in the wrong place.

use std::path::{Path, PathBuf};

use opendyn_inspect::header::{Error, Mistaken, Options};
use opendyn_inspect::{Exports, Interface, ReadError, Target, header};

use crate::failure::{Failure, Outcome};

/// What the headers are read for.
pub(crate) struct Wanted<'w> {
    pub(crate) headers: &'w [PathBuf],
    pub(crate) include: &'w [PathBuf],
    pub(crate) define: &'w [String],
    pub(crate) also: &'w [PathBuf],
    /// The target that the user names.
    pub(crate) target: Option<(&'w str, Target)>,
    /// The library, whose target it is otherwise.
    pub(crate) library: Option<&'w Exports>,
}

impl Wanted<'_> {
    pub(crate) fn read(&self) -> Outcome<Interface> {
        let target = self.target.or(self.library.map(|library| (library.triple.as_str(), library.target)));
        let options = Options {
            include: self.include.to_vec(),
            define: self.define.to_vec(),
            also: self.also.to_vec(),
            target: target.map(|(_, target)| target),
            triple: target.map(|(triple, _)| triple.to_owned()),
            ..Options::default()
        };
        header::read(self.headers, &options).map_err(|error| {
            let failure = Failure::new(error.to_string());
            match help(&error) {
                Some(help) => failure.help(help),
                None => failure,
            }
        })
    }
}

fn help(error: &Error) -> Option<String> {
    match error {
        Error::Mistaken { header, what } => Some(match what {
            Mistaken::Object(_) => library_help(header),
            Mistaken::Archive => "name the header; --library takes a shared library".to_owned(),
            Mistaken::Json => format!("`opendyn check {}` checks a document", header.display()),
            Mistaken::Utf16 => "save it as UTF-8".to_owned(),
            _ => "name the header itself".to_owned(),
        }),
        Error::NotFound { header, .. } if is_library_name(header) => Some(library_help(header)),
        _ => None,
    }
}

/// What to write for a library that stands where a header belongs.
fn library_help(library: &Path) -> String {
    let library = library.display();
    format!(
        "name the header, and the library with --library {library}; for a library with debug info \
         `opendyn import --debug-info {library}` needs no header"
    )
}

/// Whether a file is called as libraries are: `libz.so.1`, `z.dll`.
fn is_library_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.contains(".so.") || [".so", ".dll", ".dylib"].iter().any(|ending| name.ends_with(ending))
}

/// What `--library` takes.
pub(crate) const LIBRARY: &str = "--library takes a path, or a name that the system's loader finds";

/// Refuses what can be no library before it is looked for.
pub(crate) fn library_file(path: &Path) -> Outcome<()> {
    match path {
        path if path.as_os_str().is_empty() => {
            Err(Failure::new("the name of the library is empty").help(LIBRARY))
        }
        path if path.is_dir() => {
            let message = format!("`{}` is a folder, not a library", path.display());
            Err(Failure::new(message).help("write the path of the library's file"))
        }
        _ => Ok(()),
    }
}

/// What to say of a file that stands where a library belongs.
pub(crate) fn not_a_library(error: &ReadError) -> Failure {
    let help = match error {
        ReadError::NotALibrary { .. } => {
            "a C header is named by itself in `opendyn import HEADER`, and with --header in `opendyn check`"
        }
        _ => LIBRARY,
    };
    Failure::new(error.to_string()).help(help)
}

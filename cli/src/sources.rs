//! Help for libraries and headers that cannot be read: what to write on the command line instead.

use std::path::Path;

use opendyn_inspect::contract::SourcesError;
use opendyn_inspect::header::{self, Mistaken};
use opendyn_inspect::import::ImportError;
use opendyn_inspect::{LibraryError, ReadError};

use crate::failure::Failure;

/// What `--library` takes.
const LIBRARY: &str = "--library takes a path, or a name that the system's loader finds";

/// What to write instead of a folder, or of a name that was not found.
const FILE: &str = "write the path of the library's file";

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        let help = match &error {
            ImportError::NoSource => Some("name a header".to_owned()),
            ImportError::Library(LibraryError::NotFound(_)) => Some(FILE.to_owned()),
            ImportError::Library(error) => Some(library_help(error).to_owned()),
            ImportError::Header(error) => header_help(error),
            ImportError::NoFunctions { library: true } => {
                Some("the library exports none of the functions that the headers declare".to_owned())
            }
            _ => None,
        };
        Self::new(error.to_string()).maybe_help(help)
    }
}

impl From<SourcesError> for Failure {
    fn from(error: SourcesError) -> Self {
        let help = match &error {
            SourcesError::UnknownTarget(_) => {
                Some("name one as Rust does, such as x86_64-unknown-linux-gnu".to_owned())
            }
            SourcesError::Library(error) => Some(library_help(error).to_owned()),
            SourcesError::OtherTarget { .. } => {
                Some("omit --target: the library has its own, unless it is for several targets".to_owned())
            }
            SourcesError::DebugInfo(_) => Some("--debug-info must name a file of this build".to_owned()),
            SourcesError::DebugInfoAlone(_) => Some("name the library with --library".to_owned()),
            SourcesError::Header(error) => header_help(error),
            _ => None,
        };
        Self::new(error.to_string()).maybe_help(help)
    }
}

fn library_help(error: &LibraryError) -> &'static str {
    match error {
        LibraryError::Folder(_) => FILE,
        LibraryError::Read(ReadError::NotALibrary { .. }) => {
            "a C header is an argument without an option in `opendyn import HEADER`, and --header in `opendyn check`"
        }
        _ => LIBRARY,
    }
}

fn header_help(error: &header::HeaderError) -> Option<String> {
    match error {
        header::HeaderError::Mistaken { header, what } => Some(match what {
            Mistaken::Object(_) => not_a_header(header),
            Mistaken::Archive => "name the header; --library takes a shared library".to_owned(),
            Mistaken::Json => format!("`opendyn check {}` checks a document", header.display()),
            Mistaken::Utf16 => "save it as UTF-8".to_owned(),
            _ => "name the header itself".to_owned(),
        }),
        header::HeaderError::NotFound { header, .. } if is_library_name(header) => Some(not_a_header(header)),
        _ => None,
    }
}

/// What to write for a library that was given as a header.
fn not_a_header(library: &Path) -> String {
    let library = library.display();
    format!(
        "name the header, and the library with --library {library}; for a library with debug info \
         `opendyn import --debug-info {library}` needs no header"
    )
}

/// Whether a file has the name of a library: `libz.so.1`, `z.dll`.
fn is_library_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.contains(".so.") || [".so", ".dll", ".dylib"].iter().any(|ending| name.ends_with(ending))
}

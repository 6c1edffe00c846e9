//! A document with its library, opened in this process. All documents of a library, and all versions of a document,
//! take turns where the library is not thread-safe: the interpreter sees to that.

use std::path::Path;

use opendyn_interpreter::{self as interpreter, Interpreted, LoadError};

use crate::failure::{Failure, Outcome};

/// Opens the library at a path, or else the one that the document names. `name` is the document for the user.
pub(crate) fn open(
    name: &str,
    document: interpreter::Document,
    library: Option<&Path>,
) -> Outcome<Interpreted> {
    has_library(name, &document, library)?;
    interpreter::command::open(document, library).map_err(|error| not_opened(name, &error))
}

/// The same, with the memory that C is lent between guard pages.
#[cfg(unix)]
pub(crate) fn open_guarded(
    name: &str,
    document: interpreter::Document,
    library: Option<&Path>,
    guarding: interpreter::command::Guarding,
) -> Outcome<Interpreted> {
    has_library(name, &document, library)?;
    interpreter::command::open_guarded(document, library, guarding).map_err(|error| not_opened(name, &error))
}

/// A document must say which library it describes, unless the user does.
pub(super) fn has_library(
    name: &str,
    document: &interpreter::Document,
    library: Option<&Path>,
) -> Outcome<()> {
    if library.is_some() || document.names_library() {
        return Ok(());
    }
    Err(Failure::new(format!("`{name}` names no library"))
        .help("name it with --library, or in the document with `x-library`"))
}

fn not_opened(name: &str, error: &LoadError) -> Failure {
    match error {
        LoadError::Open { path, .. } => {
            let failure = Failure::new(error.to_string());
            let here = path.components().count() == 1 && path.is_file();
            if !here {
                return failure;
            }
            let path = path.display();
            failure
                .help(format!("the system does not look for it in this folder: write `--library ./{path}`"))
        }
        LoadError::NotFound { variable, tried } => {
            // The folder of the command is tried too, but it has no libraries.
            let own = std::env::current_exe().ok();
            let own = own.as_deref().and_then(Path::parent);
            let elsewhere = |error: &&LoadError| !matches!(error, LoadError::Open { path, .. } if path.is_absolute() && path.parent() == own);
            let tried: Vec<String> = tried.iter().filter(elsewhere).map(ToString::to_string).collect();
            Failure::new(format!("the library of `{name}` was not found: {}", tried.join("; ")))
                .help(format!("say where it is with --library, or with {variable}"))
        }
        LoadError::NoDefault { variable } => {
            Failure::new(format!("`{name}` names no library for {}", std::env::consts::OS))
                .help(format!("say which one it is with --library, or with {variable}"))
        }
        LoadError::MissingSymbols { .. } => Failure::new(format!("`{name}` does not fit: {error}"))
            .help("mark what the library may lack with `\"x-optional\": true`, or take another library"),
        _ => Failure::new(error.to_string()),
    }
}

//! The documents that a program was compiled for, with their libraries and scripts.

use std::path::Path;

use opentool::{Tool, ToolSet};

use super::HostError;
use super::request::{Document, Request};
use crate::{LoadError, Serial};

/// A binding that any thread can call.
pub type Opened = Box<dyn Tool + Send + Sync>;

/// One document of the program, and how its library is opened.
#[derive(Clone, Copy, Debug)]
pub struct HostedDocument {
    /// Opens the library at a path.
    pub open: fn(&Path) -> Result<Opened, LoadError>,
    /// Opens the library that the document names, if it names one.
    pub open_default: Option<fn() -> Result<Opened, LoadError>>,
    /// Whether calls may run in parallel.
    pub at_once: bool,
}

/// A binding whose calls run in parallel.
pub fn at_once(binding: impl Tool + Send + Sync + 'static) -> Opened {
    Box::new(binding)
}

/// A binding whose calls run one after the other.
pub fn in_turn(binding: impl Tool + Send + 'static) -> Opened {
    Box::new(Serial::new(binding))
}

/// Opens every library and every script as one tool.
pub(super) fn open(hosted: &[HostedDocument], request: &Request) -> Result<Opened, HostError> {
    if hosted.len() != request.documents.len() {
        let (has, asked) = (hosted.len(), request.documents.len());
        return Err(HostError::new(format!("this program has {has} documents, not {asked}")));
    }
    let documents = hosted.iter().zip(&request.documents);
    let mut opened = documents
        .map(|(member, document)| Ok((document, open_one(member, document)?)))
        .collect::<Result<Vec<_>, HostError>>()?;
    // A single document keeps its title and version.
    if let ([(Document { prefix: None, .. }, _)], []) = (&opened[..], &request.scripts[..])
        && let Some((_, tool)) = opened.pop()
    {
        return Ok(tool);
    }
    let set = opened.into_iter().fold(ToolSet::builder(), |set, (document, tool)| match &document.prefix {
        Some(prefix) => set.add_prefixed(prefix, tool),
        None => set.add(&document.name, tool),
    });
    if request.scripts.is_empty() {
        return Ok(Box::new(set.build().map_err(HostError::new)?));
    }
    #[cfg(all(feature = "python", unix))]
    return super::scripts::join(set, request);
    #[cfg(not(all(feature = "python", unix)))]
    Err(HostError::new("this program runs no scripts"))
}

fn open_one(member: &HostedDocument, document: &Document) -> Result<Opened, HostError> {
    match (&document.library, member.open_default) {
        (Some(path), _) => (member.open)(path).map_err(|error| not_opened(document, &error)),
        (None, Some(open)) => open().map_err(|error| not_opened(document, &error)),
        (None, None) => Err(HostError::new(format!("`{}` names no library", document.name))
            .help("say which one it is with --library")),
    }
}

fn not_opened(document: &Document, error: &LoadError) -> HostError {
    let name = &document.name;
    match error {
        LoadError::Open { path, .. } => {
            let failure = HostError::new(error);
            let here = path.components().count() == 1 && path.is_file();
            if !here {
                return failure;
            }
            let path = path.display();
            failure
                .help(format!("the system does not look for it in this folder: write `--library ./{path}`"))
        }
        LoadError::NotFound { variable, tried } => {
            // This program is in a cache, where there are no libraries.
            let own = std::env::current_exe().ok();
            let own = own.as_deref().and_then(Path::parent);
            let elsewhere = |error: &&LoadError| !matches!(error, LoadError::Open { path, .. } if path.is_absolute() && path.parent() == own);
            let tried: Vec<String> = tried.iter().filter(elsewhere).map(ToString::to_string).collect();
            HostError::new(format!("the library of `{name}` was not found: {}", tried.join("; ")))
                .help(format!("say where it is with --library, or with {variable}"))
        }
        LoadError::NoDefault { variable } => {
            HostError::new(format!("`{name}` names no library for {}", std::env::consts::OS))
                .help(format!("say which one it is with --library, or with {variable}"))
        }
        LoadError::MissingSymbols { .. } => HostError::new(format!("`{name}` does not fit: {error}"))
            .help("mark what the library may lack with `\"x-optional\": true`, or take another library"),
        _ => HostError::new(error),
    }
}

//! A first document, from C headers, a library, or its debug info.
//!
//! [`import`] reads the `sources`, and `draft` writes the document: `selection` chooses the functions,
//! `records` and `context` find what the types mean to all of them, and `function` describes one: `parameter`
//! (`bytes`, `numbers`, `structs`, `double`, `callback`) and `returned`. What C says for certain is written, each fact with
//! its `evidence`: the types, qualifiers and attributes, or a sentence of the documentation that `said` finds.
//! Anything else is a `question`; until it is answered, the description matches the ABI: JSON callers are
//! refused, and in Rust the method is unsafe, or returns a raw pointer. `ask` asks the questions, and keeps the answers.

mod ask;
mod bytes;
mod callback;
mod comment;
mod contents;
mod context;
mod convention;
mod debug_names;
mod described;
mod double;
mod draft;
mod elsewhere;
mod error;
mod evidence;
mod extent;
mod frees;
mod function;
mod gir;
mod information;
mod kept;
mod lengths;
mod lent;
mod man;
mod merge;
mod names;
mod numbers;
mod owner;
mod ownership;
mod parameter;
mod question;
mod records;
mod returned;
mod said;
mod scalar;
mod schemas;
mod seen;
mod selection;
mod site;
mod sources;
mod stated;
mod structs;
mod summary;
mod thrown;

use std::path::PathBuf;

use opendyn_model::layout;
use serde_json::Value;

use crate::Skipped;

pub use ask::{Answers, AnswersError, Asked, Group, Interview, Stale};
use draft::Draft;
pub use error::ImportError;
pub use evidence::{Evidence, EvidenceKind, Fact};
pub use merge::Merged;
pub use question::Choice;
use selection::Selection;
use sources::Sources;
pub use summary::Summary;

/// What to import, and from where.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// C headers: paths, or names as in `#include <zlib.h>`.
    pub headers: Vec<PathBuf>,
    /// Only functions that this library exports: a path, or a name that the system's loader finds.
    pub library: Option<PathBuf>,
    /// A library with debug info, or the file with the debug info of `library`: for prototypes or, in
    /// addition to headers, for parameter names. If absent, names are taken from what `library` itself has.
    pub debug_info: Option<PathBuf>,
    /// GIR files with what the library's annotations say; if empty, those that name the headers.
    pub gir: Vec<PathBuf>,
    /// Whether manual pages document what the headers do not.
    pub man: bool,
    /// Folders to search for headers.
    pub include: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Folders whose declarations are included too, if a header includes them.
    pub also: Vec<PathBuf>,
    /// Patterns of function names, with `*` and `?`; if empty, all functions.
    pub only: Vec<String>,
    /// The title of the document; if absent, the name of the first header or of the library.
    pub title: Option<String>,
    /// Whether every suggestion is taken as the answer to its question.
    pub take_suggestions: bool,
}

/// A document, and what is known about it.
#[derive(Debug)]
pub struct Imported {
    document: Value,
    /// How many functions were imported, and which were not.
    pub summary: Summary,
    /// The requested title, if the document cannot have it.
    pub refused_title: Option<String>,
    /// Declarations that could not be read.
    pub skipped: Vec<Skipped>,
    /// What the document states about functions, each fact with its evidence, in the order of the document.
    pub facts: Vec<Fact>,
    /// What the document asks about functions and their values, in the order of the document.
    pub asked: Vec<Asked>,
}

impl Imported {
    /// The text of the document, in canonical layout.
    #[must_use]
    pub fn text(&self) -> String {
        layout::of_value(&self.document)
    }

    /// The title of the document.
    #[must_use]
    pub fn title(&self) -> &str {
        self.document["info"]["title"].as_str().unwrap_or_default()
    }

    /// Adds the functions that `present` lacks to it and keeps all its content; `None` if it is not the text
    /// of a document.
    #[must_use]
    pub fn merge_into(&self, present: &str) -> Option<Merged> {
        merge::merge(&serde_json::from_str(present).ok()?, &self.document)
    }
}

/// Writes a first document.
///
/// # Errors
///
/// A source cannot be read, or has no function to import.
pub fn import(options: &Options) -> Result<Imported, ImportError> {
    let Sources { library, code, headers, debug_info, information, gir } = Sources::read(options)?;
    let is_debug_info = headers.is_none();
    let interface = headers.or(debug_info).ok_or(ImportError::NoSource)?;
    let draft = Draft {
        interface: &interface,
        selection: Selection { exports: library.as_ref(), only: &options.only },
        information,
        gir: &gir,
        seen: code,
        take_suggestions: options.take_suggestions,
        is_debug_info,
    };
    let mut imported = draft.write();
    if imported.summary.imported == 0 {
        return Err(ImportError::NoFunctions { library: options.library.is_some() });
    }
    imported.skipped = interface.skipped;
    Ok(imported)
}

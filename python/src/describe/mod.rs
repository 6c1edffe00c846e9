//! An OpenTool document for a script: the one that stands beside it, or what the script itself tells.
//!
//! The `return` of the function describes `data`, which is the one part of a result that differs from
//! script to script. What cannot be told is said in notes, and never guessed in silence.

mod docstring;
mod parameters;
mod sidecar;
mod type_text;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;

use serde::Deserialize;

pub use sidecar::BadSidecar;

use super::validate::Script;
use opentool::{Function, Info, OpenTool, Return, Schema};

/// What a script tells of its public function. Filled by `describe.py`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Entry {
    /// The name that it is called by.
    pub(super) name: String,
    /// Where the name stands.
    pub(super) place: (usize, usize),
    /// The name of its one parameter.
    parameter: String,
    docstring: Option<String>,
    module_docstring: Option<String>,
    /// The keys that it reads, in the order of the script.
    keys: Vec<Key>,
    /// What else it does with its dict, so that it may read other keys too.
    open: Vec<Note>,
    /// The type of `data`, if all its results have one type.
    data: Option<String>,
}

/// A key that a script reads.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
struct Key {
    name: String,
    line: usize,
    required: bool,
    /// What it must be for what the script does with it.
    kinds: Vec<String>,
    /// What its elements must be.
    items: Vec<String>,
    /// The source of the default.
    default: Option<String>,
}

/// What describes a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// A document with one function, which has the name of the script's.
    pub document: OpenTool,
    /// Where the document comes from.
    pub origin: Origin,
    /// What could not be told, and what does not fit.
    pub notes: Vec<Note>,
}

/// Where a description comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Somebody wrote it: calls can be held to it.
    Sidecar,
    /// It was told from the script, and may be wrong: it is for readers.
    Script,
}

/// Something to be known of a description.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Note {
    /// The line of the script, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is to be known.
    pub message: String,
}

impl Note {
    fn new(line: Option<usize>, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Script {
    /// The description that can be told from the script: from its docstring, and from the keys that it
    /// reads. The title is the name of the file without its ending.
    #[must_use]
    pub fn describe(&self) -> Description {
        let entry = &self.entry;
        let mut notes = Vec::new();
        let docstring = docstring::read(entry.docstring.as_deref().unwrap_or_default());
        let module = docstring::read(entry.module_docstring.as_deref().unwrap_or_default()).summary;
        let module = Some(module).filter(|text| !text.is_empty());
        let description = Some(docstring.summary.clone()).filter(|text| !text.is_empty()).or(module.clone());
        let description = description.unwrap_or_else(|| {
            notes.push(Note::new(None, format!("`{}` has no docstring that says what it does", entry.name)));
            format!("The function `{}` of {}.", entry.name, self.file())
        });
        let returns = self.returns(docstring.returns.clone(), &mut notes);
        let parameters = parameters::parameters(entry, docstring.keys(&entry.parameter), &mut notes);
        let open = entry.open.iter().map(|note| {
            Note::new(note.line, format!("{}, so that other keys may be read too", note.message))
        });
        notes.extend(open);
        let title = Path::new(self.file()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let function =
            Function { name: entry.name.clone(), description, parameters, returns, ..Function::default() };
        let document = OpenTool {
            opentool: "1.0.0".to_owned(),
            info: Info { title, description: module, version: "1.0.0".to_owned() },
            functions: vec![function],
            ..OpenTool::default()
        };
        Description { document, origin: Origin::Script, notes }
    }

    /// The description in a document that somebody wrote for the script, which `file` names.
    ///
    /// # Errors
    ///
    /// It is no OpenTool document, or not one of the script's function alone.
    pub fn described_by(&self, file: &str, document: &str) -> Result<Description, BadSidecar> {
        sidecar::read(self, file, document)
    }

    /// What `data` is.
    fn returns(&self, description: Option<String>, notes: &mut Vec<Note>) -> Option<Return> {
        let Some(kind) = self.entry.data.as_deref().and_then(type_text::plain) else {
            let message = "the type of `data` cannot be told, so that the document has no `return`";
            notes.push(Note::new(None, message));
            return None;
        };
        Some(Return { name: "data".to_owned(), description, schema: Schema::of(kind), spread: false })
    }
}

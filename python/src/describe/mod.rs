//! The OpenTool document of a script: the one beside it, or one derived from the script.
//!
//! The `return` of the function describes `data`, the only part of a result that differs between scripts. Everything
//! that cannot be derived is listed in notes.

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

/// The public function of a script, as `describe.py` reports it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Entry {
    /// Its name.
    pub(super) name: String,
    /// The place of the name.
    pub(super) place: (usize, usize),
    /// The name of its one parameter.
    parameter: String,
    docstring: Option<String>,
    module_docstring: Option<String>,
    /// The keys that it reads, in the order of the script.
    keys: Vec<Key>,
    /// Other uses of its dict, which may read further keys.
    open: Vec<Note>,
    /// The type of `data`, if all results agree.
    data: Option<String>,
}

/// A key that a script reads.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
struct Key {
    name: String,
    line: usize,
    required: bool,
    /// The types that the uses of its value require.
    kinds: Vec<String>,
    /// The types that the uses of its elements require.
    items: Vec<String>,
    /// The source text of the default.
    default: Option<String>,
}

/// The description of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// A document with one function, named like that of the script.
    pub document: OpenTool,
    /// Where the document comes from.
    pub origin: Origin,
    /// Facts that could not be derived, and contradictions.
    pub notes: Vec<Note>,
}

/// Where a description comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It was written for the script, so calls are checked against it.
    Sidecar,
    /// It was derived from the script and may be wrong, so it is only for readers.
    Script,
}

/// A remark about a description.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Note {
    /// The line of the script, from 1, if there is one.
    pub line: Option<usize>,
    /// The remark.
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
    /// The description derived from the script, from its docstring and the keys that it reads. The title is the name of the
    /// file without its extension.
    #[must_use]
    pub fn describe(&self) -> Description {
        let entry = &self.entry;
        let mut notes = Vec::new();
        let docstring = docstring::read(entry.docstring.as_deref().unwrap_or_default());
        let module = docstring::read(entry.module_docstring.as_deref().unwrap_or_default()).summary;
        let module = Some(module).filter(|text| !text.is_empty());
        let description = Some(docstring.summary.clone()).filter(|text| !text.is_empty()).or(module.clone());
        let description = description.unwrap_or_else(|| {
            notes.push(Note::new(None, format!("`{}` has no docstring", entry.name)));
            format!("The function `{}` of {}.", entry.name, self.file())
        });
        let returns = self.returns(docstring.returns.clone(), &mut notes);
        let parameters = parameters::parameters(entry, docstring.keys(&entry.parameter), &mut notes);
        let open = entry
            .open
            .iter()
            .map(|note| Note::new(note.line, format!("{}, so further keys may be read", note.message)));
        notes.extend(open);
        let title = Path::new(self.file()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let function = Function {
            name: entry.name.clone(),
            description,
            parameters,
            returns,
            tool: Some(true),
            ..Function::default()
        };
        let document = OpenTool {
            opentool: "1.0.0".to_owned(),
            info: Info { title, description: module, version: "1.0.0".to_owned(), ..Info::default() },
            functions: vec![function],
            ..OpenTool::default()
        };
        Description { document, origin: Origin::Script, notes }
    }

    /// The description in a document written for the script; `file` is its name in messages.
    ///
    /// # Errors
    ///
    /// It is not a valid OpenTool document, or does not describe exactly the function of the script.
    pub fn described_by(&self, file: &str, document: &str) -> Result<Description, BadSidecar> {
        sidecar::read(self, file, document)
    }

    /// The schema of `data`.
    fn returns(&self, description: Option<String>, notes: &mut Vec<Note>) -> Option<Return> {
        let Some(kind) = self.entry.data.as_deref().and_then(type_text::plain) else {
            let message = "the type of `data` is unknown, so the document has no `return`";
            notes.push(Note::new(None, message));
            return None;
        };
        Some(Return { name: "data".to_owned(), description, schema: Schema::of(kind), spread: false })
    }
}

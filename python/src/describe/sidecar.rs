//! A document written for a script: `tool.json` beside `tool.py`.

use std::fmt;

use super::{Description, Note, Origin};
use crate::Script;
use opentool::{Invalid, OpenTool};

/// Why a document cannot describe a script.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSidecar {
    /// It is not a valid OpenTool document.
    Invalid {
        /// The name of the document.
        file: String,
        /// All findings.
        invalid: Invalid,
    },
    /// It does not describe exactly the function of the script.
    OtherFunctions {
        /// The name of the document.
        file: String,
        /// The script's function.
        entry: String,
        /// The functions of the document.
        functions: Vec<String>,
    },
}

impl fmt::Display for BadSidecar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { file, invalid } => {
                write!(f, "{file} is not a valid OpenTool document\n{invalid}")
            }
            Self::OtherFunctions { file, entry, functions } => {
                let functions: Vec<String> = functions.iter().map(|name| format!("`{name}`")).collect();
                let functions = if functions.is_empty() { "none".to_owned() } else { functions.join(", ") };
                write!(f, "{file} must describe exactly one function, `{entry}`; it describes {functions}")
            }
        }
    }
}

impl std::error::Error for BadSidecar {}

pub(super) fn read(script: &Script, file: &str, text: &str) -> Result<Description, BadSidecar> {
    let document =
        OpenTool::parse(text).map_err(|invalid| BadSidecar::Invalid { file: file.to_owned(), invalid })?;
    let [function] = document.functions.as_slice() else { return Err(other(script, file, &document)) };
    if function.name != script.entry() {
        return Err(other(script, file, &document));
    }
    let mut notes = Vec::new();
    let entry = &script.entry;
    for key in &entry.keys {
        let parameter = function.parameters.iter().find(|parameter| parameter.name == key.name);
        let message = match parameter {
            None => format!("`{}` is read, but is not in {file}", key.name),
            Some(parameter) if key.required && !parameter.required => {
                format!("`{}` is required by the script, but optional in {file}", key.name)
            }
            Some(_) => continue,
        };
        notes.push(Note::new(Some(key.line), message));
    }
    for parameter in &function.parameters {
        if entry.open.is_empty() && !entry.keys.iter().any(|key| key.name == parameter.name) {
            notes.push(Note::new(None, format!("`{}` is in {file}, but is not read", parameter.name)));
        }
    }
    Ok(Description { document, origin: Origin::Sidecar, notes })
}

fn other(script: &Script, file: &str, document: &OpenTool) -> BadSidecar {
    BadSidecar::OtherFunctions {
        file: file.to_owned(),
        entry: script.entry().to_owned(),
        functions: document.functions.iter().map(|function| function.name.clone()).collect(),
    }
}

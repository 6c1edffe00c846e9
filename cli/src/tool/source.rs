//! What a command line names: a document with its library, or a script. It is read first, and opened only if all
//! that was named has no errors and no names that clash.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use opendyn_interpreter as interpreter;
use opentool::{OpenTool, Tool};

use super::opened;
use super::read;
use super::scripts::{self, Peers, Surroundings};
use super::watched::{Contents, contents};
use super::workers::Workers;
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::script::Script;

/// A tool that any thread can call.
pub(super) type Shared = Arc<dyn Tool + Send + Sync>;

/// A document or a script.
#[derive(Clone)]
pub(crate) enum Source {
    Document {
        document: Document,
        /// The file, unless the document came from a pipe.
        path: Option<PathBuf>,
        /// The library, if not the document's own: an absolute path, or a name for the system.
        library: Option<PathBuf>,
    },
    Script(Script),
}

/// A document or script without errors.
pub(super) enum Read {
    Document { text: Document, document: Box<interpreter::Document>, library: Option<PathBuf> },
    Script(Shared),
}

impl Source {
    /// The document at `path`.
    pub(crate) fn document(path: &Path, library: Option<PathBuf>) -> Outcome<Self> {
        let document = Document::read(path)?;
        // A pipe cannot be read again. The path is absolute, because a library may change the folder.
        let path = if path.is_file() { std::path::absolute(path).ok() } else { None };
        Ok(Self::Document { document, path, library })
    }

    /// Its name for the user.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Document { document, .. } => &document.name,
            Self::Script(script) => &script.name,
        }
    }

    /// The files that can change; a script may have a description beside it.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Document { path, .. } => path.iter().cloned().collect(),
            Self::Script(script) => vec![script.path.clone(), script.path.with_extension("json")],
        }
    }

    /// The contents of its files. A document has been read already.
    pub(super) fn contents(&self) -> Contents {
        match self {
            Self::Document { document, .. } => vec![Some(document.source.clone().into_bytes())],
            Self::Script(_) => contents(&self.files()),
        }
    }

    /// The same source with new contents. A script reads its files itself.
    pub(super) fn with(&self, contents: &Contents) -> Outcome<Self> {
        let mut next = self.clone();
        if let Self::Document { document: Document { name, source }, .. } = &mut next {
            let Some(Some(bytes)) = contents.first() else {
                return Err(Failure::new(format!("cannot read the document `{name}`")));
            };
            *source = String::from_utf8(bytes.clone())
                .map_err(|_| Failure::new(format!("cannot read the document `{name}`: it is not UTF-8")))?;
        }
        Ok(next)
    }

    /// Reads it. Findings are shown.
    pub(super) fn read(&self, surroundings: &Surroundings, peers: &Peers) -> Outcome<Read> {
        match self {
            Self::Document { document, library, .. } => Ok(Read::Document {
                text: document.clone(),
                document: Box::new(read::document(document)?),
                library: library.clone(),
            }),
            Self::Script(script) => Ok(Read::Script(scripts::open(script, surroundings, peers)?)),
        }
    }
}

impl Read {
    /// Opens the library of a document, in a worker if there are workers.
    pub(super) fn open(self, workers: Option<&Workers>) -> Outcome<Shared> {
        match self {
            Self::Document { text, document, library } => match workers {
                None => Ok(Arc::new(opened::open(&text.name, *document, library.as_deref())?)),
                Some(workers) => {
                    opened::has_library(&text.name, &document, library.as_deref())?;
                    workers.open(&text, &document, library.as_deref())
                }
            },
            Self::Script(tool) => Ok(tool),
        }
    }

    /// Fails if nothing says which library a document describes.
    pub(super) fn has_library(&self) -> Outcome<()> {
        match self {
            Self::Document { text, document, library } => {
                opened::has_library(&text.name, document, library.as_deref())
            }
            Self::Script(_) => Ok(()),
        }
    }

    /// The functions as callers see them.
    pub(super) fn described(&self) -> Option<OpenTool> {
        match self {
            Self::Document { document, .. } => document.load(),
            Self::Script(tool) => tool.load(),
        }
    }

    /// The prefix of a document's functions. The tool of a script has the name of its file.
    pub(super) fn prefix(&self) -> Option<String> {
        match self {
            Self::Document { document, .. } => Some(read::prefix(document.title())),
            Self::Script(_) => None,
        }
    }

    /// Whether calls may run in parallel.
    pub(super) fn is_thread_safe(&self) -> bool {
        match self {
            Self::Document { document, .. } => document.is_thread_safe(),
            Self::Script(_) => true,
        }
    }
}

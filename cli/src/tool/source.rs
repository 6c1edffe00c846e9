//! What a command line names: a document with its library, a script, or a workflow. It is read first, and opened only if
//! all that was named has no errors and no names that clash.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use opendyn_interpreter as interpreter;
use opentool::{MapTool, OpenTool, Tool, ToolError};

use super::flows::{Flow, ReadFlow};
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

/// A document, a script or a workflow.
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
    Workflow(Flow),
}

/// A document, script or workflow without errors.
pub(super) enum Read {
    Document { text: Document, document: Box<interpreter::Document>, library: Option<PathBuf> },
    Script(Shared),
    Workflow(Arc<ReadFlow>),
}

/// What is joined with others.
#[derive(Clone)]
pub(super) enum Part {
    /// A document, with the prefix that its functions can have.
    Document { prefix: String, tool: Shared, is_thread_safe: bool },
    /// A script. Its tool has the name of its file.
    Script(Shared),
    /// A workflow, which becomes a tool together with the others.
    Workflow(Arc<ReadFlow>),
}

impl Part {
    /// The tool, unless it is a workflow.
    pub(super) fn tool(&self) -> Option<&Shared> {
        match self {
            Self::Document { tool, .. } | Self::Script(tool) => Some(tool),
            Self::Workflow(_) => None,
        }
    }

    /// Whether calls may run in parallel.
    pub(super) fn is_thread_safe(&self) -> bool {
        !matches!(self, Self::Document { is_thread_safe: false, .. })
    }
}

impl Source {
    /// The document at `path`.
    pub(crate) fn document(path: &Path, library: Option<PathBuf>) -> Outcome<Self> {
        Ok(Self::of(path, Document::read(path)?, library))
    }

    /// The document that was read from `path`.
    pub(crate) fn of(path: &Path, document: Document, library: Option<PathBuf>) -> Self {
        // A pipe cannot be read again. The path is absolute, because a library may change the folder.
        let path = if path.is_file() { std::path::absolute(path).ok() } else { None };
        Self::Document { document, path, library }
    }

    /// Its name for the user.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Document { document, .. } => &document.name,
            Self::Script(script) => &script.name,
            Self::Workflow(flow) => &flow.document.name,
        }
    }

    /// The files that can change; a script may have a description beside it.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Document { path, .. } => path.iter().cloned().collect(),
            Self::Workflow(flow) => vec![flow.path.clone()],
            Self::Script(script) => vec![script.path.clone(), script.path.with_extension("json")],
        }
    }

    /// The contents of its files. A document has been read already.
    pub(super) fn contents(&self) -> Contents {
        match self {
            Self::Document { document, .. } | Self::Workflow(Flow { document, .. }) => {
                vec![Some(document.source.clone().into_bytes())]
            }
            Self::Script(_) => contents(&self.files()),
        }
    }

    /// The same source with new contents. A script reads its files itself.
    pub(super) fn with(&self, contents: &Contents) -> Outcome<Self> {
        let mut next = self.clone();
        if let Self::Document { document: Document { name, source }, .. }
        | Self::Workflow(Flow { document: Document { name, source }, .. }) = &mut next
        {
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
            Self::Workflow(flow) => Ok(Read::Workflow(Arc::new(flow.read()?))),
        }
    }
}

impl Read {
    /// Opens the library of a document, in a worker if there are workers.
    pub(super) fn open(self, workers: Option<&Workers>) -> Outcome<Part> {
        match self {
            Self::Document { text, document, library } => {
                let (prefix, is_thread_safe) = (read::prefix(document.title()), document.is_thread_safe());
                let tool: Shared = match workers {
                    None => Arc::new(opened::open(&text.name, *document, library.as_deref())?),
                    Some(workers) => {
                        opened::has_library(&text.name, &document, library.as_deref())?;
                        workers.open(&text, &document, library.as_deref())?
                    }
                };
                Ok(Part::Document { prefix, tool, is_thread_safe })
            }
            Self::Script(tool) => Ok(Part::Script(tool)),
            Self::Workflow(flow) => Ok(Part::Workflow(flow)),
        }
    }

    /// What it will be, without a library: it has the same functions, which cannot be called.
    pub(super) fn described(&self) -> Part {
        let described = |document: Option<OpenTool>| -> Shared {
            let tool = MapTool::new(|_, _| Err(ToolError::Stopping));
            match document {
                Some(document) => Arc::new(tool.described_by(document)),
                None => Arc::new(tool),
            }
        };
        match self {
            Self::Document { document, .. } => Part::Document {
                prefix: read::prefix(document.title()),
                tool: described(document.load()),
                is_thread_safe: document.is_thread_safe(),
            },
            Self::Script(tool) => Part::Script(described(tool.load())),
            Self::Workflow(flow) => Part::Workflow(Arc::clone(flow)),
        }
    }

    /// Fails if nothing says which library a document describes.
    pub(super) fn has_library(&self) -> Outcome<()> {
        match self {
            Self::Document { text, document, library } => {
                opened::has_library(&text.name, document, library.as_deref())
            }
            Self::Script(_) | Self::Workflow(_) => Ok(()),
        }
    }

    /// What it is called: a document by its title, others by their file.
    pub(super) fn title(&self, source: &Source) -> String {
        match (self, source) {
            (Self::Document { document, .. }, _) => document.load().unwrap_or_default().info.title,
            (_, Source::Script(script)) => script.tool.clone(),
            (_, Source::Workflow(flow)) => flow.tool.clone(),
            (_, Source::Document { document, .. }) => document.name.clone(),
        }
    }
}

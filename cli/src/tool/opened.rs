//! A document with its library, opened in this process.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use opendyn_interpreter::{self as interpreter, Interpreted, LoadError};
use opentool::{OpenTool, Tool, ToolError};

use crate::failure::{Failure, Outcome};

/// Opens the library at a path, or else the one that the document names. `name` is the document for the user.
pub(crate) fn open(
    name: &str,
    document: interpreter::Document,
    library: Option<&Path>,
) -> Outcome<Interpreted> {
    if library.is_none() && !document.names_library() {
        return Err(Failure::new(format!("`{name}` names no library"))
            .help("name it with --library, or in the document with `x-library`"));
    }
    interpreter::command::open(document, library).map_err(|error| not_opened(name, &error))
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

/// The lock of a library. All versions of its document share it: a call of the last version may still run when
/// the first call of the next one arrives, and the library may allow only one of them.
pub(super) type Turn = Arc<RwLock<()>>;

/// A document with its library, whose calls and whose end keep the lock.
pub(super) struct InTurn {
    /// `None` only while it is dropped.
    tool: Option<Interpreted>,
    is_thread_safe: bool,
    turn: Turn,
}

impl InTurn {
    pub(super) fn new(tool: Interpreted, turn: &Turn) -> Self {
        Self { is_thread_safe: tool.document().is_thread_safe(), tool: Some(tool), turn: Arc::clone(turn) }
    }
}

impl Tool for InTurn {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        let Some(tool) = &self.tool else { return Err(ToolError::Stopping) };
        if self.is_thread_safe {
            let _turn = self.turn.read().unwrap_or_else(PoisonError::into_inner);
            return tool.call_into(name, arguments, out);
        }
        let _turn = self.turn.write().unwrap_or_else(PoisonError::into_inner);
        tool.call_into(name, arguments, out)
    }

    fn load(&self) -> Option<OpenTool> {
        self.tool.as_ref().and_then(Tool::load)
    }
}

impl Drop for InTurn {
    /// Handles that are left are freed, which calls the library.
    fn drop(&mut self) {
        let _turn = self.turn.write().unwrap_or_else(PoisonError::into_inner);
        drop(self.tool.take());
    }
}

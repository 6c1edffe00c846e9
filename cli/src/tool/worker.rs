//! The process that runs a library for a server: this command, started again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use opendyn_interpreter::{Interpreted, command};
use opentool::{Map, Tool, ToolError};
use opentool_worker::{Opening, os_string};
use serde_json::{Value, json};

use crate::document::Document;
use crate::failure::{Failure, Outcome};

/// The name of the worker.
pub(crate) const NAME: &str = "opendyn";

/// What a worker is told. The text of the document, because the file may have changed since it was checked.
pub(super) fn setup(document: &Document, library: Option<&Path>, handles: usize) -> Value {
    let library = library.map(|path| os_string::to_json(path.as_os_str()));
    json!({"name": document.name, "source": document.source, "library": library, "handles": handles})
}

/// Serves calls until the server closes the connection.
pub(crate) fn serve() -> ExitCode {
    opentool_worker::serve(open)
}

/// Opens the library. Whatever restricts this process is done before.
fn open(opening: Opening) -> Result<impl Tool, ToolError> {
    let Opening { setup, past, .. } = opening;
    if let Some(secret) = past.secret {
        command::resume(secret, past.count, past.lost);
    }
    let broken = || ToolError::call_failed("the worker was not told what to open");
    let text = |key: &str| setup.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(broken);
    let document = Document { name: text("name")?, source: text("source")? };
    let library = match setup.get("library") {
        None | Some(Value::Null) => None,
        Some(path) => Some(PathBuf::from(os_string::from_json(path).ok_or_else(broken)?)),
    };
    let handles = setup.get("handles").and_then(Value::as_u64).ok_or_else(broken)?;
    let opened = opened(&document, library.as_deref()).map_err(|failure| {
        let help = failure.helps().map(|help| ("help".to_owned(), json!(help)));
        ToolError::call_failed(failure.to_string()).with_details(None, Map::from_iter(help))
    })?;
    Ok(command::session(opened, usize::try_from(handles).unwrap_or(usize::MAX)))
}

fn opened(document: &Document, library: Option<&Path>) -> Outcome<Interpreted> {
    super::open(&document.name, super::read(document)?, library)
}

/// Why a worker could not open the library, as if it had been opened here.
pub(super) fn refused(error: &ToolError) -> Failure {
    match error {
        ToolError::CallFailed { message, details, .. } => {
            let help = details.as_ref().and_then(|details| details.outputs.get("help"));
            Failure::new(message).maybe_help(help.and_then(Value::as_str).map(str::to_owned))
        }
        error => Failure::new(error.to_string()),
    }
}

//! `call`: one call, checked before the library is opened.

use std::io::Write;
use std::process::ExitCode;

use opendyn_interpreter as interpreter;
use opentool::{Tool, ToolError};

use super::pretty::pretty;
use super::{read, streams};
use crate::document::Document;
use crate::failure::{Failure, Outcome};

/// Reads what a call of `function` needs, and checks the call as far as that is possible without the library.
pub(crate) fn checked(
    document: &Document,
    function: &str,
    arguments: &str,
) -> Outcome<interpreter::Document> {
    let read = read::document_for(document, function)?;
    let Err(error) = read.check_call(function, arguments.as_bytes()) else { return Ok(read) };
    let failure = Failure::fault(error.to_string());
    Err(match error {
        ToolError::UnknownFunction { .. } => {
            failure.help(format!("`opendyn call {} --list` lists them", document.name))
        }
        _ => failure,
    })
}

/// Calls `function` and writes its result.
pub(crate) fn call(
    tool: &dyn Tool,
    function: &str,
    arguments: &str,
    compact: bool,
    mut output: impl Write,
) -> Outcome {
    match tool.call_json(function, arguments) {
        Ok(result) => {
            let result = if compact { result } else { pretty(&result) };
            streams::write(&mut output, &result)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let error = match tool.load() {
                Some(document) => error.with_hint(&document, function),
                None => error,
            };
            let help = takes_token(tool, function, &error).then(|| {
                "a handle lives as long as the process that issued it: make all calls with one `--batch`"
                    .to_owned()
            });
            Err(Failure::fault(error.to_string()).maybe_help(help))
        }
    }
}

/// Whether the call was refused because of an argument that is a token; tokens of other processes are invalid.
fn takes_token(tool: &dyn Tool, function: &str, error: &ToolError) -> bool {
    let ToolError::InvalidArguments(error) = error else { return false };
    let Some(document) = tool.load() else { return false };
    let Some(function) = document.function(function) else { return false };
    function
        .parameters
        .iter()
        .any(|parameter| parameter.schema.handle.is_some() && error.pointer == format!("/{}", parameter.name))
}

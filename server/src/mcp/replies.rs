//! What a client gets of the outcome of a call: the result as text and as a value, or what is wrong for its model to read.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use opentool::ToolError;

/// What the client gets of a call.
pub(super) fn outcome(reply: Result<Vec<u8>, ToolError>) -> Result<CallToolResult, ErrorData> {
    match reply.and_then(succeeded) {
        Ok(result) => Ok(result),
        Err(error @ ToolError::UnknownFunction { .. }) => {
            Err(ErrorData::invalid_params(error.to_string(), None))
        }
        // Not a protocol error: the model must see the message to correct its arguments.
        Err(error) => Ok(failed(&error)),
    }
}

/// The message, and behind it the outputs that the function filled although it failed.
pub(super) fn failed(error: &ToolError) -> CallToolResult {
    let message = ContentBlock::text(error.to_string());
    let outputs = match error {
        ToolError::CallFailed { details: Some(details), .. } if !details.outputs.is_empty() => {
            Some(ContentBlock::text(json!({ "outputs": details.outputs }).to_string()))
        }
        _ => None,
    };
    CallToolResult::error(std::iter::once(message).chain(outputs).collect())
}

/// The same for a model that does not know the names of all functions.
pub(super) fn failed_within(error: &ToolError) -> CallToolResult {
    match error {
        ToolError::UnknownFunction { .. } => {
            let error = error.to_string();
            let stop = if error.ends_with('?') { "" } else { "." };
            let message = format!("{error}{stop} `search_tools` finds functions by what they do.");
            CallToolResult::error(vec![ContentBlock::text(message)])
        }
        _ => failed(error),
    }
}

/// The reply as text, and as a value for clients that read structured content.
fn succeeded(reply: Vec<u8>) -> Result<CallToolResult, ToolError> {
    let structured: Map<String, Value> = serde_json::from_slice(&reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not a JSON object: {error}")))?;
    let mut result = as_text(reply)?;
    result.structured_content = Some(Value::Object(structured));
    Ok(result)
}

/// The result with the lengths of its bytes behind everything else.
pub(super) fn with_lengths(mut result: CallToolResult, lengths: Option<String>) -> CallToolResult {
    result.content.extend(lengths.map(ContentBlock::text));
    result
}

pub(super) fn as_text(reply: Vec<u8>) -> Result<CallToolResult, ToolError> {
    let text = String::from_utf8(reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not UTF-8: {error}")))?;
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}

pub(super) fn was_cancelled() -> ToolError {
    ToolError::call_failed("it was cancelled")
}

//! The functions of a document in the formats of models and their clients.
//!
//! [`Signature`] is the canonical form, two JSON Schemas per function; every format is made from it. All exports are
//! pure functions of the document and write their keys in a fixed order.
//!
//! ```
//! # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
//! let tools = opentool::export::openai_responses(&document, true)?;
//! assert_eq!(tools[0]["parameters"]["additionalProperties"], false);
//! # Ok::<(), opentool::export::ExportError>(())
//! ```

mod gemini;
mod names;
mod openai;
mod refusal;
mod signature;
mod strict;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use crate::{Annotations, OpenTool};

pub use refusal::{ExportError, Refusal, Rule};
pub use signature::Signature;
pub use strict::{StrictViolation, lint_strict};

use names::Names;
use openai::Shape;
use signature::Spellings;

/// The `tools` of a request to OpenAI's Responses API.
///
/// With `strict`, every argument is required; those that are optional in the document become nullable.
///
/// ```
/// # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
/// let tools = opentool::export::openai_responses(&document, true)?;
/// assert_eq!(tools[0]["strict"], true);
/// # Ok::<(), opentool::export::ExportError>(())
/// ```
///
/// # Errors
///
/// A name is not allowed by OpenAI, or a reference is unresolved or cyclic. With `strict`, also a function that
/// strict mode cannot express, such as one that takes an object without `properties`.
pub fn openai_responses(document: &OpenTool, strict: bool) -> Result<Value, ExportError> {
    openai::tools(&signatures(document, &names::OPENAI)?, Shape::Responses, strict)
}

/// The `tools` of a request to OpenAI's Chat Completions API.
///
/// ```
/// # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
/// let tools = opentool::export::openai_chat(&document, false)?;
/// assert_eq!(tools[0]["function"]["name"], "add");
/// # Ok::<(), opentool::export::ExportError>(())
/// ```
///
/// # Errors
///
/// The same as for [`openai_responses`].
pub fn openai_chat(document: &OpenTool, strict: bool) -> Result<Value, ExportError> {
    openai::tools(&signatures(document, &names::OPENAI)?, Shape::Chat, strict)
}

/// The `tools` of a request to Anthropic's Messages API.
///
/// ```
/// # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
/// let tools = opentool::export::anthropic(&document)?;
/// assert_eq!(tools[0]["input_schema"]["type"], "object");
/// # Ok::<(), opentool::export::ExportError>(())
/// ```
///
/// # Errors
///
/// The name of a function or an argument is not allowed by Anthropic, or a reference is unresolved or cyclic.
pub fn anthropic(document: &OpenTool) -> Result<Value, ExportError> {
    let tools = signatures(document, &names::ANTHROPIC)?.into_iter().map(|signature| {
        json!({
            "name": signature.name,
            "description": signature.description,
            "input_schema": signature.input,
        })
    });
    Ok(tools.collect())
}

/// The `tools` of a request to Gemini's API.
///
/// ```
/// # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
/// let exported = opentool::export::gemini(&document)?;
/// assert!(exported.to_string().contains("add"));
/// # Ok::<(), opentool::export::ExportError>(())
/// ```
///
/// # Errors
///
/// A name is not allowed by Gemini, an object has no `properties`, an array has no `items`, or a reference is
/// unresolved or cyclic.
pub fn gemini(document: &OpenTool) -> Result<Value, ExportError> {
    gemini::tools(&signatures(document, &names::GEMINI)?)
}

/// The `tools` in the reply to MCP's `tools/list`.
///
/// Where an argument is bytes, its schema allows `{"text": …}` and `{"hex": …}` beside the string, because some clients compare
/// arguments with it.
///
/// ```
/// # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
/// let tools = opentool::export::mcp_tools(&document)?;
/// assert_eq!(tools[0]["inputSchema"]["type"], "object");
/// # Ok::<(), opentool::export::ExportError>(())
/// ```
///
/// # Errors
///
/// A name is not allowed by MCP, or a reference is unresolved or cyclic.
pub fn mcp_tools(document: &OpenTool) -> Result<Value, ExportError> {
    let signatures = Signature::offered_with(document, Spellings::All)?;
    let tools = allowed(signatures, &names::MCP)?.into_iter().map(|signature| {
        let mut tool = Map::new();
        tool.insert("name".to_owned(), json!(signature.name));
        tool.insert("description".to_owned(), json!(signature.description));
        tool.insert("inputSchema".to_owned(), Value::Object(signature.input));
        tool.insert("outputSchema".to_owned(), Value::Object(signature.output));
        if let Some(hints) = hints(signature.annotations) {
            tool.insert("annotations".to_owned(), hints);
        }
        Value::Object(tool)
    });
    Ok(tools.collect())
}

/// The hints by their names in MCP; `None` if there are none.
fn hints(annotations: Annotations) -> Option<Value> {
    let Annotations { read_only, destructive, idempotent } = annotations;
    let hints =
        [("readOnlyHint", read_only), ("destructiveHint", destructive), ("idempotentHint", idempotent)];
    let hints: Map<String, Value> =
        hints.into_iter().filter_map(|(key, hint)| Some((key.to_owned(), json!(hint?)))).collect();
    (!hints.is_empty()).then_some(Value::Object(hints))
}

/// Plain JSON Schema, draft 2020-12: name, title and description of every function, and the schemas `input` and
/// `output`.
///
/// ```
/// # let document = opentool::OpenTool::parse(r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[{"name":"add","description":"Adds.","parameters":[{"name":"a","schema":{"type":"integer"},"required":true}]}]}"#).unwrap();
/// let exported = opentool::export::json_schema(&document)?;
/// assert!(exported.to_string().contains("add"));
/// # Ok::<(), opentool::export::ExportError>(())
/// ```
///
/// # Errors
///
/// A reference is unresolved or cyclic, or two functions have the same name.
pub fn json_schema(document: &OpenTool) -> Result<Value, ExportError> {
    let functions = signatures(document, &names::ANY)?.into_iter().map(|signature| {
        json!({
            "name": signature.name,
            "title": signature.title,
            "description": signature.description,
            "input": standalone(signature.input),
            "output": standalone(signature.output),
        })
    });
    Ok(functions.collect())
}

fn standalone(schema: Map<String, Value>) -> Value {
    let draft = ("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    Value::Object(std::iter::once(draft).chain(schema).collect())
}

/// The signatures, if the format allows all their names.
fn signatures(document: &OpenTool, names: &Names) -> Result<Vec<Signature>, ExportError> {
    allowed(Signature::offered(document)?, names)
}

fn allowed(signatures: Vec<Signature>, names: &Names) -> Result<Vec<Signature>, ExportError> {
    let refusals = names.check(&signatures);
    if refusals.is_empty() { Ok(signatures) } else { Err(ExportError { refusals }) }
}

/// A key, escaped for a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

//! The functions of a document in the forms that models and their clients take.
//!
//! [`Signature`] is the canonical form, two JSON Schemas a function; everything else is made of it.
//! All are pure functions of the document, and write their keys in one order.
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

/// The `tools` of a request to OpenAI's Responses API.
///
/// With `strict` every argument is required, and one that the document does not require is
/// nullable.
///
/// # Errors
///
/// A name that OpenAI refuses, a reference that leads nowhere or in circles; with `strict`, a
/// function that it cannot express, such as one that takes an object without `properties`.
pub fn openai_responses(document: &OpenTool, strict: bool) -> Result<Value, ExportError> {
    openai::tools(&signatures(document, &names::OPENAI)?, Shape::Responses, strict)
}

/// The `tools` of a request to OpenAI's Chat Completions API.
///
/// # Errors
///
/// As for [`openai_responses`].
pub fn openai_chat(document: &OpenTool, strict: bool) -> Result<Value, ExportError> {
    openai::tools(&signatures(document, &names::OPENAI)?, Shape::Chat, strict)
}

/// The `tools` of a request to Anthropic's Messages API.
///
/// # Errors
///
/// A name of a function or of an argument that Anthropic refuses, or a reference that leads nowhere or
/// in circles.
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
/// # Errors
///
/// A name that Gemini refuses, an object without `properties`, an array without `items`, or a
/// reference that leads nowhere or in circles.
pub fn gemini(document: &OpenTool) -> Result<Value, ExportError> {
    gemini::tools(&signatures(document, &names::GEMINI)?)
}

/// The `tools` in the reply to MCP's `tools/list`.
///
/// # Errors
///
/// A name that MCP refuses, or a reference that leads nowhere or in circles.
pub fn mcp_tools(document: &OpenTool) -> Result<Value, ExportError> {
    let tools = signatures(document, &names::MCP)?.into_iter().map(|signature| {
        let mut tool = Map::new();
        tool.insert("name".to_owned(), json!(signature.name));
        tool.insert("title".to_owned(), json!(signature.title));
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

/// The hints as MCP calls them; `None` where there are none.
fn hints(annotations: Annotations) -> Option<Value> {
    let Annotations { read_only, destructive, idempotent } = annotations;
    let hints =
        [("readOnlyHint", read_only), ("destructiveHint", destructive), ("idempotentHint", idempotent)];
    let hints: Map<String, Value> =
        hints.into_iter().filter_map(|(key, hint)| Some((key.to_owned(), json!(hint?)))).collect();
    (!hints.is_empty()).then_some(Value::Object(hints))
}

/// Plain JSON Schema of draft 2020-12: for every function its name, title and description, and the schemas
/// `input` and `output`.
///
/// # Errors
///
/// A reference that leads nowhere or in circles, or two functions of one name.
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

/// The signatures, with the names that the format allows.
fn signatures(document: &OpenTool, names: &Names) -> Result<Vec<Signature>, ExportError> {
    let signatures = Signature::all(document)?;
    let refusals = names.check(&signatures);
    if refusals.is_empty() { Ok(signatures) } else { Err(ExportError { refusals }) }
}

/// A key as a part of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

//! The formats of OpenAI: Responses is flat, Chat Completions nests under `function`.

use serde_json::{Map, Value, json};

use super::refusal::{ExportError, Refusal};
use super::signature::Signature;
use super::strict::lint_schema;

/// Whether the name is next to the type, or in a nested object.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Responses,
    Chat,
}

pub(super) fn tools(signatures: &[Signature], shape: Shape, strict: bool) -> Result<Value, ExportError> {
    let mut tools = Vec::with_capacity(signatures.len());
    let mut refusals = Vec::new();
    for signature in signatures {
        let parameters = if strict {
            strict_schema(&signature.input, false)
        } else {
            Value::Object(signature.input.clone())
        };
        if strict {
            refusals.extend(lint_schema(&parameters).into_iter().map(|violation| Refusal {
                function: signature.name.clone(),
                rule: violation.rule,
                pointer: violation.pointer,
                message: violation.message,
            }));
        }
        tools.push(tool(signature, parameters, shape, strict));
    }
    if refusals.is_empty() { Ok(Value::Array(tools)) } else { Err(ExportError { refusals }) }
}

fn tool(signature: &Signature, parameters: Value, shape: Shape, strict: bool) -> Value {
    let Signature { name, description, .. } = signature;
    match shape {
        Shape::Responses => json!({
            "type": "function",
            "name": name,
            "description": description,
            "parameters": parameters,
            "strict": strict,
        }),
        Shape::Chat => json!({
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": parameters,
                "strict": strict,
            },
        }),
    }
}

/// Strict mode has no `maxLength`: it is part of the description.
fn described_length(description: Option<&Value>, most: Option<&Value>) -> Option<Value> {
    let Some(most) = most else { return description.cloned() };
    let most = format!("At most {most} characters.");
    Some(match description.and_then(Value::as_str) {
        Some(text) if text.trim_end().ends_with(['.', '!', '?']) => json!(format!("{text} {most}")),
        Some(text) => json!(format!("{text}. {most}")),
        None => json!(most),
    })
}

/// A canonical schema for strict mode: all properties are required, and optional ones are nullable instead.
fn strict_schema(schema: &Map<String, Value>, optional: bool) -> Value {
    if let Some(Value::Array(shapes)) = schema.get("anyOf") {
        let is_null = |shape: &Value| shape["type"] == "null";
        let mut any_of: Vec<Value> =
            shapes.iter().filter_map(Value::as_object).map(|shape| strict_schema(shape, false)).collect();
        if optional && !any_of.iter().any(is_null) {
            any_of.push(json!({"type": "null"}));
        }
        let description = schema.get("description").map(|text| ("description".to_owned(), text.clone()));
        let any_of = [("anyOf".to_owned(), Value::Array(any_of))];
        return Value::Object(description.into_iter().chain(any_of).collect());
    }
    let mut kinds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.clone(),
        Some(kind) => vec![kind.clone()],
        None => Vec::new(),
    };
    let nullable = optional || kinds.iter().any(|kind| kind == "null");
    kinds.retain(|kind| kind != "null");
    let kind = |kinds: Vec<Value>| match <[Value; 1]>::try_from(kinds) {
        Ok([kind]) => kind,
        Err(kinds) => Value::Array(kinds),
    };
    let mut written = Map::new();
    let description = schema.get("description");
    if let Some(Value::Array(values)) = schema.get("enum") {
        let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
        let mut values = json!({"type": kind(kinds), "enum": values});
        match (nullable, description) {
            (true, description) => {
                written.extend(description.map(|text| ("description".to_owned(), text.clone())));
                written.insert("anyOf".to_owned(), json!([values, {"type": "null"}]));
                return Value::Object(written);
            }
            (false, Some(text)) => values["description"] = text.clone(),
            (false, None) => {}
        }
        return values;
    }
    if nullable {
        kinds.push(json!("null"));
    }
    written.insert("type".to_owned(), kind(kinds));
    let description = described_length(description, schema.get("maxLength"));
    written.extend(description.map(|text| ("description".to_owned(), text)));
    for key in ["minimum", "maximum", "maxItems"] {
        written.extend(schema.get(key).map(|limit| (key.to_owned(), limit.clone())));
    }
    if let Some(Value::Object(items)) = schema.get("items") {
        written.insert("items".to_owned(), strict_schema(items, false));
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |key: &str| required.is_some_and(|keys| keys.iter().any(|it| it == key));
        let members: Map<String, Value> = properties
            .iter()
            .filter_map(|(key, property)| {
                Some((key.clone(), strict_schema(property.as_object()?, !is_required(key))))
            })
            .collect();
        let keys: Vec<&String> = members.keys().collect();
        let keys = json!(keys);
        written.insert("properties".to_owned(), Value::Object(members));
        written.insert("required".to_owned(), keys);
        written.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(written)
}

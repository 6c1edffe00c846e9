//! The format of Gemini: OpenAPI 3.0 schemas, as its API accepts them.
//!
//! Types are uppercase, null is `nullable`, only strings can have an `enum`, and every object has properties.

use serde_json::{Map, Value, json};

use super::refusal::{ExportError, Refusal, Rule};
use super::signature::Signature;

pub(super) fn tools(signatures: &[Signature]) -> Result<Value, ExportError> {
    let mut declarations = Vec::with_capacity(signatures.len());
    let mut refusals = Vec::new();
    for signature in signatures {
        let mut declaration = Map::new();
        declaration.insert("name".to_owned(), json!(signature.name));
        declaration.insert("description".to_owned(), json!(signature.description));
        // A function without arguments has no object, because an object must have properties.
        if !is_empty(&signature.input) {
            let mut writer = Writer::default();
            let parameters = writer.schema(&signature.input, "");
            declaration.insert("parameters".to_owned(), parameters);
            refusals.extend(writer.refused.into_iter().map(|(rule, pointer, message)| Refusal {
                function: signature.name.clone(),
                rule,
                pointer,
                message: message.to_owned(),
            }));
        }
        // The reply is optional: if it cannot be described, it is left out.
        let mut writer = Writer::default();
        let response = writer.schema(&signature.output, "");
        if writer.refused.is_empty() && !is_empty(&signature.output) {
            declaration.insert("response".to_owned(), response);
        }
        declarations.push(Value::Object(declaration));
    }
    if refusals.is_empty() {
        Ok(json!([{"functionDeclarations": declarations}]))
    } else {
        Err(ExportError { refusals })
    }
}

fn is_empty(object: &Map<String, Value>) -> bool {
    object.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty)
}

#[derive(Default)]
struct Writer {
    refused: Vec<(Rule, String, &'static str)>,
}

impl Writer {
    fn schema(&mut self, schema: &Map<String, Value>, pointer: &str) -> Value {
        if let Some(Value::Array(shapes)) = schema.get("anyOf") {
            return self.any_of(schema, shapes, pointer);
        }
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(kind)) => vec![kind],
            _ => Vec::new(),
        };
        // For a model, an integer that may be a decimal string is an integer.
        let kind = kinds.first().copied().unwrap_or("object");
        let mut written = Map::new();
        written.insert("type".to_owned(), json!(kind.to_uppercase()));
        if let Some(format) = schema.get("format").filter(|format| kind == "integer" && **format == "int64") {
            written.insert("format".to_owned(), format.clone());
        }
        let mut description = schema.get("description").and_then(Value::as_str).map(str::to_owned);
        if let Some(Value::Array(values)) = schema.get("enum") {
            let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
            if kind == "string" {
                written.insert("format".to_owned(), json!("enum"));
                written.insert("enum".to_owned(), json!(values));
            } else {
                description = Some(listed(description.as_deref(), &values));
            }
        }
        for key in ["minimum", "maximum"] {
            written.extend(schema.get(key).map(|limit| (key.to_owned(), limit.clone())));
        }
        // Integers of 64 bits are strings in this format.
        for key in ["maxLength", "maxItems"] {
            written.extend(schema.get(key).map(|limit| (key.to_owned(), json!(limit.to_string()))));
        }
        if kinds.contains(&"null") {
            written.insert("nullable".to_owned(), json!(true));
        }
        match (kind, schema.get("items")) {
            ("array", Some(Value::Object(items))) => {
                let items = self.schema(items, &format!("{pointer}/items"));
                written.insert("items".to_owned(), items);
            }
            ("array", _) => self.refuse(Rule::ArrayItems, pointer, "Gemini requires `items` for an array"),
            _ => {}
        }
        if kind == "object" {
            self.object(schema, pointer, &mut written);
        }
        if let Some(description) = description {
            written.shift_insert(1, "description".to_owned(), Value::String(description));
        }
        Value::Object(written)
    }

    /// One of several shapes. No other key may be beside `anyOf`, so that each shape has the description, and is
    /// nullable where null is another one.
    fn any_of(&mut self, schema: &Map<String, Value>, shapes: &[Value], pointer: &str) -> Value {
        let is_null = |shape: &Value| shape["type"] == "null";
        let is_nullable = shapes.iter().any(is_null);
        let mut any_of = Vec::with_capacity(shapes.len());
        for (index, shape) in shapes.iter().enumerate().filter(|(_, shape)| !is_null(shape)) {
            let Some(shape) = shape.as_object() else { continue };
            let mut shape = self.schema(shape, &format!("{pointer}/anyOf/{index}"));
            if let (Some(text), None) = (schema.get("description"), shape.get("description")) {
                shape["description"] = text.clone();
            }
            if is_nullable {
                shape["nullable"] = json!(true);
            }
            any_of.push(shape);
        }
        json!({ "anyOf": any_of })
    }

    fn object(&mut self, schema: &Map<String, Value>, pointer: &str, written: &mut Map<String, Value>) {
        let Some(properties) =
            schema.get("properties").and_then(Value::as_object).filter(|it| !it.is_empty())
        else {
            return self.refuse(Rule::FreeFormObject, pointer, "Gemini requires `properties` for an object");
        };
        let members: Map<String, Value> = properties
            .iter()
            .filter_map(|(key, property)| {
                let pointer = format!("{pointer}/properties/{}", super::escaped(key));
                Some((key.clone(), self.schema(property.as_object()?, &pointer)))
            })
            .collect();
        written.insert("properties".to_owned(), Value::Object(members));
        if let Some(required) = schema.get("required") {
            written.insert("required".to_owned(), required.clone());
        }
    }

    fn refuse(&mut self, rule: Rule, pointer: &str, message: &'static str) {
        self.refused.push((rule, pointer.to_owned(), message));
    }
}

/// A description that lists the values, because only strings can have an `enum` here.
fn listed(description: Option<&str>, values: &[&Value]) -> String {
    let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
    let values = format!("One of {}.", values.join(", "));
    match description {
        Some(text) if text.trim_end().ends_with('.') => format!("{text} {values}"),
        Some(text) => format!("{text}. {values}"),
        None => values,
    }
}

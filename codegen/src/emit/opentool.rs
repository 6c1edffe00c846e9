//! The functions as an OpenTool document has them: what a caller gives and gets.

use proc_macro2::Literal;
use serde_json::{Map, Value, json};

use crate::c_type::{CType, Class};
use crate::ir::{Binding, Form, Function, Outcome, Param, Passing, Scalar, Source, View};

/// The document's `info`.
pub(super) fn info(binding: &Binding) -> Literal {
    let mut info = Map::new();
    info.insert("title".to_owned(), json!(binding.title));
    if let Some(description) = &binding.description {
        info.insert("description".to_owned(), json!(description));
    }
    info.insert("version".to_owned(), json!(binding.version));
    literal(&Value::Object(info))
}

/// One of its `functions`.
pub(super) fn function(function: &Function) -> Literal {
    let parameters: Vec<Value> = function.inputs().map(parameter).collect();
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(function.name));
    object.insert("description".to_owned(), json!(function.description));
    object.insert("parameters".to_owned(), Value::Array(parameters));
    object.insert("return".to_owned(), returned(function));
    literal(&Value::Object(object))
}

/// JSON as a raw string, which reads like JSON.
fn literal(value: &Value) -> Literal {
    // Characters that turn the direction of the text are refused by the compiler, but not as
    // JSON escapes.
    let json = value.to_string().chars().fold(String::new(), |mut json, character| {
        match character {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                json += &format!("\\u{:04x}", u32::from(character))
            }
            _ => json.push(character),
        }
        json
    });
    let mut fence = "#".to_owned();
    while json.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    format!("r{fence}\"{json}\"{fence}").parse().unwrap_or_else(|_| Literal::string(&json))
}

fn parameter(param: &Param) -> Value {
    let schema = match param.passing {
        Passing::Value(scalar) | Passing::Pointer(scalar) | Passing::Output(scalar) => scalar_schema(scalar),
        Passing::Str(_) | Passing::Buffer { text: true, .. } => json!({"type": "string"}),
        Passing::Slice(element) | Passing::Buffer { element, text: false } => array_schema(element),
        Passing::Opaque { .. } => json!({"type": "object"}),
    };
    named(&param.key, param.description.as_deref(), schema, Some(param.required))
}

/// One result is described as itself, several as the object that they come back in.
fn returned(function: &Function) -> Value {
    let results = function.json_results();
    match results.as_slice() {
        [] => Value::Null,
        [result] => named(result.key, result.description, result_schema(result), None),
        _ => {
            let properties: Map<String, Value> = results
                .iter()
                .map(|result| {
                    let mut schema = result_schema(result);
                    if let Some(description) = result.description {
                        schema["description"] = json!(description);
                    }
                    (result.key.to_owned(), schema)
                })
                .collect();
            let required: Vec<&str> = results.iter().map(|result| result.key).collect();
            named(
                "results",
                None,
                json!({"type": "object", "properties": properties, "required": required}),
                None,
            )
        }
    }
}

fn named(name: &str, description: Option<&str>, schema: Value, required: Option<bool>) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(name));
    if let Some(description) = description {
        object.insert("description".to_owned(), json!(description));
    }
    object.insert("schema".to_owned(), schema);
    if let Some(required) = required {
        object.insert("required".to_owned(), json!(required));
    }
    Value::Object(object)
}

fn result_schema(result: &Outcome<'_>) -> Value {
    match result.source {
        Source::Output(scalar) | Source::Returned(Form::Value(scalar) | Form::Pointed(scalar)) => {
            scalar_schema(scalar)
        }
        Source::Returned(Form::Str(_)) | Source::Buffer => json!({"type": "string"}),
        Source::Returned(Form::Array(element)) => array_schema(element),
        Source::Returned(Form::Opaque) => json!({"type": "object"}),
    }
}

fn array_schema(element: CType) -> Value {
    let view = if element == CType::Bool { View::Truth } else { View::Plain };
    json!({"type": "array", "items": scalar_schema(Scalar { c_type: element, view })})
}

fn scalar_schema(scalar: Scalar) -> Value {
    let kind = match (scalar.view, scalar.c_type.class()) {
        (View::Truth, _) | (_, Class::Boolean) => "boolean",
        (View::Character, _) => "string",
        (View::Plain, Class::Floating) => "number",
        (View::Plain, Class::Integer | Class::Character | Class::Void) => "integer",
    };
    json!({"type": kind})
}

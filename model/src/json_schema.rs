//! A JSON Schema of OpenDyn documents, for editors: written from the table that `read` goes by.

use serde_json::{Map, Value, json};

use crate::keys::{Key, Place, Shape};

/// The JSON Schema (2020-12) of an OpenDyn 1.0 document with the extension keys, as the text of
/// `opendyn.schema.json`. An editor that is given it completes keys, shows what they mean, and marks
/// those that are unknown.
#[must_use]
pub fn json_schema() -> String {
    let definitions: Map<String, Value> =
        Place::ALL.iter().map(|place| (name(*place).to_owned(), object(*place))).collect();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "OpenDyn 1.0 with extension keys",
        "description": "One JSON document that describes the functions of a C dynamic library.",
        "$ref": reference(Place::Document),
    });
    schema["$defs"] = Value::Object(definitions);
    // Values and keys alone: it cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn name(place: Place) -> &'static str {
    match place {
        Place::Document => "document",
        Place::Info => "info",
        Place::Library => "library",
        Place::Function => "function",
        Place::Annotations => "annotations",
        Place::Parameter => "parameter",
        Place::Return => "return",
        Place::Schema => "schema",
        Place::CType => "cType",
        Place::Length => "length",
        Place::Callback => "callback",
        Place::CallbackParameter => "callbackParameter",
        Place::CallbackReturn => "callbackReturn",
    }
}

fn reference(place: Place) -> String {
    format!("#/$defs/{}", name(place))
}

fn object(place: Place) -> Value {
    let properties: Map<String, Value> =
        place.keys().iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = place.keys().iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut object = json!({
        "type": "object",
        "properties": properties,
        // Other tools have extension keys of their own.
        "patternProperties": { "^x-": true },
        "additionalProperties": false,
    });
    match place {
        // A reference has no type of its own.
        Place::Schema => object["anyOf"] = json!([{ "required": required }, { "required": ["$ref"] }]),
        Place::Length => object["oneOf"] = json!([{ "required": ["const"] }, { "required": ["call"] }]),
        _ if required.is_empty() => {}
        _ => object["required"] = json!(required),
    }
    object
}

fn property(key: &Key) -> Value {
    let mut property = shape(key.shape);
    property["description"] = json!(key.text);
    property
}

fn shape(of: Shape) -> Value {
    match of {
        Shape::String => json!({ "type": "string" }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        Shape::Literal => json!({ "type": ["string", "number", "boolean"] }),
        Shape::OneOf(names) => json!({ "enum": names }),
        Shape::Object(place) => json!({ "$ref": reference(place) }),
        Shape::List(of) => json!({ "type": "array", "items": shape(*of) }),
        Shape::Map(of) => json!({ "type": "object", "additionalProperties": shape(*of) }),
        Shape::Either(one, other) => json!({ "anyOf": [shape(*one), shape(*other)] }),
        Shape::OrNull(of) => json!({ "anyOf": [shape(*of), { "type": "null" }] }),
    }
}

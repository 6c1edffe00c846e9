//! The JSON Schema of OpenDyn documents, for editors. It is written from the table of keys that `read` uses.

use opendyn_source::json::write::{Object, Value};
use opendyn_source::object;

use crate::keys::{Key, Place, Shape};

/// Names the schema, and no address: nothing fetches it. Its last part is the version of this crate, with which keys are
/// added.
const ID: &str = concat!("urn:opendyn:document:1.0.0:", env!("CARGO_PKG_VERSION"));

/// The JSON Schema (2020-12) of an OpenDyn 1.0 document with the extension keys, as the text of
/// `opendyn.schema.json`. With it, an editor completes keys, shows what they mean, and marks unknown ones.
#[must_use]
pub fn json_schema() -> String {
    let definitions: Object = Place::ALL.iter().map(|place| (name(*place), object(*place))).collect();
    let schema = object! {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "OpenDyn 1.0 with extension keys",
        "description": "One JSON document that describes the functions of a C dynamic library.",
        "$ref": reference(Place::Document),
        "$defs": definitions,
    };
    format!("{schema:#}\n")
}

fn name(place: Place) -> &'static str {
    match place {
        Place::Document => "document",
        Place::Info => "info",
        Place::Library => "library",
        Place::Init => "init",
        Place::Function => "function",
        Place::Error => "error",
        Place::ErrorWhen => "errorWhen",
        Place::ErrorCode => "errorCode",
        Place::ErrorText => "errorText",
        Place::ErrorArgument => "errorArgument",
        Place::Annotations => "annotations",
        Place::Parameter => "parameter",
        Place::Return => "return",
        Place::Schema => "schema",
        Place::CType => "cType",
        Place::Length => "length",
        Place::Factor => "factor",
        Place::Free => "free",
        Place::Written => "written",
        Place::Keeps => "keeps",
        Place::Union => "union",
        Place::Takes => "takes",
        Place::Symbol => "symbol",
        Place::Callback => "callback",
        Place::CallbackParameter => "callbackParameter",
        Place::CallbackReturn => "callbackReturn",
        Place::UserData => "userData",
        Place::Collect => "collect",
        Place::Progress => "progress",
    }
}

fn reference(place: Place) -> String {
    format!("#/$defs/{}", name(place))
}

fn object(place: Place) -> Object {
    let properties: Object = place.keys().iter().map(|key| (key.name, property(key))).collect();
    let required: Vec<&str> = place.keys().iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut object = object! {
        "type": "object",
        "properties": properties,
        // Other tools define their own extension keys.
        "patternProperties": object! { "^x-": true },
        "additionalProperties": false,
    };
    let requires = |keys: Vec<&'static str>| object! { "required": keys };
    match place {
        // A reference has no type of its own.
        Place::Schema => object.set("anyOf", [requires(required), requires(vec!["$ref"])]),
        Place::Length => {
            let forms = ["const", "sum", "call", "argument", "terminated", "member"];
            object.set("oneOf", forms.map(|form| requires(vec![form])));
        }
        Place::Symbol => object.set("oneOf", [requires(vec!["symbol"]), requires(vec!["variable"])]),
        Place::ErrorWhen => object.set("oneOf", [requires(vec!["value"]), requires(vec!["call"])]),
        Place::ErrorText => object.set("oneOf", [requires(vec!["call"]), requires(vec!["output"])]),
        _ if required.is_empty() => {}
        _ => object.set("required", required),
    }
    object
}

fn property(key: &Key) -> Object {
    let mut property = shape(key.shape);
    property.set("description", key.text);
    property
}

fn shape(of: Shape) -> Object {
    match of {
        Shape::String => object! { "type": "string" },
        Shape::Boolean => object! { "type": "boolean" },
        Shape::Only(value) => object! { "const": value },
        Shape::Count => object! { "type": "integer", "minimum": 0 },
        Shape::Integer => object! { "type": "integer" },
        Shape::Number => object! { "type": "number" },
        Shape::Literal => object! { "type": ["string", "number", "boolean"] },
        Shape::OneOf(names) => object! { "enum": names.iter().copied().collect::<Value>() },
        Shape::Object(place) => object! { "$ref": reference(place) },
        Shape::List(of) => object! { "type": "array", "items": shape(*of) },
        Shape::Map(of) => object! { "type": "object", "additionalProperties": shape(*of) },
        Shape::Either(one, other) => object! { "anyOf": [shape(*one), shape(*other)] },
        Shape::OrNull(of) => object! { "anyOf": [shape(*of), object! { "type": "null" }] },
    }
}

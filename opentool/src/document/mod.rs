//! The OpenTool 1.0 document, field by field as the specification names them.
//!
//! The model holds what a document says and checks nothing beyond its shape.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A document that describes the functions of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenTool {
    /// The version of the OpenTool specification that the document follows.
    pub opentool: String,
    /// What the document describes.
    pub info: Info,
    /// The functions that can be called.
    pub functions: Vec<Function>,
    /// Schemas that others refer to as `#/schemas/NAME`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub schemas: IndexMap<String, Schema>,
}

/// What a document describes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// The document's title.
    pub title: String,
    /// What the tool is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The version of the document itself.
    pub version: String,
}

/// One function of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// The name to call it by: letters, digits, `-` and `_`, at most 64 of them.
    pub name: String,
    /// What it does, for people and for models.
    pub description: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// What it returns; `None` where it returns nothing.
    #[serde(rename = "return", default)]
    pub returns: Option<Return>,
}

/// One argument of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The key in the arguments.
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What may be passed.
    pub schema: Schema,
    /// Whether a call must give it.
    #[serde(default = "required_by_default")]
    pub required: bool,
}

/// What a function returns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Return {
    /// The key in the result.
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What comes back.
    pub schema: Schema,
}

/// The shape of a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// The JSON type.
    #[serde(rename = "type")]
    pub kind: SchemaType,
    /// What the value means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The members of an `object`, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<IndexMap<String, Schema>>,
    /// The elements of an `array`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Schema>>,
    /// The only values allowed.
    #[serde(rename = "enum", default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The members of an `object` that must be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<Vec<String>>,
}

/// The JSON types that a schema can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchemaType {
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction.
    Integer,
    /// Any number.
    Number,
    /// A string.
    String,
    /// A list.
    Array,
    /// Members by name.
    #[default]
    Object,
}

fn required_by_default() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r##"{"opentool":"1.0.0","info":{"title":"t","version":"1.0.0"},"functions":[{"name":"f","description":"d","parameters":[{"name":"z","schema":{"type":"integer"},"required":true},{"name":"a","description":"list","schema":{"type":"array","items":{"type":"number"}},"required":false}],"return":{"name":"r","schema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"boolean"}},"required":["z"]}}}]}"##;

    #[test]
    fn a_document_is_written_as_it_was_read() {
        let document: OpenTool = serde_json::from_str(DOCUMENT).expect("a valid document");
        assert_eq!(document.functions[0].parameters[1].schema.kind, SchemaType::Array);
        let written = serde_json::to_string(&document).expect("no map with keys that are not text");
        assert_eq!(written, DOCUMENT);
    }

    #[test]
    fn a_missing_return_is_none() {
        let function: Function =
            serde_json::from_str(r#"{"name":"f","description":"d","parameters":[]}"#).expect("a function");
        assert_eq!(function.returns, None);
    }

    #[test]
    fn an_unknown_type_is_refused() {
        let error = serde_json::from_str::<Schema>(r#"{"type":"double"}"#).expect_err("not a JSON type");
        assert!(error.to_string().contains("unknown variant `double`"), "{error}");
    }
}

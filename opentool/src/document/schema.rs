//! The shape of a value, which may be a reference: `{"$ref": "#/schemas/NAME"}`.

use indexmap::IndexMap;
use serde_core::de::Error;
use serde_core::ser::SerializeMap;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

use crate::record::readable;

/// The shape of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The JSON type; ignored if there is a `reference`.
    pub kind: SchemaType,
    /// `$ref`: the schema to use instead, as `#/schemas/NAME`. Only a `description` may accompany it.
    pub reference: Option<String>,
    /// What the value means.
    pub description: Option<String>,
    /// A refinement of the type, such as `int64`. An integer of `int64` or `uint64` may be returned as a decimal string
    /// if it is beyond 2^53.
    pub format: Option<String>,
    /// The members of an `object`, in order.
    pub properties: Option<IndexMap<String, Schema>>,
    /// The shapes of which an `object` has one: `anyOf`. Such an object has no `properties` of its own.
    pub any_of: Option<Vec<Schema>>,
    /// The elements of an `array`.
    pub items: Option<Box<Schema>>,
    /// The allowed values: `enum`.
    pub values: Option<Vec<Value>>,
    /// The lowest number.
    pub minimum: Option<Number>,
    /// The highest number.
    pub maximum: Option<Number>,
    /// The maximum number of characters of a `string`: `maxLength`.
    pub max_length: Option<u64>,
    /// The maximum number of elements of an `array`: `maxItems`.
    pub max_items: Option<u64>,
    /// The members of an `object` that must be present.
    pub required: Option<Vec<String>>,
    /// Whether null is allowed too: `x-nullable`.
    pub nullable: bool,
    /// The type of the handle, if the string is the token of a handle that another function returned: `x-handle`.
    pub handle: Option<String>,
    /// How bytes are written, if the string has bytes: `base64` or `hex`: `x-encoding`.
    pub encoding: Option<String>,
}

/// The JSON types that a schema can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SchemaType {
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction.
    Integer,
    /// Any number.
    Number,
    /// A string.
    String,
    /// A list of values.
    Array,
    /// Members by name.
    #[default]
    Object,
}

impl Schema {
    /// A schema of this type with no further constraints.
    #[must_use]
    pub fn of(kind: SchemaType) -> Self {
        Self { kind, ..Self::default() }
    }

    /// A reference to the schema `name` in the document's `schemas`.
    #[must_use]
    pub fn reference(name: &str) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        Self { reference: Some(format!("{REFERENCE}{name}")), ..Self::default() }
    }

    /// The name of the schema that a `$ref` refers to; `None` if it is not of the form `#/schemas/NAME`.
    #[must_use]
    pub fn referred(reference: &str) -> Option<String> {
        super::referred(reference)
    }
}

/// The prefix of every reference.
pub(crate) const REFERENCE: &str = "#/schemas/";

impl SchemaType {
    /// Every type.
    pub const ALL: [Self; 6] =
        [Self::Boolean, Self::Integer, Self::Number, Self::String, Self::Array, Self::Object];

    /// Their names, in the same order.
    const NAMES: [&'static str; 6] = ["boolean", "integer", "number", "string", "array", "object"];

    /// The type as a document spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// A schema as it is written, with a `type` or a `$ref`.
struct Fields {
    kind: Option<SchemaType>,
    reference: Option<String>,
    description: Option<String>,
    format: Option<String>,
    properties: Option<IndexMap<String, Schema>>,
    any_of: Option<Vec<Schema>>,
    items: Option<Box<Schema>>,
    values: Option<Vec<Value>>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    max_length: Option<u64>,
    max_items: Option<u64>,
    required: Option<Vec<String>>,
    nullable: bool,
    handle: Option<String>,
    encoding: Option<String>,
}

readable!(Fields {
    kind "type" = None;
    reference "$ref" = None;
    description "description" = None;
    format "format" = None;
    properties "properties" = None;
    any_of "anyOf" = None;
    items "items" = None;
    values "enum" = None;
    minimum "minimum" = None;
    maximum "maximum" = None;
    max_length "maxLength" = None;
    max_items "maxItems" = None;
    required "required" = None;
    nullable "x-nullable" = false;
    handle "x-handle" = None;
    encoding "x-encoding" = None;
});

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        if fields.reference.is_some() {
            let Fields { reference, description, .. } = fields;
            return Ok(Self { reference, description, ..Self::default() });
        }
        let kind = fields.kind.ok_or_else(|| D::Error::custom("missing field `type` or `$ref`"))?;
        Ok(Self {
            kind,
            reference: None,
            description: fields.description,
            format: fields.format,
            properties: fields.properties,
            any_of: fields.any_of,
            items: fields.items,
            values: fields.values,
            minimum: fields.minimum,
            maximum: fields.maximum,
            max_length: fields.max_length,
            max_items: fields.max_items,
            required: fields.required,
            nullable: fields.nullable,
            handle: fields.handle,
            encoding: fields.encoding,
        })
    }
}

impl Serialize for SchemaType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for SchemaType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const NAMES: &[&str] = &SchemaType::NAMES;
        let name = String::deserialize(deserializer)?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| D::Error::unknown_variant(&name, NAMES))
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.reference {
            Some(reference) => map.serialize_entry("$ref", reference)?,
            None => map.serialize_entry("type", &self.kind)?,
        }
        entry(&mut map, "description", self.description.as_ref())?;
        if self.reference.is_none() {
            entry(&mut map, "format", self.format.as_ref())?;
            entry(&mut map, "properties", self.properties.as_ref())?;
            entry(&mut map, "anyOf", self.any_of.as_ref())?;
            entry(&mut map, "items", self.items.as_ref())?;
            entry(&mut map, "enum", self.values.as_ref())?;
            entry(&mut map, "minimum", self.minimum.as_ref())?;
            entry(&mut map, "maximum", self.maximum.as_ref())?;
            entry(&mut map, "maxLength", self.max_length.as_ref())?;
            entry(&mut map, "maxItems", self.max_items.as_ref())?;
            entry(&mut map, "required", self.required.as_ref())?;
            entry(&mut map, "x-nullable", self.nullable.then_some(&true))?;
            entry(&mut map, "x-handle", self.handle.as_ref())?;
            entry(&mut map, "x-encoding", self.encoding.as_ref())?;
        }
        map.end()
    }
}

fn entry<M: SerializeMap, T: Serialize>(map: &mut M, key: &str, value: Option<&T>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_type_is_refused() {
        let error = serde_json::from_str::<Schema>(r#"{"type":"double"}"#).expect_err("not a JSON type");
        assert!(error.to_string().contains("unknown variant `double`"), "{error}");
    }

    #[test]
    fn a_schema_without_a_type_is_refused_unless_it_refers() {
        let error = serde_json::from_str::<Schema>(r#"{"description":"d"}"#).expect_err("no type");
        assert!(error.to_string().contains("missing field `type`"), "{error}");
        let schema: Schema = serde_json::from_str(r##"{"$ref":"#/schemas/a~1b"}"##).expect("a reference");
        assert_eq!(schema, Schema::reference("a/b"));
    }

    #[test]
    fn every_type_is_written_by_its_name() {
        for kind in SchemaType::ALL {
            assert_eq!(serde_json::to_value(kind).expect("a string"), kind.name());
        }
    }
}

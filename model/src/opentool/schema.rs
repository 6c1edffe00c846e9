//! Schemas of OpenTool. What is given has ranges and values that others are refused for; what comes
//! back may be null, a decimal string, or a value of an enum that nobody has named.

use serde_json::{Map, Value, json};

use crate::emit::docs;
use opendyn_model::c_type::{CType, Class};
use opendyn_model::ir::{Body, Content, Element, Encoding, Form, Member, Scalar, Text, Types, Values, View};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Given,
    Returned,
}

#[derive(Clone, Copy)]
pub(super) struct Schemas<'t> {
    pub(super) types: &'t Types,
    pub(super) direction: Direction,
    /// Whether ranges and lengths are keys of JSON Schema, and types have their name as `title`: OpenTool
    /// has no such keys.
    pub(super) is_exact: bool,
}

impl<'t> Schemas<'t> {
    pub(super) fn new(types: &'t Types, direction: Direction) -> Self {
        Self { types, direction, is_exact: false }
    }

    pub(super) fn exact(types: &'t Types, direction: Direction) -> Self {
        Self { types, direction, is_exact: true }
    }
}

impl Schemas<'_> {
    pub(super) fn form(self, form: &Form) -> Value {
        let mut schema = match form {
            Form::Value(scalar) | Form::Pointed { scalar, .. } => self.scalar(*scalar),
            Form::Str { text, .. } => self.string(text.encoding),
            Form::Array { content, .. } => self.content(*content),
            Form::Strings { .. } => json!({"type": "array", "items": {"type": "string"}}),
            Form::Record { record, .. } | Form::RecordValue(record) => self.record(*record),
            Form::Handle { handle, .. } => self.token(&self.types.handles[*handle].name),
            Form::Opaque => json!({"type": "object"}),
        };
        if form.is_nullable() {
            schema["x-nullable"] = json!(true);
        }
        schema
    }

    pub(super) fn content(self, content: Content) -> Value {
        match content {
            Content::Elements(element) => self.array(element),
            Content::Text { encoding, .. } => self.string(encoding),
        }
    }

    pub(super) fn string(self, encoding: Encoding) -> Value {
        match encoding {
            Encoding::Base64 if self.is_exact => json!({"type": "string", "contentEncoding": "base64"}),
            Encoding::Hex if self.is_exact => json!({"type": "string", "contentEncoding": "base16"}),
            Encoding::Base64 => json!({"type": "string", "description": "Bytes, in base64."}),
            Encoding::Hex => json!({"type": "string", "description": "Bytes, in hex digits."}),
            Encoding::Utf8 | Encoding::Utf8Lossy | Encoding::Latin1 | Encoding::Utf16 => {
                json!({"type": "string"})
            }
        }
    }

    pub(super) fn text(self, text: &Text) -> Value {
        let mut schema = self.string(text.encoding);
        if let Some(Values::Strings(variants)) = text.one_of.map(|index| &self.types.enums[index].of) {
            let values: Vec<&str> = variants.iter().map(|variant| variant.value.as_str()).collect();
            schema["enum"] = json!(values);
        }
        schema
    }

    /// A handle or a state: a string that some function returned.
    pub(super) fn token(self, name: &str) -> Value {
        if self.is_exact {
            return json!({"type": "string", "title": name, "format": "token"});
        }
        let description = format!("A token that stands for a `{name}`.");
        json!({"type": "string", "description": description, "x-handle": name})
    }

    pub(super) fn record(self, record: usize) -> Value {
        let Body::Fields(fields) = &self.types.records[record].body else { return json!({"type": "object"}) };
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in fields {
            let Some(mut schema) = self.member(&field.member) else { continue };
            if matches!(field.member, Member::Str(_)) && self.direction == Direction::Returned {
                schema["x-nullable"] = json!(true);
            }
            let view = match field.member {
                Member::Scalar(scalar) => scalar.view,
                _ => View::Plain,
            };
            let description =
                docs::with_default_of(field.description.as_deref(), field.default.as_ref(), view);
            if field.required {
                required.push(field.key.as_str());
            }
            properties.insert(field.key.clone(), described(schema, description.as_deref()));
        }
        let mut schema = json!({"type": "object", "properties": properties, "required": required});
        if self.is_exact {
            schema["title"] = json!(self.types.records[record].name);
        }
        schema
    }

    /// A member of a struct; `None` for a pointer that is not followed.
    pub(super) fn member(self, member: &Member) -> Option<Value> {
        Some(match member {
            Member::Scalar(scalar) => self.scalar(*scalar),
            Member::Record(record) => self.record(*record),
            Member::Array { element, count } => {
                let mut schema = self.array(*element);
                if self.is_exact {
                    schema["minItems"] = json!(count);
                    schema["maxItems"] = json!(count);
                }
                schema
            }
            Member::Text { encoding, .. } => self.string(*encoding),
            Member::Str(_) => json!({"type": "string"}),
            Member::Pointer(_) => return None,
        })
    }

    pub(super) fn array(self, element: Element) -> Value {
        let items = match element {
            Element::Scalar(scalar) => self.scalar(scalar),
            Element::Record(record) => self.record(record),
        };
        json!({"type": "array", "items": items})
    }

    pub(super) fn scalar(self, scalar: Scalar) -> Value {
        match (scalar.view, scalar.c_type.class()) {
            (View::Enum(index), _) => {
                let mut schema = self.one_of(&self.types.enums[index].of);
                if self.is_exact && self.types.enums[index].is_named() {
                    schema["title"] = json!(self.types.enums[index].name);
                }
                schema
            }
            (View::Truth, _) | (_, Class::Boolean) => json!({"type": "boolean"}),
            (View::Character, _) if self.is_exact => {
                json!({"type": "string", "minLength": 1, "maxLength": 1})
            }
            (View::Plain, Class::Floating) if self.is_exact && scalar.c_type == CType::Float => {
                json!({"type": "number", "format": "float"})
            }
            (View::Character, _) => json!({"type": "string"}),
            (View::Plain, Class::Floating) => json!({"type": "number"}),
            (View::Plain, Class::Integer | Class::Character) => self.integer(scalar.c_type),
            (View::Plain, Class::Void) => json!({"type": "integer"}),
        }
    }

    /// OpenTool has no keys for a range: it is in the description, unless it is that of 64 bits, in
    /// which nobody errs, or differs from target to target.
    fn integer(self, c_type: CType) -> Value {
        let (lowest, highest) = c_type.widest();
        if self.is_exact {
            let mut schema =
                json!({"type": "integer", "minimum": number(lowest), "maximum": number(highest)});
            if let Some(format) = c_type.wide_format() {
                schema["format"] = json!(format);
            }
            return schema;
        }
        match c_type.wide_format() {
            Some(format) => json!({"type": "integer", "format": format}),
            None if self.direction == Direction::Given && c_type != CType::Char => {
                json!({"type": "integer", "description": format!("From {lowest} to {highest}.")})
            }
            None => json!({"type": "integer"}),
        }
    }

    /// How many elements there are: none or more.
    pub(super) fn count(self, c_type: CType) -> Value {
        if !self.is_exact {
            return json!({"type": "integer"});
        }
        let mut schema = self.integer(c_type);
        schema["minimum"] = json!(0);
        schema
    }

    fn one_of(self, values: &Values) -> Value {
        let Values::Integers { variants, .. } = values else { return json!({"type": "integer"}) };
        let mut schema = json!({"type": "integer"});
        if self.direction == Direction::Given {
            let numbers: Vec<i64> = variants.iter().map(|variant| variant.value).collect();
            schema["enum"] = json!(numbers);
        }
        if variants.iter().all(|variant| !variant.name.is_empty()) {
            let names: Vec<String> =
                variants.iter().map(|variant| format!("{} is {}", variant.value, variant.name)).collect();
            schema["description"] = json!(format!("{}.", names.join(", ")));
        }
        schema
    }
}

/// The end of a range: 64 bits hold them all.
fn number(end: i128) -> Value {
    u64::try_from(end).map_or_else(|_| json!(i64::try_from(end).unwrap_or(i64::MIN)), |end| json!(end))
}

/// A schema with what is said of the value in front of what is said of its type.
pub(super) fn described(mut schema: Value, description: Option<&str>) -> Value {
    let Some(description) = description else { return schema };
    schema["description"] = match schema.get("description").and_then(Value::as_str) {
        None => json!(description),
        Some(of_type) if description.trim_end().ends_with(['.', '!', '?']) => {
            json!(format!("{} {of_type}", description.trim_end()))
        }
        Some(of_type) => json!(format!("{}. {of_type}", description.trim_end())),
    };
    schema
}

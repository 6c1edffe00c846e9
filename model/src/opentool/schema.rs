//! Schemas of values. What a caller gives has ranges and lists of values; what a caller gets may be null, a decimal
//! string, or a value that its enum does not list.

use opendyn_source::json::write::{Object, Value};
use opendyn_source::object;

use crate::c_type::{CType, Class};
use crate::plan::{Body, Encoding, Kind, Param, Scalar, TextKind, Types, Values, View, followed_by};

/// Who has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The caller gives it.
    Given,
    /// The caller gets it.
    Returned,
}

/// How a schema states ranges and lengths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In descriptions: OpenTool has no keys for them.
    OpenTool,
    /// In keys of JSON Schema. Types have their name as `title`.
    Exact,
}

/// Makes schemas.
#[derive(Clone, Copy)]
pub(super) struct Schemas<'p> {
    types: &'p Types,
    /// The parameters of the function, which a capacity refers to.
    params: &'p [Param],
    is_exact: bool,
    direction: Direction,
    /// Whether the value is a member of a struct.
    is_member: bool,
}

impl<'p> Schemas<'p> {
    pub(super) fn new(types: &'p Types, params: &'p [Param], form: Form, direction: Direction) -> Self {
        Self { types, params, is_exact: form == Form::Exact, direction, is_member: false }
    }

    /// The schema of a value.
    pub(super) fn of(self, kind: &Kind) -> Object {
        match kind {
            Kind::Scalar(scalar) => self.scalar(*scalar),
            Kind::TruthInMemory(_) => object! { "type": "boolean" },
            Kind::Text(text) => self.text(*text),
            Kind::List(of) => object! { "type": "array", "items": self.of(of) },
            Kind::Fixed(of, count) => self.fixed(of, *count),
            Kind::Record(record) => self.record(*record),
            Kind::Handle(handle) => self.token(&self.types.handles[*handle].name),
            Kind::State(record) => self.token(&self.types.records[*record].name),
            Kind::Capacity { c_type, buffer, .. } => self.capacity(*c_type, *buffer),
            Kind::Count(_) => object! { "type": "integer" },
            Kind::Callback | Kind::Opaque => object! { "type": "object" },
        }
    }

    /// The schema of a member of a struct; `None` for a pointer that is not followed.
    pub(super) fn member(self, kind: &Kind) -> Option<Object> {
        (!kind.accepts_only_null()).then(|| Self { is_member: true, ..self }.of(kind))
    }

    fn scalar(self, scalar: Scalar) -> Object {
        match (scalar.view, scalar.c_type.class()) {
            (View::Enum(index), _) => self.enumeration(index),
            (View::Truth, _) | (_, Class::Boolean) => object! { "type": "boolean" },
            (View::Character, _) if self.is_exact => {
                object! { "type": "string", "minLength": 1, "maxLength": 1 }
            }
            (View::Character, _) => object! { "type": "string" },
            (View::Plain, Class::Floating) if self.is_exact && scalar.c_type == CType::Float => {
                object! { "type": "number", "format": "float" }
            }
            (View::Plain, Class::Floating) => object! { "type": "number" },
            (View::Plain, Class::Integer | Class::Character) => self.integer(scalar.c_type),
            (View::Plain, Class::Void) => object! { "type": "integer" },
        }
    }

    /// OpenTool describes a range, unless it is that of 64 bits, which callers do not exceed by mistake, or depends
    /// on the target.
    fn integer(self, c_type: CType) -> Object {
        let (lowest, highest) = c_type.widest();
        if self.is_exact {
            let mut schema = object! { "type": "integer", "minimum": lowest, "maximum": highest };
            if let Some(format) = c_type.wide_format() {
                schema.set("format", format);
            }
            return schema;
        }
        match c_type.wide_format() {
            Some(format) => object! { "type": "integer", "format": format },
            None if self.direction == Direction::Given && c_type.is_same_everywhere() => {
                object! { "type": "integer", "description": format!("From {lowest} to {highest}.") }
            }
            None => object! { "type": "integer" },
        }
    }

    fn enumeration(self, index: usize) -> Object {
        let of = &self.types.enums[index];
        let mut schema = object! { "type": "integer" };
        if let Values::Integers { variants, .. } = &of.of {
            if self.direction == Direction::Given {
                let numbers: Value = variants.iter().map(|variant| variant.value).collect();
                schema.set("enum", numbers);
            }
            if variants.iter().all(|variant| !variant.name.is_empty()) {
                let names: Vec<String> =
                    variants.iter().map(|variant| format!("{} is {}", variant.value, variant.name)).collect();
                schema.set("description", format!("{}.", names.join(", ")));
            }
        }
        if self.is_exact && of.is_named() {
            schema.set("title", &of.name);
        }
        schema
    }

    /// How many elements a buffer has room for.
    fn capacity(self, c_type: CType, buffer: usize) -> Object {
        let mut schema = if self.is_exact {
            self.integer(c_type)
        } else {
            object! { "type": "integer" }
        };
        if self.is_exact {
            schema.set("minimum", 0);
        }
        let buffer = self.params.get(buffer).map_or("", |param| &param.key);
        schema.set("description", format!("How many elements `{buffer}` has room for."));
        schema
    }

    fn text(self, text: TextKind) -> Object {
        let mut schema = object! { "type": "string" };
        let bytes = match text.encoding {
            Encoding::Base64 => Some(("base64", "Bytes, in base64.")),
            Encoding::Hex => Some(("base16", "Bytes, in hex digits.")),
            Encoding::Utf8 | Encoding::Utf8Lossy | Encoding::Latin1 | Encoding::Utf16 => None,
        };
        match bytes {
            Some((encoding, _)) if self.is_exact => schema.set("contentEncoding", encoding),
            Some((_, sentence)) => schema.set("description", sentence),
            None => {}
        }
        let listed = text.one_of.filter(|_| self.direction == Direction::Given);
        if let Some(Values::Strings(variants)) = listed.map(|index| &self.types.enums[index].of) {
            let values: Value = variants.iter().map(|variant| &variant.value).collect();
            schema.set("enum", values);
        }
        match text.exactly.filter(|_| !self.is_member) {
            Some(count) if self.is_exact => schema.set("x-length", count),
            Some(count) => {
                let unit = if bytes.is_some() { "bytes" } else { "units" };
                let length = format!("Exactly {count} {unit}.");
                let description =
                    bytes.map_or(length.clone(), |(_, sentence)| format!("{sentence} {length}"));
                schema.set("description", description);
            }
            None => {}
        }
        schema
    }

    /// An array with that many elements.
    fn fixed(self, of: &Kind, count: u64) -> Object {
        let mut schema = object! { "type": "array", "items": self.of(of) };
        if self.is_exact {
            schema.set("minItems", count);
            schema.set("maxItems", count);
        } else if !self.is_member {
            schema.set("description", format!("Exactly {count} elements."));
        }
        schema
    }

    /// A handle or a state: a string that an earlier call returned.
    fn token(self, name: &str) -> Object {
        if self.is_exact {
            return object! { "type": "string", "title": name.to_owned(), "format": "token" };
        }
        let description = format!("A token that stands for a `{name}`.");
        object! { "type": "string", "description": description, "x-handle": name.to_owned() }
    }

    fn record(self, index: usize) -> Object {
        let record = &self.types.records[index];
        let Body::Fields(fields) = &record.body else { return object! { "type": "object" } };
        let mut properties = Object::new();
        let mut required: Vec<&String> = Vec::new();
        for field in fields {
            let Some(mut schema) = self.member(&Kind::field(&field.of)) else { continue };
            if field.may_be_null() && self.direction == Direction::Returned {
                schema.set("x-nullable", true);
            }
            if field.required {
                required.push(&field.key);
            }
            properties.set(field.key.clone(), described(schema, field.described().as_deref()));
        }
        let mut schema = object! { "type": "object", "properties": properties, "required": required };
        if self.is_exact {
            schema.set("title", &record.name);
        }
        schema
    }
}

/// A schema with the description of the value in front of that of its type.
pub(super) fn described(mut schema: Object, description: Option<&str>) -> Object {
    let Some(description) = description else { return schema };
    let description = match schema.get("description").and_then(Value::as_str) {
        None => description.to_owned(),
        Some(of_type) => followed_by(description.trim_end(), of_type),
    };
    schema.set("description", description);
    schema
}

//! Schemas of values. What a caller gives has ranges and lists of values; what a caller gets may be null, a decimal
//! string, or a value that its enum does not list.

use opendyn_source::json::write::{Object, Value};
use opendyn_source::object;

use crate::c_type::{CType, Class};
use crate::lower::EVENT;
use crate::plan::{
    Body, Bound, CollectedValue, Encoding, Field, FieldType, Kind, Limits, Param, Scalar, Tagged, TextKind,
    Types, Values, View, followed_by,
};

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
    /// The structs around the value, by the bits of their indices.
    around: u128,
}

impl<'p> Schemas<'p> {
    pub(super) fn new(types: &'p Types, params: &'p [Param], form: Form, direction: Direction) -> Self {
        Self { types, params, is_exact: form == Form::Exact, direction, is_member: false, around: 0 }
    }

    /// The schema of a value.
    pub(super) fn of(self, kind: &Kind) -> Object {
        match kind {
            Kind::Scalar(scalar) => self.scalar(*scalar),
            Kind::TruthInMemory(_) => object! { "type": "boolean" },
            Kind::Text(text) => self.text(*text),
            Kind::List(of) => object! { "type": "array", "items": self.of(of) },
            Kind::Fixed(of, count) => self.fixed(of, *count),
            Kind::Bits { truth: true, .. } => object! { "type": "boolean" },
            Kind::Bits { c_type, width, .. } if self.direction == Direction::Given => {
                let is_signed = c_type.widest().0 < 0;
                let (least, most) = if is_signed {
                    (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1)
                } else {
                    (0, (1_i128 << width) - 1)
                };
                object! { "type": "integer", "minimum": least, "maximum": most }
            }
            Kind::Bits { .. } => object! { "type": "integer" },
            Kind::Union(tagged) => self.union(tagged),
            Kind::Within(of, limits) => self.within(of, *limits),
            Kind::Record(record) => self.record(*record),
            Kind::Handle(handle) => self.token(&self.types.handles[*handle].name),
            Kind::State(record) => self.token(&self.types.records[*record].name),
            Kind::Capacity { c_type, buffer, .. } => self.capacity(*c_type, *buffer),
            Kind::Count(_) => object! { "type": "integer" },
            Kind::Callback | Kind::Opaque => object! { "type": "object" },
            Kind::Collect { by_default } => {
                let description = format!("Whether the reply has the calls. Default: {by_default}.");
                object! { "type": "boolean", "description": description }
            }
            Kind::Calls(values) => self.calls(values, &[]),
            Kind::Events { callbacks, values } => self.calls(values, callbacks),
            Kind::Nullable(of) => {
                let mut schema = self.of(of);
                schema.set("x-nullable", true);
                schema
            }
            Kind::Texts => {
                let items = object! { "type": "string", "x-nullable": true };
                object! { "type": "array", "items": items }
            }
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
        match text.encoding {
            Encoding::Base64 if !self.is_exact => schema.set("x-encoding", "base64"),
            Encoding::Hex if !self.is_exact => schema.set("x-encoding", "hex"),
            _ => {}
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

    /// A value with limits, which only a caller keeps to: they are numbers in both forms.
    fn within(self, of: &Kind, limits: Limits) -> Object {
        let mut schema = match of {
            // A range in words would only repeat that of the C type.
            Kind::Scalar(scalar) if limits.has_range() && !self.is_exact => {
                let is_floating = scalar.c_type.class() == Class::Floating;
                let mut schema = object! { "type": if is_floating { "number" } else { "integer" } };
                if let Some(format) = scalar.c_type.wide_format() {
                    schema.set("format", format);
                }
                schema
            }
            _ => self.of(of),
        };
        if self.direction == Direction::Returned {
            return self.of(of);
        }
        let value = |bound: Bound| match bound {
            Bound::Integer(value) => Value::from(value),
            Bound::Number(value) => Value::from(value),
        };
        let of_type = match of {
            Kind::Scalar(scalar) if limits.has_range() && scalar.c_type.is_same_everywhere() => {
                (scalar.c_type.class() != Class::Floating).then(|| scalar.c_type.widest())
            }
            _ => None,
        };
        let least = limits.least.map(value).or(of_type.map(|(lowest, _)| Value::from(lowest)));
        let most = limits.most.map(value).or(of_type.map(|(_, highest)| Value::from(highest)));
        for (key, bound) in [("minimum", least), ("maximum", most)] {
            if let Some(bound) = bound {
                schema.set(key, bound);
            }
        }
        match (of, limits.length) {
            (Kind::Text(text), Some(length)) => {
                // A character of text has at least a byte. Bytes are longer as base64 or hex.
                let characters = match text.encoding {
                    Encoding::Base64 => length.div_ceil(3) * 4,
                    Encoding::Hex => length * 2,
                    Encoding::Utf8 | Encoding::Utf8Lossy | Encoding::Latin1 | Encoding::Utf16 => length,
                };
                schema.set("maxLength", characters);
            }
            (_, Some(length)) => schema.set("maxItems", length),
            (_, None) => {}
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

    /// The calls of a callback, or those of several callbacks: then each has the name of its callback, and values that
    /// others lack.
    fn calls(self, values: &[CollectedValue], callbacks: &[String]) -> Object {
        let mut properties = Object::new();
        if !callbacks.is_empty() {
            let names: Value = callbacks.iter().collect();
            properties.set(EVENT, object! { "type": "string", "enum": names });
        }
        for value in values {
            let mut schema = self.of(&value.kind);
            if value.nullable {
                schema.set("x-nullable", true);
            }
            properties.set(value.key.clone(), described(schema, value.description.as_deref()));
        }
        let required: Value = match callbacks {
            [] => values.iter().map(|value| &value.key).collect(),
            _ => [EVENT].into_iter().collect(),
        };
        let call = object! { "type": "object", "properties": properties, "required": required };
        object! { "type": "array", "items": call }
    }

    /// A union with a tag: an object with one member. From C, it may have a tag that the document does not list.
    fn union(self, tagged: &Tagged) -> Object {
        let one = |key: &str, schema: Object| {
            let mut properties = Object::new();
            properties.set(key.to_owned(), schema);
            let required: Value = [key.to_owned()].into_iter().collect();
            Value::from(object! { "type": "object", "properties": properties, "required": required })
        };
        let mut members: Vec<Value> = Vec::new();
        for (_, member) in &tagged.members {
            let mut schema = Self { is_member: true, ..self }.of(&Kind::field(&member.of));
            if self.direction == Direction::Returned && matches!(member.of, FieldType::Str(_)) {
                schema.set("x-nullable", true);
            }
            members.push(one(&member.key, described(schema, member.description.as_deref())));
        }
        if self.direction == Direction::Returned {
            let description = "The tag, which the document does not list.";
            members.push(one("unknown", object! { "type": "integer", "description": description }));
        }
        let members: Value = members.into_iter().collect();
        let mut schema = object! { "type": "object", "anyOf": members };
        if tagged.empty.is_some() {
            schema.set("x-nullable", true);
        }
        schema
    }

    fn record(self, index: usize) -> Object {
        let record = &self.types.records[index];
        if record.complex.is_some() {
            let mut schema = object! { "type": "array", "items": object! { "type": "number" } };
            if self.is_exact {
                schema.set("minItems", 2);
                schema.set("maxItems", 2);
            } else {
                schema.set("description", "The real and the imaginary part.");
            }
            return schema;
        }
        let Body::Fields(fields) = &record.body else { return object! { "type": "object" } };
        let bit = u32::try_from(index).ok().and_then(|index| 1_u128.checked_shl(index)).unwrap_or_default();
        if self.around & bit != 0 {
            // A struct that points to its own kind.
            return object! { "type": "object", "description": format!("A `{}`, as the one around it.", record.name) };
        }
        let within = Self { around: self.around | bit, ..self };
        let mut properties = Object::new();
        let mut required: Vec<&String> = Vec::new();
        let is_shown =
            |field: &&Field| !field.hidden && (self.direction == Direction::Returned || !field.is_room());
        for field in fields.iter().filter(is_shown) {
            let Some(mut schema) = within.member(&field.kind()) else { continue };
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

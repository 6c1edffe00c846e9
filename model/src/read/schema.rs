//! Schemas and C types, with their extension keys.

use opendyn_source::object::{elements, members};

use crate::diagnostic::Findings;
use crate::document::{CType, Callback, InlineSchema, Keys, Length, Reference, Schema};
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use super::object::Object;
use super::{Of, key, read_parameter};

/// The keys that describe a type. They belong to the schema that a `$ref` names.
const OF_ONE_TYPE: [&str; 8] =
    ["properties", "items", "enum", "required", "x-enumNames", "x-encoding", "x-size", "x-align"];

pub(super) fn read_schema(node: &Node, findings: &Findings) -> Option<Schema> {
    let object = Object::new(node, Place::Schema, findings)?;
    let description = object.optional_string("description").map(|text| text.value);
    let keys = read_keys(&object, findings);
    let default = object.literal("default");
    if let Some(reference) = object.optional("$ref") {
        let target = object.string(reference, "$ref");
        let c_type = object.optional("cType").map(|node| read_c_type(node, findings));
        object.beside_reference(&OF_ONE_TYPE);
        object.finish();
        return target.map(|target| {
            Schema::Reference(Box::new(Reference { target, description, c_type, keys, default }))
        });
    }
    let kind = object.required_string("type");
    let c_type = object.optional("cType");
    let properties = object.optional("properties");
    let items = object.optional("items");
    let enumeration = object.literals("enum");
    let enum_names = object.strings("x-enumNames");
    let required = object.strings("required").map(|names| names.value);
    let encoding = object.optional_string("x-encoding");
    let (size, align) = (object.count("x-size"), object.count("x-align"));
    object.finish();
    Some(Schema::Inline(Box::new(InlineSchema {
        kind,
        description,
        c_type: c_type.map(|node| read_c_type(node, findings)),
        keys,
        encoding,
        // Non-objects are already reported; treat them as absent.
        properties: properties
            .map(|node| (read_schemas(node, "`properties`", findings), &node.value))
            .and_then(|(read, value)| matches!(value, Value::Object(_)).then_some(read)),
        items: items.and_then(|node| read_schema(node, findings)),
        enumeration,
        enum_names,
        required,
        default,
        size,
        align,
        span: node.span,
    })))
}

/// An object of schemas, by name.
pub(super) fn read_schemas(
    node: &Node,
    what: &str,
    findings: &Findings,
) -> Vec<(Spanned<String>, Option<Schema>)> {
    members(node, what, findings)
        .iter()
        .map(|member| (key(member), read_schema(&member.value, findings)))
        .collect()
}

/// The keys of a value, as far as such an object can have them.
pub(super) fn read_keys(object: &Object<'_>, findings: &Findings) -> Keys {
    let string = |key| object.has(key).then(|| object.optional_string(key)).flatten();
    let flag = |key| object.has(key).then(|| object.optional_bool(key)).flatten();
    Keys {
        length: object.optional("x-length").and_then(|node| read_length(node, object, findings)),
        written: string("x-written"),
        inout: flag("x-inout"),
        free: string("x-free"),
        parent: string("x-parent"),
        nullable: flag("x-nullable"),
    }
}

fn read_length(node: &Node, within: &Object<'_>, findings: &Findings) -> Option<Spanned<Length>> {
    let span = node.span;
    if let Value::String(name) = &node.value {
        return Some(Spanned { value: Length::Parameter(name.clone()), span });
    }
    if !matches!(node.value, Value::Object(_)) {
        within.wrong(node, "x-length", "the name of a parameter, or an object with `const` or `call`");
        return None;
    }
    let object = Object::new(node, Place::Length, findings)?;
    let count = object.count("const");
    let function = object.optional_string("call");
    let expected = "the name of a parameter, or an integer";
    let args = match object.optional("args") {
        Some(_) => object.list("args", |node| object.literal_at(node, "args", expected)),
        None => Some(Spanned { value: Vec::new(), span }),
    };
    let parameter = object.optional_string("parameter");
    let value = match (count, function) {
        (Some(count), None) => Length::Const { count, parameter },
        (None, Some(function)) => Length::Call { function, args: args?.value, parameter },
        _ => {
            if object.optional("const").is_some() == object.optional("call").is_some() {
                findings.report(
                    Rule::MissingField,
                    span,
                    "`x-length` must have either `const` or `call`",
                    "write the name of a parameter, {\"const\": 32}, or {\"call\": \"f\", \"args\": [\"n\"]}",
                );
            }
            object.finish();
            return None;
        }
    };
    object.finish();
    Some(Spanned { value, span })
}

fn read_c_type(node: &Node, findings: &Findings) -> CType {
    let Some(object) = Object::new(node, Place::CType, findings) else {
        return CType {
            name: None,
            is_pointer: false,
            spelling: None,
            depth: None,
            handle: None,
            free: None,
            callback: None,
            is_in: None,
            span: node.span,
        };
    };
    let name = object.required_string("type");
    let is_pointer = object.bool_or_default("isPointer", false);
    let spelling = object.optional_string("x-cType");
    let depth = object.count("x-pointerDepth");
    let handle = object.optional_string("x-handle");
    let free = object.optional_string("x-free");
    let callback = object.optional("x-callback");
    let is_in = object.optional_bool("isIn");
    object.finish();
    CType {
        name,
        is_pointer: is_pointer.value,
        spelling,
        depth,
        handle,
        free,
        callback: callback.and_then(|node| read_callback(node, findings)).map(Box::new),
        is_in,
        span: node.span,
    }
}

fn read_callback(node: &Node, findings: &Findings) -> Option<Callback> {
    let object = Object::new(node, Place::Callback, findings)?;
    let parameters = object.required("parameters");
    let returns = object.optional("return");
    let user_data = object.optional_string("userData");
    let until = object.optional_string("until");
    let on_panic = object.literal("onPanic");
    object.finish();
    let returns = returns.and_then(|node| {
        let object = Object::new(node, Place::CallbackReturn, findings)?;
        let schema = object.required("schema");
        object.finish();
        schema.and_then(|node| read_schema(node, findings))
    });
    Some(Callback {
        parameters: elements(parameters?, "`parameters` of `x-callback`", findings)
            .iter()
            .filter_map(|node| read_parameter(node, Of::Callback, findings))
            .collect(),
        returns,
        user_data,
        until,
        on_panic,
        span: Span { start: node.span.start, end: node.span.start + 1 },
    })
}

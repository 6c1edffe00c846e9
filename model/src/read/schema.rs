//! Schemas and C types, with the extension keys that stand in them.

use crate::diagnostic::Findings;
use crate::document::{CType, Callback, InlineSchema, Keys, Length, Reference, Schema};
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use super::object::{self, Object};
use super::{Of, array, entries, key, read_parameter};

/// The keys that say what a type is, and belong to the schema that describes it.
const OF_ONE_TYPE: [&str; 8] =
    ["properties", "items", "enum", "required", "x-enumNames", "x-encoding", "x-size", "x-align"];

pub(super) fn read_schema(node: &Node, findings: &Findings) -> Option<Schema> {
    let object = Object::new(node, Place::Schema, findings)?;
    let description = object.optional_string("description");
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
    let encoding = object.optional_spanned("x-encoding");
    let (size, align) = (object.count("x-size"), object.count("x-align"));
    object.finish();
    Some(Schema::Inline(Box::new(InlineSchema {
        kind,
        description,
        c_type: c_type.map(|node| read_c_type(node, findings)),
        keys,
        encoding,
        // What is no object is reported, and no struct.
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
    entries(node, what, findings)
        .iter()
        .map(|member| (key(member), read_schema(&member.value, findings)))
        .collect()
}

/// The keys of a value: those of them that such an object can have.
pub(super) fn read_keys(object: &Object<'_>, findings: &Findings) -> Keys {
    let string = |key| object.has(key).then(|| object.optional_spanned(key)).flatten();
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
    let function = object.optional_spanned("call");
    let args = object.elements("args");
    let parameter = object.optional_spanned("parameter");
    let value = match (count, function) {
        (Some(count), None) => Length::Const { count, parameter },
        (None, Some(function)) => {
            let literal = |node| {
                let literal = object::literal(node);
                if literal.is_none() {
                    object.wrong(node, "args", "the name of a parameter, or an integer");
                }
                literal
            };
            let args: Vec<Option<_>> =
                args.as_ref().map_or(&[][..], |args| args.value).iter().map(literal).collect();
            Length::Call { function, args: args.into_iter().collect::<Option<_>>()?, parameter }
        }
        _ => {
            if object.optional("const").is_some() == object.optional("call").is_some() {
                findings.report(
                    Rule::MissingField,
                    span,
                    "`x-length` has to have either `const` or `call`",
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
    let spelling = object.optional_spanned("x-cType");
    let depth = object.count("x-pointerDepth");
    let handle = object.optional_spanned("x-handle");
    let free = object.optional_spanned("x-free");
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
    let parameters =
        object.required("parameters").and_then(|node| array(node, "`parameters` of `x-callback`", findings));
    let returns = object.optional("return");
    let user_data = object.optional_spanned("userData");
    let until = object.optional_spanned("until");
    let on_panic = object.literal("onPanic");
    object.finish();
    let returns = returns.and_then(|node| {
        let object = Object::new(node, Place::CallbackReturn, findings)?;
        let schema = object.required("schema");
        object.finish();
        schema.and_then(|node| read_schema(node, findings))
    });
    Some(Callback {
        parameters: parameters?
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

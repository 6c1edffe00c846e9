//! Schemas and C types, with their extension keys.

use opendyn_source::object::{elements, members};

use crate::diagnostic::Findings;
use crate::document::{
    CType, Callback, Collect, Free, InlineSchema, Keeps, Keys, Progress, Reference, Schema,
};
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use super::length::read_length;
use super::object::Object;
use super::takes::read_takes;
use super::union;
use super::{Of, key, read_parameter};

/// The keys that describe a type. They belong to the schema that a `$ref` names.
const OF_ONE_TYPE: [&str; 13] = [
    "properties",
    "items",
    "enum",
    "required",
    "x-enumNames",
    "x-encoding",
    "x-size",
    "x-align",
    "x-state",
    "minimum",
    "maximum",
    "x-maxLength",
    "x-bits",
];

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
    let (minimum, maximum) = (object.number("minimum"), object.number("maximum"));
    let max_length = object.count("x-maxLength");
    let bits = object.count("x-bits");
    let (size, align) = (object.count("x-size"), object.count("x-align"));
    let state = object.optional_bool("x-state");
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
        minimum,
        maximum,
        max_length,
        bits,
        size,
        align,
        state,
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
    let flag = |key| object.has(key).then(|| object.optional_bool(key)).flatten();
    let names = |key| object.has(key).then(|| object.names(key)).flatten();
    Keys {
        length: object.optional("x-length").and_then(|node| read_length(node, object, findings)),
        written: object
            .has("x-written")
            .then(|| object.optional("x-written"))
            .flatten()
            .filter(|node| !matches!(node.value, Value::Object(_)))
            .and_then(|node| object.string(node, "x-written")),
        inout: flag("x-inout"),
        free: object.has("x-free").then(|| read_free(object, findings)).flatten(),
        parent: names("x-parent"),
        valid_until: names("x-validUntil"),
        nullable: flag("x-nullable"),
        is_in: (object.place() == Place::Schema).then(|| flag("isIn")).flatten(),
        left: read_left(object, findings),
        keeps: object.has("x-keeps").then(|| read_keeps(object, findings)).flatten(),
        union: object.has("x-union").then(|| union::read(object, findings)).flatten(),
        takes: object.has("x-takes").then(|| read_takes(object, findings)).flatten(),
    }
}

/// `x-keeps`: a name, an object, or true.
fn read_keeps(within: &Object<'_>, findings: &Findings) -> Option<Spanned<Keeps>> {
    let node = within.optional("x-keeps")?;
    let span = node.span;
    let value = match &node.value {
        Value::String(name) => Keeps { until: Some(Spanned { value: name.clone(), span }), replaced: false },
        Value::Bool(true) => Keeps { until: None, replaced: false },
        Value::Object(_) => {
            let object = Object::new(node, Place::Keeps, findings)?;
            let until = object.required_string("until");
            let replaced = object.optional_bool("replaced").is_some_and(|replaced| replaced.value);
            object.finish();
            Keeps { until: Some(until?), replaced }
        }
        _ => {
            within.wrong(node, "x-keeps", "the name of a parameter, an object with `until`, or true");
            return None;
        }
    };
    Some(Spanned { value, span })
}

/// `x-free`: a name, an object, or false.
fn read_free(within: &Object<'_>, findings: &Findings) -> Option<Spanned<Free>> {
    let node = within.optional("x-free")?;
    let span = node.span;
    let value = match &node.value {
        Value::String(name) => {
            let function = Spanned { value: name.clone(), span };
            Free::Call { function, args: None, always: false, later: false }
        }
        Value::Bool(false) => Free::Nothing,
        Value::Object(_) => {
            let object = Object::new(node, Place::Free, findings)?;
            let (symbol, variable) = (object.optional_string("symbol"), object.optional_string("variable"));
            let function = object.optional_string("call");
            let expected = "\"value\", the name of a parameter, or an integer";
            let args = object
                .optional("args")
                .map(|_| object.list("args", |node| object.literal_at(node, "args", expected)));
            let always = object.optional_bool("always").is_some_and(|always| always.value);
            let later = object.optional_bool("later").is_some_and(|later| later.value);
            let plain = !always && !later;
            object.finish();
            match (symbol, variable, function, args) {
                (Some(symbol), None, None, None) if plain => Free::Symbol(symbol),
                (None, Some(variable), None, None) if plain => Free::Variable(variable),
                (None, None, Some(function), None) => Free::Call { function, args: None, always, later },
                (None, None, Some(function), Some(args)) => {
                    Free::Call { function, args: Some(args?.value), always, later }
                }
                _ => {
                    findings.report(
                        Rule::MissingField,
                        span,
                        "`x-free` must have either `symbol`, `variable` or `call`; `args`, `always` and `later` belong to `call`",
                        "write the name of a function, {\"symbol\": \"free\"}, {\"variable\": \"xmlFree\"}, or {\"call\": \"f\", \"args\": [\"context\", \"value\"]}",
                    );
                    return None;
                }
            }
        }
        _ => {
            within.wrong(node, "x-free", "the name of a function, an object, or false");
            return None;
        }
    };
    Some(Spanned { value, span })
}

/// `{"left": "avail_out"}` of `x-written`.
fn read_left(object: &Object<'_>, findings: &Findings) -> Option<Spanned<String>> {
    let node = object.has("x-written").then(|| object.optional("x-written")).flatten()?;
    if !matches!(node.value, Value::Object(_)) {
        return None;
    }
    let object = Object::new(node, Place::Written, findings)?;
    let left = object.required_string("left");
    object.finish();
    left
}

fn read_c_type(node: &Node, findings: &Findings) -> CType {
    let Some(object) = Object::new(node, Place::CType, findings) else {
        return CType {
            name: None,
            is_pointer: false,
            spelling: None,
            depth: None,
            complex: None,
            handle: None,
            free: None,
            retain: None,
            callback: None,
            is_in: None,
            span: node.span,
        };
    };
    let name = object.required_string("type");
    let is_pointer = object.bool_or_default("isPointer", false);
    let spelling = object.optional_string("x-cType");
    let depth = object.count("x-pointerDepth");
    let complex = object.optional_bool("x-complex").filter(|flag| flag.value);
    let handle = object.optional_string("x-handle");
    let free = read_free(&object, findings);
    let retain = object.optional_string("x-retain");
    let callback = object.optional("x-callback");
    let is_in = object.optional_bool("isIn");
    object.finish();
    CType {
        name,
        is_pointer: is_pointer.value,
        spelling,
        depth,
        complex,
        handle,
        free,
        retain,
        callback: callback.and_then(|node| read_callback(node, findings)).map(Box::new),
        is_in,
        span: node.span,
    }
}

fn read_callback(node: &Node, findings: &Findings) -> Option<Callback> {
    let object = Object::new(node, Place::Callback, findings)?;
    let parameters = object.required("parameters");
    let returns = object.optional("return");
    let (user_data, by_handle) = match object.optional("userData") {
        Some(node) if matches!(node.value, Value::Object(_)) => {
            let object = Object::new(node, Place::UserData, findings)?;
            let handle = object.required_string("handle");
            object.finish();
            (Some(handle?), true)
        }
        _ => (object.optional_string("userData"), false),
    };
    let until = object.optional_string("until");
    let on_panic = object.literal("onPanic");
    let collect = object.optional("collect").and_then(|node| read_collect(node, findings));
    let progress = object.optional("progress").and_then(|node| read_progress(node, findings));
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
        by_handle,
        until,
        on_panic,
        collect,
        progress,
        span: Span { start: node.span.start, end: node.span.start + 1 },
    })
}

fn read_collect(node: &Node, findings: &Findings) -> Option<Collect> {
    let object = Object::new(node, Place::Collect, findings)?;
    let (answer, stop) = (object.literal("answer"), object.literal("stop"));
    let limit = object.count("limit");
    let default = object.optional_bool("default").map(|flag| flag.value);
    let into = object.optional_string("into");
    object.finish();
    let span = Span { start: node.span.start, end: node.span.start + 1 };
    Some(Collect { answer, stop, limit, default, into, span })
}

fn read_progress(node: &Node, findings: &Findings) -> Option<Progress> {
    let object = Object::new(node, Place::Progress, findings)?;
    let [done, total, message] = ["done", "total", "message"].map(|key| object.optional_string(key));
    let (answer, stop) = (object.literal("answer"), object.literal("stop"));
    object.finish();
    let span = Span { start: node.span.start, end: node.span.start + 1 };
    Some(Progress { done, total, message, answer, stop, span })
}

//! How a value is passed: the only place that combines JSON type, C type, direction and keys.

use super::callback;
use super::complex;
use super::items::{self, Items};
use super::meaning::{Direction, Form, HandleRole, Passing, StateRole};
use super::misuse;
use super::scalar::{element, encoding, mismatch, scalar};
use super::schema::{JsonType, Resolved};
use super::site::Site;
use super::state;
use super::takes;
use crate::c_type::{CType, Class};
use crate::document::Keys;
use crate::plan::{Amount, Content, Element, End, Scalar, Text};
use crate::rule::Rule;
use crate::span::Span;

/// How a parameter is passed. The caller has checked that outputs are pointers.
pub(super) fn of_parameter(
    schema: &Resolved<'_>,
    keys: &Keys,
    is_in: bool,
    site: &Site<'_>,
) -> Option<Passing> {
    let inout = keys.inout.is_some_and(|flag| flag.value);
    let passing = match shape(schema, keys, site)? {
        Shape::Value(scalar) => Passing::Value(scalar),
        Shape::Str(text) => match (site.length(keys)?, is_in) {
            (None, true) => Passing::Str(text),
            (Some(length), true) => {
                let inout = inout && text.encoding.is_binary();
                Passing::Counted { c_type: text.c_type, encoding: text.encoding, length, inout }
            }
            (capacity, false) => {
                let content = Content::Text { c_type: text.c_type, encoding: text.encoding };
                Passing::Buffer { content, capacity, written: site.written(keys)?, items: None }
            }
        },
        Shape::Pointer(scalar) if is_in && inout => Passing::InOut(scalar),
        Shape::Pointer(scalar) if is_in => Passing::Pointer(scalar),
        Shape::Pointer(scalar) => Passing::Output(scalar),
        Shape::Array(element) if is_in => Passing::Slice { element, length: site.length(keys)?, inout },
        Shape::Array(element) => Passing::Buffer {
            content: Content::Elements(element),
            capacity: site.length(keys)?,
            written: site.written(keys)?,
            items: None,
        },
        Shape::Record { record, by_pointer } => {
            let direction = match (by_pointer, is_in, inout) {
                (false, _, _) => Direction::Value,
                (true, true, true) => Direction::InOut,
                (true, true, false) => Direction::In,
                (true, false, _) => Direction::Out,
            };
            if direction == Direction::Out && site.registry.has_rooms(record) {
                site.findings().report(
                    Rule::Struct,
                    schema.c_type_span,
                    "the caller must pass a struct with a buffer that C fills, because it has the capacity",
                    "write \"isIn\": true",
                );
                return None;
            }
            Passing::Record { record, direction }
        }
        Shape::State(record) => {
            let held = site.held(keys)?;
            let end = match (&keys.free, held.free) {
                (None, _) => End::Unknown,
                (Some(_), Some(free)) => End::By(free),
                (Some(_), None) => End::Nothing,
            };
            let role = match (is_in, site.frees_itself(keys)) {
                (false, _) => StateRole::Begins { end, lasts: state::lasts(end, schema, keys, site)? },
                (true, true) => StateRole::Ends { always: site.frees_always(keys) },
                (true, false) => StateRole::Used,
            };
            Passing::State { record, role }
        }
        Shape::Handle(handle) => return handle_parameter(schema, keys, handle, is_in, site),
        Shape::Callback => {
            let callback = schema.declared.callback.as_deref()?;
            let until = callback.until.as_ref().map_or_else(Span::default, |name| name.span);
            Passing::Callback(callback::lower(callback, is_in, site)?, until)
        }
        Shape::Opaque => Passing::Opaque { output: !is_in },
        Shape::Double if is_in => match pointers(schema, keys, is_in, site)? {
            Some((Items::Strings { nullable }, length)) => Passing::Strings { length, nullable },
            Some((Items::Handles(items), length)) => Passing::Handles { items, length },
            None if schema.c_type.class() == Class::Character => {
                return double_fault(
                    schema,
                    site,
                    "write \"type\": \"array\" and `x-length` for an array of strings, or \"isIn\": false",
                );
            }
            None => {
                return double_fault(
                    schema,
                    site,
                    "write `x-length`, and `items` with `x-handle`, for an array of handles; or \"isIn\": false for a pointer that C sets",
                );
            }
        },
        Shape::Double => match handle_buffer(schema, keys, site)? {
            Some(buffer) => buffer,
            None => Passing::Fetched(pointed(schema, keys, site)?),
        },
    };
    misuse::of_parameter(&passing, schema, keys, site.findings());
    Some(passing)
}

/// How a return value comes back.
pub(super) fn of_return(schema: &Resolved<'_>, keys: &Keys, site: &Site<'_>) -> Option<Form> {
    let form = match shape(schema, keys, site)? {
        Shape::Value(scalar) => Form::Value(scalar),
        Shape::Record { record, by_pointer: false } => Form::RecordValue(record),
        Shape::Callback | Shape::State(_) => {
            let (span, key) = match (&schema.declared.callback, &schema.schema.size) {
                (Some(callback), _) => (callback.span, "x-callback"),
                (None, size) => (size.as_ref().map_or(schema.c_type_span, |size| size.span), "x-size"),
            };
            site.findings().report(
                Rule::MisusedKey,
                span,
                format!("`{key}` does not apply to a return value"),
                "remove it, or describe the pointer as a handle with `x-handle`",
            );
            return None;
        }
        Shape::Double => match pointers(schema, keys, false, site)? {
            Some((Items::Strings { nullable }, length)) => {
                Form::Strings { length, nullable, held: site.held(keys)? }
            }
            Some((Items::Handles(items), length)) => Form::Handles { items, length, held: site.held(keys)? },
            None => {
                return double_fault(
                    schema,
                    site,
                    "a pointer to pointers can be returned only as an array with `x-length`: of `char`, which are strings, \
                     or of `void` with `items` that have `x-handle`",
                );
            }
        },
        Shape::Handle(_) if schema.is_double => {
            return double_fault(schema, site, "remove `x-pointerDepth`: a returned handle is a `void*`");
        }
        Shape::Str(_)
        | Shape::Pointer(_)
        | Shape::Array(_)
        | Shape::Record { .. }
        | Shape::Handle(_)
        | Shape::Opaque => pointed(schema, keys, site)?,
    };
    misuse::of_return(&form, schema, keys, site.findings());
    Some(form)
}

/// An array of pointers: what they point to, and how many there are.
fn pointers(
    schema: &Resolved<'_>,
    keys: &Keys,
    is_in: bool,
    site: &Site<'_>,
) -> Option<Option<(Items, Amount)>> {
    let length = site.length(keys)?;
    let (JsonType::Array, Some(length)) = (schema.json, length) else { return Some(None) };
    Some(items::of(schema, &length, is_in, site)?.map(|items| (items, length)))
}

/// An array of handles that C fills. Other pointers to pointers are set by C.
fn handle_buffer(schema: &Resolved<'_>, keys: &Keys, site: &Site<'_>) -> Option<Option<Passing>> {
    if schema.c_type.class() != Class::Void {
        return Some(None);
    }
    let Some((Items::Handles(items), capacity)) = pointers(schema, keys, false, site)? else {
        return Some(None);
    };
    let content = Content::Handles(items.handle);
    let written = site.written(keys)?;
    Some(Some(Passing::Buffer { content, capacity: Some(capacity), written, items: Some(items) }))
}

/// The target of a pointer from C: a returned `T*`, or a `T**` that C sets.
fn pointed(schema: &Resolved<'_>, keys: &Keys, site: &Site<'_>) -> Option<Form> {
    let single = Resolved { is_double: false, keys: keys.clone(), ..*schema };
    let held = site.held(keys)?;
    let length = site.length(keys)?;
    Some(match shape(&single, keys, site)? {
        Shape::Str(text) if length.is_none() => Form::Str { text, held },
        Shape::Str(text) => {
            let content = Content::Text { c_type: text.c_type, encoding: text.encoding };
            Form::Array { content, length, held }
        }
        Shape::Pointer(scalar) => Form::Pointed { scalar, held },
        Shape::Array(element) => Form::Array { content: Content::Elements(element), length, held },
        Shape::Record { record, .. } => Form::Record { record, held },
        Shape::Handle(handle) => {
            Form::Handle { handle, held, parents: site.parents(keys)?, until: site.valid_until(keys)? }
        }
        Shape::Opaque | Shape::State(_) => Form::Opaque,
        Shape::Value(_) | Shape::Callback | Shape::Double => {
            return double_fault(schema, site, "describe what the pointer points to");
        }
    })
}

fn handle_parameter(
    schema: &Resolved<'_>,
    keys: &Keys,
    handle: usize,
    is_in: bool,
    site: &Site<'_>,
) -> Option<Passing> {
    let (consumed, always) = (site.consumes(keys), site.frees_always(keys));
    let role = match (is_in, schema.is_double, consumed) {
        (true, false, false) if keys.takes.is_some() => HandleRole::Taken(takes::of(keys, site)??),
        (true, false, false) => HandleRole::Borrowed,
        (true, through, true) => HandleRole::Consumed { through, always },
        (true, true, false) => {
            return double_fault(
                schema,
                site,
                "remove `x-pointerDepth`, or write \"isIn\": false for a handle that C sets",
            );
        }
        (false, true, _) => {
            let passing = Passing::Fetched(pointed(schema, keys, site)?);
            misuse::of_parameter(&passing, schema, keys, site.findings());
            return Some(passing);
        }
        (false, false, _) => {
            site.findings().report(
                Rule::PointerDepth,
                schema.c_type_span,
                "an output with `x-handle` must be a pointer to a pointer",
                "add \"x-pointerDepth\": 2, or write \"isIn\": true for a handle that C takes",
            );
            return None;
        }
    };
    // Only the function that returns the handle uses `x-free`. Here it is checked.
    site.held(keys)?;
    let passing = Passing::Handle { handle, role };
    misuse::of_parameter(&passing, schema, keys, site.findings());
    Some(passing)
}

fn double_fault<T>(schema: &Resolved<'_>, site: &Site<'_>, help: &str) -> Option<T> {
    let message = format!("`{}` as \"{}\" is not supported here", schema.spelled(), schema.json.name());
    let depth = schema.declared.depth.as_ref().map_or(schema.c_type_span, |depth| depth.span);
    site.findings().report(Rule::PointerDepth, depth, message, help);
    None
}

/// A value without its direction.
enum Shape {
    Value(Scalar),
    Str(Text),
    Pointer(Scalar),
    Array(Element),
    Record {
        record: usize,
        by_pointer: bool,
    },
    State(usize),
    Handle(usize),
    Callback,
    /// A pointer to a pointer.
    Double,
    Opaque,
}

fn shape(schema: &Resolved<'_>, keys: &Keys, site: &Site<'_>) -> Option<Shape> {
    let Resolved { json, c_type, is_pointer, is_double, .. } = *schema;
    let findings = site.findings();
    let registry = site.registry;
    if schema.declared.handle.is_some() {
        return registry.handle(schema).map(Shape::Handle);
    }
    if schema.declared.callback.is_some() {
        if is_double {
            return double_fault(
                schema,
                site,
                "remove `x-pointerDepth`: a function pointer is passed as it is",
            );
        }
        return Some(Shape::Callback);
    }
    if let Some(bits) = &schema.schema.bits {
        findings.report(
            Rule::MisusedKey,
            bits.span,
            "`x-bits` does not apply to this value; it is for members of a struct",
            "remove it",
        );
        return None;
    }
    if schema.declared.complex.is_some() {
        let record = complex::of(schema, registry)?;
        return Some(match (json, is_pointer) {
            (JsonType::Array, true) => Shape::Array(Element::Record(record)),
            (_, by_pointer) => Shape::Record { record, by_pointer },
        });
    }
    if json == JsonType::Object && c_type == CType::Void {
        if schema.has_members() {
            let record = registry.record(schema, &site.path)?;
            if !is_pointer && registry.has_bits(record) {
                findings.report(
                    Rule::Struct,
                    schema.c_type_span,
                    "a struct with bit fields cannot be passed by value",
                    "describe a function that takes or returns a pointer to it",
                );
                return None;
            }
            return Some(if is_double {
                Shape::Double
            } else {
                Shape::Record { record, by_pointer: is_pointer }
            });
        }
        if schema.schema.size.is_some() && is_pointer && !is_double {
            return registry.record(schema, &site.path).map(Shape::State);
        }
    }
    if c_type == CType::Void && !is_pointer {
        findings.report(
            Rule::VoidByValue,
            schema.c_type_span,
            "`void` has no values; only a pointer to it can be passed or returned",
            "write \"isPointer\": true; for a function that returns nothing write \"return\": null",
        );
        return None;
    }
    if is_double {
        return Some(Shape::Double);
    }
    let text = c_type.class() == Class::Character || schema.schema.encoding.is_some();
    match (json, c_type.class(), is_pointer) {
        // An array of structs, or bytes that C takes as `void*`.
        (JsonType::Array, Class::Void, true) if schema.schema.items.is_some() => {
            element(schema, &site.path, registry).map(Shape::Array)
        }
        (JsonType::String, Class::Void, true) if keys.length.is_some() => {
            let encoding = encoding(schema, findings)?;
            Some(Shape::Str(Text { c_type: CType::UnsignedChar, encoding, one_of: None }))
        }
        (JsonType::Boolean | JsonType::Number, Class::Void, _) => mismatch(schema, findings),
        (_, Class::Void, _) => Some(Shape::Opaque),
        (JsonType::String, Class::Character | Class::Integer, true) if text => {
            let encoding = encoding(schema, findings)?;
            let one_of = registry.enumeration(schema, &site.path)?;
            Some(Shape::Str(Text { c_type, encoding, one_of }))
        }
        (JsonType::Array, _, true) => element(schema, &site.path, registry).map(Shape::Array),
        _ => {
            let scalar = scalar(schema, &site.path, registry)?;
            Some(if is_pointer { Shape::Pointer(scalar) } else { Shape::Value(scalar) })
        }
    }
}

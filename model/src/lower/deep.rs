//! Members of structs that are pointers: what they point to, where the document says it.

use super::misuse;
use super::record::pointer;
use super::scalar;
use super::schema::{JsonType, Resolved};
use super::site;
use super::types::Registry;
use crate::c_type::{CType, Class};
use crate::document::{Length, Schema};
use crate::plan::{Field, FieldType, Item, Many, ManyLength, Scalar, View, Written};
use crate::rule::Rule;
use crate::span::Spanned;

/// The names of the members of a struct, in order.
pub(super) type Siblings<'s> = &'s [(Spanned<String>, Option<Schema>)];

/// A pointer in a struct. Where the document does not say what it points to, it is raw.
pub(super) fn member(
    schema: &Resolved<'_>,
    path: &str,
    siblings: Siblings<'_>,
    registry: &Registry<'_>,
) -> Option<FieldType> {
    if schema.declared.handle.is_some() || schema.declared.callback.is_some() {
        return Some(pointer(schema));
    }
    let is_text = schema.json == JsonType::String
        && (schema.c_type.class() == Class::Character || schema.c_type == CType::Void);
    let has_length = schema.keys.length.is_some();
    if is_text && !schema.is_double && !has_length && schema.c_type != CType::Void {
        return Some(FieldType::Str(schema.c_type));
    }
    if schema.json == JsonType::Object
        && schema.c_type == CType::Void
        && !schema.is_double
        && schema.has_members()
    {
        let record = registry.pointee(schema, path)?;
        no_rooms(record, schema, registry)?;
        return Some(FieldType::Pointed(record));
    }
    let is_list = schema.json == JsonType::Array || is_text && !schema.is_double;
    if !has_length || !is_list {
        misuse::of_raw_member(schema, registry.findings);
        return Some(pointer(schema));
    }
    let of = item(schema, path, registry)?;
    let is_room = schema.keys.is_in.is_some_and(|is_in| !is_in.value);
    let written = written(schema, siblings, is_room, registry);
    let many = Many {
        of,
        c_type: schema.c_type,
        length: length(schema, siblings, is_room, registry)?,
        nullable: schema.keys.nullable.is_some_and(|flag| flag.value),
        room: written?,
    };
    if is_room && !matches!(many.of, Item::Scalar(_) | Item::Text(_)) {
        registry.findings.report(
            Rule::Struct,
            schema.c_type_span,
            "a buffer in a struct holds numbers, bytes or text",
            "describe it as \"array\" of a scalar type, or as \"string\"",
        );
        return None;
    }
    Some(FieldType::Many(Box::new(many)))
}

/// Buffers that C fills are in the struct that the caller passes, not behind it.
fn no_rooms(record: usize, schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<()> {
    if !registry.has_rooms(record) {
        return Some(());
    }
    registry.findings.report(
        Rule::Struct,
        schema.c_type_span,
        "a struct with a buffer that C fills (`isIn: false`) cannot be behind a pointer in another struct",
        "remove `properties` here, so that the pointer stays raw",
    );
    None
}

/// What the elements are.
fn item(schema: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<Item> {
    if schema.json == JsonType::String {
        let encoding = scalar::encoding(schema, registry.findings)?;
        return Some(Item::Text(encoding));
    }
    let items = schema.schema.items.as_ref();
    match (schema.c_type.class(), schema.is_double) {
        (Class::Character, true) => {
            let of_items = items.and_then(|items| registry.schemas.resolve_as(items, schema.declared));
            let nullable = of_items.and_then(|items| items.keys.nullable);
            Some(Item::Strings(nullable.is_some_and(|flag| flag.value)))
        }
        (Class::Void, is_double) => {
            let resolved = items.and_then(|items| registry.schemas.resolve(items));
            let Some(resolved) = resolved.filter(Resolved::has_members) else {
                registry.findings.report(
                    Rule::Struct,
                    schema.c_type_span,
                    "an array of `void` is an array of structs, but its `items` have no members",
                    "write `properties` in `items`, or the C type of the elements in the array's own `cType`",
                );
                return None;
            };
            let record = registry.pointee(&resolved, path)?;
            no_rooms(record, schema, registry)?;
            Some(if is_double { Item::Pointers(record) } else { Item::Record(record) })
        }
        (_, true) => {
            registry.findings.report(
                Rule::PointerDepth,
                schema.c_type_span,
                format!("`{}` in a struct is not supported here", schema.spelled()),
                "a pointer to pointers is an array of strings, or of pointers to structs",
            );
            None
        }
        (_, false) => match scalar::element(schema, path, registry)? {
            crate::plan::Element::Scalar(scalar) => Some(Item::Scalar(scalar)),
            crate::plan::Element::Record(record) => Some(Item::Record(record)),
        },
    }
}

/// `x-length` of a pointer: another member, a constant, or up to a zero.
fn length(
    schema: &Resolved<'_>,
    siblings: Siblings<'_>,
    is_room: bool,
    registry: &Registry<'_>,
) -> Option<ManyLength> {
    let length = schema.keys.length.as_ref()?;
    match &length.value {
        Length::Parameter(name) => {
            sibling(&Spanned { value: name.clone(), span: length.span }, "x-length", siblings, registry)
                .map(ManyLength::Field)
        }
        Length::Member(name) => sibling(name, "x-length", siblings, registry).map(ManyLength::Field),
        Length::Const { count, parameter: None } => {
            site::constant(count, registry.findings).map(ManyLength::Const)
        }
        Length::Terminated if !is_room => Some(ManyLength::Terminated),
        _ => {
            registry.findings.report(
                Rule::Struct,
                length.span,
                "the length of an array in a struct is another member, a constant, or up to a zero",
                "write the name of a member, {\"const\": 16}, or {\"terminated\": true}",
            );
            None
        }
    }
}

/// `x-written` of a buffer.
fn written(
    schema: &Resolved<'_>,
    siblings: Siblings<'_>,
    is_room: bool,
    registry: &Registry<'_>,
) -> Option<Option<Written>> {
    if !is_room {
        return Some(None);
    }
    if let Some(left) = &schema.keys.left {
        return sibling(left, "left", siblings, registry).map(|field| Some(Written::Left(field)));
    }
    match &schema.keys.written {
        Some(name) => sibling(name, "x-written", siblings, registry).map(|field| Some(Written::Field(field))),
        None => Some(Some(Written::All)),
    }
}

/// The index of the member that a key names.
fn sibling(
    name: &Spanned<String>,
    key: &str,
    siblings: Siblings<'_>,
    registry: &Registry<'_>,
) -> Option<usize> {
    let index = siblings.iter().position(|(sibling, _)| sibling.value == name.value);
    if index.is_none() {
        let known: Vec<&str> = siblings.iter().map(|(name, _)| name.value.as_str()).collect();
        registry.findings.report(
            Rule::Struct,
            name.span,
            format!("`{key}` names {:?}, which is not a member of the same struct", name.value),
            format!("its members are {}", known.join(", ")),
        );
    }
    index
}

/// Checks the members that others name, and hides those that are lengths of arrays: they follow from the arrays. An
/// array whose struct has pointers that nothing describes is raw, like them. Returns whether nothing is wrong.
pub(super) fn link(fields: &mut [Field], has_opaque: bool, registry: &Registry<'_>) -> bool {
    if has_opaque {
        for field in fields.iter_mut() {
            field.of = match &field.of {
                FieldType::Many(many) => FieldType::Pointer { to: many.c_type, stars: many.stars() },
                FieldType::Pointed(_) => FieldType::Pointer { to: CType::Void, stars: 1 },
                _ => continue,
            };
        }
        return true;
    }
    let mut is_whole = true;
    for index in 0..fields.len() {
        let FieldType::Many(many) = fields[index].of.clone() else { continue };
        let counted = match many.length {
            ManyLength::Field(field) => Some((field, many.room.is_none())),
            ManyLength::Const(_) | ManyLength::Terminated => None,
        };
        let written = match many.room {
            Some(Written::Field(field) | Written::Left(field)) => Some((field, false)),
            Some(Written::All) | None => None,
        };
        for (named, is_hidden) in counted.into_iter().chain(written) {
            let is_integer = match fields[named].of {
                FieldType::Scalar(Scalar { c_type, view: View::Plain }) => c_type.counts(),
                _ => false,
            };
            if !is_integer {
                registry.findings.report(
                    Rule::LengthParameter,
                    fields[index].place,
                    format!(
                        "the member `{}` is not an integer, so it cannot hold a number of elements",
                        fields[named].key
                    ),
                    "name an integer of the struct",
                );
                is_whole = false;
            }
            fields[named].hidden |= is_hidden;
        }
    }
    for field in fields.iter_mut().filter(|field| field.hidden) {
        field.required = false;
    }
    is_whole
}

//! An object schema as a C struct.

use std::collections::HashMap;

use super::identifier;
use super::misuse;
use super::scalar;
use super::schema::{JsonType, Resolved};
use super::signature;
use super::site;
use super::types::Registry;
use crate::c_type::{CType, Class};
use crate::diagnostic::Findings;
use crate::document::{Length, Schema};
use crate::plan::{Body, CBase, Element, Field, FieldType, Record, Scalar, View};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The alignment of a state without `x-align`: that of `malloc`.
const STATE_ALIGN: u64 = 16;

/// No C compiler aligns a type to more than this.
const MAX_ALIGN: u64 = 4096;

/// A larger state is a mistake: it would not fit on a stack.
const MAX_SIZE: u64 = 64 << 20;

/// A struct, also one with errors: its layout in C is compared with a library all the same.
pub(super) struct Lowered {
    pub(super) record: Record,
    /// Whether it has no errors.
    pub(super) is_whole: bool,
}

/// Lowers a struct; `None` if its layout in C is not known.
pub(super) fn lower(schema: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<Lowered> {
    let findings = registry.findings;
    let name = schema.name.unwrap_or(path);
    let ident = identifier::with_start(identifier::for_type(name));
    let (size, align) = (schema.schema.size, schema.schema.align);
    let mut is_whole = check_layout(schema, findings);
    let body = match (&schema.schema.properties, size) {
        (Some(properties), _) => {
            let (fields, are_whole) = fields(schema, properties, name, registry)?;
            is_whole &= are_whole;
            Body::Fields(fields)
        }
        (None, Some(size)) => {
            Body::State { size: size.value, align: align.map_or(STATE_ALIGN, |align| align.value) }
        }
        (None, None) => return None,
    };
    if !identifier::is_type_name(&ident) {
        findings.report(
            Rule::NoIdentifier,
            schema.type_span,
            format!("the schema name {name:?} cannot be turned into the name of a Rust struct"),
            "give the schema a name that begins with a letter",
        );
        is_whole = false;
    }
    let record = Record {
        constant: identifier::type_constant(name, "_STRUCT"),
        ident,
        name: name.to_owned(),
        is_named: schema.name.is_some(),
        description: schema.schema.description.clone(),
        body,
        size,
        align,
        place: schema.type_span,
    };
    Some(Lowered { record, is_whole })
}

/// Whether `x-size` and `x-align` can be those of a struct.
fn check_layout(schema: &Resolved<'_>, findings: &Findings) -> bool {
    let (size, align) = (&schema.schema.size, &schema.schema.align);
    let fault = |span: Span, message: String, help: &str| {
        findings.report(Rule::Layout, span, message, help);
        false
    };
    if let Some(Spanned { value, span }) = align
        && (!value.is_power_of_two() || *value > MAX_ALIGN)
    {
        return fault(*span, format!("{value} is not an alignment"), "write a power of two, such as 8");
    }
    if let Some(Spanned { value, span }) = size {
        if *value == 0 || *value > MAX_SIZE {
            return fault(*span, format!("{value} is not the size of a struct"), "write its `sizeof` in C");
        }
        if let Some(align) = align
            && value % align.value != 0
        {
            let message = format!("the size {value} is not a multiple of the alignment {}", align.value);
            return fault(*span, message, "write its `sizeof` and `_Alignof` in C");
        }
    }
    true
}

/// The members of a struct, and whether none has errors; `None` if the C type of one is not known.
fn fields(
    schema: &Resolved<'_>,
    properties: &[(Spanned<String>, Option<Schema>)],
    name: &str,
    registry: &Registry<'_>,
) -> Option<(Vec<Field>, bool)> {
    let findings = registry.findings;
    if properties.is_empty() {
        findings.report(
            Rule::Struct,
            schema.type_span,
            "a struct without members cannot be passed",
            "list the members in `properties`, or replace it with `x-size` if only C accesses them",
        );
        return Some((Vec::new(), false));
    }
    let required = schema.schema.required.as_ref();
    for listed in required.into_iter().flatten() {
        if !properties.iter().any(|(name, _)| name.value == listed.value) {
            findings.report(
                Rule::Struct,
                listed.span,
                format!("`required` lists {:?}, which is not a property", listed.value),
                "write the name of a property",
            );
        }
    }
    let mut idents: HashMap<String, &str> = HashMap::new();
    let mut are_whole = true;
    let lowered: Vec<Option<Field>> = properties
        .iter()
        .map(|(key, property)| {
            let ident = identifier::of_value(key, "property", findings);
            let property = registry.schemas.resolve(property.as_ref()?)?;
            let path = format!("{name}_{}", key.value);
            let member = member(&property, &path, registry);
            let of_enum = match &member {
                Some(FieldType::Scalar(Scalar { view: View::Enum(index), .. })) => Some(*index),
                _ => None,
            };
            let default = registry.default(&property, of_enum);
            are_whole &= ident.is_some() && member.is_some() && default.is_some();
            let ident = ident.unwrap_or_default();
            if let Some(first) = idents.insert(ident.clone(), &key.value).filter(|_| !ident.is_empty()) {
                findings.report(
                    Rule::RustNameCollision,
                    key.span,
                    format!("`{}` and `{first}` become the same member `{ident}` in Rust", key.value),
                    "rename one of them: the names must differ in more than case and punctuation",
                );
            }
            let member = member.or_else(|| member_in_c(&property, registry))?;
            let pointer = matches!(member, FieldType::Str(_) | FieldType::Pointer { .. });
            let default = default.flatten();
            Some(Field {
                key: key.value.clone(),
                ident,
                description: property.description.map(str::to_owned),
                required: match required {
                    Some(required) => required.iter().any(|listed| listed.value == key.value),
                    None => !pointer && default.is_none(),
                },
                may_be_absent: required
                    .is_some_and(|required| required.iter().all(|listed| listed.value != key.value)),
                of: member,
                default,
                place: key.span,
            })
        })
        .collect();
    Some((lowered.into_iter().collect::<Option<_>>()?, are_whole))
}

/// A member with errors, as C has it.
fn member_in_c(schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<FieldType> {
    if schema.is_pointer {
        return Some(pointer(schema));
    }
    let count = match schema.keys.length.as_ref().map(|length| &length.value) {
        Some(Length::Const { count, .. }) => Some(count.value),
        _ => None,
    };
    let element = match signature::base(schema, registry)? {
        CBase::Record(record) => Element::Record(record),
        CBase::Scalar(CType::Void) | CBase::Handle(_) | CBase::Function(_) => return None,
        CBase::Scalar(c_type) => Element::Scalar(Scalar { c_type, view: View::Plain }),
    };
    Some(match (element, count) {
        (element, Some(count)) => FieldType::Array { element, count },
        (Element::Record(record), None) => FieldType::Record(record),
        (Element::Scalar(scalar), None) => FieldType::Scalar(scalar),
    })
}

/// A pointer in a struct is raw, whatever it points to.
fn pointer(schema: &Resolved<'_>) -> FieldType {
    FieldType::Pointer { to: schema.c_type, stars: if schema.is_double { 2 } else { 1 } }
}

fn member(schema: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<FieldType> {
    let findings = registry.findings;
    let fault = |message: String, help: &str| {
        findings.report(Rule::Struct, schema.c_type_span, message, help);
        None
    };
    misuse::of_member(schema, findings);
    if schema.is_pointer {
        let string = schema.json == JsonType::String && schema.c_type.class() == Class::Character;
        return Some(if string && !schema.is_double && schema.keys.length.is_none() {
            FieldType::Str(schema.c_type)
        } else {
            pointer(schema)
        });
    }
    let count = match schema.keys.length.as_ref().map(|length| &length.value) {
        Some(Length::Const { count, .. }) => Some(site::constant(count, findings)?),
        Some(_) => {
            return fault(
                "an array in a struct must have a constant length".to_owned(),
                "write \"x-length\": {\"const\": 16}",
            );
        }
        None => None,
    };
    match (schema.json, schema.c_type, count) {
        (JsonType::Object, CType::Void, None) => {
            if schema.schema.properties.is_none() {
                return fault(
                    "a struct in a struct needs its members".to_owned(),
                    "list them in `properties`, in the order of C",
                );
            }
            registry.record(schema, path).map(FieldType::Record)
        }
        (JsonType::Array, _, Some(count)) => {
            let element = scalar::element(schema, path, registry)?;
            Some(FieldType::Array { element, count })
        }
        (JsonType::Array, _, None) => {
            fault("an array in a struct needs a length".to_owned(), "add \"x-length\": {\"const\": 16}")
        }
        (JsonType::String, c_type, Some(count)) if c_type.class() == Class::Character => {
            let encoding = scalar::encoding(schema, findings)?;
            Some(FieldType::Text { c_type, count, encoding })
        }
        _ => scalar::scalar(schema, path, registry).map(FieldType::Scalar),
    }
}

/// An element of an array of structs.
pub(super) fn element(items: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<Element> {
    if items.schema.properties.is_none() {
        registry.findings.report(
            Rule::Struct,
            items.c_type_span,
            "an array of `void` is an array of structs, but its `items` have no members",
            "write `properties` in `items`, or the C type of the elements in the array's own `cType`",
        );
        return None;
    }
    registry.record(items, path).map(Element::Record)
}

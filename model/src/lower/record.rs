//! An object schema as a C struct.

use std::collections::HashMap;

use super::complex;
use super::deep;
use super::identifier;
use super::limits;
use super::misuse;
use super::scalar;
use super::schema::{JsonType, Resolved};
use super::signature;
use super::site;
use super::types::Registry;
use super::union;
use crate::c_type::{CType, Class};
use crate::data_model::DataModel;
use crate::diagnostic::Findings;
use crate::document::{Length, Schema, UnionOf};
use crate::plan::{Alive, Body, CBase, Element, Field, FieldType, Overlap, Record, Scalar, Union, View};
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

/// Lowers a struct; `None` if its layout in C is not known. If it is `behind` handles or the members of a state, callers do
/// not see it.
pub(super) fn lower(
    schema: &Resolved<'_>,
    name: &str,
    behind: bool,
    registry: &Registry<'_>,
) -> Option<Lowered> {
    let findings = registry.findings;
    let stripped = registry.prefix.strip_type(name);
    let ident = match behind {
        true => identifier::for_type(&format!("{stripped}_members")),
        false => identifier::for_type(stripped),
    };
    let mut ident = identifier::with_start(ident);
    let overlap = schema.schema.keys.union.as_ref().map(|_| Overlap::Members);
    if overlap.is_some() {
        ident.push_str("Union");
    }
    let (size, align) = (schema.schema.size, schema.schema.align);
    let mut is_whole = check_layout(schema, findings);
    let body = match (&schema.schema.properties, size) {
        (Some(_), Some(size)) if schema.is_state() && !behind => Body::State {
            size: size.value,
            align: align.map_or(STATE_ALIGN, |align| align.value),
            members: Some(registry.members_of_state(schema, name)?),
        },
        (Some(properties), _) => {
            let (fields, are_whole) = fields(schema, properties, name, registry)?;
            is_whole &= are_whole;
            is_whole &= overlap.is_none() || union::check_members(&fields, registry);
            Body::Fields(fields)
        }
        (None, Some(size)) => {
            let align = align.map_or(STATE_ALIGN, |align| align.value);
            Body::State { size: size.value, align, members: None }
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
    if let Body::Fields(fields) = &body {
        let is_bits = |field: &&Field| matches!(field.of, FieldType::Bits { .. });
        let is_deep = |field: &Field| {
            matches!(field.of, FieldType::Str(_) | FieldType::Many(_) | FieldType::Pointed(_))
        };
        if let (Some(bits), true) = (fields.iter().find(is_bits), fields.iter().any(is_deep) && !behind) {
            findings.report(
                Rule::Struct,
                bits.place,
                "a struct with bit fields cannot have members that point to text, elements or structs",
                "describe these pointers as `void*`",
            );
            is_whole = false;
        }
    }
    // The first members of a state may end before it does.
    let (size, align) = if behind && schema.is_state() { (None, None) } else { (size, align) };
    let suffix = if behind && schema.is_state() { "_MEMBERS" } else { "_STRUCT" };
    let record = Record {
        constant: identifier::type_constant(name, suffix),
        ident,
        name: name.to_owned(),
        is_named: schema.name.is_some(),
        memory: None,
        behind,
        complex: None,
        overlap,
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
    let mut unions: Vec<(usize, Spanned<UnionOf>)> = Vec::new();
    let lowered: Vec<Option<Field>> = properties
        .iter()
        .enumerate()
        .map(|(index, (key, property))| {
            let ident = identifier::of_value(key, "property", findings);
            let property = registry.schemas.resolve(property.as_ref()?)?;
            let path = format!("{name}_{}", key.value);
            if let (Some(union), false) = (&property.keys.union, property.is_pointer) {
                unions.push((index, union.clone()));
            }
            let member = member(&property, &path, properties, registry);
            let of_enum = match &member {
                Some(FieldType::Scalar(Scalar { view: View::Enum(index), .. })) => Some(*index),
                _ => None,
            };
            let default = registry.default(&property, of_enum);
            let limits = limits::of_member(&property, registry);
            are_whole &= limits.is_some();
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
            let may_be_zero = match &member {
                FieldType::Str(_) | FieldType::Pointer { .. } | FieldType::Pointed(_) => true,
                FieldType::Many(many) => many.nullable || many.room.is_some(),
                _ => false,
            };
            let default = default.flatten();
            Some(Field {
                key: key.value.clone(),
                ident,
                description: property.description.map(str::to_owned),
                required: match required {
                    Some(required) => required.iter().any(|listed| listed.value == key.value),
                    None => !may_be_zero && default.is_none(),
                },
                may_be_absent: required
                    .is_some_and(|required| required.iter().all(|listed| listed.value != key.value)),
                hidden: false,
                of: member,
                default,
                limits: limits.unwrap_or_default(),
                place: key.span,
            })
        })
        .collect();
    let mut fields: Vec<Field> = lowered.into_iter().collect::<Option<_>>()?;
    let has_opaque = fields.iter().any(|field| match &field.of {
        FieldType::Pointer { .. } => !field.may_be_absent,
        // A struct with bit fields is what C has: its pointers are raw.
        FieldType::Bits { .. } => true,
        FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
            registry.has_opaque_pointers(*record)
        }
        _ => false,
    });
    // A state stays in its place, and only what a call lends is passed through its pointers.
    are_whole &= deep::link(&mut fields, has_opaque && !schema.is_state(), registry);
    let is_behind = schema.declared.handle.is_some() || schema.is_state();
    are_whole &= unions.is_empty() || is_behind || union::link(&mut fields, &unions, name, registry);
    Some((fields, are_whole))
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
pub(super) fn pointer(schema: &Resolved<'_>) -> FieldType {
    FieldType::Pointer { to: schema.c_type, stars: if schema.is_double { 2 } else { 1 } }
}

fn member(
    schema: &Resolved<'_>,
    path: &str,
    siblings: deep::Siblings<'_>,
    registry: &Registry<'_>,
) -> Option<FieldType> {
    let findings = registry.findings;
    let fault = |message: String, help: &str| {
        findings.report(Rule::Struct, schema.c_type_span, message, help);
        None
    };
    misuse::of_member(schema, findings);
    if let Some(bits) = &schema.schema.bits {
        return bit_field(schema, bits, findings);
    }
    if schema.declared.complex.is_some() && !schema.is_pointer && schema.json != JsonType::Array {
        return complex::of(schema, registry).map(FieldType::Record);
    }
    if schema.is_pointer {
        return deep::member(schema, path, siblings, registry);
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
            if !schema.has_members() {
                return fault(
                    "a struct in a struct needs its members".to_owned(),
                    "list them in `properties`, in the order of C",
                );
            }
            if schema.keys.union.is_some() {
                // Which member is used is said when all members of the struct are known.
                let record = registry.union(schema, path)?;
                return Some(FieldType::Union(Box::new(Union { record, alive: Alive::Nothing })));
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
    if !items.has_members() {
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

/// A bit field. Its type is as wide everywhere as its width needs.
fn bit_field(schema: &Resolved<'_>, bits: &Spanned<u64>, findings: &Findings) -> Option<FieldType> {
    let c_type = schema.c_type;
    let is_integer = matches!(c_type.class(), Class::Integer | Class::Boolean)
        && matches!(schema.json, JsonType::Integer | JsonType::Boolean)
        && (schema.json == JsonType::Boolean || c_type.class() == Class::Integer)
        && !schema.is_pointer;
    let others = [
        schema.keys.length.as_ref().map(|key| key.span),
        schema.schema.enumeration.as_ref().map(|key| key.span),
        schema.schema.minimum.as_ref().or(schema.schema.maximum.as_ref()).map(|key| key.span),
        schema.default.map(|key| key.span),
    ];
    if let Some(span) = others.into_iter().flatten().next() {
        findings.report(
            Rule::MisusedKey,
            span,
            "a bit field has no length, no `enum`, no `default` and no limits but its width",
            "remove it",
        );
        return None;
    }
    let widest = widest_bits(c_type);
    if !is_integer || !(1..=widest).contains(&bits.value) {
        findings.report(
            Rule::MisusedKey,
            bits.span,
            format!("`x-bits` is {}, for `{}` as \"{}\"", bits.value, schema.spelled(), schema.json.name()),
            format!("write 1 to {widest}, for \"integer\" or \"boolean\" with a C integer type by value"),
        );
        return None;
    }
    Some(FieldType::Bits {
        c_type,
        width: u32::try_from(bits.value).unwrap_or(1),
        truth: schema.json == JsonType::Boolean,
    })
}

/// The number of bits that a type has on every target.
fn widest_bits(c_type: CType) -> u64 {
    if c_type == CType::Bool {
        return 1;
    }
    DataModel::ALL.iter().map(|model| u64::from(c_type.on(*model).bits)).min().unwrap_or(1)
}

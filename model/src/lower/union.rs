//! `x-union`: C unions, and which member of one is used.
//!
//! The record of a union has its members as C does. A caller never has such a record: in a struct, a union is a member
//! with the one that is used ([`link`]); elsewhere it is a struct of that one member ([`of_one_member`]).

use super::identifier;
use super::schema::{JsonType, Resolved};
use super::types::Registry;
use crate::c_type::CType;
use crate::diagnostic::Findings;
use crate::document::UnionOf;
use crate::plan::{
    Alive, Body, Element, Field, FieldType, Limits, Overlap, Record, Scalar, Tagged, Union, UnionMember, View,
};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The name in JSON for a tag that the document does not list.
const UNKNOWN: &str = "unknown";

/// Whether `x-union` can apply to a schema that has it.
pub(super) fn applies(schema: &Resolved<'_>, findings: &Findings) -> bool {
    let Some(union) = &schema.keys.union else { return true };
    let is_struct = schema.json == JsonType::Object
        && schema.c_type == CType::Void
        && schema.schema.properties.is_some()
        && schema.declared.handle.is_none();
    if !is_struct {
        findings.report(
            Rule::Union,
            union.span,
            "`x-union` is for an \"object\" with `properties` and the C type `void`",
            "remove it, or list the members of the union in `properties`",
        );
    } else if schema.schema.keys.union.is_none() {
        findings.report(
            Rule::Union,
            union.span,
            "`x-union` is beside a `$ref` to a struct, not to a union",
            "add \"x-union\": true to the schema that the `$ref` names, if its properties overlap in C",
        );
    } else if let Some(first) = schema.schema.required.as_ref().and_then(|names| names.first()) {
        findings.report(
            Rule::Union,
            first.span,
            "a union has no `required`: one of its members is used",
            "remove it",
        );
    } else {
        return true;
    }
    false
}

/// Whether these can be the members of a union.
pub(super) fn check_members(fields: &[Field], registry: &Registry<'_>) -> bool {
    let mut is_whole = true;
    for field in fields {
        let message = match &field.of {
            FieldType::Bits { .. } => "a bit field cannot be a member of a union",
            FieldType::Many(_) | FieldType::Pointed(_) => {
                "a member of a union cannot point to elements or to a struct"
            }
            FieldType::Union(_) => "a union cannot be a member of a union",
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. }
                if registry.is_deep(*record) =>
            {
                "a member of a union cannot be a struct that has a union, or points to text, elements or structs"
            }
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. }
                if registry.has_limits(*record) =>
            {
                "a member of a union has no limits (`minimum`, `maximum`)"
            }
            _ if field.limits.is_some() => {
                "a member of a union has no limits (`minimum`, `maximum`, `x-maxLength`)"
            }
            _ if field.default.is_some() => "a member of a union has no `default`",
            _ => continue,
        };
        registry.findings.report(
            Rule::Union,
            field.place,
            message,
            "describe it as a scalar, text or an array in place, a string (`char*`), a struct of these, or as `void*`",
        );
        is_whole = false;
    }
    is_whole
}

/// Says of every union in a struct which member is used, and hides the tags: they follow from it. `unions` are the
/// indices of the unions among `fields`. Returns whether nothing is wrong.
pub(super) fn link(
    fields: &mut [Field],
    unions: &[(usize, Spanned<UnionOf>)],
    name: &str,
    registry: &Registry<'_>,
) -> bool {
    let mut is_whole = true;
    for (index, of) in unions {
        let linked = link_one(fields, *index, of, name, registry);
        is_whole &= linked.is_some();
    }
    let is_raw = |field: &&Field| match &field.of {
        FieldType::Bits { .. } => true,
        FieldType::Pointer { .. } => !field.may_be_absent,
        FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
            registry.has_opaque_pointers(*record) || registry.has_bits(*record)
        }
        _ => false,
    };
    if let (Some(raw), false) = (fields.iter().find(is_raw), unions.is_empty()) {
        registry.findings.report(
            Rule::Union,
            raw.place,
            "a struct with a union cannot have bit fields, nor pointers that the document does not describe",
            "describe what it points to, or list the other properties in `required`: then it is NULL",
        );
        is_whole = false;
    }
    is_whole
}

fn link_one(
    fields: &mut [Field],
    index: usize,
    of: &Spanned<UnionOf>,
    name: &str,
    registry: &Registry<'_>,
) -> Option<()> {
    let FieldType::Union(union) = &fields[index].of else { return None };
    let record = union.record;
    let alive = match &of.value {
        UnionOf::Unknown => {
            nothing(record, of.span, registry)?;
            fields[index].hidden = true;
            Alive::Nothing
        }
        UnionOf::Member(name) => {
            Alive::Member(member(record, &Spanned { value: name.clone(), span: of.span }, registry)?)
        }
        UnionOf::Tag { tag, members } => {
            let tagged = tagged(fields, index, (record, name), (tag, members), registry)?;
            let is_optional = tagged.empty.is_some();
            if fields[index].may_be_absent && !is_optional {
                fault(
                    fields[index].place,
                    format!(
                        "`required` does not list the union `{}`, and no tag says that it is empty",
                        fields[index].key
                    ),
                    "list it in `required`, or add a value of the tag with null to `members`",
                    registry,
                );
                return None;
            }
            fields[index].required &= !is_optional;
            fields[tagged.field].hidden = true;
            fields[tagged.field].required = false;
            Alive::Tag(Box::new(tagged))
        }
    };
    if alive == Alive::Nothing {
        fields[index].required = false;
    }
    fields[index].of = FieldType::Union(Box::new(Union { record, alive }));
    Some(())
}

/// A union of which the document does not say which member is used. It has no pointers: C could follow them.
fn nothing(record: usize, span: Span, registry: &Registry<'_>) -> Option<()> {
    let pointer = registry.with_fields(record, |fields| {
        let is_pointer = |field: &&Field| match &field.of {
            FieldType::Str(_) | FieldType::Pointer { .. } => true,
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
                registry.has_opaque_members(*record)
            }
            _ => false,
        };
        fields.iter().find(is_pointer).map(|field| field.key.clone())
    });
    if let Some(pointer) = pointer {
        let message = format!("nothing says which member of the union is used, and `{pointer}` is a pointer");
        fault(span, message, "write the name of the member that is used, or `tag` and `members`", registry);
        return None;
    }
    registry.findings.report(
        Rule::UnusedUnion,
        span,
        "nothing says which member of the union is used, so that C gets zeros and callers do not see it",
        "write the name of the member that is used, or `tag` and `members`",
    );
    Some(())
}

/// The member of a union that a key names.
fn member(record: usize, name: &Spanned<String>, registry: &Registry<'_>) -> Option<UnionMember> {
    let (found, known) = registry.with_fields(record, |fields| {
        let found = fields.iter().find(|field| field.key == name.value).map(|field| UnionMember {
            key: field.key.clone(),
            ident: field.ident.clone(),
            variant: identifier::with_start(identifier::pascal_case(&field.key)),
            description: field.description.clone(),
            of: field.of.clone(),
        });
        let known: Vec<String> = fields.iter().map(|field| field.key.clone()).collect();
        (found, known)
    });
    let Some(found) = found else {
        let message = format!("`x-union` names {:?}, which is not a member of the union", name.value);
        fault(name.span, message, &format!("its members are {}", known.join(", ")), registry);
        return None;
    };
    let is_raw = match &found.of {
        FieldType::Pointer { .. } => true,
        FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
            registry.has_opaque_members(*record)
        }
        _ => false,
    };
    if is_raw {
        let message =
            format!("the member `{}` is or has a pointer that the document does not describe", name.value);
        fault(name.span, message, "name another member, such as an integer of the same size", registry);
        return None;
    }
    Some(found)
}

/// The values of a tag, as the document writes them.
type Listed<'t> = (&'t Spanned<String>, &'t [(Spanned<String>, Option<Spanned<String>>)]);

fn tagged(
    fields: &[Field],
    index: usize,
    (record, name): (usize, &str),
    (tag, listed): Listed<'_>,
    registry: &Registry<'_>,
) -> Option<Tagged> {
    let fault = |span: Span, message: String, help: &str| fault(span, message, help, registry);
    let Some(at) = fields.iter().position(|field| field.key == tag.value) else {
        let known: Vec<&str> = fields.iter().map(|field| field.key.as_str()).collect();
        let message = format!("`tag` names {:?}, which is not a member of the same struct", tag.value);
        fault(tag.span, message, &format!("its members are {}", known.join(", ")));
        return None;
    };
    let scalar = match &fields[at].of {
        FieldType::Scalar(scalar) if is_integer(*scalar) && !fields[at].hidden => scalar,
        FieldType::Scalar(scalar) if is_integer(*scalar) => {
            let message = format!("`{}` is already a length, or the tag of another union", tag.value);
            fault(tag.span, message, "describe one of the two unions by one member, or as bytes");
            return None;
        }
        _ => {
            fault(tag.span, format!("`{}` is not an integer", tag.value), "name an integer of the struct");
            return None;
        }
    };
    if fields[at].default.is_some() || fields[at].limits.is_some() {
        fault(
            fields[at].place,
            format!("`{}` is the tag of a union, from which it follows", tag.value),
            "remove its `default` and its limits",
        );
        return None;
    }
    let key = &fields[index].key;
    let ident =
        identifier::with_start(identifier::for_type(registry.prefix.strip_type(&format!("{name}_{key}"))));
    if !identifier::is_type_name(&ident) {
        fault(
            fields[index].place,
            format!("`{key}` cannot be turned into the name of a Rust enum"),
            "rename it",
        );
        return None;
    }
    let mut found = Tagged {
        ident,
        name: format!("{name}_{key}"),
        field: at,
        c_type: scalar.c_type,
        empty: None,
        members: Vec::new(),
    };
    for (value, member_of) in listed {
        let number = tag_value(value, *scalar, registry)?;
        let is_known = found.empty == Some(number) || found.members.iter().any(|(known, _)| *known == number);
        if is_known {
            fault(value.span, format!("the value {number} of the tag occurs twice"), "remove one of them");
            return None;
        }
        let Some(of) = member_of else {
            if found.empty.is_some() {
                fault(
                    value.span,
                    "two values of the tag are null".to_owned(),
                    "leave one of them out: it is unknown then",
                );
                return None;
            }
            found.empty = Some(number);
            continue;
        };
        let of_member = member(record, of, registry)?;
        let is_taken = |known: &UnionMember| known.variant == of_member.variant;
        if found.members.iter().any(|(_, known)| is_taken(known)) {
            fault(
                of.span,
                format!("`{}` has two values of the tag, or the same name in Rust as another", of.value),
                "leave one of the two values out: from the member, the value of the tag must follow",
            );
            return None;
        }
        let is_reserved = ["Unknown", "Empty"].contains(&of_member.variant.as_str());
        if of_member.key == UNKNOWN || is_reserved || !identifier::is_identifier(&of_member.variant) {
            fault(
                of.span,
                format!("a member that a tag selects cannot be called `{}`", of.value),
                "rename it",
            );
            return None;
        }
        found.members.push((number, of_member));
    }
    if found.members.is_empty() {
        fault(tag.span, "`members` lists no member".to_owned(), "write {\"0\": \"i\", \"1\": \"d\"}");
        return None;
    }
    registry.name_type(&found.ident, &found.name, fields[index].place);
    Some(found)
}

/// A value of the tag: an integer, or a name of its enum.
fn tag_value(value: &Spanned<String>, tag: Scalar, registry: &Registry<'_>) -> Option<i64> {
    let of_enum = match tag.view {
        View::Enum(index) => registry.value_named(index, &value.value),
        View::Plain | View::Truth | View::Character => None,
    };
    let highest = i64::try_from(tag.c_type.narrowest_max()).unwrap_or(i64::MAX);
    let is_signed = !tag.c_type.has_sign_of_target() && tag.c_type.widest().0 < 0;
    let lowest = if is_signed { -highest - 1 } else { 0 };
    let number =
        of_enum.or_else(|| value.value.parse().ok()).filter(|number| (lowest..=highest).contains(number));
    if number.is_none() {
        fault(
            value.span,
            format!("{:?} is not a value of the tag", value.value),
            &format!("write an integer from {lowest} to {highest}, or a name of its `enum`"),
            registry,
        );
    }
    number
}

fn fault(span: Span, message: String, help: &str, registry: &Registry<'_>) {
    registry.findings.report(Rule::Union, span, message, help.to_owned());
}

/// The struct that stands for a union by one member; `union` is the record of the union.
pub(super) fn of_one_member(schema: &Resolved<'_>, union: usize, registry: &Registry<'_>) -> Option<Record> {
    let of = schema.keys.union.as_ref()?;
    let UnionOf::Member(name) = &of.value else {
        fault(
            of.span,
            "this value is a union, and nothing says which member is used".to_owned(),
            "write the name of the member; `tag` is for a union that is a property of a struct",
            registry,
        );
        return None;
    };
    let member = member(union, &Spanned { value: name.clone(), span: of.span }, registry)?;
    let of_union = registry.name_of(union);
    let name = format!("{of_union}_{}", member.key);
    let ident = identifier::with_start(identifier::for_type(registry.prefix.strip_type(&name)));
    if !identifier::is_type_name(&ident) {
        fault(
            of.span,
            format!("{name:?} cannot be turned into the name of a Rust struct"),
            "rename it",
            registry,
        );
        return None;
    }
    let field = Field {
        key: member.key.clone(),
        ident: member.ident.clone(),
        description: member.description.clone(),
        required: true,
        may_be_absent: false,
        hidden: false,
        default: None,
        limits: Limits::default(),
        place: of.span,
        of: FieldType::Union(Box::new(Union { record: union, alive: Alive::Member(member) })),
    };
    Some(Record {
        constant: identifier::type_constant(&name, "_STRUCT"),
        memory: Some(format!("{ident}Raw")),
        ident,
        name,
        is_named: true,
        behind: false,
        complex: None,
        overlap: Some(Overlap::One(union)),
        description: schema.schema.description.clone(),
        body: Body::Fields(vec![field]),
        size: None,
        align: None,
        place: schema.type_span,
    })
}

/// Whether a scalar is an integer for callers.
fn is_integer(scalar: Scalar) -> bool {
    scalar.c_type.counts() && matches!(scalar.view, View::Plain | View::Enum(_))
}

//! `minimum`, `maximum` and `x-maxLength`.

use super::schema::{JsonType, Resolved};
use super::types::Registry;
use crate::c_type::Class;
use crate::diagnostic::Findings;
use crate::document::{InlineSchema, Literal};
use crate::plan::{Bound, Limits};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The limits of a value; those of an array's elements are in its `items`. `None` if they are wrong.
pub(super) fn lower(schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<Limits> {
    let findings = registry.findings;
    let own = of_schema(schema, findings)?;
    let elements = match (&schema.schema.items, schema.json) {
        (Some(items), JsonType::Array) => {
            let items = registry.schemas.resolve_as(items, schema.declared)?;
            if let (Some(length), JsonType::String | JsonType::Array) = (&items.schema.max_length, items.json)
            {
                misused(length.span, "x-maxLength", "strings and arrays that are arguments", findings);
                return None;
            }
            of_schema(&items, findings)?.range()
        }
        _ => own.range(),
    };
    Some(Limits { length: own.length, ..elements })
}

/// The limits of a member of a struct.
pub(super) fn of_member(schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<Limits> {
    if let (Some(length), true) =
        (&schema.schema.max_length, schema.is_pointer || schema.json != JsonType::String)
    {
        let what = "arguments, and in a struct for text in place (`isPointer: false`)";
        misused(length.span, "x-maxLength", what, registry.findings);
        return None;
    }
    let limits = lower(schema, registry)?;
    if schema.is_pointer && limits.has_range() {
        let what = "arguments, and in a struct for members that are not pointers";
        misused(schema.c_type_span, "minimum` and `maximum", what, registry.findings);
        return None;
    }
    Some(limits)
}

fn of_schema(schema: &Resolved<'_>, findings: &Findings) -> Option<Limits> {
    let InlineSchema { minimum, maximum, max_length, .. } = schema.schema;
    let (least, most) = (
        bound(schema, minimum.as_ref(), "minimum", findings)?,
        bound(schema, maximum.as_ref(), "maximum", findings)?,
    );
    if let (Some(least), Some(most), Some(key)) = (least, most, maximum)
        && least.number() > most.number()
    {
        fault(key.span, "`maximum` is less than `minimum`".to_owned(), "exchange them", findings);
        return None;
    }
    if let Some(length) = max_length
        && !matches!(schema.json, JsonType::String | JsonType::Array)
    {
        misused(length.span, "x-maxLength", "strings and arrays", findings);
        return None;
    }
    Some(Limits { least, most, length: max_length.as_ref().map(|length| length.value) })
}

/// One bound: `None` if it is wrong, `Some(None)` if there is none.
fn bound(
    schema: &Resolved<'_>,
    given: Option<&Spanned<Literal>>,
    key: &str,
    findings: &Findings,
) -> Option<Option<Bound>> {
    let Some(Spanned { value, span }) = given else { return Some(None) };
    let class = schema.c_type.class();
    match (schema.json, class, value) {
        (
            JsonType::Integer | JsonType::Number,
            Class::Integer | Class::Character,
            Literal::Integer(value),
        ) => {
            let (lowest, highest) = schema.c_type.widest();
            if (lowest..=highest).contains(value) {
                return Some(Some(Bound::Integer(*value)));
            }
            let message = format!("`{key}` is {value}, which does not fit `{}`", schema.c_type.name());
            fault(*span, message, "write a limit in the range of the C type, or remove it", findings);
            None
        }
        (JsonType::Number, Class::Floating, Literal::Integer(value)) => {
            Some(Some(Bound::Number(*value as f64)))
        }
        (JsonType::Number, Class::Floating, Literal::Number(value)) => Some(Some(Bound::Number(*value))),
        (JsonType::Integer, Class::Integer | Class::Character, Literal::Number(_)) => {
            let message = format!("`{key}` of an integer must be an integer");
            fault(*span, message, "write a number without a fraction", findings);
            None
        }
        _ => {
            misused(*span, key, "integers and numbers", findings);
            None
        }
    }
}

/// Whether an integer is within the limits of its schema. Others are reported.
pub(super) fn allows(
    schema: &Resolved<'_>,
    value: i128,
    span: Span,
    what: &str,
    findings: &Findings,
) -> bool {
    let limit = |key: &Option<Spanned<Literal>>| match key.as_ref().map(|key| &key.value) {
        Some(Literal::Integer(value)) => Some(*value),
        _ => None,
    };
    let (least, most) = (limit(&schema.schema.minimum), limit(&schema.schema.maximum));
    let fits = least.is_none_or(|least| least <= value) && most.is_none_or(|most| value <= most);
    if !fits {
        let message = format!("{value} of {what} is outside the limits that `minimum` and `maximum` set");
        fault(span, message, "write another value, or other limits", findings);
    }
    fits
}

/// Whether a number is within the limits of its schema. Others are reported.
pub(super) fn allows_number(schema: &Resolved<'_>, value: f64, span: Span, findings: &Findings) -> bool {
    let limit = |key: &Option<Spanned<Literal>>| match key.as_ref().map(|key| &key.value) {
        Some(Literal::Integer(value)) => Some(*value as f64),
        Some(Literal::Number(value)) => Some(*value),
        _ => None,
    };
    let (least, most) = (limit(&schema.schema.minimum), limit(&schema.schema.maximum));
    let fits = least.is_none_or(|least| least <= value) && most.is_none_or(|most| value <= most);
    if !fits {
        let message = format!("{value} of `default` is outside the limits that `minimum` and `maximum` set");
        fault(span, message, "write another value, or other limits", findings);
    }
    fits
}

/// Whether a default text is short enough. Others are reported.
pub(super) fn allows_text(schema: &Resolved<'_>, text: &str, span: Span, findings: &Findings) -> bool {
    let fits = schema.schema.max_length.is_none_or(|most| text.len() as u64 <= most.value);
    if !fits {
        let message = format!("`default` is {} bytes long, which `x-maxLength` does not allow", text.len());
        fault(span, message, "write a shorter text, or a larger limit", findings);
    }
    fits
}

fn fault(span: Span, message: String, help: &str, findings: &Findings) {
    findings.report(Rule::Limits, span, message, help);
}

fn misused(span: Span, key: &str, what: &str, findings: &Findings) {
    findings.report(
        Rule::MisusedKey,
        span,
        format!("`{key}` does not apply to this value; it is for {what}"),
        "remove it, or change the type of the value",
    );
}

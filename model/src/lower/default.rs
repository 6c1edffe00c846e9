//! `default`: the values of arguments and members that the caller omits.

use super::limits;
use super::schema::{JsonType, Resolved};
use crate::c_type::Class;
use crate::diagnostic::Findings;
use crate::document::Literal;
use crate::plan::{Default, Enumeration, Values};
use crate::rule::Rule;
use crate::span::Spanned;

/// The default of a schema: `None` if it is wrong, `Some(None)` if there is none.
pub(super) fn lower(
    schema: &Resolved<'_>,
    of: Option<&Enumeration>,
    findings: &Findings,
) -> Option<Option<Default>> {
    let Some(literal) = schema.default else { return Some(None) };
    let fits = schema.json != JsonType::Array
        && schema.json != JsonType::Object
        && !schema.is_double
        && (!schema.is_pointer || schema.json == JsonType::String);
    if !fits {
        findings.report(
            Rule::DefaultValue,
            literal.span,
            format!("`{}` cannot have a default", schema.spelled()),
            "remove `default`; it is for scalars by value and for strings, and absent pointers are NULL",
        );
        return None;
    }
    let default = value(literal, schema, findings)?;
    let is_allowed = match &default {
        Default::Integer(value) if schema.json == JsonType::Integer => {
            limits::allows(schema, *value, literal.span, "`default`", findings)
        }
        Default::Number(value) => limits::allows_number(schema, *value, literal.span, findings),
        Default::Text(text) => limits::allows_text(schema, text, literal.span, findings),
        Default::Integer(_) | Default::Bool(_) => true,
    };
    if !is_allowed {
        return None;
    }
    if let Some(enumeration) = of {
        let known = match (&enumeration.of, &default) {
            (Values::Integers { variants, .. }, Default::Integer(value)) => {
                variants.iter().any(|variant| i128::from(variant.value) == *value)
            }
            (Values::Strings(variants), Default::Text(text)) => {
                variants.iter().any(|variant| variant.value == *text)
            }
            _ => false,
        };
        if !known {
            wrong(literal, "is not one of the values of `enum`", "write one of them", findings);
            return None;
        }
    }
    Some(Some(default))
}

/// A literal as a value of the C type.
pub(super) fn value(
    literal: &Spanned<Literal>,
    schema: &Resolved<'_>,
    findings: &Findings,
) -> Option<Default> {
    let class = schema.c_type.class();
    let default = match (&literal.value, schema.json) {
        (Literal::Bool(value), JsonType::Boolean) => Default::Bool(*value),
        (Literal::Integer(value), JsonType::Integer) => {
            let (lowest, highest) = schema.c_type.widest();
            if !(lowest..=highest).contains(value) {
                let problem = format!("does not fit `{}`", schema.c_type.name());
                wrong(literal, &problem, &format!("write an integer from {lowest} to {highest}"), findings);
                return None;
            }
            Default::Integer(*value)
        }
        (Literal::Integer(value), JsonType::Number) if class == Class::Floating => {
            Default::Number(*value as f64)
        }
        (Literal::Number(value), JsonType::Number) if class == Class::Floating => Default::Number(*value),
        (Literal::String(text), JsonType::String) if schema.is_pointer && !text.contains('\0') => {
            let encoding = schema.schema.encoding.as_ref().map(|encoding| encoding.value.as_str());
            if encoding == Some("latin-1") && text.chars().any(|c| u8::try_from(c).is_err()) {
                let help = "remove these characters, or use another `x-encoding`";
                wrong(literal, "has characters that latin-1 does not have", help, findings);
                return None;
            }
            Default::Text(text.clone())
        }
        (Literal::String(text), JsonType::String) if !schema.is_pointer && text.len() == 1 => {
            Default::Integer(text.bytes().next().unwrap_or_default().into())
        }
        _ => {
            let problem =
                format!("is not a valid {} for the C type `{}`", schema.json.name(), schema.spelled());
            let help = match schema.json {
                JsonType::Boolean => "write true or false",
                JsonType::Integer => "write an integer",
                JsonType::Number => "write a number",
                JsonType::String if schema.is_pointer => "write a string without NUL",
                JsonType::String => "write a string of one byte",
                JsonType::Array | JsonType::Object => "remove it",
            };
            wrong(literal, &problem, help, findings);
            return None;
        }
    };
    Some(default)
}

fn wrong(literal: &Spanned<Literal>, problem: &str, help: &str, findings: &Findings) {
    let shown = match &literal.value {
        Literal::Bool(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
        Literal::Number(value) => value.to_string(),
        Literal::String(text) => format!("{text:?}"),
    };
    findings.report(Rule::DefaultValue, literal.span, format!("{shown} {problem}"), help);
}

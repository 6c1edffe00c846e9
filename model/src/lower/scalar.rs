//! What a scalar, an element or a string is, from its JSON type and its C type.

use super::complex;
use super::record;
use super::schema::{JsonType, Resolved};
use super::types::Registry;
use crate::c_type::{CType, Class};
use crate::diagnostic::Findings;
use crate::keys::ENCODINGS;
use crate::plan::{Element, Encoding, Scalar, View};
use crate::rule::Rule;

pub(super) fn scalar(schema: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<Scalar> {
    let view = view(schema, registry.findings)?;
    let of_enum = registry.enum_view(schema, path)?;
    Some(Scalar { c_type: schema.c_type, view: of_enum.unwrap_or(view) })
}

/// What an array is made of: its C type, or the structs of `items`.
pub(super) fn element(schema: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<Element> {
    if schema.declared.complex.is_some() {
        return complex::of(schema, registry).map(Element::Record);
    }
    if schema.c_type == CType::Void {
        let Some(items) = &schema.schema.items else {
            registry.findings.report(
                Rule::Struct,
                schema.c_type_span,
                "an array of `void` does not say what its elements are",
                "describe the struct in `items`, or write the C type of the elements here",
            );
            return None;
        };
        let items = registry.schemas.resolve(items)?;
        return record::element(&items, path, registry);
    }
    let mut view = if schema.c_type == CType::Bool { View::Truth } else { View::Plain };
    if let Some(items) = &schema.schema.items
        && schema.c_type.counts()
    {
        let items = registry.schemas.resolve_as(items, schema.declared)?;
        view = registry.enum_view(&items, path)?.unwrap_or(view);
    }
    Some(Element::Scalar(Scalar { c_type: schema.c_type, view }))
}

/// The encoding of a string.
pub(super) fn encoding(schema: &Resolved<'_>, findings: &Findings) -> Option<Encoding> {
    let wide = schema.c_type.class() == Class::Integer;
    let Some(given) = &schema.schema.encoding else { return Some(Encoding::Utf8) };
    let encoding = match given.value.as_str() {
        "utf-8" => Encoding::Utf8,
        "utf-8-lossy" => Encoding::Utf8Lossy,
        "latin-1" => Encoding::Latin1,
        "utf-16" => Encoding::Utf16,
        "base64" => Encoding::Base64,
        "hex" => Encoding::Hex,
        other => {
            findings.report(
                Rule::UnknownEncoding,
                given.span,
                format!("unknown encoding {other:?}"),
                format!("write one of {}", ENCODINGS.join(", ")),
            );
            return None;
        }
    };
    if (encoding == Encoding::Utf16) != wide || wide && !schema.c_type.is_sixteen_bits() {
        findings.report(
            Rule::UnknownEncoding,
            given.span,
            format!("the encoding {} does not fit `{}`", given.value, schema.spelled()),
            "utf-16 is for `unsigned short*`, every other encoding for `char*` and `unsigned char*`",
        );
        return None;
    }
    Some(encoding)
}

/// How callers see a scalar.
fn view(schema: &Resolved<'_>, findings: &Findings) -> Option<View> {
    match (schema.json, schema.c_type.class()) {
        // Older C has no `bool`, and `BOOL` of Windows is an `int`.
        (JsonType::Boolean, Class::Boolean | Class::Integer | Class::Character) => Some(View::Truth),
        (JsonType::Integer, Class::Integer | Class::Character) | (JsonType::Number, Class::Floating) => {
            Some(View::Plain)
        }
        (JsonType::Number, Class::Integer | Class::Character) => {
            findings.report(
                Rule::NumberOnInteger,
                schema.type_span,
                format!(
                    "`number` allows fractions, which `{}` cannot hold; it is treated as `integer`",
                    schema.c_type.name()
                ),
                "write \"integer\"",
            );
            Some(View::Plain)
        }
        (JsonType::String, Class::Character) => Some(View::Character),
        _ => mismatch(schema, findings),
    }
}

pub(super) fn mismatch<T>(schema: &Resolved<'_>, findings: &Findings) -> Option<T> {
    let help = match (schema.c_type.class(), schema.is_pointer, schema.json) {
        (_, false, JsonType::Array) => "an array is a pointer in C: write \"isPointer\": true",
        (Class::Void, _, _) => {
            "write \"object\" for a pointer to something that the document does not describe"
        }
        (Class::Boolean, _, _) => "write \"boolean\"",
        (Class::Character, true, _) => "write \"string\", \"integer\", \"boolean\" or \"array\"",
        (Class::Character, false, _) => "write \"string\" (of one byte), \"integer\" or \"boolean\"",
        (Class::Integer, true, _) => "write \"integer\", \"boolean\" or \"array\"",
        (Class::Integer, false, _) => "write \"integer\" or \"boolean\"",
        (Class::Floating, true, _) => "write \"number\" or \"array\"",
        (Class::Floating, false, _) => "write \"number\"",
    };
    findings.report(
        Rule::TypeMismatch,
        schema.type_span,
        format!("the JSON type `{}` does not fit the C type `{}`", schema.json.name(), schema.spelled()),
        help,
    );
    None
}

//! `x-complex`: a complex number is a struct of two numbers, which JSON has as an array of two.

use super::schema::{JsonType, Resolved};
use super::types::Registry;
use crate::c_type::CType;
use crate::plan::{Body, Field, FieldType, Limits, Record, Scalar, View};
use crate::rule::Rule;

/// The record of a complex number, or of the elements of an array of them.
pub(super) fn of(schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<usize> {
    let findings = registry.findings;
    let key = schema.declared.complex.as_ref()?;
    let is_number = matches!(schema.json, JsonType::Number | JsonType::Array);
    if !matches!(schema.c_type, CType::Float | CType::Double) || !is_number || schema.is_double {
        findings.report(
            Rule::MisusedKey,
            key.span,
            format!("`x-complex` does not apply to `{}` as \"{}\"", schema.spelled(), schema.json.name()),
            "write \"number\", or \"array\" for several, with the C type `float` or `double`",
        );
        return None;
    }
    if let Some(literal) = schema.default {
        findings.report(
            Rule::DefaultValue,
            literal.span,
            "a complex number cannot have a default",
            "remove `default`",
        );
        return None;
    }
    let limit = schema.schema.minimum.as_ref().or(schema.schema.maximum.as_ref());
    if let Some(limit) = limit {
        findings.report(
            Rule::MisusedKey,
            limit.span,
            "complex numbers have no order, and so neither a minimum nor a maximum",
            "remove it",
        );
        return None;
    }
    Some(registry.complex(schema.c_type))
}

/// The record of complex numbers with parts of this type.
pub(super) fn record(part: CType) -> Record {
    let (name, ident, constant) = match part {
        CType::Float => ("float _Complex", "ComplexFloat_", "COMPLEX_FLOAT_"),
        _ => ("double _Complex", "ComplexDouble_", "COMPLEX_DOUBLE_"),
    };
    let field = |key: &str| Field {
        key: key.to_owned(),
        ident: key.to_owned(),
        description: None,
        of: FieldType::Scalar(Scalar { c_type: part, view: View::Plain }),
        required: true,
        may_be_absent: false,
        default: None,
        hidden: false,
        limits: Limits::default(),
        place: crate::span::Span::default(),
    };
    Record {
        ident: ident.to_owned(),
        constant: constant.to_owned(),
        name: name.to_owned(),
        is_named: true,
        behind: false,
        complex: Some(part),
        overlap: None,
        memory: None,
        description: None,
        body: Body::Fields(vec![field("re"), field("im")]),
        size: None,
        align: None,
        place: crate::span::Span::default(),
    }
}

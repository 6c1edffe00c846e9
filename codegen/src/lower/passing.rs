//! How a value travels: the one place where JSON type, C type and direction meet.

use super::schema::{JsonType, Resolved};
use crate::c_type::{CType, Class};
use crate::diagnostic::Findings;
use crate::ir::{Form, Passing, Scalar, View};
use crate::rule::Rule;

/// How a parameter is passed. An output is a pointer.
pub(super) fn of_parameter(schema: &Resolved<'_>, is_in: bool, findings: &Findings) -> Option<Passing> {
    Some(match shape(schema, findings)? {
        Shape::Value(scalar) => Passing::Value(scalar),
        Shape::Str(c_type) if is_in => Passing::Str(c_type),
        Shape::Str(element) => Passing::Buffer { element, text: true },
        Shape::Pointer(scalar) if is_in => Passing::Pointer(scalar),
        Shape::Pointer(scalar) => Passing::Output(scalar),
        Shape::Array(element) if is_in => Passing::Slice(element),
        Shape::Array(element) => Passing::Buffer { element, text: false },
        Shape::Opaque => Passing::Opaque { output: !is_in },
    })
}

/// How a return value comes back.
pub(super) fn of_return(schema: &Resolved<'_>, findings: &Findings) -> Option<Form> {
    Some(match shape(schema, findings)? {
        Shape::Value(scalar) => Form::Value(scalar),
        Shape::Str(c_type) => Form::Str(c_type),
        Shape::Pointer(scalar) => Form::Pointed(scalar),
        Shape::Array(element) => Form::Array(element),
        Shape::Opaque => Form::Opaque,
    })
}

/// A value without its direction.
enum Shape {
    Value(Scalar),
    Str(CType),
    Pointer(Scalar),
    Array(CType),
    Opaque,
}

fn shape(schema: &Resolved<'_>, findings: &Findings) -> Option<Shape> {
    let Resolved { json, c_type, is_pointer, .. } = *schema;
    if c_type == CType::Void && !is_pointer {
        findings.report(
            Rule::VoidByValue,
            schema.c_type_span,
            "`void` has no values; only a pointer to it can be passed or returned",
            "write \"isPointer\": true; for a function that returns nothing write \"return\": null",
        );
        return None;
    }
    let character = c_type.class() == Class::Character;
    match (json, c_type.class(), is_pointer) {
        (JsonType::Boolean | JsonType::Number, Class::Void, _) => mismatch(schema, findings),
        (_, Class::Void, _) => Some(Shape::Opaque),
        (JsonType::String, _, true) if character => Some(Shape::Str(c_type)),
        (JsonType::Array, _, true) => Some(Shape::Array(c_type)),
        _ => {
            let view = view(schema, findings)?;
            let scalar = Scalar { c_type, view };
            Some(if is_pointer { Shape::Pointer(scalar) } else { Shape::Value(scalar) })
        }
    }
}

/// How a scalar looks from outside.
fn view(schema: &Resolved<'_>, findings: &Findings) -> Option<View> {
    match (schema.json, schema.c_type.class()) {
        // C had no `bool` for long, and `BOOL` of Windows is an `int` to this day.
        (JsonType::Boolean, Class::Boolean | Class::Integer | Class::Character) => Some(View::Truth),
        (JsonType::Integer, Class::Integer | Class::Character) | (JsonType::Number, Class::Floating) => {
            Some(View::Plain)
        }
        (JsonType::Number, Class::Integer | Class::Character) => {
            findings.report(
                Rule::NumberOnInteger,
                schema.type_span,
                format!(
                    "`number` allows fractions, which `{}` cannot hold; it is taken for `integer`",
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

fn mismatch<T>(schema: &Resolved<'_>, findings: &Findings) -> Option<T> {
    let pointer = if schema.is_pointer { "*" } else { "" };
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
        format!(
            "the JSON type `{}` cannot hold the C type `{}{pointer}`",
            schema.json.name(),
            schema.c_type.name()
        ),
        help,
    );
    None
}

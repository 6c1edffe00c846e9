//! One value of a function: a parameter, or the return value.

use super::meaning::{Constant, Direction, Param, Passing, Returned};
use super::schema::Resolved;
use super::site::Site;
use super::{codes, identifier, limits, misuse, passing, taken_memory};
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::plan::{Default, Limits, Scalar, Text, View};
use crate::rule::Rule;
use crate::span::Span;

pub(super) fn lower_parameter(parameter: &document::Parameter, site: &Site<'_>) -> Option<(Param, Keys)> {
    let findings = site.findings();
    let name = parameter.name.as_ref();
    let shown = name.map_or("", |name| &name.value);
    let ident = name.and_then(|name| identifier::of_value(name, "parameter", findings));
    let schema = site.registry.schemas.resolve(parameter.schema.as_ref()?)?;
    let is_in = is_in(parameter, shown, &schema, findings);
    if !is_in && !parameter.required.value {
        findings.report(
            Rule::OptionalOutput,
            parameter.required.span,
            format!("parameter `{shown}` is an output, so `required: false` has no effect"),
            "write \"required\": true",
        );
    }
    if !is_in && !schema.is_pointer {
        let place = match parameter.schema.as_ref()? {
            document::Schema::Reference(reference) => reference.target.span,
            document::Schema::Inline(_) => schema.c_type_span,
        };
        findings.report(
            Rule::OutputNotPointer,
            place,
            format!(
                "parameter `{shown}` is an output (`isIn: false`), but its C type is `{}` by value",
                schema.c_type.name()
            ),
            "write \"isPointer\": true, or make it an input with \"isIn\": true",
        );
        return None;
    }
    let keys = parameter.keys.clone().or(&schema.keys);
    let passing = passing::of_parameter(&schema, &keys, is_in, site).map(|passing| constant(passing, site));
    let default = parameter_default(parameter, &schema, is_in, passing.as_ref(), site);
    let limits = limits::lower(&schema, site.registry);
    let disposed = match &passing {
        Some(Passing::Record { direction: Direction::Out, .. }) => site.held(&keys)?.free,
        _ => None,
    };
    let written = schema.default.map(|literal| literal.span);
    let taken =
        passing.as_ref().map_or(Some(None), |passing| taken_memory::lower(&keys, passing, written, site));
    let param = Param {
        disposed,
        taken: taken?,
        limits: if is_in { limits? } else { Limits::default() },
        key: shown.to_owned(),
        ident: ident?,
        description: description(parameter.description.as_deref(), schema.description),
        passing: passing?,
        required: parameter.required.value,
        default: default?,
        kept: site.kept(&keys)?,
    };
    Some((param, keys))
}

fn is_in(parameter: &document::Parameter, shown: &str, schema: &Resolved<'_>, findings: &Findings) -> bool {
    match (&parameter.is_in, &schema.declared.is_in) {
        (Some(is_in), None) => is_in.value,
        (given, Some(misplaced)) => {
            let value = given.as_ref().map_or(misplaced.value, |given| given.value);
            findings.report(
                Rule::MisplacedIsIn,
                misplaced.span,
                format!("`isIn` belongs to the parameter, not to its `cType`; {value} is used"),
                if given.is_some() { "remove it here" } else { "move it to the parameter, beside `schema`" },
            );
            value
        }
        (None, None) => {
            findings.report(
                Rule::MissingBoolean,
                Span { start: parameter.span.start, end: parameter.span.start + 1 },
                format!("parameter `{shown}` has no `isIn`; true is assumed"),
                "add \"isIn\": true, or false for a pointer that C writes a result to",
            );
            true
        }
    }
}

/// The caller does not pass a value that is always the same.
fn constant(passing: Passing, site: &Site<'_>) -> Passing {
    let (index, of) = match &passing {
        Passing::Value(scalar @ Scalar { view: View::Enum(index), .. }) => {
            (*index, Constant::Scalar(*scalar))
        }
        Passing::Str(text @ Text { one_of: Some(index), .. }) => (*index, Constant::Str(*text)),
        _ => return passing,
    };
    match site.registry.only_value(index) {
        Some(value) => Passing::Constant { of, value },
        None => passing,
    }
}

/// `default`, which only optional parameters use.
fn parameter_default(
    parameter: &document::Parameter,
    schema: &Resolved<'_>,
    is_in: bool,
    passing: Option<&Passing>,
    site: &Site<'_>,
) -> Option<Option<Default>> {
    let of_enum = match passing {
        Some(Passing::Value(Scalar { view: View::Enum(index), .. })) => Some(*index),
        Some(Passing::Str(text)) => text.one_of,
        _ => None,
    };
    let default = site.registry.default(schema, of_enum)?;
    if let (Some(literal), true, Some(Passing::Value(_) | Passing::Str(_))) =
        (schema.default, parameter.required.value, passing)
    {
        site.findings().report(
            Rule::DefaultRequired,
            literal.span,
            "this parameter is required, so its `default` is never used",
            "write \"required\": false, or remove `default`",
        );
    }
    let taken = matches!(passing, Some(Passing::Value(_) | Passing::Str(_)));
    if !is_in {
        misuse::no_default(schema, "an output", site.findings());
    } else if let (Some(literal), Some(Passing::Counted { .. })) = (schema.default, passing) {
        site.findings().report(
            Rule::DefaultValue,
            literal.span,
            "a string with a length cannot have a default",
            "remove `default`; it is for scalars by value and for strings that end at a NUL",
        );
    }
    Some(default.filter(|_| taken && !parameter.required.value))
}

pub(super) fn lower_return(
    returned: &document::Return,
    success: &[i64],
    site: &Site<'_>,
) -> Option<(Returned, Keys)> {
    let findings = site.findings();
    let name = returned.name.as_ref();
    let ident = name.and_then(|name| identifier::of_value(name, "return value", findings));
    let schema = site.registry.schemas.resolve(returned.schema.as_ref()?)?;
    let mut keys = returned.keys.clone().or(&schema.keys);
    site.length_in_place(&mut keys);
    let form = passing::of_return(&schema, &keys, site);
    let role = codes::role(returned, form.as_ref(), success, findings);
    let returned = Returned {
        key: name?.value.clone(),
        ident: ident?,
        description: description(returned.description.as_deref(), schema.description),
        form: form?,
        role: role?,
    };
    Some((returned, keys))
}

/// The description of a value, or else of its schema. Empty ones are ignored.
fn description(own: Option<&str>, schema: Option<&str>) -> Option<String> {
    own.into_iter().chain(schema).find(|text| !text.trim().is_empty()).map(str::to_owned)
}

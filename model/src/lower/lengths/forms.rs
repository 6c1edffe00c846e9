//! The forms of a length that no single parameter holds: products, sums, capacities that the caller chooses, and elements up
//! to a zero.

use super::super::identifier;
use super::super::meaning::{Form, Param, Passing};
use super::super::site::Site;
use super::{Integer, Problem, integer, not_a_length};
use crate::plan::{Amount, Content, Element, Factor, Limits};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The argument for a capacity that the caller chooses. `params` are those before it.
pub(in super::super) fn chosen(name: &Spanned<String>, params: &[Param], site: &Site<'_>) -> Option<Param> {
    let ident = identifier::of_value(name, "argument", site.findings())?;
    if let Some(other) = params.iter().find(|param| param.key == name.value || param.ident == ident) {
        site.findings().report(
            Rule::DuplicateName,
            name.span,
            format!("`argument` is a new argument, but the function has the parameter `{}`", other.key),
            "choose another name; if C is told the capacity, write the name of its parameter as `x-length`",
        );
        return None;
    }
    // The first buffer that names it; it is the same capacity for all.
    let index = params.len();
    let is_of = |param: &Param| matches!(&param.passing, Passing::Buffer { capacity: Some(Amount::Param(of)), .. } if *of == index);
    let Some(of) = params.iter().position(is_of) else {
        return not_chosen(name.span, site);
    };
    Some(Param {
        disposed: None,
        key: name.value.clone(),
        ident,
        description: None,
        passing: Passing::Chosen { of },
        required: true,
        default: None,
        limits: Limits::default(),
        kept: None,
        taken: None,
    })
}

/// Whether the length is a new argument, which only a buffer can have.
pub(super) fn is_chosen(length: &Amount, site: &Site<'_>) -> bool {
    matches!(length, Amount::Param(index) if *index >= site.function.parameters.len())
}

/// Checks the factors of a product, or the terms of a sum. After the call, C may have written them: `after`.
pub(super) fn factors(
    params: &[Param],
    factors: &[Factor],
    after: bool,
    span: Span,
    site: &Site<'_>,
) -> Option<()> {
    let mut whole = true;
    for factor in factors {
        let Factor::Param(index) = factor else { continue };
        let fits = match integer(params, *index, span, site) {
            None => None,
            Some((_, Integer::Value)) if !params[*index].required && params[*index].is_input() => {
                not_a_length(params, *index, span, Problem::Absent, site)
            }
            Some((_, Integer::Value)) => Some(()),
            Some((_, Integer::Output)) if after => Some(()),
            Some((_, Integer::Output | Integer::Pointer)) => {
                not_a_length(params, *index, span, Problem::NotFactor, site)
            }
        };
        whole &= fits.is_some();
    }
    whole.then_some(())
}

/// Checks that an input can end at a zero.
pub(super) fn terminated_input(passing: &Passing, span: Span, site: &Site<'_>) -> Option<()> {
    match passing {
        Passing::Strings { .. }
        | Passing::Handles { .. }
        | Passing::Slice { element: Element::Scalar(_), inout: false, .. } => Some(()),
        Passing::Slice { inout: true, .. } => {
            misused(span, "terminated", "arrays that C only reads (without `x-inout`)", site)
        }
        _ => not_terminated(span, site),
    }
}

/// Checks that a value from C can end at a zero.
pub(super) fn terminated_form(form: &Form, span: Span, site: &Site<'_>) -> Option<()> {
    match form {
        Form::Strings { .. }
        | Form::Handles { .. }
        | Form::Array { content: Content::Elements(Element::Scalar(_)), .. } => Some(()),
        _ => not_terminated(span, site),
    }
}

fn not_terminated<T>(span: Span, site: &Site<'_>) -> Option<T> {
    let what = "arrays of scalars, of strings and of handles; a string without `x-length` ends at its NUL";
    misused(span, "terminated", what, site)
}

/// Reports a buffer without a capacity.
pub(super) fn terminated_buffer(span: Span, site: &Site<'_>) -> Option<()> {
    site.findings().report(
        Rule::LengthParameter,
        span,
        "a buffer that C fills needs its capacity, which `terminated` does not tell",
        "write the capacity as `x-length`, or {\"argument\": \"capacity\"} if only the caller knows it",
    );
    None
}

fn misused<T>(span: Span, key: &str, what: &str, site: &Site<'_>) -> Option<T> {
    site.findings().report(
        Rule::MisusedKey,
        span,
        format!("`{key}` does not apply to this value; it is for {what}"),
        "write another form of `x-length`",
    );
    None
}

/// Reports a new argument on a value that is not a buffer.
pub(in super::super) fn not_chosen<T>(span: Span, site: &Site<'_>) -> Option<T> {
    misused(span, "argument", "buffers that C fills (`isIn: false`)", site)
}

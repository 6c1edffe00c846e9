//! Parameters that the caller does not pass, because their values follow from others: lengths, capacities,
//! counts and the user data of callbacks.

mod forms;
mod unexplained;

use super::meaning::{Form, Param, Passing, ReturnRole, Returned};
use super::site::Site;
use crate::document::{self, Keys};
use crate::plan::{Amount, Place, Scalar, View};
use crate::rule::Rule;
use crate::span::Span;

pub(super) use forms::{chosen, not_chosen};
pub(super) use unexplained::check as check_unexplained;

/// Assigns a role to every parameter that a key names. `keys` are the keys of the parameters and of the
/// return value.
pub(super) fn assign(
    params: &mut [Param],
    mut returned: Option<&mut Returned>,
    keys: (&[Keys], Option<&Keys>),
    site: &Site<'_>,
) -> Option<()> {
    let mut whole = true;
    for index in 0..params.len() {
        let of_param = &keys.0[index];
        let span = of_param.length.as_ref().map_or(Span::default(), |length| length.span);
        let done = match params[index].passing.clone() {
            Passing::Slice { length: Some(length), .. }
            | Passing::Counted { length, .. }
            | Passing::Strings { length, .. }
            | Passing::Handles { length, .. } => {
                input(params, index, &length, site.told(of_param)?, span, site)
            }
            Passing::Buffer { capacity: Some(capacity), written, .. } => {
                let told = site.told(of_param)?;
                buffer(params, returned.as_deref_mut(), index, &capacity, told, written, of_param, site)
            }
            Passing::Buffer { capacity: None, written: Some(_), .. } => {
                let span = of_param.written.as_ref().map_or(Span::default(), |written| written.span);
                site.findings().report(
                    Rule::MisusedKey,
                    span,
                    "`x-written` needs `x-length`, the capacity of the buffer",
                    "add `x-length` to this buffer",
                );
                None
            }
            Passing::Fetched(
                ref form @ (Form::Array { length: Some(ref length), .. }
                | Form::Strings { ref length, .. }
                | Form::Handles { ref length, .. }),
            ) => count(params, form, length, span, site),
            Passing::Callback(callback, _) => user_data(params, index, callback.user_data, site),
            _ => Some(()),
        };
        whole &= done.is_some();
    }
    if let (Some(returned), Some(keys)) = (returned, keys.1)
        && let Form::Array { length: Some(length), .. }
        | Form::Strings { length, .. }
        | Form::Handles { length, .. } = &returned.form
    {
        let span = keys.length.as_ref().map_or(Span::default(), |length| length.span);
        whole &= count(params, &returned.form, length, span, site).is_some();
    }
    whole.then_some(())
}

/// How an integer parameter is passed: by value, by a pointer that C reads, or by one that C only writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Integer {
    Value,
    Pointer,
    Output,
}

/// The integer parameter that a key names. Others are reported.
fn integer(
    params: &[Param],
    index: usize,
    span: Span,
    site: &Site<'_>,
) -> Option<(crate::c_type::CType, Integer)> {
    let (scalar, how) = match &params[index].passing {
        Passing::Value(scalar) => (*scalar, Integer::Value),
        Passing::Pointer(scalar) | Passing::InOut(scalar) => (*scalar, Integer::Pointer),
        Passing::Output(scalar) => (*scalar, Integer::Output),
        Passing::Length { c_type, pointer, .. } | Passing::Capacity { c_type, pointer, .. } => {
            return Some((*c_type, if *pointer { Integer::Pointer } else { Integer::Value }));
        }
        Passing::Count { c_type } => return Some((*c_type, Integer::Output)),
        _ => return not_a_length(params, index, span, Problem::NotInteger, site),
    };
    match scalar {
        Scalar { c_type, view: View::Plain } if c_type.counts() => Some((c_type, how)),
        _ => not_a_length(params, index, span, Problem::NotInteger, site),
    }
}

/// Why a parameter cannot be a length or a count.
#[derive(Clone, Copy)]
enum Problem {
    NotInteger,
    OutputOfInput,
    OutputOfBuffer,
    ByValue,
    NotFactor,
    Absent,
    InputPointer,
}

fn not_a_length<T>(
    params: &[Param],
    index: usize,
    span: Span,
    problem: Problem,
    site: &Site<'_>,
) -> Option<T> {
    let (problem, help) = match problem {
        Problem::NotInteger => (
            "is not an integer, so it cannot hold a number of elements",
            "name an integer parameter, by value, or by pointer if C writes a count there",
        ),
        Problem::OutputOfInput => (
            "is an output (`isIn: false`), but C needs the length of an input",
            "write \"isIn\": true for it, or name another parameter",
        ),
        Problem::OutputOfBuffer => (
            "is an output (`isIn: false`), but C needs the capacity of the buffer",
            "write \"isIn\": true for it; if C only writes a count there, name it in `x-written`",
        ),
        Problem::ByValue => {
            ("is passed by value, so C cannot write a count there", "name a pointer parameter, or \"return\"")
        }
        Problem::NotFactor => (
            "is a pointer, so it cannot be part of this length",
            "name integers that are passed by value; one that C writes is for values that C returns",
        ),
        Problem::Absent => (
            "may be absent (`required: false`), and then the number of elements is unknown",
            "write \"required\": true for it",
        ),
        Problem::InputPointer => {
            ("is a pointer that C reads, but C must write the count there", "write \"isIn\": false for it")
        }
    };
    site.findings().report(Rule::LengthParameter, span, format!("`{}` {problem}", params[index].key), help);
    None
}

/// The length of an input is the length of the slice.
fn input(
    params: &mut [Param],
    of: usize,
    length: &Amount,
    told: Option<usize>,
    span: Span,
    site: &Site<'_>,
) -> Option<()> {
    match length {
        _ if forms::is_chosen(length, site) => return not_chosen(span, site),
        Amount::Product(factors) | Amount::Sum(factors) => {
            return forms::factors(params, factors, false, span, site);
        }
        Amount::Terminated => return forms::terminated_input(&params[of].passing, span, site),
        Amount::Param(_) | Amount::Const(_) | Amount::Member { .. } | Amount::Ask { .. } => {}
    }
    let index = match (length, told) {
        (Amount::Param(index), _) => *index,
        (_, Some(index)) => index,
        _ => return Some(()),
    };
    match integer(params, index, span, site)? {
        (_, Integer::Output) => not_a_length(params, index, span, Problem::OutputOfInput, site),
        // The first required array decides; the others must have the same length.
        _ if matches!(params[index].passing, Passing::Length { of: first, .. }
            if params[first].required || !params[of].required) =>
        {
            Some(())
        }
        (c_type, how) => {
            let shown =
                matches!(params[index].passing, Passing::InOut(_) | Passing::Length { shown: true, .. });
            params[index].passing = Passing::Length { c_type, pointer: how == Integer::Pointer, of, shown };
            Some(())
        }
    }
}

/// The capacity of a buffer, and the place of its count.
#[expect(clippy::too_many_arguments, reason = "everything that the keys of a buffer can name")]
fn buffer(
    params: &mut [Param],
    returned: Option<&mut Returned>,
    of: usize,
    capacity: &Amount,
    told: Option<usize>,
    written: Option<Place>,
    keys: &Keys,
    site: &Site<'_>,
) -> Option<()> {
    let span = keys.length.as_ref().map_or(Span::default(), |length| length.span);
    let mut holds_count = None;
    match capacity {
        Amount::Product(factors) | Amount::Sum(factors) => {
            forms::factors(params, factors, false, span, site)?
        }
        Amount::Terminated => forms::terminated_buffer(span, site)?,
        Amount::Param(_) | Amount::Const(_) | Amount::Member { .. } | Amount::Ask { .. } => {}
    }
    let named = match (capacity, told) {
        _ if forms::is_chosen(capacity, site) => None,
        (Amount::Param(index), _) => Some((*index, true)),
        (_, Some(index)) => Some((index, false)),
        _ => None,
    };
    if let Some((index, given)) = named {
        let (c_type, how) = integer(params, index, span, site)?;
        if how == Integer::Output && given {
            return not_a_length(params, index, span, Problem::OutputOfBuffer, site);
        }
        let pointer = how != Integer::Value;
        if !matches!(params[index].passing, Passing::Length { .. } | Passing::Capacity { .. }) {
            params[index].passing = Passing::Capacity { c_type, pointer, of, given };
        }
        if pointer {
            holds_count = Some(Place::Param(index));
        }
    }
    let written_span = keys.written.as_ref().map_or(span, |written| written.span);
    match written {
        Some(Place::Param(index)) => {
            let (c_type, how) = integer(params, index, written_span, site)?;
            if how == Integer::Value {
                return not_a_length(params, index, written_span, Problem::ByValue, site);
            }
            if !matches!(params[index].passing, Passing::Capacity { .. }) {
                params[index].passing = Passing::Capacity { c_type, pointer: true, of, given: false };
            }
        }
        Some(Place::Returned) => returned_count(returned, written_span, site)?,
        None => {}
    }
    if let Passing::Buffer { written: place, .. } = &mut params[of].passing {
        *place = written.or(holds_count);
    }
    Some(())
}

/// The return value as the count of a buffer.
fn returned_count(returned: Option<&mut Returned>, span: Span, site: &Site<'_>) -> Option<()> {
    let fits = returned.as_ref().is_some_and(|returned| {
        matches!(returned.form, Form::Value(Scalar { c_type, view: View::Plain }) if c_type.counts())
            && !matches!(returned.role, ReturnRole::Code(_))
    });
    match returned {
        Some(returned) if fits => {
            returned.role = ReturnRole::Written;
            Some(())
        }
        _ => {
            site.findings().report(
                Rule::LengthParameter,
                span,
                "the return value cannot be the count: it is not an integer, or it is a code",
                "name the pointer parameter that C writes the count to",
            );
            None
        }
    }
}

/// The count of an array from C. It is not a result of its own.
fn count(params: &mut [Param], form: &Form, length: &Amount, span: Span, site: &Site<'_>) -> Option<()> {
    let index = match length {
        _ if forms::is_chosen(length, site) => return not_chosen(span, site),
        Amount::Param(index) => index,
        Amount::Product(factors) | Amount::Sum(factors) => {
            return forms::factors(params, factors, true, span, site);
        }
        Amount::Terminated => return forms::terminated_form(form, span, site),
        Amount::Const(_) | Amount::Member { .. } | Amount::Ask { .. } => return Some(()),
    };
    match integer(params, *index, span, site)? {
        (c_type, Integer::Output) => {
            params[*index].passing = Passing::Count { c_type };
            Some(())
        }
        (_, Integer::Value) if !params[*index].required && params[*index].is_input() => {
            not_a_length(params, *index, span, Problem::Absent, site)
        }
        (_, Integer::Value) => Some(()),
        (_, Integer::Pointer)
            if matches!(params[*index].passing, Passing::Length { .. } | Passing::Capacity { .. }) =>
        {
            Some(())
        }
        (_, Integer::Pointer) => not_a_length(params, *index, span, Problem::InputPointer, site),
    }
}

/// The parameter of the function with the name of the callback's user data.
fn user_data(params: &mut [Param], callback: usize, position: Option<usize>, site: &Site<'_>) -> Option<()> {
    let Some(_) = position else { return Some(()) };
    let described: &document::Callback = callback_of(&site.function.parameters[callback], site)?;
    let name = described.user_data.as_ref()?;
    if described.by_handle {
        return Some(());
    }
    let index = site.parameter("userData", name)?;
    match params[index].passing {
        Passing::Opaque { output: false } => {
            params[index].passing = Passing::UserData { callback };
            Some(())
        }
        _ => {
            site.findings().report(
                Rule::Callback,
                name.span,
                format!("the parameter `{}` is not a `void*`, so it cannot carry user data", name.value),
                "describe it as \"object\" with the C type `void*`",
            );
            None
        }
    }
}

fn callback_of<'c>(parameter: &'c document::Parameter, site: &Site<'c>) -> Option<&'c document::Callback> {
    site.registry.schemas.resolve(parameter.schema.as_ref()?)?.declared.callback.as_deref()
}

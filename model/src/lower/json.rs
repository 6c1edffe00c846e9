//! Why a function cannot be called with JSON: facts that the document does not state.

use super::meaning::{Direction, Form, Param, Passing, Returned, frees_results};
use super::types::Registry;
use crate::options::Unchecked;
use crate::plan::{Content, Element};

pub(super) fn refusal(
    params: &[Param],
    returned: Option<&Returned>,
    unchecked: Unchecked,
    registry: &Registry<'_>,
) -> Option<String> {
    let allowed = unchecked == Unchecked::Allow;
    let frees = !allowed && frees_results(params, returned);
    let reasons: Vec<String> = params
        .iter()
        .filter_map(|param| parameter(param, allowed, registry).or_else(|| left(param, frees, registry)))
        .chain(returned.and_then(|returned| form(&returned.form, &returned.key)))
        .collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn parameter(param: &Param, allowed: bool, registry: &Registry<'_>) -> Option<String> {
    let key = &param.key;
    match &param.passing {
        Passing::Slice { length: None, .. } if !allowed => Some(no_length(key)),
        Passing::Buffer { capacity: None, content, .. }
            if !(allowed && matches!(content, Content::Text { .. })) =>
        {
            Some(format!("the document does not say how large the buffer `{key}` must be (`x-length`)"))
        }
        Passing::Chosen { .. } if !allowed => Some(format!(
            "C is not told the capacity `{key}` (`argument` of `x-length`), so a wrong one would corrupt memory"
        )),
        Passing::Opaque { output } if *output || param.required => Some(no_meaning(key)),
        Passing::Callback(callback, _) if param.required && callback.is_only_for_rust() => Some(format!(
            "`{key}` is a callback without `collect`: it computes, so only Rust code can pass it"
        )),
        Passing::Record { record, direction: Direction::In | Direction::InOut | Direction::Value }
        | Passing::Slice { element: Element::Record(record), .. }
            if registry.has_opaque_pointers(*record) =>
        {
            Some(format!("the struct `{key}` holds pointers that the document does not describe"))
        }
        Passing::Fetched(fetched) => form(fetched, key),
        _ => None,
    }
}

/// A struct that the caller passes and C changes. If the call frees memory of C, text of the struct may be
/// freed before the reply is written. Results are copied before that.
fn left(param: &Param, frees: bool, registry: &Registry<'_>) -> Option<String> {
    match &param.passing {
        Passing::Record { record, direction: Direction::InOut }
        | Passing::Slice { element: Element::Record(record), inout: true, .. }
            if frees && registry.has_text(*record) =>
        {
            Some(format!("the text that comes back in `{}` may be in memory that the call frees", param.key))
        }
        _ => None,
    }
}

fn form(form: &Form, key: &str) -> Option<String> {
    match form {
        Form::Array { length: None, .. } => Some(no_length(key)),
        Form::Opaque => Some(no_meaning(key)),
        _ => None,
    }
}

fn no_length(key: &str) -> String {
    format!("the document does not say how long the array `{key}` is (`x-length`)")
}

fn no_meaning(key: &str) -> String {
    format!("the document does not say what `{key}` points to (`x-handle`)")
}

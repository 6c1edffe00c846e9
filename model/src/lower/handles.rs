//! Parameters that must be handles, because a key says that something depends on them.

use super::meaning::{Form, HandleRole, Param, Passing, Returned};
use crate::diagnostic::Findings;
use crate::document::Keys;
use crate::rule::Rule;
use crate::span::Span;

/// Checks that `x-parent` and `until` name handles that the call does not free.
pub(super) fn check(
    params: &[Param],
    returned: Option<&Returned>,
    keys: (&[Keys], Option<&Keys>),
    findings: &Findings,
) -> Option<()> {
    let is_handle =
        |index: usize| matches!(params[index].passing, Passing::Handle { role: HandleRole::Borrowed, .. });
    let mut whole = true;
    let demand = |index: usize, key: &str, span: Span| {
        let fits = is_handle(index) && params[index].required;
        if !fits {
            findings.report(
                Rule::UnknownParameter,
                span,
                format!(
                    "`{key}` names `{}`, which is not a required handle that outlives the call",
                    params[index].key
                ),
                "name an input with `x-handle` and \"required\": true that the function does not free",
            );
        }
        fits
    };
    let of_params = params.iter().zip(keys.0).map(|(param, keys)| match &param.passing {
        Passing::Fetched(form) => (Some(form), keys),
        _ => (None, keys),
    });
    let of_return = returned.zip(keys.1).map(|(returned, keys)| (Some(&returned.form), keys));
    for (form, keys) in of_params.chain(of_return) {
        if let (Some(Form::Handle { parent: Some(parent), .. }), Some(name)) = (form, &keys.parent) {
            whole &= demand(*parent, "x-parent", name.span);
        }
    }
    for param in params {
        if let Passing::Callback(callback, span) = &param.passing
            && let Some(until) = callback.until
        {
            whole &= demand(until, "until", *span);
        }
    }
    whole.then_some(())
}

//! Integers beside buffers of constant size that no key explains. They are usually capacities, and a larger one would let C
//! write past the end of the buffer.

use super::super::meaning::{Form, Param, Passing, Returned};
use super::super::site::Site;
use crate::document::Keys;
use crate::plan::{Amount, AskArg, Factor, Scalar, View};
use crate::rule::Rule;

/// Warns about them, when all roles are assigned.
pub(in super::super) fn check(params: &[Param], returned: Option<&Returned>, keys: &[Keys], site: &Site<'_>) {
    let lengths: Vec<&Amount> = params
        .iter()
        .filter_map(|param| match &param.passing {
            Passing::Buffer { capacity, .. } => capacity.as_ref(),
            Passing::Fetched(form) => form.length(),
            passing => passing.length(),
        })
        .chain(returned.and_then(|returned: &Returned| Form::length(&returned.form)))
        .collect();
    let is_named = |index: usize| {
        lengths.iter().any(|length| match length {
            Amount::Product(factors) | Amount::Sum(factors) => factors.contains(&Factor::Param(index)),
            Amount::Ask { args, .. } => args.contains(&AskArg::Param(index)),
            other => **other == Amount::Param(index),
        })
    };
    let is_unexplained = |index: usize| {
        params.get(index).is_some_and(|param| {
            matches!(param.passing, Passing::Value(Scalar { c_type, view: View::Plain }) if c_type.counts())
                && !param.limits.has_range()
                && !is_named(index)
        })
    };
    for (index, param) in params.iter().enumerate() {
        let is_constant = matches!(param.passing, Passing::Buffer { capacity: Some(Amount::Const(_)), .. })
            && matches!(site.told(&keys[index]), Some(None));
        let beside = [index.checked_add(1), index.checked_sub(1)];
        let Some(other) = beside.into_iter().flatten().find(|other| is_constant && is_unexplained(*other))
        else {
            continue;
        };
        let (length, other) = (keys[index].length.as_ref(), &params[other].key);
        site.findings().report(
            Rule::UnexplainedInteger,
            length.map_or_else(Default::default, |length| length.span),
            format!("the buffer `{}` has a constant size, and no key explains `{other}` beside it", param.key),
            format!(
                "if `{other}` is its capacity, write \"x-length\": \"{other}\", or add \"parameter\": \"{other}\" here; \
                 if not, give it a `minimum` and a `maximum`"
            ),
        );
    }
}

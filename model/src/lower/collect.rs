//! `collect` of a callback: what a JSON caller gets of its calls, and what C gets back.

use super::callback::fault;
use super::default;
use super::site::Site;
use crate::document::{self, Literal};
use crate::plan::{Collect, Default};
use crate::span::Spanned;

/// The number of calls in a reply, if the document does not say it.
const LIMIT: u64 = 1000;

/// The name of the number of calls that the limit leaves out of the result `name`.
pub(super) fn omitted(name: &str) -> String {
    format!("{name}Omitted")
}

pub(super) fn lower(
    collect: &document::Collect,
    callback: &document::Callback,
    site: &Site<'_>,
) -> Option<Collect> {
    let findings = site.findings();
    if callback.user_data.is_none() {
        fault(
            collect.span,
            "`collect` needs `userData`, through which the calls find their reply",
            "add `userData`, or remove `collect`",
            findings,
        );
        return None;
    }
    if callback.until.is_some() && collect.into.is_none() {
        fault(
            collect.span,
            "C calls a callback that it keeps while other functions run, whose replies need a name for the calls",
            "add \"into\": \"events\", or another name",
            findings,
        );
        return None;
    }
    if let Some(into) = collect.into.as_ref().filter(|_| callback.until.is_none()) {
        fault(
            into.span,
            "`into` is for callbacks that C keeps: the calls are in the reply under the name of the parameter",
            "remove `into`, or add `until`",
            findings,
        );
        return None;
    }
    if let Some(limit) = collect.limit.as_ref().filter(|limit| limit.value == 0) {
        fault(limit.span, "a reply without calls is useless", "write a limit of 1 or more", findings);
        return None;
    }
    let answer = answer(collect.answer.as_ref(), "answer", callback, site)?;
    let stop = self::answer(collect.stop.as_ref(), "stop", callback, site)?;
    Some(Collect {
        stop: stop.or_else(|| answer.clone()),
        answer,
        limit: collect.limit.as_ref().map_or(LIMIT, |limit| limit.value),
        default: collect.default,
        into: collect.into.clone(),
    })
}

/// What C gets back: `None` if it is wrong, `Some(None)` if the document does not say it.
pub(super) fn answer(
    literal: Option<&Spanned<Literal>>,
    key: &str,
    callback: &document::Callback,
    site: &Site<'_>,
) -> Option<Option<Default>> {
    let Some(literal) = literal else { return Some(None) };
    let Some(returned) = &callback.returns else {
        fault(
            literal.span,
            &format!("`{key}` is a return value, but the callback returns nothing"),
            &format!("remove `{key}`, or describe the return value in `return`"),
            site.findings(),
        );
        return None;
    };
    let schema = site.registry.schemas.resolve(returned)?;
    default::value(literal, &schema, site.findings()).map(Some)
}

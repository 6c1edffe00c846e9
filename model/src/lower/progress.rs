//! `progress` of a callback: which of its parameters say how far a call is, and what C gets back.

use super::callback::fault;
use super::collect::answer;
use super::site::Site;
use crate::document;
use crate::plan::{CallbackParam, CallbackValue, Default, Encoding, Progress, Scalar, View};
use crate::span::Spanned;

/// `params` are those of the callback, in the order of C.
pub(super) fn lower(
    progress: &document::Progress,
    callback: &document::Callback,
    params: &[CallbackParam],
    site: &Site<'_>,
) -> Option<Progress> {
    let findings = site.findings();
    if callback.user_data.is_none() {
        fault(
            progress.span,
            "`progress` needs `userData`, through which the calls find who waits",
            "add `userData`, or remove `progress`",
            findings,
        );
        return None;
    }
    if callback.until.is_some() {
        fault(
            progress.span,
            "`progress` is of the call that the callback is passed to, but C keeps this one (`until`)",
            "remove `progress`, or `until` if C calls it only while the function runs",
            findings,
        );
        return None;
    }
    if callback.collect.is_some() {
        fault(
            progress.span,
            "a callback either tells how far a call is (`progress`), or has its calls in the reply (`collect`)",
            "remove one of them",
            findings,
        );
        return None;
    }
    let number = |key, name: Option<&Spanned<String>>| {
        let is_number =
            |value: &CallbackValue| matches!(value, CallbackValue::Scalar(Scalar { view: View::Plain, .. }));
        parameter((key, "a number by value"), name, params, is_number, site)
    };
    let is_text = |value: &CallbackValue| {
        matches!(value, CallbackValue::Str { encoding: Encoding::Utf8 | Encoding::Utf8Lossy, .. })
    };
    let done = number("done", progress.done.as_ref());
    let total = number("total", progress.total.as_ref());
    let message =
        parameter(("message", "a string in UTF-8"), progress.message.as_ref(), params, is_text, site);
    let given = answer(progress.answer.as_ref(), "answer", callback, site);
    let stop = answer(progress.stop.as_ref(), "stop", callback, site);
    let lowered = Progress { done: done?, total: total?, message: message?, answer: given?, stop: stop? };
    let is_the_same = lowered.stop.as_ref().is_some_and(|stop| match &lowered.answer {
        Some(answer) => stop == answer,
        None => is_zero(stop),
    });
    if is_the_same {
        let span = progress.stop.as_ref().map_or(progress.span, |stop| stop.span);
        fault(
            span,
            "C cannot tell `stop` from `answer`",
            "write different values, or remove `stop`",
            findings,
        );
        return None;
    }
    Some(lowered)
}

/// The index of a parameter of the callback: `None` if it is wrong, `Some(None)` if the document does not name one.
fn parameter(
    (key, what): (&str, &str),
    name: Option<&Spanned<String>>,
    params: &[CallbackParam],
    fits: impl Fn(&CallbackValue) -> bool,
    site: &Site<'_>,
) -> Option<Option<usize>> {
    let Some(name) = name else { return Some(None) };
    let Some(index) = params.iter().position(|param| param.key == name.value) else {
        fault(
            name.span,
            &format!("the callback has no parameter {:?}", name.value),
            &format!("name the parameter of the callback that is `{key}`, or remove `{key}`"),
            site.findings(),
        );
        return None;
    };
    if !fits(&params[index].value) {
        fault(
            name.span,
            &format!("`{key}` is {what}, but the parameter {:?} is not", name.value),
            &format!("name another parameter of the callback, or remove `{key}`"),
            site.findings(),
        );
        return None;
    }
    Some(Some(index))
}

/// Whether it is what C gets back if the document does not say it.
fn is_zero(value: &Default) -> bool {
    match value {
        Default::Bool(value) => !value,
        Default::Integer(value) => *value == 0,
        Default::Number(value) => *value == 0.0,
        Default::Text(_) => false,
    }
}

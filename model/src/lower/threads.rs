//! What `x-threadSafe` promises about handles. With `true`, calls with different handles may run at the same time, calls
//! with the same handle may not: every handle has one place from which it is reached.

use super::meaning::{Form, Function, Held, Passing};
use crate::diagnostic::Findings;
use crate::document::{Document, ThreadSafe};
use crate::plan::Types;
use crate::rule::Rule;

/// Reports functions that lend a handle which lives in no other: each thread that calls one gets the same handle.
pub(super) fn check(document: &Document, functions: &[Option<Function>], types: &Types, findings: &Findings) {
    if !document.info.as_ref().is_some_and(|info| info.thread_safe == ThreadSafe::Calls) {
        return;
    }
    let counts =
        |index| types.handles.iter().filter_map(|handle| handle.retain).any(|it| it.function == index);
    for (index, (described, lowered)) in document.functions.iter().zip(functions).enumerate() {
        // A function that counts an owner cannot be called.
        if counts(index) {
            continue;
        }
        let (Some(name), Some(function)) = (&described.name, lowered) else { continue };
        let fetched = function.params.iter().filter_map(|param| match &param.passing {
            Passing::Fetched(form) => Some((&*param.key, form)),
            _ => None,
        });
        let returned = function.returned.as_ref().map(|returned| ("the return value", &returned.form));
        let items =
            function.params.iter().filter_map(|param| Some((&*param.key, param.passing.handle_items()?)));
        let returned_items = function
            .returned
            .as_ref()
            .and_then(|returned| Some(("the return value", returned.form.handle_items()?)));
        let lent = fetched.chain(returned).filter_map(|(key, form)| match form {
            Form::Handle { held: Held { free: None, .. }, parents, .. } => Some((key, parents)),
            _ => None,
        });
        let lent_items = items
            .chain(returned_items)
            .filter(|(_, items)| items.free.is_none())
            .map(|(key, items)| (key, &items.parents));
        for (key, parents) in lent.chain(lent_items) {
            if parents.is_empty() {
                findings.report(
                    Rule::LentToAllThreads,
                    name.span,
                    format!(
                        "`{}` lends a handle ({key}) that lives in no other, so that two threads can get it and use it \
                         at the same time; \"x-threadSafe\": true allows that of different handles alone",
                        name.value
                    ),
                    "write \"x-threadSafe\": \"handles\" if calls with the same handle may run at the same time, \
                     `x-parent` if the handle lives in another, or leave `x-threadSafe` out",
                );
            }
        }
    }
}

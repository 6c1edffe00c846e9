//! `x-takes`: handles that are C's after the call, for good or in another handle.

use super::meaning::{Form, Function, HandleRole, Param, Passing, ReturnRole};
use super::site::Site;
use crate::diagnostic::Findings;
use crate::document::{Document, Keys};
use crate::plan::{Types, When};
use crate::rule::Rule;
use crate::span::Span;

/// What a call does with a handle that has `x-takes`. Whether `into` is a handle is checked when all parameters are
/// known, and whether the call can fail when all functions are.
pub(super) fn role(keys: &Keys, site: &Site<'_>) -> Option<HandleRole> {
    let takes = &keys.takes.as_ref()?.value;
    let into = match &takes.into {
        Some(name) => Some(site.parameter("x-takes", name)?),
        None => None,
    };
    Some(HandleRole::Taken { into, on_success: takes.on_success.is_some(), depends: false })
}

/// Checks that `x-takes` names another handle, which the call uses and does not free.
pub(super) fn check(params: &[Param], keys: &[Keys], findings: &Findings) -> Option<()> {
    let mut whole = true;
    for (index, (param, keys)) in params.iter().zip(keys).enumerate() {
        let Passing::Handle { role: HandleRole::Taken { into, .. }, .. } = param.passing else { continue };
        let Some(takes) = &keys.takes else { continue };
        if let (Some(into), Some(name)) = (into, &takes.value.into) {
            let is_handle = matches!(
                params[into].passing,
                Passing::Handle { role: HandleRole::Borrowed | HandleRole::Ending, .. }
            );
            if into == index || !is_handle || !params[into].required {
                findings.report(
                    Rule::Takes,
                    name.span,
                    format!(
                        "`x-takes` names `{}`, which is not another required handle that outlives the call",
                        name.value
                    ),
                    "name an input with `x-handle` and \"required\": true that the function does not free, or write true",
                );
                whole = false;
            }
        }
    }
    whole.then_some(())
}

/// Finds out which handles may depend on others when C takes them, and reports those that C takes only if the call
/// succeeds although it cannot fail.
pub(super) fn assign(
    document: &Document,
    functions: &mut [Option<Function>],
    types: &Types,
    findings: &Findings,
) {
    let dependent = dependent(functions, types);
    for (declared, function) in document.functions.iter().zip(functions) {
        let Some(function) = function else { continue };
        let fails = function.fail.is_some() || function.fails_with_null().is_some();
        let handles: Vec<usize> =
            function.params.iter().filter_map(|param| handle_of(&param.passing)).collect();
        let mut refusals = Vec::new();
        for (param, declared) in function.params.iter().zip(&declared.parameters) {
            let on = declared.keys.takes.as_ref().and_then(|takes| takes.value.on_success);
            if let (Some(_), false, Some(span)) = (param.taken, fails, on) {
                cannot_fail(span, findings);
            }
        }
        for (param, declared) in function.params.iter_mut().zip(&declared.parameters) {
            let Passing::Handle { handle, role: HandleRole::Taken { into, on_success, depends } } =
                &mut param.passing
            else {
                continue;
            };
            let on = declared.keys.takes.as_ref().and_then(|takes| takes.value.on_success);
            if let (true, false, Some(span)) = (*on_success, fails, on) {
                cannot_fail(span, findings);
            }
            // Two owners of one object could put it into itself.
            let is_counted = types.handles[*handle].retain.is_some();
            let meets_itself = is_counted && handles.iter().filter(|of| *of == handle).count() > 1;
            *depends = dependent[*handle] || meets_itself;
            if into.is_none() && dependent[*handle] {
                refusals.push(format!(
                    "C takes `{}` for good (`x-takes`), but such a handle may depend on another one, which is freed one day",
                    param.key
                ));
            }
        }
        if !refusals.is_empty() {
            refusals.splice(0..0, function.refusal.take());
            function.refusal = Some(refusals.join("; "));
        }
    }
}

fn cannot_fail(on: Span, findings: &Findings) {
    findings.report(
        Rule::Takes,
        on,
        "`on` is \"success\", but the function reports no failure",
        "describe its failure with `x-code` or `x-error`, or remove `on`",
    );
}

/// For each type of handles, whether a caller may own one that must not outlive another handle.
fn dependent(functions: &[Option<Function>], types: &Types) -> Vec<bool> {
    let mut dependent = vec![false; types.handles.len()];
    for form in functions.iter().flatten().flat_map(Function::forms) {
        if let Form::Handle { handle, held, parents, .. } = form {
            dependent[*handle] |= held.free.is_some() && !parents.is_empty();
        }
    }
    // A handle that uses another one lives in it.
    for function in functions.iter().flatten() {
        for param in &function.params {
            if let (Passing::Handle { .. }, Some(kept)) = (&param.passing, param.kept)
                && let crate::plan::Keeper::Param(by) = kept.by
                && let Some(keeper) = handle_of(&function.params[by].passing)
            {
                dependent[keeper] = true;
            }
        }
    }
    dependent
}

fn handle_of(passing: &Passing) -> Option<usize> {
    match passing {
        Passing::Handle { handle, .. } => Some(*handle),
        _ => None,
    }
}

impl Function {
    /// Whether C takes the handle of the parameter at `index`.
    pub(super) fn is_taken(&self, index: usize) -> bool {
        matches!(self.params[index].passing, Passing::Handle { role: HandleRole::Taken { .. }, .. })
    }

    /// When a call without a failure of its own fails because it returns NULL: what it returns must not be.
    pub(super) fn fails_with_null(&self) -> Option<When> {
        let returned = self.returned.as_ref().filter(|returned| returned.role == ReturnRole::Result)?;
        let is_handle = matches!(&returned.form, Form::Handle { held, .. } if !held.nullable);
        (self.fail.is_none() && self.read.is_none() && is_handle).then_some(When::Null)
    }
}

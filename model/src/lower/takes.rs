//! `x-takes`: handles that are C's after the call, for good or in another handle.

use super::meaning::{Form, Function, Param, Passing, ReturnRole, Returned, Taking};
use super::site::Site;
use crate::diagnostic::Findings;
use crate::document::Keys;
use crate::plan::{Keeper, Place, Types, When};
use crate::rule::Rule;

/// How C takes a handle with these keys: `None` if it is wrong, `Some(None)` if C does not. Whether `into` is a handle is
/// checked when all values are known, and whether the call can fail when all functions are.
pub(super) fn of(keys: &Keys, site: &Site<'_>) -> Option<Option<Taking>> {
    let Some(takes) = &keys.takes else { return Some(None) };
    let into = match &takes.value.into {
        Some(name) if name.value == "return" => Some((Place::Returned, name.span)),
        Some(name) => Some((Place::Param(site.parameter("x-takes", name)?), name.span)),
        None => None,
    };
    Some(Some(Taking { into, on_success: takes.value.on_success, depends: false }))
}

/// Checks that `x-takes` names another handle, which the call uses and does not free, or the one that it returns; and that
/// the call takes all handles in the same case.
pub(super) fn check(params: &[Param], returned: Option<&Returned>, findings: &Findings) -> Option<()> {
    let mut whole = true;
    let mut first: Option<Taking> = None;
    for (index, param) in params.iter().enumerate() {
        let Some(taking) = param.passing.taking() else { continue };
        match taking.into {
            Some((Place::Param(into), span)) => {
                let is_handle = is_used(&params[into].passing);
                if into == index || !is_handle || !params[into].required {
                    findings.report(
                        Rule::Takes,
                        span,
                        format!(
                            "`x-takes` names `{}`, which is not another required handle that outlives the call",
                            params[into].key
                        ),
                        "name an input with `x-handle` and \"required\": true that the function does not free, or write true",
                    );
                    whole = false;
                }
            }
            Some((Place::Returned, span)) if !returned.is_some_and(is_owner) => {
                findings.report(
                    Rule::Takes,
                    span,
                    "`x-takes` names \"return\", but the function does not return a handle that the caller frees and that is never NULL",
                    "describe the return value with `x-handle` and `x-free`, and without `x-nullable`",
                );
                whole = false;
            }
            Some((Place::Returned, _)) | None => {}
        }
        let agrees = first.is_none_or(|first| first.on_success.is_some() == taking.on_success.is_some());
        if !agrees && let Some(on) = taking.on_success.or(first.and_then(|first| first.on_success)) {
            findings.report(
                Rule::Takes,
                on,
                "a call that fails has taken one handle and not the other: what becomes of both cannot be said",
                "write `on` in the `x-takes` of all handles of the function, or of none",
            );
            whole = false;
        }
        first = first.or(Some(taking));
    }
    whole.then_some(())
}

/// Whether the call uses a handle, and does not free it.
fn is_used(passing: &Passing) -> bool {
    matches!(passing, Passing::Handle { .. }) && !passing.is_given_up()
}

/// Whether the caller owns the returned handle.
fn is_owner(returned: &Returned) -> bool {
    returned.role == ReturnRole::Result
        && matches!(&returned.form, Form::Handle { held, .. } if held.free.is_some() && !held.nullable)
}

/// Finds out which handles may depend on others when C takes them, and reports those that C takes only if the call
/// succeeds although it cannot fail.
pub(super) fn assign(functions: &mut [Option<Function>], types: &Types, findings: &Findings) {
    let dependent = dependent(functions, types);
    for function in functions.iter_mut().flatten() {
        let fails = function.fail.is_some() || function.fails_with_null().is_some();
        let handles: Vec<usize> =
            function.params.iter().filter_map(|param| handle_of(&param.passing)).collect();
        let mut refusals = Vec::new();
        for param in &function.params {
            let of_memory = || param.taken.and_then(|taken| taken.on_success);
            let on = param.passing.taking().map_or_else(of_memory, |taking| taking.on_success);
            if let (false, Some(on)) = (fails, on) {
                findings.report(
                    Rule::Takes,
                    on,
                    "`on` is \"success\", but the function reports no failure",
                    "describe its failure with `x-code` or `x-error`, or remove `on`",
                );
            }
        }
        for param in &mut function.params {
            let Some(handle) = handle_of(&param.passing) else { continue };
            let Some(taking) = param.passing.taking_mut() else { continue };
            // Two owners of one object could put it into itself.
            let is_counted = types.handles[handle].retain.is_some();
            let meets_itself = is_counted && handles.iter().filter(|of| **of == handle).count() > 1;
            taking.depends = dependent[handle] || meets_itself;
            if taking.into.is_none() && dependent[handle] {
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

/// For each type of handles, whether a caller may own one that must not outlive another handle.
fn dependent(functions: &[Option<Function>], types: &Types) -> Vec<bool> {
    let mut dependent = vec![false; types.handles.len()];
    for form in functions.iter().flatten().flat_map(Function::forms) {
        if let Form::Handle { handle, held, parents, .. } = form {
            dependent[*handle] |= held.free.is_some() && !parents.is_empty();
        }
    }
    // Owned handles of an array.
    let of_params = functions.iter().flatten().flat_map(|function| &function.params);
    let of_params = of_params.filter_map(|param| param.passing.handle_items());
    let of_returns = functions.iter().flatten().filter_map(|function| function.returned.as_ref());
    let of_returns = of_returns.filter_map(|returned| returned.form.handle_items());
    for items in of_params.chain(of_returns) {
        dependent[items.handle] |= items.free.is_some() && !items.parents.is_empty();
    }
    // A handle that uses another one lives in it.
    for function in functions.iter().flatten() {
        for param in &function.params {
            if let (Passing::Handle { .. }, Some(kept)) = (&param.passing, param.kept)
                && let Keeper::Param(by) = kept.by
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
        Passing::Handles { items, .. } => Some(items.handle),
        _ => None,
    }
}

impl Function {
    /// Whether C takes the handle of the parameter at `index`, or the handles of its array.
    pub(super) fn is_taken(&self, index: usize) -> bool {
        self.params[index].passing.taking().is_some()
    }

    /// When a call without a failure of its own fails because it returns NULL: what it returns must not be.
    pub(super) fn fails_with_null(&self) -> Option<When> {
        let returned = self.returned.as_ref().filter(|returned| returned.role == ReturnRole::Result)?;
        let is_handle = matches!(&returned.form, Form::Handle { held, .. } if !held.nullable);
        (self.fail.is_none() && self.read.is_none() && is_handle).then_some(When::Null)
    }
}

//! `x-retain`: handles of which C counts the owners.

use super::meaning::{Form, Function, HandleRole, Passing};
use super::site::Names;
use crate::diagnostic::Findings;
use crate::plan::{Retain, Types};
use crate::rule::Rule;
use crate::span::Spanned;

/// Sets how handles get one more owner. JSON callers have tokens for that, and would never give the owner up.
pub(super) fn assign(
    retains: &[(usize, Spanned<String>)],
    functions: &mut [Option<Function>],
    names: &Names<'_>,
    types: &mut Types,
    (whole, findings): (bool, &Findings),
) {
    for (position, (handle, name)) in retains.iter().enumerate() {
        // Every value of the type may carry the key.
        if let Some((_, first)) = retains[..position].iter().find(|(other, _)| other == handle) {
            if first.value != name.value {
                findings.report(
                    Rule::MisusedKey,
                    name.span,
                    format!(
                        "`x-retain` of `{}` already names {:?}",
                        types.handles[*handle].name, first.value
                    ),
                    "name one function for all handles of the type, best in a schema of `schemas`",
                );
            }
            continue;
        }
        let Some(target) = names.functions.get(name.value.as_str()).copied() else {
            findings.report(
                Rule::LinkedFunction,
                name.span,
                format!("`x-retain` names {:?}, which is not a function of the document", name.value),
                "add this function to `functions`, or correct the name",
            );
            continue;
        };
        let Some(function) = &functions[target] else { continue };
        if let Some((problem, help)) = unfit(function, *handle) {
            findings.report(
                Rule::LinkedFunction,
                name.span,
                format!("`{}` does not fit here: {problem}", function.name),
                help,
            );
            continue;
        }
        if ends(functions, *handle) {
            findings.report(
                Rule::MisusedKey,
                name.span,
                "`x-retain` does not apply to this handle: a function ends what is borrowed from it (`x-validUntil`), and \
                 would end it for all owners",
                "remove `x-retain`, or `x-validUntil` from the handles whose parent it is",
            );
            continue;
        }
        let reason = format!(
            "it counts one more owner of `{}` (`x-retain`), whom no token would stand for",
            types.handles[*handle].name
        );
        if let Some(function) = &mut functions[target] {
            function.refusal.get_or_insert(reason);
        }
        let Some(free) = freed_by(functions, *handle, types) else {
            // Otherwise a function with errors, or one that was not read, may give the handle.
            if whole {
                findings.report(
                    Rule::LinkedFunction,
                    name.span,
                    "`x-retain` needs one `x-free`, without further arguments, for all handles of the type: it frees the \
                     clones",
                    "name the same function as `x-free` wherever an owned handle of the type is given",
                );
            }
            continue;
        };
        types.handles[*handle].retain = Some(Retain { function: target, free });
    }
}

/// Why a function does not count one more owner of a handle, if it does not.
fn unfit(function: &Function, handle: usize) -> Option<(String, &'static str)> {
    if !function.is_required() {
        return Some((
            "it is optional, so the library may lack it".to_owned(),
            "name a function that is not optional",
        ));
    }
    let takes = match function.params.as_slice() {
        [param] => {
            param.required
                && param.kept.is_none()
                && matches!(&param.passing, Passing::Handle { handle: taken, role: HandleRole::Borrowed } if *taken == handle)
        }
        _ => false,
    };
    if !takes || function.read.is_some() {
        return Some((
            "it does not take such a handle, and nothing else".to_owned(),
            "name a function whose only parameter is a required handle of this type, which it does not free",
        ));
    }
    let returns = function.returned.as_ref().map(|returned| &returned.form);
    let same = match returns {
        None => true,
        Some(Form::Handle { handle: given, .. }) => *given == handle,
        Some(_) => false,
    };
    (!same || function.has_error).then(|| {
        (
            "it returns something else than the handle".to_owned(),
            "name a function that cannot fail, and returns nothing or the same pointer",
        )
    })
}

/// Whether a call ends what is borrowed from handles of this type.
fn ends(functions: &[Option<Function>], handle: usize) -> bool {
    functions.iter().flatten().flat_map(|function| &function.params).any(|param| {
        matches!(&param.passing, Passing::Handle { handle: of, role: HandleRole::Ending } if *of == handle)
    })
}

/// The only way to free handles of this type, if it takes the pointer alone.
fn freed_by(functions: &[Option<Function>], handle: usize, types: &Types) -> Option<usize> {
    let forms = functions.iter().flatten().flat_map(Function::forms).filter_map(|form| match form {
        Form::Handle { handle: given, held, .. } if *given == handle => held.free,
        Form::Handles { items, .. } if items.handle == handle => items.free,
        _ => None,
    });
    let params = functions.iter().flatten().flat_map(|function| &function.params);
    let buffers = params.filter_map(|param| match &param.passing {
        Passing::Buffer { items: Some(items), .. } if items.handle == handle => items.free,
        _ => None,
    });
    let mut frees = forms.chain(buffers);
    let first = frees.next()?;
    let is_only = frees.all(|free| free == first) && types.frees[first].captures.is_empty();
    is_only.then_some(first)
}

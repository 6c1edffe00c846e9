//! `x-cancel`: the function that ends a running call from another thread. It is called with handles of the running call, or
//! with those that they live in.

use super::meaning::{Form, Function, HandleRole, Param, Passing};
use super::site::Names;
use crate::diagnostic::Findings;
use crate::document::Document;
use crate::plan::{Cancel, Through, Types};
use crate::rule::Rule;

/// Why a function cannot end calls, or a call cannot be ended, and what to do.
type Problem = (String, &'static str);

/// Sets how running calls are ended.
pub(super) fn assign(
    document: &Document,
    functions: &mut [Option<Function>],
    names: &Names<'_>,
    types: &Types,
    findings: &Findings,
) {
    // A document that was read for one function may lack those that say which handle lives in which.
    let whole = document.others.is_empty() && functions.iter().all(Option::is_some);
    for (index, described) in document.functions.iter().enumerate() {
        let Some(name) = &described.cancel else { continue };
        let Some(target) = names.functions.get(name.value.as_str()).copied() else {
            findings.report(
                Rule::Cancel,
                name.span,
                format!("`x-cancel` names {:?}, which is not a function of the document", name.value),
                "add this function to `functions`, or correct the name",
            );
            continue;
        };
        let (Some(function), Some(ending)) = (&functions[index], &functions[target]) else { continue };
        let cancelled = match ends(ending) {
            Err(problem) => Err((&ending.name, problem)),
            Ok(_) if index == target => Err((
                &ending.name,
                ("it is the function itself".to_owned(), "name the function that ends its calls"),
            )),
            Ok(handle) => match cancelled(function, handle, (functions, whole), types) {
                Ok(through) => Ok(Cancel { function: target, handle, through }),
                Err(problem) => Err((&function.name, problem)),
            },
        };
        match cancelled {
            Ok(cancel) => {
                if let Some(function) = &mut functions[index] {
                    function.cancel = Some(cancel);
                }
            }
            Err((name_of, (problem, help))) => findings.report(
                Rule::Cancel,
                name.span,
                format!("`{name_of}` does not fit here: {problem}"),
                help,
            ),
        }
    }
}

/// The type of the handle that a function takes to end the calls of; an error if it cannot end calls.
fn ends(function: &Function) -> Result<usize, Problem> {
    if !function.is_required() {
        return Err((
            "it is optional, so the library may lack it".to_owned(),
            "name a function that is not optional",
        ));
    }
    if function.read.is_some() {
        return Err((
            "it reads a member (`x-member`), and calls nothing".to_owned(),
            "name a function that the library has",
        ));
    }
    let handle = match function.params.as_slice() {
        [
            Param {
                required: true,
                kept: None,
                passing: Passing::Handle { handle, role: HandleRole::Borrowed },
                ..
            },
        ] => *handle,
        _ => {
            return Err((
                "it does not take one handle, and nothing else".to_owned(),
                "name a function whose only parameter is a required handle, which it does not free",
            ));
        }
    };
    let returned = function.returned.as_ref().map(|returned| &returned.form);
    if !matches!(returned, None | Some(Form::Value(_))) {
        return Err((
            "it returns something that nobody would have".to_owned(),
            "name a function that returns nothing, or a number",
        ));
    }
    Ok(handle)
}

/// The parameters that lead to the handle, of type `handle`, whose calls are ended.
fn cancelled(
    function: &Function,
    handle: usize,
    (functions, whole): (&[Option<Function>], bool),
    types: &Types,
) -> Result<Through, Problem> {
    let of = &types.handles[handle].name;
    if function.read.is_some() {
        return Err((
            "it reads a member (`x-member`), which takes no time".to_owned(),
            "remove `x-cancel` from it",
        ));
    }
    let handles = || {
        function.params.iter().enumerate().filter_map(|(index, param)| match &param.passing {
            Passing::Handle { handle, role } => Some((index, *handle, *role)),
            _ => None,
        })
    };
    let stays = |role: HandleRole| matches!(role, HandleRole::Borrowed | HandleRole::Ending);
    if let Some((index, ..)) = handles().find(|(_, taken, role)| *taken == handle && !stays(*role)) {
        let key = &function.params[index].key;
        return Err((
            format!("it frees or gives away `{key}`, which the other thread would still use"),
            "remove `x-cancel` from it: a call that frees the handle cannot be ended",
        ));
    }
    let direct: Vec<usize> =
        handles().filter(|(_, taken, _)| *taken == handle).map(|(index, ..)| index).collect();
    if !direct.is_empty() {
        return Ok(Through::Given(direct));
    }
    let lives_in = |taken: usize| !whole || ancestors(taken, functions).contains(&handle);
    let children: Vec<usize> = handles()
        .filter(|(_, taken, role)| stays(*role) && lives_in(*taken))
        .map(|(index, ..)| index)
        .collect();
    if children.is_empty() {
        return Err((
            format!("it takes no handle of the type `{of}`, nor one that lives in such a handle"),
            "write `x-cancel` on a function that does, or `x-parent` where the handle is given",
        ));
    }
    Ok(Through::Parents(children))
}

/// The types in which handles of a type can live, by way of others too.
fn ancestors(of: usize, functions: &[Option<Function>]) -> Vec<usize> {
    let (mut found, mut open) = (Vec::new(), vec![of]);
    while let Some(of) = open.pop() {
        for function in functions.iter().flatten() {
            for parent in parents(of, function) {
                if !found.contains(&parent) {
                    found.push(parent);
                    open.push(parent);
                }
            }
        }
    }
    found
}

/// The types of the handles in which those live that a function gives.
fn parents(of: usize, function: &Function) -> Vec<usize> {
    let forms = function.params.iter().filter_map(Param::fetched);
    let forms = forms.chain(function.returned.as_ref().map(|returned| &returned.form));
    let single = forms.filter_map(|form| match form {
        Form::Handle { handle, parents, .. } if *handle == of => Some(parents),
        _ => None,
    });
    let items = function.params.iter().filter_map(|param| param.passing.handle_items());
    let items = items.chain(function.returned.as_ref().and_then(|returned| returned.form.handle_items()));
    let lists = items.filter(|items| items.handle == of).map(|items| &items.parents);
    let given = single.chain(lists).flatten().copied();
    // A handle that C takes into another lives in that one.
    let taken = function.params.iter().filter_map(|param| match &param.passing {
        Passing::Handle { handle, role: HandleRole::Taken(taking) } if *handle == of => taking.param(),
        _ => None,
    });
    given
        .chain(taken)
        .filter_map(|parent| match &function.params.get(parent)?.passing {
            Passing::Handle { handle, .. } => Some(*handle),
            _ => None,
        })
        .collect()
}

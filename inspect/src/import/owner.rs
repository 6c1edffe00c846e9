//! Who frees a handle that C gives, and what it depends on.

use serde_json::{Value, json};

use super::contents;
use super::context::Context;
use super::described::Described;
use super::evidence::Evidence;
use super::function::Entry;
use super::names;
use super::ownership;
use super::question::Question;
use super::scalar::Object;
use super::schemas::{object, raw};
use super::seen;
use super::stated::RETURNS;
use crate::Transfer;

/// The question about a handle from C that depends on a parameter of which something is asked, too.
pub(super) fn unowned(described: &Described, entry: &Entry<'_>, context: &Context<'_>) -> Described {
    let c_type = described.schema().get("cType").cloned().unwrap_or_default();
    let handle = c_type["x-handle"].as_str().unwrap_or_default();
    let (words, mut answer) = likely(handle, entry, context);
    let mut keys = json!({ "schema": { "cType": c_type } });
    if c_type.get("x-pointerDepth").is_some() {
        keys["isIn"] = false.into();
    }
    answer.extend(object(keys.clone()));
    let text = format!("Who frees the `{handle}` that C gives?{words} Then");
    let question = answers(Question::new(text, answer), handle, &keys, entry, context);
    Described::undescribed(raw(), question)
}

/// Words the answers of a question about the owner of a handle. `keys` are those of every answer.
pub(super) fn answers(
    question: Question,
    handle: &str,
    keys: &Value,
    entry: &Entry<'_>,
    context: &Context<'_>,
) -> Question {
    let first = handles(entry, context).first().and_then(|index| entry.parameters.get(*index));
    let parent = question.suggested("x-parent").or(first.map(|(name, _)| name.as_str())).map(str::to_owned);
    let proven = context.frees.of(entry, None).map(|(free, _)| free.as_str());
    let candidates = context.frees.may_free(handle).iter().map(String::as_str);
    let mut frees: Vec<&str> = proven.into_iter().collect();
    candidates.for_each(|free| {
        if !frees.contains(&free) {
            frees.push(free);
        }
    });
    let with = |free: Option<&str>, parent: Option<&str>| {
        let mut changes = keys.clone();
        for (key, value) in [("x-free", free), ("x-parent", parent)] {
            if let Some(value) = value {
                changes[key] = value.into();
            }
        }
        let label = match (free, parent) {
            (None, None) => "nobody: it is never freed".to_owned(),
            (Some(free), None) => format!("the caller, with `{free}`"),
            (None, Some(parent)) => format!("nobody: it belongs to `{parent}`, and lives as long"),
            (Some(free), Some(parent)) => format!("the caller, with `{free}`, before `{parent}` is freed"),
        };
        (label, changes)
    };
    let frees = frees.iter().take(MOST_FREES);
    let mut ways: Vec<(String, Value)> = Vec::new();
    for free in frees {
        ways.push(with(Some(free), None));
        ways.extend(parent.iter().map(|parent| with(Some(free), Some(parent))));
    }
    ways.extend(parent.iter().map(|parent| with(None, Some(parent))));
    ways.push(with(None, None));
    // That nobody frees it is not likely where something may.
    let is_plain = question.suggested("x-free").or(question.suggested("x-parent")).is_none();
    let question = if is_plain && ways.len() > 1 { question.only_form() } else { question };
    question.worded(ways)
}

/// How many functions the answers about an owner name.
const MOST_FREES: usize = 3;

/// A handle from C, the result or the output `parameter`: who frees it, or what it belongs to, as far as proven.
/// What is made of another handle may depend on it, so that its owner alone does not tell how long it lives.
pub(super) fn owned(
    entry: &Entry<'_>,
    context: &Context<'_>,
    parameter: Option<&str>,
    described: Described,
) -> Option<Described> {
    let parents = handles(entry, context);
    let owner = parents.iter().find_map(|index| {
        let of = &entry.signature.parameters[*index];
        let name = of.name.as_deref()?;
        let same = || {
            let is_alike = described.schema().get("cType")?.get("x-handle")?.as_str()
                == context.handle_of(of.of).as_ref().map(|(handle, _)| handle.as_str());
            // With one more owner, it lives on by itself.
            let counts = entry.said.mentions(&["reference", "references", "refcount", "ref count"]);
            entry.said.returns_same(name).filter(|_| is_alike && parents.len() == 1 && !counts)
        };
        Some((entry.parameters.get(*index)?.0.clone(), entry.said.owned_by(name).or_else(same)?))
    });
    match (context.frees.of(entry, parameter), owner) {
        (Some((free, evidence)), None)
            if parents.is_empty() || parameter.is_none() && is_made_of_alike(entry, context, &parents) =>
        {
            return Some(described.key("x-free", free.as_str(), evidence.clone()));
        }
        (None, Some((parent, evidence))) => return Some(described.key("x-parent", parent, evidence)),
        _ => {}
    }
    if parameter.is_none()
        && let Some(owned) = seen(entry, context, &parents, &described)
    {
        return Some(owned);
    }
    // What is stated to be owned stands on its own; what C lends belongs to something, unless there is nothing.
    let position = match parameter {
        Some(name) => entry.signature.parameters.iter().position(|of| of.name.as_deref() == Some(name))? + 1,
        None => RETURNS,
    };
    let stated = entry.transfer(position).or_else(|| {
        let says = entry.said.returns_reference().filter(|_| position == RETURNS && parents.is_empty());
        says.map(|says| (Transfer::Full, says))
    });
    match stated? {
        (Transfer::Full | Transfer::Container, says) => {
            let handle = described.schema().get("cType")?.get("x-handle")?.as_str()?.to_owned();
            let given =
                context.frees.of(entry, parameter).map(|(free, of)| (free.as_str().into(), of.clone()));
            let (free, evidence): (Value, Evidence) =
                given.or_else(|| context.frees.of_handle(&handle, context))?;
            let what = described.fact("the caller owns it", says);
            Some(what.key("x-free", free, evidence))
        }
        (Transfer::None, says) => {
            let floats = entry.states_floating().filter(|_| position == RETURNS);
            let floats = floats.or_else(|| entry.said.returns_floating().filter(|_| position == RETURNS));
            if let Some(says) = floats {
                return Some(Described::bare(raw()).fact("nobody owns it yet, for unsafe code", says));
            }
            if parents.is_empty() && entry.said.returns_new() {
                return None;
            }
            // What belongs to something else lives as long, but nothing says what that is.
            Some(Described::bare(raw()).fact("C owns it, for unsafe code", says))
        }
    }
}

/// Whether all handles of a function are of the type that it returns, none of them may be changed, and the documentation does not
/// speak of anything that they share: then what the caller has to free depends on none of them.
fn is_made_of_alike(entry: &Entry<'_>, context: &Context<'_>, parents: &[usize]) -> bool {
    let given = context.handle_of(entry.signature.returns);
    let is_alike = |index: &usize| {
        let of = entry.signature.parameters[*index].of;
        context.handle_of(of) == given && context.pointee(of).is_some_and(|(_, is_constant)| is_constant)
    };
    let words = names::words(&entry.name);
    let is_view =
        words.iter().any(|word| word.contains("view") || word.starts_with("sub") || word.contains("share"));
    given.is_some() && parents.iter().all(is_alike) && !entry.said.speaks_of_sharing() && !is_view
}

/// A returned handle of which the code proves whose it is: nobody's, if it is part of the library; that of the handle through
/// which it was read, if the function changes nothing; the caller's, if it is new, and one function frees such handles.
fn seen(
    entry: &Entry<'_>,
    context: &Context<'_>,
    parents: &[usize],
    described: &Described,
) -> Option<Described> {
    let returned = context.seen.returned(entry)?;
    let uses = |index: usize| context.seen.of(entry, context.types, index);
    let says = |text: &str| context.seen.says(text);
    if returned.is_null() {
        // What gives up a handle may return NULL in its place; what makes none here may make one elsewhere.
        let handle = described.schema().get("cType")?.get("x-handle")?.as_str()?;
        let is_alike = |index: &usize| {
            context.handle_of(entry.signature.parameters[*index].of).is_some_and(|(of, _)| of == handle)
        };
        let says = says("it always returns NULL");
        return parents.iter().any(is_alike).then(|| described.clone().fact("always NULL", says));
    }
    if returned.is_constant() {
        return Some(
            described.clone().fact("C owns it", says("it returns something that is part of the library")),
        );
    }
    let handle = described.schema().get("cType")?.get("x-handle")?.as_str()?;
    // What can be freed may be freed before that through which it was read.
    let is_never_freed = context.frees.may_free(handle).is_empty() && !context.frees.frees_any(handle);
    if let Some(place) = returned.is_read_through().filter(|_| is_never_freed) {
        let index = parents.iter().find(|index| seen::place(entry, context.types, **index) == Some(place))?;
        let (of, _) = context.handle_of(entry.signature.parameters[*index].of)?;
        // A neighbour, or what it is part of itself, belongs to something else, and so may what another type of handle gives, too.
        if of == handle || context.frees.has_several_givers(handle) {
            return None;
        }
        let is_unchanged =
            uses(*index).is_some_and(|of| of.is_unchanged()) && !context.frees.frees_inside(&of);
        let (parent, _) = entry.parameters.get(*index)?;
        let text = format!("it returns something that it read through `{parent}`, and changes nothing");
        return is_unchanged.then(|| described.clone().key("x-parent", parent.as_str(), says(&text)));
    }
    let (free, evidence) = context.frees.of_type(handle).filter(|_| returned.is_new())?;
    // Another function may be the one for what this function makes.
    if context.frees.may_free(handle).iter().any(|other| other != free) {
        return None;
    }
    let mut needs = Vec::new();
    for index in parents {
        let of = uses(*index)?;
        // What is copied from one object to another may be numbers, or pointers.
        let is_copied = of.may_be_copied_to_new()
            && contents::may_lead_on(context.types, entry.signature.parameters[*index].of);
        if of.is_kept_by_new() && !of.may_be_counted() {
            needs.push(entry.parameters.get(*index)?.0.as_str());
        } else if !of.is_not_kept() || is_copied {
            return None;
        }
    }
    let owned = described
        .clone()
        .fact("the caller owns it", says("it returns memory that it allocated, and keeps no pointer to it"));
    let owned = owned.key("x-free", free.as_str(), evidence.clone());
    match needs.as_slice() {
        [] => Some(owned),
        // What frees the new handle may free what it was made of: then C took it.
        _ if context.frees.frees_whole(handle) => None,
        [parent] => Some(owned.key("x-parent", *parent, says("it stores it in what it returns"))),
        _ => None,
    }
}

/// What proves that the returned handle needs what the parameter at `index` points to, and that nothing else does after the call:
/// then it belongs to it, and the caller still owns what it gave.
pub(super) fn needs(entry: &Entry<'_>, context: &Context<'_>, index: usize) -> Option<Evidence> {
    let (handle, false) = context.handle_of(entry.signature.returns)? else { return None };
    let seen = context.seen.of(entry, context.types, index)?;
    if !seen.is_kept_by_new_alone() {
        return None;
    }
    let says = context.handle_says(entry, entry.signature.returns);
    let result = Described::output(Context::handle_schema(&handle, 1), "the result", says);
    let (name, _) = entry.parameters.get(index)?;
    let owned = owned(entry, context, None, result)?;
    (owned.parent() == Some(name)).then(|| context.seen.says("it stores it only in what it returns"))
}

/// The words of a question about the owner of a handle, and the keys of its likely answer.
pub(super) fn likely(handle: &str, entry: &Entry<'_>, context: &Context<'_>) -> (String, Object) {
    // A parent is a handle that the function does not free.
    let is_parent = |index: &usize| {
        let name = entry.signature.parameters[*index].name.as_deref().unwrap_or_default();
        entry.said.may_be_null(name).is_none() && !ownership::may_release(&entry.name)
    };
    let parent =
        handles(entry, context).into_iter().find(is_parent).and_then(|index| entry.parameters.get(index));
    let proven = context.frees.of(entry, None).map(|(free, _)| free.as_str());
    let candidates = context.frees.may_free(handle);
    let likely = proven.or(candidates.first().map(String::as_str).filter(|free| {
        context.frees.proven(free).is_some()
            || ownership::is_named_after(free, handle)
            || candidates.len() == 1
    }));
    let mut words = String::new();
    if candidates.len() > 1 || likely.is_none() && !candidates.is_empty() {
        let listed: Vec<String> = candidates.iter().map(|name| format!("`{name}`")).collect();
        words.push_str(&format!(" These take one: {}.", listed.join(", ")));
    }
    words.push_str(" (\"x-free\" names what the caller calls to free it; \"x-parent\" the parameter that it needs to live.)");
    let mut answer = Object::new();
    if let Some(free) = likely {
        answer.insert("x-free".to_owned(), free.into());
    }
    if let Some((parent, _)) = parent {
        answer.insert("x-parent".to_owned(), parent.as_str().into());
    }
    (words, answer)
}

/// The handles that the function receives.
pub(super) fn handles(entry: &Entry<'_>, context: &Context<'_>) -> Vec<usize> {
    let parameters = entry.signature.parameters.iter().enumerate();
    parameters
        .filter(|(_, parameter)| context.handle_of(parameter.of).is_some_and(|(_, is_double)| !is_double))
        .map(|(index, _)| index)
        .collect()
}

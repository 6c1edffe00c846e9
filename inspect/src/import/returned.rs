//! Describes what a function returns.

use serde_json::{Value, json};

use super::context::{Context, Pointee};
use super::described::Described;
use super::evidence::Evidence;
use super::function::Entry;
use super::question::Question;
use super::scalar::{Object, Scalar, peel};
use super::schemas::{object, raw, reference};
use super::stated::RETURNS;
use crate::{AttributeKind, Count, Direction, Transfer, Type, TypeId};

/// Describes the return value, `None` for `void`; or says why it cannot be described.
pub(super) fn describe(entry: &Entry<'_>, context: &Context<'_>) -> Result<Option<Described>, String> {
    let id = entry.signature.returns;
    if matches!(peel(context.types, id).of, Type::Void) {
        return Ok(None);
    }
    let says = context.spelling(entry, id);
    let Some((pointee, constant)) = context.pointee(id) else {
        return context
            .by_value(id)
            .map(|schema| Some(Described::output(schema, "by value", says)))
            .map_err(|what| format!("{what} by value"));
    };
    let described = match pointee {
        Pointee::Handle(handle) => self::handle(&handle, id, entry, context),
        Pointee::Fields(name) => {
            if let Type::Pointer { to, .. } = peel(context.types, id).of {
                context.write_schema(&name, *to);
            }
            let lent = entry.gir_transfer(RETURNS).filter(|(transfer, _)| *transfer == Transfer::None);
            if constant {
                let says = Evidence::qualifier(format!("`{}`", context.types.spelling(id)), entry.function);
                Described::output(reference(&name, None), &format!("one `{name}`, which is copied"), says)
            } else if let (Some((_, owner)), Some(says)) = (lent, entry.states_one(RETURNS)) {
                let what = format!("one `{name}`, which is copied");
                Described::output(reference(&name, None), &what, says).fact("C owns it", owner)
            } else {
                let text = format!(
                    "Is the returned `{name}` to be copied? (If the caller frees it, write \"x-free\" too; for a pointer that \
                     only C may make, in `cType` \"x-handle\".) Then"
                );
                let answer = json!({ "schema": { "$ref": format!("#/schemas/{name}") } });
                let question =
                    Question::new(text, object(answer)).likely("yes, and the caller does not free it");
                Described::undescribed(raw(), question)
            }
        }
        Pointee::Scalar(scalar) if entry.states_length(RETURNS).is_some() => {
            counted(scalar, entry, context).unwrap_or_else(|| numbers(scalar))
        }
        Pointee::Scalar(scalar) if scalar.is_char() && constant => {
            Described::output(string(scalar), "a string, which is copied", says)
        }
        Pointee::Scalar(scalar) if scalar.is_char() => text(scalar, entry, context),
        Pointee::Scalar(scalar) => numbers(scalar),
        Pointee::Pointer { to, aliases, .. } => match context.target_of(to, &aliases) {
            Pointee::Scalar(scalar) if scalar.is_char() => texts(scalar, entry),
            _ => Described::bare(raw()),
        },
        Pointee::Void => Described::undescribed(
            raw(),
            Question::open(
                "What does the returned pointer point to? A handle: in `cType` write \"x-handle\" with the name of its \
                 type. Bytes: write \"x-length\" and in `schema` \"type\": \"string\", \"x-encoding\": \"base64\". \
                 Otherwise it stays a `void*`.",
            ),
        ),
        // A pointer that Rust gets as it is, and JSON does not get.
        Pointee::Function(_) | Pointee::State(_) | Pointee::Raw => Described::bare(raw()),
    };
    Ok(Some(described))
}

/// A returned handle, if it is proven who frees it, or what it belongs to; otherwise a pointer and a question.
fn handle(handle: &str, id: TypeId, entry: &Entry<'_>, context: &Context<'_>) -> Described {
    let says = context.handle_says(entry, id);
    let what = format!("x-handle: \"{handle}\"");
    let described = Described::output(Context::handle_schema(handle, 1), &what, says);
    if let Some(owned) = owned(entry, context, None, described) {
        return owned;
    }
    let (words, mut answer) = owner(handle, entry, context);
    let keys = json!({ "schema": { "cType": { "x-handle": handle } } });
    answer.extend(object(keys.clone()));
    let text = format!("Who frees the returned `{handle}`?{words} Then");
    let question = owners(Question::new(text, answer), handle, &keys, entry, context);
    // What a function makes of other handles may belong to them.
    let question = match handles(entry, context).is_empty() {
        true => {
            let of = context.types.spelling(id);
            question.grouped(format!("who frees a `{of}` that a function without handles returns"))
        }
        false => question,
    };
    Described::undescribed(raw(), question)
}

/// Words the answers of a question about the owner of a handle. `keys` are those of every answer.
pub(super) fn owners(
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
            entry.said.returns_same(name).filter(|_| is_alike && parents.len() == 1)
        };
        Some((entry.parameters.get(*index)?.0.clone(), entry.said.owned_by(name).or_else(same)?))
    });
    match (context.frees.of(entry, parameter), owner) {
        (Some((free, evidence)), None) if parents.is_empty() => {
            return Some(described.key("x-free", free.as_str(), evidence.clone()));
        }
        (None, Some((parent, evidence))) => return Some(described.key("x-parent", parent, evidence)),
        _ => {}
    }
    // What is stated to be owned stands on its own; what C lends belongs to something, unless there is nothing.
    let position = match parameter {
        Some(name) => entry.signature.parameters.iter().position(|of| of.name.as_deref() == Some(name))? + 1,
        None => RETURNS,
    };
    match entry.transfer(position)? {
        (Transfer::Full, says) => {
            let handle = described.schema().get("cType")?.get("x-handle")?.as_str()?.to_owned();
            let (free, evidence) =
                context.frees.of(entry, parameter).or_else(|| context.frees.of_type(&handle))?;
            let what = described.fact("the caller owns it", says);
            Some(what.key("x-free", free.as_str(), evidence.clone()))
        }
        (Transfer::None, says) if parents.is_empty() && !entry.said.returns_new() => {
            Some(described.fact("C owns it", says))
        }
        _ => None,
    }
}

/// The words of a question about the owner of a handle, and the keys of its likely answer.
pub(super) fn owner(handle: &str, entry: &Entry<'_>, context: &Context<'_>) -> (String, Object) {
    // A parent is a handle that the function does not free.
    let is_parent = |index: &usize| {
        let name = entry.signature.parameters[*index].name.as_deref().unwrap_or_default();
        entry.said.may_be_null(name).is_none() && !super::ownership::may_release(&entry.name)
    };
    let parent =
        handles(entry, context).into_iter().find(is_parent).and_then(|index| entry.parameters.get(index));
    let proven = context.frees.of(entry, None).map(|(free, _)| free.as_str());
    let candidates = context.frees.may_free(handle);
    let likely = proven.or(candidates.first().map(String::as_str).filter(|free| {
        context.frees.proven(free).is_some()
            || super::ownership::is_named_after(free, handle)
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
fn handles(entry: &Entry<'_>, context: &Context<'_>) -> Vec<usize> {
    let parameters = entry.signature.parameters.iter().enumerate();
    parameters
        .filter(|(_, parameter)| context.handle_of(parameter.of).is_some_and(|(_, is_double)| !is_double))
        .map(|(index, _)| index)
        .collect()
}

fn string(scalar: Scalar) -> Object {
    object(json!({ "type": "string", "cType": scalar.c_type(true) }))
}

/// `char*` that the caller may have to free.
fn text(scalar: Scalar, entry: &Entry<'_>, context: &Context<'_>) -> Described {
    if let Some((free, evidence)) = context.frees.of_memory(entry) {
        let says = context.spelling(entry, entry.signature.returns);
        return Described::output(string(scalar), "a string, which is copied", says)
            .key("x-free", free, evidence);
    }
    if let (Some(says), Some((transfer, owner))) = (entry.states_text(RETURNS), entry.gir_transfer(RETURNS)) {
        let described = Described::output(string(scalar), "a string, which is copied", says);
        return match transfer {
            Transfer::None => described.fact("C owns it", owner),
            _ => described.key("x-free", context.frees.symbol("g_free"), owner),
        };
    }
    let undescribed = object(json!({ "type": "array", "cType": scalar.c_type(true) }));
    let mut answer = object(json!({ "schema": { "type": "string" } }));
    let question = match context.frees.may_free_any() {
        Some(free) => {
            answer.insert("x-free".to_owned(), free.into());
            let text = format!(
                "Is the result a text, and does `{free}` free it? (Without \"x-free\" it is only copied.) Then"
            );
            Question::new(text, answer)
                .likely(format!("a text, which `{free}` frees"))
                .or("a text, which the caller does not free", json!({ "schema": { "type": "string" } }))
        }
        None => {
            let text = "Is the result a text that the caller does not free? (If the caller frees it, write \"x-free\" with the name \
                        of the function.) Then";
            Question::new(text, answer).likely("yes, a text, which the caller does not free").or(
                "a text, which `free` of the C library frees",
                json!({ "x-free": { "symbol": "free" }, "schema": { "type": "string" } }),
            )
        }
    };
    Described::undescribed(undescribed, question)
}

/// A returned array whose length is stated.
fn counted(scalar: Scalar, entry: &Entry<'_>, context: &Context<'_>) -> Option<Described> {
    let ((count, is_bytes), says) = entry.states_length(RETURNS)?;
    // Its integers are outputs of the same call, or arguments.
    let is_usable = match count {
        Count::Parameter(position) => {
            let parameter = entry.signature.parameters.get(position.checked_sub(1)?)?;
            let is_out = || {
                let direction = entry.stated(|of| match of {
                    AttributeKind::Access { direction, pointer, .. } if *pointer == position => {
                        Some(*direction)
                    }
                    _ => None,
                });
                direction.is_some_and(|(direction, _)| direction == Direction::Out)
            };
            match context.pointee(parameter.of) {
                None => matches!(context.types.resolve(parameter.of), Type::Integer(_)),
                Some((Pointee::Scalar(of), false)) => of.json == "integer" && !of.is_byte() && is_out(),
                _ => false,
            }
        }
        Count::Constant(count) => count > 0,
        Count::Terminated => !scalar.is_byte(),
    };
    let length = entry.x_length(count).filter(|_| is_usable && !(is_bytes && !scalar.is_byte()))?;
    let (transfer, owner) = entry.gir_transfer(RETURNS)?;
    let schema = match scalar.is_byte() {
        true => object(json!({ "type": "string", "x-encoding": "base64", "cType": scalar.c_type(true) })),
        false => object(json!({ "type": "array", "cType": scalar.c_type(true) })),
    };
    let described =
        Described::output(schema, "an array, which is copied", says.clone()).key("x-length", length, says);
    Some(match transfer {
        Transfer::None => described.fact("C owns it", owner),
        _ => described.key("x-free", context.frees.symbol("g_free"), owner),
    })
}

/// A returned array of strings, if its end and its owner are stated.
fn texts(scalar: Scalar, entry: &Entry<'_>) -> Described {
    let (Some(((Count::Terminated, _), says)), Some(text), Some((transfer, owner))) =
        (entry.states_length(RETURNS), entry.states_text(RETURNS), entry.gir_transfer(RETURNS))
    else {
        return Described::bare(raw());
    };
    let mut c_type = scalar.c_type(true);
    c_type["x-pointerDepth"] = 2.into();
    let schema = object(json!({ "type": "array", "cType": c_type }));
    let described = Described::output(schema, "an array of strings, which are copied", text).key(
        "x-length",
        json!({ "terminated": true }),
        says,
    );
    match transfer {
        Transfer::None => described.fact("C owns it", owner),
        Transfer::Container => described.key("x-free", json!({ "symbol": "g_free" }), owner),
        Transfer::Full => described.key("x-free", json!({ "symbol": "g_strfreev" }), owner),
    }
}

fn numbers(scalar: Scalar) -> Described {
    let schema = object(json!({ "type": "array", "cType": scalar.c_type(true) }));
    let answer = json!({ "schema": { "type": scalar.json } });
    let text = "How many values does the returned pointer point to? For several write \"x-length\": { \"const\": 16 } with the \
                right number, or with the name of the parameter that has it. For one,";
    let question = Question::new(text, object(answer)).likely("one, which the caller does not free");
    Described::undescribed(schema, question)
}

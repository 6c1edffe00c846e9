//! Functions that leave a `GError`, as GIR files say: how they fail, and with which text.

use serde_json::{Value, json};

use super::context::{Context, Pointee};
use super::described::Described;
use super::evidence::Evidence;
use super::function::Entry;
use super::scalar::{Object, peel};
use super::schemas::{object, reference};
use super::site::Site;
use super::stated::RETURNS;
use crate::{AttributeKind, Direction, Type, TypeId};

/// The functions of the document that read the members of an error.
const MEMBERS: [(&str, &str, &str); 2] = [
    ("g_error_get_code", "code", "The code of an error, in its domain."),
    ("g_error_get_message", "message", "The text of an error."),
];

/// What states that the last parameter is a `GError**`.
fn says(entry: &Entry<'_>) -> Option<Evidence> {
    entry.stated(|of| (*of == AttributeKind::Throws).then_some(())).map(|(_, says)| says)
}

/// The handle behind the last parameter, and the type that it points to.
fn thrown(entry: &Entry<'_>, context: &Context<'_>) -> Option<(String, TypeId)> {
    let last = entry.signature.parameters.last()?;
    let Some((Pointee::Pointer { to, aliases, .. }, false)) = context.pointee(last.of) else { return None };
    match context.target_of(to, &aliases) {
        Pointee::Handle(handle) => Some((handle, to)),
        _ => None,
    }
}

/// The last parameter of a function that leaves an error there.
pub(super) fn parameter(site: &Site<'_, '_>) -> Option<Described> {
    let (entry, context) = (site.entry, site.context);
    if site.position() != entry.signature.parameters.len() {
        return None;
    }
    let says = says(entry)?;
    let (handle, _) = thrown(entry, context)?;
    let (free, evidence) = context.frees.of_handle(&handle, context)?;
    let described = Described::output(Context::handle_schema(&handle, 2), "the error", says.clone())
        .directed(Direction::Out, says.clone())
        .key("x-free", free, evidence)
        .key("x-nullable", true, says);
    Some(described)
}

/// How a function fails: with a NULL that is no result, or with a false that the documentation calls a failure.
pub(super) fn error(entry: &Entry<'_>, context: &Context<'_>) -> Option<(Object, Evidence)> {
    let says = says(entry)?;
    let (handle, _) = thrown(entry, context)?;
    context.frees.of_handle(&handle, context)?;
    let returned = entry.signature.returns;
    let is_integer = matches!(peel(context.types, returned).of, Type::Integer(_));
    let (when, says) = if context.pointee(returned).is_some() {
        entry.states_null(RETURNS).is_none().then_some(("null", says))?
    } else if is_integer {
        ("zero", entry.said.fails_with_false()?)
    } else {
        return None;
    };
    let (name, _) = entry.parameters.last()?;
    let call = |function: &str| json!({ "call": function, "args": [name] });
    let error = json!({ "when": when, "code": call(MEMBERS[0].0), "text": call(MEMBERS[1].0) });
    Some((object(error), says))
}

/// The functions that read an error, if one of `entries` has one that they can read.
pub(super) fn members(entries: &[Entry<'_>], context: &Context<'_>) -> Vec<Value> {
    let Some((handle, to)) = entries
        .iter()
        .filter(|entry| error(entry, context).is_some())
        .find_map(|entry| thrown(entry, context))
    else {
        return Vec::new();
    };
    let Some(mut properties) = context.properties(to) else { return Vec::new() };
    // What GLib says of every error: its message is a text.
    if let Some(message) = properties.get_mut(MEMBERS[1].1) {
        message["type"] = "string".into();
    }
    let mut schema = Context::handle_schema(&handle, 1);
    schema.insert("properties".to_owned(), properties.clone().into());
    context.schemas.borrow_mut().put(&handle, schema);
    let read = |(name, member, description): &(&str, &str, &str)| {
        let schema = properties.get(*member)?.clone();
        let parameter = reference(&handle, None);
        Some(json!({
            "name": name,
            "description": description,
            "x-member": member,
            "parameters": [{ "name": "error", "schema": parameter, "isIn": true, "required": true }],
            "return": { "name": member, "schema": schema }
        }))
    };
    MEMBERS.iter().filter_map(read).collect()
}

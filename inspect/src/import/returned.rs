//! Describes what a function returns.

use serde_json::json;

use super::context::{Context, Pointee, is_free};
use super::function::{Described, Entry};
use super::names::words;
use super::question::Question;
use super::scalar::{Scalar, peel};
use super::schemas::{object, raw, reference};
use crate::Type;

/// Describes the return value, `None` for `void`; or says why it cannot be described.
pub(super) fn describe(entry: &Entry<'_>, context: &Context<'_>) -> Result<Option<Described>, String> {
    let id = entry.signature.returns;
    if matches!(peel(context.types, id).of, Type::Void) {
        return Ok(None);
    }
    let Some((pointee, constant)) = context.pointee(id) else {
        return context
            .by_value(id)
            .map(Described::output)
            .map(Some)
            .map_err(|what| format!("{what} by value"));
    };
    let described = match pointee {
        Pointee::Handle(handle) => {
            let described = Described::output(Context::handle_schema(&handle, 1));
            match parent(entry, context) {
                // A `const` result is not the caller's to free.
                Some(parent) if constant => described.key("x-parent", parent),
                None if constant => described,
                _ => owned(&handle, entry, context, described, "the returned handle"),
            }
        }
        Pointee::Fields(name) => {
            if let Type::Pointer { to, .. } = peel(context.types, id).of {
                context.write_schema(&name, *to);
            }
            Described::output(reference(&name, None))
        }
        Pointee::Scalar(scalar) if scalar.is_char() => text(scalar, constant, context),
        Pointee::Scalar(scalar) => numbers(scalar),
        Pointee::Void => Described::output(raw()).ask(Question::open(
            "What does the returned pointer point to? A handle: in `cType` write \"x-handle\" with the name of its type. \
             Bytes: write \"x-length\" and in `schema` \"type\": \"string\", \"x-encoding\": \"base64\". Otherwise it \
             stays a `void*`.",
        )),
        // A pointer that Rust gets as it is, and JSON does not get.
        Pointee::Function(_) | Pointee::State(_) | Pointee::Pointer { .. } | Pointee::Raw => {
            Described::output(raw())
        }
    };
    Ok(Some(described))
}

/// Names of functions that create what they return.
const MAKES: [&str; 9] = ["new", "create", "open", "init", "alloc", "dup", "make", "fdopen", "dopen"];

/// A handle from C: its parent, and who frees it. A function that creates one without receiving another
/// passes ownership to the caller; otherwise that is a question.
pub(super) fn owned(
    handle: &str,
    entry: &Entry<'_>,
    context: &Context<'_>,
    described: Described,
    shown: &str,
) -> Described {
    let described = match parent(entry, context) {
        Some(parent) => described.key("x-parent", parent),
        None => described,
    };
    let Some(free) = context.frees_of(handle).first() else { return described };
    let is_made = words(&entry.name).iter().any(|word| MAKES.iter().any(|make| word.ends_with(make)));
    let is_given = |id| context.handle_of(id).is_some_and(|(_, is_double)| !is_double);
    if is_made && !entry.signature.parameters.iter().any(|parameter| is_given(parameter.of)) {
        return described.key("x-free", free.as_str());
    }
    let text = format!("Does the caller own {shown}? If `{free}` frees it,");
    described.ask(Question::new(text, object(json!({ "x-free": free }))))
}

/// The parent of a result, as far as known: the first handle that the function receives.
pub(super) fn parent<'e>(entry: &'e Entry<'_>, context: &Context<'_>) -> Option<&'e str> {
    if is_free(&entry.name) {
        return None;
    }
    let position = entry
        .signature
        .parameters
        .iter()
        .position(|parameter| context.handle_of(parameter.of).is_some_and(|(_, is_double)| !is_double))?;
    entry.parameters.get(position).map(|(name, _)| name.as_str())
}

/// `char*`: a string, which is copied.
fn text(scalar: Scalar, is_constant: bool, context: &Context<'_>) -> Described {
    let described = Described::output(object(json!({ "type": "string", "cType": scalar.c_type(true) })));
    if is_constant {
        return described;
    }
    match context.frees_any() {
        Some(free) => described.ask(Question::new(
            format!("Does the caller own the returned text? If `{free}` frees it,"),
            object(json!({ "x-free": free })),
        )),
        None => described.ask(Question::open(
            "Does the caller own the returned text? Then write \"x-free\" with the name of the function that frees it.",
        )),
    }
}

fn numbers(scalar: Scalar) -> Described {
    let schema = object(json!({ "type": "array", "cType": scalar.c_type(true) }));
    let answer = json!({ "schema": { "type": scalar.json } });
    let text = "How many values does the returned pointer point to? For several write \"x-length\": { \"const\": 16 } with the \
                right number, or with the name of the parameter that has it. For one,";
    Described::output(schema).ask(Question::new(text, object(answer)))
}

//! Describes what a function returns.

use serde_json::json;

use super::context::{Context, Pointee};
use super::described::Described;
use super::evidence::Evidence;
use super::function::Entry;
use super::names::words;
use super::owner;
use super::question::Question;
use super::scalar::{Object, Scalar, peel};
use super::schemas::{object, raw, reference};
use super::stated::RETURNS;
use crate::{AttributeKind, Count, Direction, Transfer, Type, TypeId};

/// Words of the documentation about a text that the caller frees.
pub(super) const FREED_BY_CALLER: [&str; 7] = [
    "must be freed",
    "should be freed",
    "to be freed",
    "must free",
    "should free",
    "caller frees",
    "to free the",
];

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
            .map(|schema| {
                let what = Context::of_value(&schema);
                Some(Described::output(schema, what, says))
            })
            .map_err(|what| format!("{what} by value"));
    };
    if let Some(described) = introspected(&pointee, entry, context) {
        return Ok(Some(described));
    }
    let text_says = match pointee {
        Pointee::Scalar(scalar) => context.text_says(entry, id, scalar),
        _ => None,
    };
    let described = match pointee {
        Pointee::Handle(handle) => self::handle(&handle, id, entry, context),
        Pointee::Fields(name) => {
            if let Type::Pointer { to, .. } = peel(context.types, id).of {
                context.write_schema(&name, *to);
            }
            let lent = entry.gir_transfer(RETURNS).filter(|(transfer, _)| *transfer == Transfer::None);
            // Without documentation it may as well be the first of a table.
            if constant && entry.said.is_documented() && !may_be_several(entry, context) {
                let says = Evidence::qualifier(format!("`{}`", context.types.spelling(id)), entry.function);
                Described::output(reference(&name, None), &format!("one `{name}`, which is copied"), says)
            } else if let (Some((_, owner)), Some(says)) = (lent, entry.states_one(RETURNS)) {
                let what = format!("one `{name}`, which is copied");
                Described::output(reference(&name, None), &what, says).fact("C owns it", owner)
            } else {
                let text = format!(
                    "Is one `{name}` returned, and to be copied? (If the caller frees it, write \"x-free\" too; for a pointer that \
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
        Pointee::Scalar(scalar)
            if text_says.is_some()
                && constant
                && entry.states_text(RETURNS).is_none()
                && may_be_bytes(entry, context) =>
        {
            let schema = object(json!({ "type": "array", "cType": scalar.c_type(true) }));
            let answer = object(json!({ "schema": { "type": "string" } }));
            let text = "Is the result a text that ends with a NUL? (Bytes need \"x-length\" and in `schema` \"type\": \
                        \"string\", \"x-encoding\": \"base64\".) Then";
            let question = Question::new(text, answer).likely("yes, a text, which the caller does not free");
            Described::undescribed(schema, question)
        }
        // Whoever has to free it: `const` does not say.
        Pointee::Scalar(scalar)
            if text_says.is_some()
                && constant
                && !context.may_be_no_text(id)
                && !may_be_owned(entry, context)
                && !entry.said.mentions(&FREED_BY_CALLER) =>
        {
            Described::output(string(scalar), "a string, which is copied", text_says.unwrap_or(says))
        }
        Pointee::Scalar(scalar) => match text_says {
            Some(says) => text(scalar, says, entry, context),
            None => numbers(scalar),
        },
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

/// What a GIR file or an attribute says of results that no key describes: memory, any pointer, a list, a text of an argument that is changed
/// in place, and a struct that the caller owns. Only unsafe code can use them, and no answer would change that.
fn introspected(pointee: &Pointee<'_>, entry: &Entry<'_>, context: &Context<'_>) -> Option<Described> {
    let list = || Some(("a list, for unsafe code", entry.states_list(RETURNS)?));
    let (what, says) = match pointee {
        Pointee::Void => {
            let allocated = || entry.stated(|of| matches!(of, AttributeKind::AllocSize(_)).then_some(()));
            match entry.states_anything(RETURNS) {
                Some(says) => ("a pointer to anything", says),
                None => ("memory that is not initialized, for unsafe code", allocated()?.1),
            }
        }
        Pointee::Handle(_) | Pointee::Fields(_) | Pointee::State(_) | Pointee::Raw => list()?,
        Pointee::Scalar(scalar) if scalar.is_char() => {
            let changed =
                || (1..=entry.parameters.len()).find_map(|position| changed_text(position, entry, context));
            let schema = object(json!({ "type": "array", "cType": scalar.c_type(true) }));
            let is_constant = context.pointee(entry.signature.returns).is_some_and(|(_, constant)| constant);
            let says = changed().filter(|_| !is_constant && entry.states_text(RETURNS).is_some())?;
            return Some(
                Described::bare(schema).fact("a text that may be an argument's, for unsafe code", says),
            );
        }
        _ => return None,
    };
    Some(Described::bare(raw()).fact(what, says))
}

/// What says that C may change the text at `position` in place: it is lent, and not `const`.
fn changed_text(position: usize, entry: &Entry<'_>, context: &Context<'_>) -> Option<Evidence> {
    let parameter = entry.signature.parameters.get(position - 1)?;
    let is_changed =
        matches!(context.pointee(parameter.of), Some((Pointee::Scalar(of), false)) if of.is_char());
    entry.states_lent(position).filter(|_| is_changed && entry.states_not_out(position).is_some())?;
    entry.states_text(position)
}

/// A returned handle, if it is proven who frees it, or what it belongs to; otherwise a pointer and a question.
fn handle(handle: &str, id: TypeId, entry: &Entry<'_>, context: &Context<'_>) -> Described {
    let says = context.handle_says(entry, id);
    let what = format!("x-handle: \"{handle}\"");
    let described = Described::output(Context::handle_schema(handle, 1), &what, says);
    if let Some(owned) = owner::owned(entry, context, None, described) {
        return owned;
    }
    let (words, mut answer) = owner::likely(handle, entry, context);
    let keys = json!({ "schema": { "cType": { "x-handle": handle } } });
    answer.extend(object(keys.clone()));
    let text = format!("Who frees the returned `{handle}`?{words} Then");
    let question = owner::answers(Question::new(text, answer), handle, &keys, entry, context);
    // What a function makes of other handles may belong to them.
    let question = match owner::handles(entry, context).is_empty() {
        true => {
            let of = context.types.spelling(id);
            question.grouped(format!("who frees a `{of}` that a function without handles returns"))
        }
        false => question,
    };
    Described::undescribed(raw(), question)
}

/// Whether a parameter may be the length of the result.
fn has_length(entry: &Entry<'_>, context: &Context<'_>) -> bool {
    entry.signature.parameters.iter().any(|parameter| {
        matches!(context.pointee(parameter.of), Some((Pointee::Scalar(scalar), false)) if !scalar.is_byte())
    })
}

/// Whether the caller may have to free a returned text although `const` says that nobody changes it: the code allocates it, or
/// the library has a function that frees such texts.
fn may_be_owned(entry: &Entry<'_>, context: &Context<'_>) -> bool {
    let returned = context.seen.returned(entry);
    returned.is_some_and(|of| of.is_new())
        || context.frees.may_free_text(&context.types.spelling(entry.signature.returns))
            && !returned.is_some_and(|of| of.is_old())
}

/// Words that speak of bytes.
const BYTES: [&str; 26] = [
    "blob",
    "body",
    "buf",
    "buffer",
    "bytes",
    "checksum",
    "chunk",
    "content",
    "contents",
    "data",
    "digest",
    "fingerprint",
    "hash",
    "image",
    "key",
    "mac",
    "mem",
    "memory",
    "nonce",
    "payload",
    "pixels",
    "raw",
    "salt",
    "seed",
    "sig",
    "signature",
];

/// Whether a name speaks of bytes.
pub(super) fn names_bytes(name: &str) -> bool {
    words(name).iter().any(|word| BYTES.contains(&word.as_str()))
}

/// Whether a returned `const char*` may have no NUL: C also gives a length, or a word speaks of bytes.
pub(super) fn may_be_bytes(entry: &Entry<'_>, context: &Context<'_>) -> bool {
    // `md_algo_name` is about a digest, and returns none.
    const TEXTS: [&str; 9] =
        ["description", "error", "message", "name", "path", "strerror", "string", "text", "version"];
    let words = words(&entry.name);
    has_length(entry, context)
        || has_length_function(&entry.function.name, context)
        || names_bytes(&entry.name) && !words.last().is_some_and(|word| TEXTS.contains(&word.as_str()))
        || entry.said.mentions(&["raw", "binary", "bytes"])
}

/// Whether another function returns the length of what this one returns: `result_value` and `result_length`.
fn has_length_function(name: &str, context: &Context<'_>) -> bool {
    const CONTENTS: [&str; 8] = ["body", "content", "contents", "data", "ptr", "string", "text", "value"];
    let stem = name.rsplit_once('_').filter(|(_, last)| CONTENTS.contains(last)).map(|(stem, _)| stem);
    stem.into_iter().chain([name]).any(|stem| {
        ["length", "len", "size"].iter().any(|end| context.has_function(&format!("{stem}_{end}")))
    })
}

/// Whether a returned struct may be the first of several.
fn may_be_several(entry: &Entry<'_>, context: &Context<'_>) -> bool {
    const SEVERAL: [&str; 6] = ["all", "array", "list", "table", "vector", "arrays"];
    let words = words(&entry.name);
    has_length(entry, context)
        || words.iter().any(|word| SEVERAL.contains(&word.as_str()) || word.ends_with("map"))
        || words.last().is_some_and(|word| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"))
        || entry.said.mentions(&["array", "list", "table", "terminated"])
}

fn string(scalar: Scalar) -> Object {
    object(json!({ "type": "string", "cType": scalar.c_type(true) }))
}

/// `char*` that the caller may have to free.
fn text(scalar: Scalar, says: Evidence, entry: &Entry<'_>, context: &Context<'_>) -> Described {
    if let Some((free, evidence)) = context.frees.of_memory(entry) {
        return Described::output(string(scalar), "a string, which is copied", says)
            .key("x-free", free, evidence);
    }
    if let (Some(says), Some((transfer, owner))) = (entry.states_text(RETURNS), entry.gir_transfer(RETURNS)) {
        let described = Described::output(string(scalar), "a string, which is copied", says);
        match transfer {
            Transfer::None => return described.fact("C owns it", owner),
            _ if entry.said.fits_owned_memory() => {
                return described.key("x-free", context.frees.symbol("g_free"), owner);
            }
            _ => {}
        }
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
    let length = entry.x_length(count).filter(|_| is_usable && (!is_bytes || scalar.is_byte()))?;
    let (transfer, owner) = entry.gir_transfer(RETURNS)?;
    if transfer != Transfer::None && !entry.said.fits_owned_memory() {
        return None;
    }
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
    if transfer != Transfer::None && !entry.said.fits_owned_memory() {
        let question = Question::open(
            "Who frees the returned array? Write in `schema` \"type\": \"array\", and as `cType` { \"type\": \"char\", \
             \"isPointer\": true, \"x-pointerDepth\": 2 }, here \"x-length\": { \"terminated\": true }, and \"x-free\": \
             { \"symbol\": \"g_strfreev\" } if the caller frees it with its strings.",
        );
        return Described::undescribed(raw(), question);
    }
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

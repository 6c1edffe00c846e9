//! Pointers to pointers: mostly results that a function returns through a parameter.

use serde_json::{Value, json};

use super::context::{Context, Pointee};
use super::described::Described;
use super::lengths::Length;
use super::owner;
use super::ownership;
use super::question::Question;
use super::returned::{FREED_BY_CALLER, may_be_bytes, names_bytes};
use super::scalar::{Scalar, peel};
use super::schemas::{object, raw, reference};
use super::site::Site;
use super::thrown;
use crate::{Count, Direction, Transfer, Type, TypeId};

/// Describes a `T**`. `constant` says whether the pointers are `const`, and whether their targets are.
pub(super) fn describe(
    to: TypeId,
    aliases: &[&str],
    [is_fixed, is_constant]: [bool; 2],
    site: &Site<'_, '_>,
) -> Described {
    if let Some(error) = thrown::parameter(site) {
        return error;
    }
    if site.only_frees() && site.context.handle_of(site.parameter().of).is_none() {
        return Described::bare(raw());
    }
    let is_array = is_fixed || site.may_be_several();
    match site.context.target_of(to, aliases) {
        Pointee::Handle(handle) if !is_array => given_handle(&handle, site),
        Pointee::Scalar(scalar) if scalar.is_byte() => texts(scalar, is_fixed, is_constant, site),
        Pointee::Fields(name) if !is_array => {
            site.context.write_schema(&name, to);
            let c_type = json!({ "type": "void", "isPointer": true, "x-pointerDepth": 2 });
            let answer = json!({ "isIn": false, "schema": reference(&name, Some(c_type)) });
            let text =
                format!("Does C leave a pointer to a `{name}` in `{}`? Then replace `schema`:", site.name());
            let question = Question::new(text, object(answer)).likely("yes, and the caller does not free it");
            Described::undescribed(raw(), question)
        }
        Pointee::Scalar(scalar) if !is_fixed => {
            let mut c_type = scalar.c_type(true);
            c_type["x-pointerDepth"] = 2.into();
            let answer = json!({
                "isIn": false, "x-length": { "const": 16 }, "schema": { "type": "array", "cType": c_type }
            });
            let text = format!(
                "Does C leave a pointer to an array in `{}`? Then, with the right length (a parameter's name, or a number),",
                site.name()
            );
            Described::undescribed(raw(), Question::new(text, object(answer)).only_form())
        }
        Pointee::Void | Pointee::State(_) if !is_fixed => Described::undescribed(
            raw(),
            Question::open(format!(
                "What does C leave in `{}`? A handle: write \"isIn\": false, and in `cType` \"x-pointerDepth\": 2 and \
             \"x-handle\" with the name of its type. Otherwise it stays a `void*` for unsafe code.",
                site.name()
            )),
        ),
        // Arrays of handles, three stars and pointers to callbacks: no key describes them.
        _ => Described::bare(raw()),
    }
}

/// A pointer to a handle: C leaves one there, or frees the one that is there.
fn given_handle(handle: &str, site: &Site<'_, '_>) -> Described {
    let schema = Context::handle_schema(handle, 2);
    let name = site.name();
    if let Some((Direction::Out, evidence)) = site.direction(false).or_else(|| site.is_one()) {
        let says = site.context.handle_says(site.entry, site.parameter().of);
        let described = Described::output(schema, &format!("x-handle: \"{handle}\""), says)
            .directed(Direction::Out, evidence);
        if let Some(owned) = owner::owned(site.entry, site.context, Some(site.raw_name()), described) {
            return nullable(owned, site);
        }
    }
    let is_freed = ownership::may_release(&site.entry.name);
    let c_type = json!({ "x-pointerDepth": 2, "x-handle": handle });
    if is_freed {
        let answer = json!({ "x-free": site.entry.name, "schema": { "cType": c_type } });
        let text = format!("Does the function free the `{handle}` in `{name}`? Then");
        let question = Question::new(text, object(answer)).likely("yes, it frees it");
        return Described::undescribed(raw(), question);
    }
    let (words, mut answer) = owner::likely(handle, site.entry, site.context);
    let keys = json!({ "isIn": false, "schema": { "cType": c_type } });
    answer.extend(object(keys.clone()));
    let text = format!("Does C leave a `{handle}` in `{name}`, and who frees it?{words} Then");
    let question = owner::answers(Question::new(text, answer), handle, &keys, site.entry, site.context);
    Described::undescribed(raw(), question)
}

/// States that C may leave NULL.
fn nullable(described: Described, site: &Site<'_, '_>) -> Described {
    match site.entry.states_null(site.position()) {
        Some(says) => described.key("x-nullable", true, says),
        None => described,
    }
}

/// Bytes that C leaves, if their length and their owner are stated.
fn given_bytes(scalar: Scalar, site: &Site<'_, '_>) -> Option<Described> {
    let (Direction::Out, out) = site.direction(false)? else { return None };
    let ((count, _), says) = site.entry.states_length(site.position())?;
    if site.entry.states_text(site.position()).is_some() {
        return None;
    }
    let (transfer, owner) = site.entry.gir_transfer(site.position())?;
    let mut c_type = scalar.c_type(true);
    c_type["x-pointerDepth"] = 2.into();
    let schema = object(json!({ "type": "string", "x-encoding": "base64", "cType": c_type }));
    let described =
        Described::output(schema, "bytes, which are copied", says.clone()).directed(Direction::Out, out);
    let described = match count {
        // Bytes up to a NUL are a string of C.
        Count::Terminated if scalar.is_char() => described,
        Count::Parameter(position) if site.is_output(position - 1) => {
            described.key("x-length", site.entry.x_length(count)?, says)
        }
        _ => return None,
    };
    let described = match transfer {
        Transfer::None => described.fact("C owns it", owner),
        _ => described.key("x-free", site.context.frees.symbol("g_free"), owner),
    };
    Some(nullable(described, site))
}

/// A text that C leaves, if that and its owner are stated.
fn given_text(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Option<Described> {
    let (Direction::Out, out) = site.direction(false)? else { return None };
    let says = site.entry.states_text(site.position())?;
    if site.entry.states_length(site.position()).is_some() {
        return None;
    }
    let (transfer, owner) = site.entry.gir_transfer(site.position())?;
    // A file says of every output that the caller owns it, unless it is annotated: also of a `const char*`.
    if is_constant && transfer != Transfer::None {
        return None;
    }
    let mut c_type = scalar.c_type(true);
    c_type["x-pointerDepth"] = 2.into();
    let schema = object(json!({ "type": "string", "cType": c_type }));
    let described =
        Described::output(schema, "a string, which is copied", says).directed(Direction::Out, out);
    let described = match transfer {
        Transfer::None => described.fact("C owns it", owner),
        _ => described.key("x-free", site.context.frees.symbol("g_free"), owner),
    };
    Some(nullable(described, site))
}

/// A `const` text of which the code proves that C only leaves it: as with a returned one, the type says that it is a text.
fn seen_text(scalar: Scalar, site: &Site<'_, '_>) -> Option<Described> {
    let (Direction::Out, out) = site.is_one()? else { return None };
    let Type::Pointer { to, .. } = peel(site.context.types, site.parameter().of).of else { return None };
    let says = site.context.text_says(site.entry, *to, scalar)?;
    let said = &site.entry.said;
    let is_doubtful = site.may_be_several()
        || may_be_bytes(site.entry, site.context)
        || site.context.may_be_no_text(*to)
        || said.mentions(&FREED_BY_CALLER)
        // What is read from a struct of the caller's may be bytes that another member counts.
        || site.has_structs()
        || names_bytes(site.raw_name());
    if is_doubtful {
        return None;
    }
    let mut c_type = scalar.c_type(true);
    c_type["x-pointerDepth"] = 2.into();
    let schema = object(json!({ "type": "string", "cType": c_type }));
    Some(Described::output(schema, "a string, which is copied", says).directed(Direction::Out, out))
}

/// Strings that C reads, if their end or number is stated. Those that C frees, fills or replaces are for unsafe code.
fn strings(scalar: Scalar, site: &Site<'_, '_>) -> Option<Described> {
    let text = site.entry.states_text(site.position()).filter(|_| scalar.is_char())?;
    let ((count, _), says) = site.entry.states_length(site.position())?;
    let (transfer, owner) = site.entry.gir_transfer(site.position())?;
    let is_read = matches!(site.direction(false), Some((Direction::In, _))) && transfer == Transfer::None;
    if !is_read || ownership::may_release(&site.entry.name) {
        return Some(Described::bare(raw()).fact("an array of strings, for unsafe code", owner));
    }
    let is_usable = match count {
        Count::Parameter(position) => site.is_integer(position - 1),
        Count::Constant(count) => count > 0,
        Count::Terminated => true,
    };
    let length = site.entry.x_length(count).filter(|_| is_usable)?;
    let mut c_type = scalar.c_type(true);
    c_type["x-pointerDepth"] = 2.into();
    let schema = object(json!({ "type": "array", "cType": c_type }));
    Some(
        Described::input(schema, "an array of strings", text).key("x-length", length, says).fact("in", owner),
    )
}

/// `char**`: a string that C returns, or several that it receives.
fn texts(scalar: Scalar, is_fixed: bool, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    if let Some(given) = given_text(scalar, is_constant, site).filter(|_| !is_fixed && scalar.is_char()) {
        return given;
    }
    if let Some(given) = seen_text(scalar, site).filter(|_| is_constant && !is_fixed) {
        return given;
    }
    if let Some(given) = given_bytes(scalar, site).filter(|_| !is_fixed) {
        return given;
    }
    if let Some(strings) = strings(scalar, site) {
        return strings;
    }
    let mut c_type = scalar.c_type(true);
    c_type["x-pointerDepth"] = 2.into();
    if let Length::Certain(count) | Length::Likely(count) = site.length()
        && !site.is_output(count)
    {
        let answer =
            json!({ "x-length": site.name_of(count), "schema": { "type": "array", "cType": c_type } });
        let text = format!("Is `{name}` an array of `{}` strings? Then", site.name_of(count));
        let question = Question::new(text, object(answer)).likely("yes, and C only reads them");
        return Described::undescribed(raw(), question);
    }
    if is_fixed {
        let text = format!(
            "How many strings does `{name}` have? If a parameter counts them, write \"x-length\" with its name, and in \
             `schema` \"type\": \"array\" and as `cType` {{ \"type\": \"char\", \"isPointer\": true, \"x-pointerDepth\": 2 }}."
        );
        return Described::undescribed(raw(), Question::open(text));
    }
    let mut answer = object(json!({ "isIn": false, "schema": { "type": "string", "cType": c_type } }));
    answer.insert("x-nullable".to_owned(), true.into());
    let copied = Value::Object(answer.clone());
    let mut label = "yes, and the caller does not free it".to_owned();
    if let Some(free) = site.context.frees.may_free_any().filter(|_| !is_constant) {
        answer.insert("x-free".to_owned(), free.into());
        label = format!("yes, and `{free}` frees it");
    }
    let text = format!("Does C leave a text in `{name}`? Then");
    let question =
        Question::new(text, answer).likely(label).or("yes, and the caller does not free it", copied);
    Described::undescribed(raw(), question)
}

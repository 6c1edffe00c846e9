//! Describes a parameter: what C says for certain, a question for the rest, and until it is answered a
//! description that only unsafe code can use.

use serde_json::{Value, json};

use super::context::{Context, Pointee, is_free};
use super::function::{Described, Entry, constant};
use super::lengths::{self, Candidate, Counter, Length};
use super::names::words;
use super::question::Question;
use super::scalar::{Object, Scalar, peel};
use super::schemas::{object, raw, reference};
use super::{bytes, callback, double, numbers};
use crate::{Direction, Parameter, Type, TypeId};

/// One parameter in its context.
pub(super) struct Site<'s, 'i> {
    pub(super) entry: &'s Entry<'i>,
    pub(super) context: &'s Context<'i>,
    pub(super) candidates: &'s [Candidate],
    pub(super) index: usize,
}

impl Site<'_, '_> {
    pub(super) fn parameter(&self) -> &Parameter {
        &self.entry.signature.parameters[self.index]
    }

    pub(super) fn name(&self) -> &str {
        self.name_of(self.index)
    }

    pub(super) fn name_of(&self, index: usize) -> &str {
        self.entry.parameters.get(index).map_or("", |(name, _)| name)
    }

    pub(super) fn length(&self) -> Length {
        lengths::of(self.candidates, self.index)
    }

    pub(super) fn direction(&self) -> Option<Direction> {
        self.parameter().direction
    }

    /// The declared length of an array parameter.
    pub(super) fn array(&self) -> Option<u64> {
        self.parameter().array.filter(|count| *count > 0)
    }

    /// Whether the function only frees it: other functions name it in `x-free`.
    pub(super) fn only_frees(&self) -> bool {
        self.entry.signature.parameters.len() == 1 && is_free(&self.entry.name)
    }

    /// Whether the function can only write to it: nothing else goes in or out, and the name says that it
    /// makes something.
    pub(super) fn only_makes(&self) -> bool {
        const MAKES: [&str; 9] =
            ["keygen", "gen", "generate", "random", "get", "read", "default", "defaults", "identity"];
        self.entry.signature.parameters.len() == 1
            && matches!(self.context.types.resolve(self.entry.signature.returns), Type::Void)
            && words(&self.entry.name).iter().any(|word| MAKES.contains(&word.as_str()))
    }
}

/// Describes the parameter, or says why it cannot be described.
pub(super) fn describe(site: &Site<'_, '_>) -> Result<Described, String> {
    let context = site.context;
    let id = site.parameter().of;
    if is_va_list(context, id) {
        return Err("a `va_list`".to_owned());
    }
    let Some((pointee, is_constant)) = context.pointee(id) else {
        return context.by_value(id).map(Described::input).map_err(|what| format!("{what} by value"));
    };
    Ok(match pointee {
        Pointee::Function(signature) => callback::describe(signature, site),
        Pointee::Handle(handle) => self::handle(&handle, is_constant, site),
        Pointee::Fields(name) => structure(&name, is_constant, site),
        Pointee::State(name) => state(&name, is_constant, site),
        Pointee::Void => void(is_constant, site),
        Pointee::Scalar(scalar) if scalar.is_byte() => bytes::describe(scalar, is_constant, site),
        Pointee::Scalar(scalar) => numbers::describe(scalar, is_constant, site),
        Pointee::Pointer { to, constant: of_const, aliases } => {
            double::describe(to, &aliases, [is_constant, of_const], site)
        }
        Pointee::Raw => Described::input(raw()),
    })
}

/// A handle that the function receives. If the name says that it frees, the handle is consumed, which is
/// correct if it does free and safe if it does not.
fn handle(handle: &str, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let described = Described::input(Context::handle_schema(handle, 1));
    if is_constant || !is_free(&site.entry.name) {
        return described;
    }
    let mut parameters = site.entry.signature.parameters.iter().enumerate();
    let is_alone = parameters
        .all(|(index, parameter)| index == site.index || site.context.pointee(parameter.of).is_none());
    if is_alone {
        return described.key("x-free", site.entry.name.as_str());
    }
    // Only a person can tell which of them is freed.
    let answer = json!({ "schema": { "cType": { "x-handle": handle } } });
    let text = format!(
        "Is `{}` a `{handle}`? If the function frees it, write \"x-free\": \"{}\" too. Then",
        site.name(),
        site.entry.name
    );
    Described::input(raw()).ask(Question::new(text, object(answer)))
}

fn is_va_list(context: &Context<'_>, id: TypeId) -> bool {
    let is_named = |aliases: &[&str]| {
        aliases.iter().any(|alias| matches!(*alias, "va_list" | "__builtin_va_list" | "__gnuc_va_list"))
    };
    let outer = peel(context.types, id);
    let points_to_tag = match outer.of {
        Type::Pointer { to, .. } => {
            let inner = peel(context.types, *to);
            is_named(&inner.aliases)
                || matches!(inner.of, Type::Record(record) if record.name.as_deref() == Some("__va_list_tag"))
        }
        _ => false,
    };
    is_named(&outer.aliases) || points_to_tag
}

/// A pointer to a struct is one struct: in if C cannot write it, else in and out. Only a count after it makes
/// that doubtful.
fn structure(name: &str, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let Type::Pointer { to, .. } = peel(site.context.types, site.parameter().of).of else {
        return Described::input(raw());
    };
    site.context.write_schema(name, *to);
    let items = reference(name, Some(json!({ "type": "void", "isPointer": false })));
    let array =
        || object(json!({ "type": "array", "items": items, "cType": { "type": "void", "isPointer": true } }));
    let is_in = is_constant || site.direction() == Some(Direction::In);
    if let Some(count) = site.array().filter(|count| *count > 1) {
        let described = Described::input(array()).key("x-length", constant(count));
        return if is_in { described } else { described.key("x-inout", true) };
    }
    // If it contains pointers, the method is unsafe anyway, and one struct is more likely.
    let next = Some(site.index + 1)
        .filter(|next| site.candidates.get(*next).is_some_and(|next| next.counter == Counter::Value));
    let count = match site.length() {
        Length::Certain(count) => Some(count),
        _ => next,
    };
    if let Some(count) = count.filter(|_| !site.context.has_pointers(*to)) {
        let described = Described::input(array());
        let answer = json!({ "x-length": site.name_of(count) });
        let text = format!("Is `{}` an array of `{}` structs? Then", site.name(), site.name_of(count));
        let described = described.ask(Question::new(text, object(answer)));
        return if is_in { described } else { described.key("x-inout", true) };
    }
    let described = Described::input(reference(name, None));
    match (is_in, site.direction()) {
        (true, _) => described,
        (false, Some(Direction::Out)) => Described { is_in: false, ..described },
        (false, _) => described.key("x-inout", true),
    }
}

/// A state is begun by the function whose name says so.
fn state(name: &str, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let Type::Pointer { to, .. } = peel(site.context.types, site.parameter().of).of else {
        return Described::input(raw());
    };
    site.context.write_schema(name, *to);
    let schema = reference(name, None);
    if !is_constant && super::records::begins(&site.entry.name) {
        return Described::output(schema);
    }
    let described = Described::input(schema);
    let described = if is_constant { described } else { described.key("x-inout", true) };
    if site.context.is_begun(name) {
        return described;
    }
    described.ask(Question::open(format!(
        "Which function begins a `{name}`? Its parameter has \"isIn\": false and no `x-inout`; without one there is no \
         way to get a `{name}`.",
    )))
}

/// `void*`.
fn void(is_constant: bool, site: &Site<'_, '_>) -> Described {
    let described = Described::input(raw());
    let name = site.name();
    let bytes = json!({ "type": "string", "x-encoding": "base64" });
    let is_in = is_constant || site.direction() == Some(Direction::In);
    match site.length() {
        Length::Certain(count) if is_in && site.candidates[count].counter == Counter::Value => {
            let mut schema = object(bytes);
            schema.insert("cType".to_owned(), json!({ "type": "void", "isPointer": true }));
            Described::input(schema).key("x-length", site.name_of(count))
        }
        Length::Certain(count) | Length::Likely(count) => {
            let answer = if is_in {
                json!({ "x-length": site.name_of(count), "schema": bytes })
            } else {
                json!({ "isIn": false, "x-length": site.name_of(count), "schema": bytes })
            };
            described.ask(counted(site, count, is_in, answer))
        }
        Length::Product => described.ask(product(site)),
        // A function that frees takes a pointer to anything, and `x-free` of others names it.
        Length::Unknown if site.only_frees() => described,
        // The question is asked at the callback.
        Length::Unknown if callback::is_user_data(site) => described,
        Length::Unknown => described.ask(Question::open(format!(
            "What does `{name}` point to? A handle: in `cType` write \"x-handle\" with the name of its type. Bytes: \
             write \"x-length\" and in `schema` \"type\": \"string\", \"x-encoding\": \"base64\"; if C fills them, \
             also \"isIn\": false.",
        ))),
    }
}

/// The question about bytes or numbers that another parameter probably counts.
pub(super) fn counted(site: &Site<'_, '_>, count: usize, is_in: bool, answer: Value) -> Question {
    let (name, count) = (site.name(), site.name_of(count));
    if is_in {
        return Question::new(format!("Is `{count}` the length of `{name}`? Then"), object(answer));
    }
    Question::new(format!("Does C fill `{name}`, which has room for `{count}`? Then"), object(answer))
}

/// The question about a length that is the product of two parameters.
pub(super) fn product(site: &Site<'_, '_>) -> Question {
    let next = site.index + 1;
    Question::open(format!(
        "Is the length of `{}` the product of `{}` and `{}`? No key can express that. If one of the two is always 1, give it \
         \"enum\": [1] in its `schema` and write \"x-length\" with the name of the other.",
        site.name(),
        site.name_of(next),
        site.name_of(next + 1),
    ))
}

/// The schema with the C type of a pointer added.
pub(super) fn with_c_type(mut schema: Object, scalar: Scalar) -> Object {
    schema.insert("cType".to_owned(), scalar.c_type(true));
    schema
}

/// An array with a known element type only: only unsafe code can pass it.
pub(super) fn array_of(scalar: Scalar) -> Object {
    with_c_type(object(json!({ "type": "array" })), scalar)
}

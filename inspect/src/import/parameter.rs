//! Describes a parameter: what C says for certain, a question for the rest, and until it is answered a
//! description that only unsafe code can use.

use serde_json::{Value, json};

use super::context::{Context, Pointee};
use super::described::Described;
use super::evidence::{Evidence, EvidenceKind};
use super::kept;
use super::lengths::{Counter, Length};
use super::lent;
use super::owner;
use super::ownership;
use super::question::Question;
use super::scalar::{Object, Scalar, peel};
use super::schemas::{object, raw};
use super::site::Site;
use super::{bytes, callback, double, numbers, structs};
use crate::{Direction, Transfer, Type, TypeId};

/// Describes the parameter, or says why it cannot be described.
pub(super) fn describe(site: &Site<'_, '_>) -> Result<Described, String> {
    let context = site.context;
    let id = site.parameter().of;
    if is_va_list(context, id) {
        return Err("a `va_list`".to_owned());
    }
    let Some((pointee, is_constant)) = context.pointee(id) else {
        return context
            .by_value(id)
            .map(|mut schema| {
                let what = Context::of_value(&schema);
                match site.is_positive_factor() {
                    Some(says) => {
                        schema.insert("minimum".to_owned(), 1.into());
                        Described::input(schema, what, site.type_says()).fact("minimum: 1", says)
                    }
                    None => Described::input(schema, what, site.type_says()),
                }
            })
            .map_err(|what| format!("{what} by value"));
    };
    if let Some(described) = introspected(&pointee, is_constant, site) {
        return Ok(with_null(described, site));
    }
    if let (Pointee::Void, Some((handle, says))) =
        (&pointee, context.handle_behind(site.entry, site.position()))
    {
        return Ok(with_null(self::handle(&handle, says, is_constant, site), site));
    }
    let described = match pointee {
        Pointee::Function(signature) => callback::describe(signature, site),
        Pointee::Handle(handle) => {
            let says = context.handle_says(site.entry, id);
            self::handle(&handle, says, is_constant, site)
        }
        Pointee::Fields(name) => structs::describe(&name, is_constant, site),
        Pointee::State(name) => structs::state(&name, is_constant, site),
        Pointee::Void => void(is_constant, site),
        Pointee::Scalar(scalar) if scalar.is_byte() => bytes::describe(scalar, is_constant, site),
        Pointee::Scalar(scalar) => numbers::describe(scalar, is_constant, site),
        Pointee::Pointer { to, constant: of_const, aliases } => {
            double::describe(to, &aliases, [is_constant, of_const], site)
        }
        Pointee::Raw => Described::bare(raw()),
    };
    Ok(with_null(kept::or_asked(described, site), site))
}

/// What a GIR file says of pointers that no key describes: any pointer, a list, and a text that C may change in place.
/// Only unsafe code can pass them, and no answer would change that.
fn introspected(pointee: &Pointee<'_>, is_constant: bool, site: &Site<'_, '_>) -> Option<Described> {
    let (entry, position) = (site.entry, site.position());
    let is_text =
        entry.states_text(position).filter(|_| !is_constant && entry.states_not_out(position).is_some());
    match pointee {
        Pointee::Pointer { .. } if entry.states_list(position).is_some() => {
            Some(Described::bare(raw()).fact("a list, for unsafe code", entry.states_list(position)?))
        }
        Pointee::Void | Pointee::Pointer { .. } if site.proven_length().is_none() => {
            let says = entry.states_anything(position).filter(|_| !callback::is_user_data(site))?;
            Some(Described::bare(raw()).fact("a pointer to anything", says))
        }
        Pointee::Handle(_) | Pointee::Fields(_) | Pointee::State(_) | Pointee::Raw => {
            let says = entry.states_list(position)?;
            Some(Described::bare(raw()).fact("a list, for unsafe code", says))
        }
        Pointee::Scalar(scalar) if scalar.is_char() && entry.states_lent(position).is_some() => Some(
            Described::bare(array_of(*scalar)).fact("a text that C may change, for unsafe code", is_text?),
        ),
        _ => None,
    }
}

/// States whether it may be NULL, if C or the documentation says it.
fn with_null(described: Described, site: &Site<'_, '_>) -> Described {
    let function = site.entry.function;
    let said = || site.entry.said.may_be_null(site.raw_name()).filter(|_| !site.raw_name().is_empty());
    match site.entry.states_nullable(site.position()) {
        // What a GIR file leaves at its default, the documentation may say.
        Some((false, says)) if says.kind() == EvidenceKind::Gir => {
            return match said() {
                Some(evidence) => described.optional(evidence),
                None => described.required(says),
            };
        }
        Some((false, says)) => return described.required(says),
        Some((true, says)) => return described.optional(says),
        None => {}
    }
    match site.parameter().nullable {
        Some(false) => return described.required(Evidence::qualifier("`_Nonnull`", function)),
        Some(true) => return described.optional(Evidence::qualifier("`_Nullable`", function)),
        None => {}
    }
    // "A pointer to the value, may be NULL": of a pointer to a pointer, either may be meant.
    let is_double = matches!(site.context.pointee(site.parameter().of), Some((Pointee::Pointer { .. }, _)));
    let said = said().filter(|_| !is_double || !site.entry.said.is_left_in(site.raw_name()));
    let parameters = site.entry.signature.parameters.iter();
    let count = parameters.filter(|of| site.context.pointee(of.of).is_some()).count();
    let either = || site.entry.said.either_may_be_null().filter(|_| count == 2);
    let only = || site.entry.said.only_may_be_null().filter(|_| count == 1);
    match said.or_else(either).or_else(only) {
        Some(evidence) => described.optional(evidence),
        None => described,
    }
}

/// What a file states of a handle that it lends: C uses it during the call, or is one more owner.
const NOT_GIVEN: &str = "the caller still owns it";

/// A handle that the function receives.
fn handle(handle: &str, says: Evidence, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let described =
        Described::input(Context::handle_schema(handle, 1), &format!("x-handle: \"{handle}\""), says);
    // A function that frees casts `const` away, if it has it, and `const` says nothing about how long.
    let gives_up = ownership::gives_up(site);
    if is_constant && !gives_up && !ownership::may_release(&site.entry.name) {
        let shared = || lent::shared(handle, site).map(|says| (NOT_GIVEN, says));
        let lent = site.is_lent().map(|says| ("C uses it during the call", says)).or_else(shared);
        return match lent {
            Some((what, says)) => described.fact(what, says),
            None => ownership::doubt_of_constant(handle, site).unwrap_or(described),
        };
    }
    if let Some(evidence) = site.context.frees.proven(&site.entry.name) {
        return described.key("x-free", site.entry.name.as_str(), evidence.clone());
    }
    let transfer = site.entry.transfer(site.position());
    if let Some((Transfer::Full | Transfer::Container, says)) = transfer {
        return described.key("x-takes", true, says);
    }
    let objects = ownership::objects(site.raw_name(), handle);
    // What the code of this version does not free, another may: a name that suggests it raises the question still.
    let is_told = gives_up
        || ownership::may_release(&site.entry.name)
        || ownership::told_freed(site, &objects).is_some();
    let seen = site.is_lent().filter(|_| !is_told);
    if let Some(says) = owner::needs(site.entry, site.context, site.index).filter(|_| !is_told) {
        return described.fact("what it returns needs it", says);
    }
    if seen.is_none()
        && let Some(doubt) = ownership::doubt(handle, site)
    {
        return doubt;
    }
    // What a variadic function does may depend on arguments that nothing describes, and an argument may say that it frees.
    let is_told_otherwise = site.entry.signature.variadic || ownership::frees_if_told(site);
    // Nothing suggests that C frees or keeps it, if something would say so.
    let nothing_said = || {
        let silent = site.entry.said.is_silent_about(&objects, ownership::has_others(site));
        // What the function gives may keep it: that is asked about the result.
        let is_kept = || !ownership::gives_handle(site) && site.may_be_kept().is_some();
        silent.filter(|_| !is_told_otherwise && !is_kept())
    };
    let used = || site.is_used().filter(|_| !is_told && !is_told_otherwise);
    match transfer.map(|(_, says)| says).or(seen).or_else(nothing_said).or_else(used) {
        // What the function makes may depend on it: that is asked about the result.
        Some(_) if ownership::gives_handle(site) => described,
        Some(says) if says.kind() == EvidenceKind::Gir => described.fact(NOT_GIVEN, says),
        Some(says) => described.fact("C uses it during the call", says),
        None => ownership::unknown(handle, site),
    }
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

/// `void*`.
fn void(is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let form = json!({ "type": "string", "x-encoding": "base64" });
    let direction = site.buffer_direction(is_constant);
    if let (Some((direction, evidence)), Some((count, _, says))) = (direction.clone(), site.proven_length()) {
        let answer = object(json!({ "x-length": count, "schema": form }));
        let mut schema = object(form.clone());
        schema.insert("cType".to_owned(), json!({ "type": "void", "isPointer": true }));
        let given = site.entry.states_given(site.position()).filter(|_| !kept::is_static(site));
        if let (Direction::In, Some(owner)) = (direction, given) {
            let described = Described::input(schema, "bytes", site.type_says());
            return bytes::taken(described.key("x-length", count, says), owner);
        }
        if direction == Direction::In
            && let Some(asked) = kept::doubt(site, false, raw(), answer)
        {
            return asked;
        }
        let described = Described::input(schema, "bytes", site.type_says())
            .key("x-length", count, says)
            .directed(direction, evidence);
        return written(described, direction, site);
    }
    let is_in = direction.is_some_and(|(direction, _)| direction == Direction::In);
    match site.length() {
        Length::Certain(count) | Length::Likely(count) => {
            let answer = if is_in {
                json!({ "x-length": site.name_of(count), "schema": form })
            } else {
                json!({ "isIn": false, "x-length": site.name_of(count), "schema": form })
            };
            let question = counted(site, count, is_in, answer.clone());
            Described::undescribed(raw(), directions(question, site, count, &answer, is_in))
        }
        Length::Product(first, second) => {
            Described::undescribed(raw(), product(site, [first, second], Some(object(form))))
        }
        // Nothing is stated about it, and `x-free` of others names the function.
        Length::Unknown if site.only_frees() => Described::bare(raw()),
        // The question is asked at the callback.
        Length::Unknown if callback::is_user_data(site) => Described::bare(raw()),
        Length::Unknown => Described::undescribed(
            raw(),
            Question::open(format!(
                "What does `{name}` point to? A handle: in `cType` write \"x-handle\" with the name of its type. Bytes: \
             write \"x-length\" and in `schema` \"type\": \"string\", \"x-encoding\": \"base64\"; if C fills them, \
             also \"isIn\": false.",
            )),
        ),
    }
}

/// States where C leaves how much it wrote to a buffer.
pub(super) fn written(described: Described, direction: Direction, site: &Site<'_, '_>) -> Described {
    match site.entry.states_written(site.position()).filter(|_| direction == Direction::Out) {
        Some((position, says)) => match site.entry.parameters.get(position.wrapping_sub(1)) {
            Some((name, _)) => described.key("x-written", name.as_str(), says),
            None => described.key("x-written", "return", says),
        },
        None => described,
    }
}

/// The question about bytes or numbers that another parameter probably counts.
pub(super) fn counted(site: &Site<'_, '_>, count: usize, is_in: bool, answer: Value) -> Question {
    let beside = site.count_beside(count);
    let (name, count) = (site.name(), site.name_of(count));
    if is_in {
        let of = site.context.types.spelling(site.parameter().of);
        let question = Question::new(format!("Is `{count}` the length of `{name}`? Then"), object(answer));
        // With one name and type, side by side, it is one convention of the library.
        return match beside {
            Some(counter) => {
                question.grouped(format!("`{counter} {count}` counts the `{of} {name}` before it"))
            }
            None => question,
        };
    }
    Question::new(format!("Does C fill `{name}`, which has room for `{count}`? Then"), object(answer))
}

/// Adds the other directions to the answers of a question whose likely answer, `answer`, says that C fills a buffer
/// with room for the parameter at `count`.
pub(super) fn directions(
    question: Question,
    site: &Site<'_, '_>,
    count: usize,
    answer: &Value,
    is_in: bool,
) -> Question {
    if is_in {
        return question;
    }
    let is_value = site.candidates.get(count).is_some_and(|of| of.counter == Counter::Value);
    let count = site.name_of(count);
    let question = question.likely(format!("yes, C only writes to it, at most `{count}`"));
    if !is_value {
        return question;
    }
    let mut read = answer.clone();
    if let Value::Object(read) = &mut read {
        read.shift_remove("isIn");
        read.shift_remove("x-written");
    }
    let mut both = read.clone();
    both["x-inout"] = true.into();
    question
        .or(format!("no, C only reads it, and `{count}` is its length"), read)
        .or(format!("C reads all `{count}` and writes to it"), both)
}

/// The question about a length that is the product of two parameters. `schema` is what the elements are.
pub(super) fn product(site: &Site<'_, '_>, factors: [usize; 2], schema: Option<Object>) -> Question {
    let [of, first, second] = [site.index, factors[0], factors[1]]
        .map(|index| site.context.types.spelling(site.entry.signature.parameters[index].of));
    let factors = factors.map(|index| site.name_of(index));
    let text = format!(
        "Is the length of `{}` the product of `{}` and `{}`? (If C fills it, write \"isIn\": false too.) Then",
        site.name(),
        factors[0],
        factors[1],
    );
    let mut answer = object(json!({ "x-length": factors }));
    if let Some(schema) = schema {
        answer.insert("schema".to_owned(), schema.into());
    }
    let mut filled = answer.clone();
    filled.insert("isIn".to_owned(), false.into());
    // With the same names and types, it is one convention of the library.
    let question = Question::new(text, answer).likely("yes, and C only reads it").grouped(format!(
        "the `{of} {}` has as many elements as the product of `{first} {}` and `{second} {}`",
        site.name(),
        factors[0],
        factors[1],
    ));
    match site.is_constant() {
        true => question,
        false => question.or("yes, and C only writes to it", Value::Object(filled)),
    }
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

//! How a parameter is described: what C says for certain, a question for the rest, and until it is answered
//! a description that only unsafe code can call.

use opendyn_native::{Constant, Direction, Parameter, Type, TypeId};
use serde_json::{Value, json};

use super::context::{Context, Pointee, is_free};
use super::function::{Described, Entry, constant};
use super::lengths::{self, Candidate, Counter, Length};
use super::names::{fold, words};
use super::question::Question;
use super::scalar::{Object, Scalar, peel};
use super::schemas::{object, raw, reference};
use super::{callback, double};

/// One parameter, and what is around it.
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

    fn direction(&self) -> Option<Direction> {
        self.parameter().direction
    }

    /// The count that an array parameter is declared with.
    fn array(&self) -> Option<u64> {
        self.parameter().array.filter(|count| *count > 0)
    }

    /// Whether the function frees it, and does nothing else: others name it in their `x-free`.
    pub(super) fn only_frees(&self) -> bool {
        self.entry.signature.parameters.len() == 1 && is_free(&self.entry.name)
    }

    /// Whether the function can do nothing but write what it is given: nothing else goes in or out, and its
    /// name says that it makes something.
    fn only_makes(&self) -> bool {
        const MAKES: [&str; 9] =
            ["keygen", "gen", "generate", "random", "get", "read", "default", "defaults", "identity"];
        self.entry.signature.parameters.len() == 1
            && matches!(self.context.types.resolve(self.entry.signature.returns), Type::Void)
            && words(&self.entry.name).iter().any(|word| MAKES.contains(&word.as_str()))
    }
}

/// Describes the parameter, or says what it is that cannot be described.
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
        Pointee::Handle(handle) => {
            let described = Described::input(Context::handle_schema(&handle, 1));
            match is_free(&site.entry.name) && !is_constant {
                true => described.key("x-free", site.entry.name.as_str()),
                false => described,
            }
        }
        Pointee::Fields(name) => structure(&name, is_constant, site),
        Pointee::State(name) => state(&name, is_constant, site),
        Pointee::Void => void(is_constant, site),
        Pointee::Scalar(scalar) if scalar.is_byte() => bytes(scalar, is_constant, site),
        Pointee::Scalar(scalar) => numbers(scalar, is_constant, site),
        Pointee::Pointer { to, constant: of_const, aliases } => {
            double::describe(to, &aliases, [is_constant, of_const], site)
        }
        Pointee::Raw => Described::input(raw()),
    })
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

/// A struct by pointer is one struct: in where C cannot write it, in and out where it can. Only a count
/// behind it makes that doubtful.
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
    // With pointers in it the method is unsafe anyway, and one struct the likelier.
    let count = match site.length() {
        Length::Certain(count) => Some(count),
        Length::Likely(count) if count == site.index + 1 => Some(count),
        _ => None,
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
        "Which function begins a `{name}`? Its parameter has \"isIn\": false and no `x-inout`; without one nobody \
         can have a `{name}`.",
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
        // What frees takes a pointer to anything, and is named by `x-free` of others.
        Length::Unknown if site.only_frees() => described,
        // The question stands at the callback.
        Length::Unknown if callback::is_user_data(site) => described,
        Length::Unknown => described.ask(Question::open(format!(
            "What does `{name}` point to? A handle: in `cType` write \"x-handle\" with the name of its type. Bytes: \
             write \"x-length\" and in `schema` \"type\": \"string\", \"x-encoding\": \"base64\"; if C fills them, \
             also \"isIn\": false.",
        ))),
    }
}

/// The question about bytes or numbers that are probably counted by another parameter.
fn counted(site: &Site<'_, '_>, count: usize, is_in: bool, answer: Value) -> Question {
    let (name, count) = (site.name(), site.name_of(count));
    if is_in {
        return Question::new(format!("Is `{count}` the length of `{name}`? Then"), object(answer));
    }
    Question::new(format!("Does C fill `{name}`, which has room for `{count}`? Then"), object(answer))
}

fn product(site: &Site<'_, '_>) -> Question {
    let next = site.index + 1;
    Question::open(format!(
        "Is the length of `{}` the product of `{}` and `{}`? No key says that. If one of the two is always 1, give it \
         \"enum\": [1] in its `schema` and write \"x-length\" with the name of the other.",
        site.name(),
        site.name_of(next),
        site.name_of(next + 1),
    ))
}

/// How bytes are shown: `char` is text, unless its name says that it is data.
fn byte_schema(scalar: Scalar, name: &str) -> Object {
    const DATA: [&str; 14] = [
        "src", "source", "dst", "dest", "data", "buf", "buffer", "in", "input", "out", "output", "blob",
        "bytes", "dict",
    ];
    let is_data = words(name).iter().any(|word| DATA.contains(&word.as_str()));
    if scalar.is_char() && !is_data {
        return object(json!({ "type": "string" }));
    }
    object(json!({ "type": "string", "x-encoding": "base64" }))
}

fn with_c_type(mut schema: Object, scalar: Scalar) -> Object {
    schema.insert("cType".to_owned(), scalar.c_type(true));
    schema
}

fn array_of(scalar: Scalar) -> Object {
    with_c_type(object(json!({ "type": "array" })), scalar)
}

/// `char*` and `unsigned char*`.
fn bytes(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let shown = byte_schema(scalar, name);
    let whole = |shown: &Object| with_c_type(shown.clone(), scalar);
    let is_in = is_constant || site.direction() == Some(Direction::In);
    if let Some(count) = site.array() {
        return byte_array(scalar, shown, count, is_in, site);
    }
    if site.only_frees() {
        return Described::input(array_of(scalar));
    }
    match (is_in, site.length()) {
        (true, Length::Certain(count)) if site.candidates[count].counter == Counter::Value => {
            Described::input(whole(&shown)).key("x-length", site.name_of(count))
        }
        (true, Length::Unknown) if scalar.is_char() => {
            Described::input(with_c_type(object(json!({ "type": "string" })), scalar))
        }
        (true, Length::Certain(count) | Length::Likely(count)) => {
            let answer = json!({ "x-length": site.name_of(count), "schema": shown });
            let described = Described::input(array_of(scalar)).ask(counted(site, count, true, answer));
            if !scalar.is_char() {
                return described;
            }
            described.ask(Question::open(format!(
                "Or does `{name}` end at a NUL? Then in `schema` write \"type\": \"string\" and no `x-length`; `{}` can be \
                 made a constant with \"enum\": [-1] where the function takes that for \"to the NUL\".",
                site.name_of(count)
            )))
        }
        (true, Length::Product) => Described::input(array_of(scalar)).ask(product(site)),
        (true, Length::Unknown) => {
            let (count, text) = size(site, format!("How many bytes has `{name}`?"));
            let answer = json!({ "x-length": constant(count), "schema": shown });
            Described::input(array_of(scalar)).ask(Question::new(text, object(answer)))
        }
        (false, length) => byte_buffer(whole(&shown), length, site),
    }
}

/// An array parameter tells its length; where C can write to it, not which way it goes.
fn byte_array(scalar: Scalar, shown: Object, count: u64, is_in: bool, site: &Site<'_, '_>) -> Described {
    if is_in {
        return Described::input(with_c_type(shown, scalar)).key("x-length", constant(count));
    }
    if site.direction() == Some(Direction::Out) || site.direction().is_none() && site.only_makes() {
        return Described::output(with_c_type(shown, scalar)).key("x-length", constant(count));
    }
    // Only bytes go both ways, and both ways is right for either.
    let both = object(json!({ "type": "string", "x-encoding": "base64" }));
    let described =
        Described::input(with_c_type(both, scalar)).key("x-length", constant(count)).key("x-inout", true);
    if site.direction() == Some(Direction::InOut) {
        return described;
    }
    let mut answer = object(json!({ "isIn": false, "x-inout": null }));
    if !shown.contains_key("x-encoding") {
        answer.insert("schema".to_owned(), json!({ "type": "string", "x-encoding": null }));
    }
    let text = format!("Does C only write the {count} bytes of `{}`? Then", site.name());
    described.ask(Question::new(text, answer))
}

/// A buffer that C may write: an output without a capacity, which only unsafe code can give.
fn byte_buffer(schema: Object, length: Length, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let described = Described::output(schema);
    match length {
        Length::Certain(count) | Length::Likely(count) => {
            let capacity = site.name_of(count);
            let bound = site.context.bound_of(&site.entry.name);
            let input = site
                .entry
                .parameters
                .iter()
                .enumerate()
                .find(|(index, _)| *index != count && site.candidates[*index].counter == Counter::Value);
            let mut text = format!("Does C fill `{name}`, which has room for `{capacity}` bytes?");
            if let (Some(bound), Some((_, (input, _)))) = (bound, input) {
                text.push_str(&format!(
                    " If `{bound}` tells how many are needed, write \"x-length\": {{ \"call\": \"{bound}\", \"args\": \
                     [\"{input}\"], \"parameter\": \"{capacity}\" }}; otherwise"
                ));
            } else {
                text.push_str(" Then");
            }
            let mut question = Question::new(text, object(json!({ "x-length": capacity })));
            if site.candidates[count].counter == Counter::Value && returns_integer(site) {
                question = Question::new(
                    format!(
                        "Does C fill `{name}`, which has room for `{capacity}` bytes? If it returns how many it wrote, \
                             write \"x-written\": \"return\" too. Then"
                    ),
                    object(json!({ "x-length": capacity })),
                );
            }
            described.ask(question)
        }
        Length::Product => described.ask(product(site)),
        Length::Unknown => {
            let (count, text) = size(site, format!("How many bytes does C write to `{name}`?"));
            described.ask(Question::new(text, object(json!({ "x-length": constant(count) }))))
        }
    }
}

/// A size that is always the same, as the constants of the header suggest it; and the question that says so.
fn size(site: &Site<'_, '_>, question: String) -> (u64, String) {
    const LISTED: usize = 6;
    let sizes = site.context.sizes_of(&site.entry.name);
    let name = fold(site.name());
    let fits = |constant: &&&Constant| {
        let end = constant.name.rsplit('_').next().unwrap_or_default().to_ascii_lowercase();
        end.starts_with(&name)
            || end.strip_suffix("bytes").is_some_and(|of| !of.is_empty() && name.contains(of))
    };
    let likely =
        sizes.iter().find(fits).or_else(|| sizes.iter().find(|constant| constant.name.ends_with("_BYTES")));
    let count = likely.and_then(|constant| u64::try_from(constant.value).ok()).unwrap_or(32);
    let listed: Vec<String> = sizes
        .iter()
        .take(LISTED)
        .map(|constant| format!("{} is {}", constant.name, constant.value))
        .collect();
    let listed = if listed.is_empty() { String::new() } else { format!(" ({})", listed.join(", ")) };
    (count, format!("{question}{listed} If always {count}, or whatever the right number is,"))
}

fn returns_integer(site: &Site<'_, '_>) -> bool {
    matches!(site.context.types.resolve(site.entry.signature.returns), Type::Integer(_))
}

/// A pointer to scalars that are no bytes.
fn numbers(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let one = || object(json!({ "type": scalar.json, "cType": scalar.c_type(true) }));
    let is_in = is_constant || site.direction() == Some(Direction::In);
    if site.candidates[site.index].counter == Counter::Pointer {
        // A length is one number, and both ways is right for either.
        return match site.direction() {
            Some(Direction::Out) => Described::output(one()),
            _ => Described::input(one()).key("x-inout", true),
        };
    }
    if let Some(count) = site.array() {
        return number_array(scalar, count, is_in, site);
    }
    if site.only_frees() {
        return Described::input(array_of(scalar));
    }
    let length = site.length();
    match (site.direction(), length) {
        (Some(Direction::Out), Length::Unknown) => return Described::output(one()),
        (Some(Direction::InOut), Length::Unknown) => return Described::input(one()).key("x-inout", true),
        _ => {}
    }
    let described = Described { is_in, ..Described::input(array_of(scalar)) };
    match length {
        Length::Certain(count) | Length::Likely(count) => {
            let answer = json!({ "x-length": site.name_of(count) });
            let text = if is_in {
                format!("Has `{name}` `{}` elements (not bytes)? Then", site.name_of(count))
            } else {
                format!(
                    "Does C fill `{name}`, which has room for `{}` elements (not bytes)? Then",
                    site.name_of(count)
                )
            };
            described.ask(Question::new(text, object(answer)))
        }
        Length::Product => described.ask(product(site)),
        Length::Unknown => {
            let answer = json!({ "schema": { "type": scalar.json } });
            let text = if is_in {
                format!("Does `{name}` point to one value? (An array needs \"x-length\".) Then")
            } else {
                format!(
                    "Does C leave one value in `{name}`? (If it also reads it, write \"isIn\": true, \"x-inout\": true; an \
                     array needs \"x-length\".) Then"
                )
            };
            described.ask(Question::new(text, object(answer)))
        }
    }
}

fn number_array(scalar: Scalar, count: u64, is_in: bool, site: &Site<'_, '_>) -> Described {
    let described = Described::input(array_of(scalar)).key("x-length", constant(count));
    match (is_in, site.direction()) {
        (true, _) => described,
        (false, Some(Direction::Out)) => Described { is_in: false, ..described },
        (false, Some(_)) => described.key("x-inout", true),
        (false, None) => {
            let answer = json!({ "isIn": false, "x-inout": null });
            let text = format!("Does C only write the {count} elements of `{}`? Then", site.name());
            described.key("x-inout", true).ask(Question::new(text, object(answer)))
        }
    }
}

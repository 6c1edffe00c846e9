//! `char*` and `unsigned char*`: strings, and bytes with a length.

use serde_json::{Value, json};

use super::described::Described;
use super::evidence::Evidence;
use super::function::constant;
use super::kept;
use super::lengths::{Counter, Length};
use super::names::fold;
use super::parameter::{array_of, counted, directions, product, with_c_type, written};
use super::question::Question;
use super::scalar::{Object, Scalar};
use super::schemas::object;
use super::site::Site;
use crate::{Constant, Direction, Type};

/// The schema of bytes with a length: whatever they mean, base64 carries them.
fn bytes() -> Object {
    object(json!({ "type": "string", "x-encoding": "base64" }))
}

/// Words of the documentation about a text that is not just any text: a name that only the library makes.
const PARTICULAR: [&str; 3] = ["access violation", "result is undefined", "results are undefined"];

/// States that C frees the memory of an input, as `g_free` does.
pub(super) fn taken(described: Described, says: Evidence) -> Described {
    described.key("x-takes", json!({ "memory": "g_malloc", "free": "g_free" }), says)
}

/// Describes a pointer to bytes.
pub(super) fn describe(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let unit = site.context.text_says(site.entry, site.parameter().of, scalar);
    let direction = site.buffer_direction(is_constant);
    let proven = match site.array() {
        Some(count) => Some((constant(count), site.array_says(count))),
        None => site.proven_length().map(|(count, _, says)| (count, says)).or_else(|| site.proven_extent()),
    };
    let given = site.entry.states_given(site.position()).filter(|_| !kept::is_static(site));
    if let (Some(owner), Some(says), None, true) =
        (given.clone(), site.entry.states_text(site.position()), &proven, scalar.is_char())
        && site.entry.states_not_out(site.position()).is_some()
    {
        let schema = with_c_type(object(json!({ "type": "string" })), scalar);
        return taken(Described::input(schema, "a string", says), owner);
    }
    if let (Some((direction, evidence)), Some((length, says))) = (direction.clone(), proven) {
        let answer = object(json!({ "x-length": length, "schema": bytes() }));
        if let (Direction::In, Some(owner)) = (direction, given) {
            let described = Described::input(with_c_type(bytes(), scalar), "bytes", site.type_says());
            return taken(described.key("x-length", length, says), owner);
        }
        if direction == Direction::In
            && let Some(asked) = kept::doubt(site, false, array_of(scalar), answer)
        {
            return asked;
        }
        let described = Described::input(with_c_type(bytes(), scalar), "bytes", site.type_says())
            .key("x-length", length, says)
            .directed(direction, evidence);
        return written(described, direction, site);
    }
    let undescribed = |question: Question| Described::undescribed(array_of(scalar), question);
    if let Some(count) = site.array() {
        let text = format!(
            "Does C only write the {count} bytes of `{name}`? (If it reads them too, write \"isIn\": true, \"x-inout\": \
             true; if it only reads them, \"isIn\": true.) Then"
        );
        let answer = json!({ "isIn": false, "x-length": constant(count), "schema": bytes() });
        let read = json!({ "x-length": constant(count), "schema": bytes() });
        let both = json!({ "x-inout": true, "x-length": constant(count), "schema": bytes() });
        let question = Question::new(text, object(answer))
            .likely("yes, it only writes them")
            .or("no, it reads and writes them", both)
            .or("no, it only reads them", read);
        return undescribed(question);
    }
    if site.only_frees() {
        return Described::bare(array_of(scalar));
    }
    let is_in = direction.as_ref().is_some_and(|(direction, _)| *direction == Direction::In);
    if let (Some(unit), true) = (&unit, is_in) {
        let string = |says| {
            let answer = object(json!({ "schema": { "type": "string" } }));
            if let Some(asked) = kept::doubt(site, true, array_of(scalar), answer) {
                return asked;
            }
            let schema = with_c_type(object(json!({ "type": "string" })), scalar);
            Described::input(schema, "a string", says)
        };
        if let Some(says) = site.states_text() {
            return match site.text_count() {
                None => string(says),
                Some((count, Some(counted))) => {
                    let schema = with_c_type(object(json!({ "type": "string" })), scalar);
                    Described::input(schema, "a text", says).key("x-length", site.name_of(count), counted)
                }
                Some((count, None)) => undescribed(of_text(count, site)),
            };
        }
        // A string ends at its NUL, unless an integer may be its length.
        let count = site.possible_count();
        let is_by_value = |count: usize| site.candidates[count].counter == Counter::Value;
        let is_doubtful = || {
            site.is_end_of_range()
                || site.is_freed_text()
                || site.is_place()
                || site.entry.said.is_called_array(site.raw_name())
                || site.is_only_measured()
                || site.entry.said.mentions(&PARTICULAR)
        };
        let may_be_plain = is_constant && !site.parameter().is_array;
        let is_counted = count.is_some_and(is_by_value);
        if may_be_plain && !is_doubtful() {
            let is_plain =
                count.is_none() && !site.is_encoded() && !site.context.may_be_no_text(site.parameter().of);
            let says = if is_plain { Some(unit.clone()) } else { site.is_read_as_text() };
            if let Some(says) = says {
                return string(says);
            }
        }
        if may_be_plain && !is_counted {
            let text = format!(
                "Is `{name}` a text that ends at a NUL? (Otherwise write \"x-length\", and in `schema` also \"x-encoding\": \
                 \"base64\".) Then"
            );
            return undescribed(Question::new(text, object(json!({ "schema": { "type": "string" } }))));
        }
    }
    let length = match (site.length(), site.possible_count().filter(|_| unit.is_some() && is_in)) {
        (Length::Unknown, Some(count)) => Length::Likely(count),
        (length, _) => length,
    };
    match (is_in, length) {
        (true, Length::Certain(count) | Length::Likely(count)) => {
            let answer = json!({ "x-length": site.name_of(count), "schema": bytes() });
            let question = if unit.is_some() {
                let text = format!(
                    "Is `{}` the length of `{name}`? (If `{name}` ends at a NUL, only write \"type\": \"string\" in \
                     `schema`.) Then",
                    site.name_of(count)
                );
                let question = Question::new(text, object(answer))
                    .likely(format!("yes, it has `{}` bytes", site.name_of(count)))
                    .or("no, it is a text that ends at a NUL", json!({ "schema": { "type": "string" } }));
                match site.count_beside(count) {
                    Some(counter) => question.grouped(format!(
                        "`{counter} {}` counts the `{} {name}` before it",
                        site.name_of(count),
                        site.context.types.spelling(site.parameter().of)
                    )),
                    None => question,
                }
            } else {
                counted(site, count, true, answer)
            };
            undescribed(question)
        }
        (_, Length::Product(first, second)) => undescribed(product(site, [first, second], Some(bytes()))),
        (true, Length::Unknown) => {
            undescribed(size(site, &format!("How many bytes does `{name}` have?"), |count| {
                object(json!({ "x-length": constant(count), "schema": bytes() }))
            }))
        }
        (false, length) => undescribed(buffer(length, site)),
    }
}

/// The question about a text that a parameter may count.
fn of_text(count: usize, site: &Site<'_, '_>) -> Question {
    let (name, count) = (site.name(), site.name_of(count));
    let text = format!(
        "Is `{count}` the number of bytes of `{name}`, which C reads? (If C reads `{name}` up to its NUL whatever `{count}` is, \
         only write \"type\": \"string\" in `schema`.) Then"
    );
    let answer = object(json!({ "x-length": count, "schema": { "type": "string" } }));
    Question::new(text, answer)
        .likely(format!("yes, it has `{count}` bytes"))
        .or("no, it is a text that ends at a NUL", json!({ "schema": { "type": "string" } }))
}

/// The question about a buffer that C may write.
fn buffer(length: Length, site: &Site<'_, '_>) -> Question {
    let name = site.name();
    let filled = |length: Value| object(json!({ "isIn": false, "x-length": length, "schema": bytes() }));
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
            let answer = filled(capacity.into());
            let mut others = Vec::new();
            let mut text = format!("Does C fill `{name}`, which has room for `{capacity}` bytes?");
            let returns_count = site.candidates[count].counter == Counter::Value && returns_integer(site);
            if returns_count {
                text.push_str(" If it returns how many it wrote, write \"x-written\": \"return\" too. Then");
                let mut written = answer.clone();
                written.insert("x-written".to_owned(), "return".into());
                others.push(("yes, and it returns how many bytes it wrote".to_owned(), written));
            } else if let (Some(bound), Some((_, (input, _)))) = (bound, input) {
                text.push_str(&format!(
                    " (If `{bound}` returns how many are needed, the length is {{ \"call\": \"{bound}\", \"args\": \
                     [\"{input}\"], \"parameter\": \"{capacity}\" }}.) Then"
                ));
                let call = json!({ "call": bound, "args": [input], "parameter": capacity });
                let label = format!("yes, and `{bound}` of `{input}` returns how many it needs");
                others.push((label, filled(call)));
            } else {
                text.push_str(" Then");
            }
            let question =
                others.into_iter().fold(Question::new(text, answer.clone()), |question, (label, changes)| {
                    question.or(label, changes)
                });
            directions(question, site, count, &Value::Object(answer), false)
        }
        Length::Product(first, second) => product(site, [first, second], Some(bytes())),
        Length::Unknown => {
            size(site, &format!("How many bytes does C write to `{name}`?"), |count| filled(constant(count)))
        }
    }
}

/// The question about a fixed size, with the sizes that the constants of the header suggest.
fn size(site: &Site<'_, '_>, question: &str, answer: impl Fn(u64) -> Object) -> Question {
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
    let value = |constant: &Constant| u64::try_from(constant.value).ok();
    let count = likely.and_then(|constant| value(constant)).unwrap_or(32);
    let listed: Vec<String> = sizes
        .iter()
        .take(LISTED)
        .map(|constant| format!("{} is {}", constant.name, constant.value))
        .collect();
    let listed = if listed.is_empty() { String::new() } else { format!(" ({})", listed.join(", ")) };
    let text = format!("{question}{listed} If always {count}, or whatever the right number is,");
    let question = Question::new(text, answer(count));
    let Some(likely) = likely else { return question.only_form() };
    let label = |constant: &Constant| format!("always {}, as {} says", constant.value, constant.name);
    sizes.iter().take(LISTED).fold(question.likely(label(likely)), |question, constant| {
        match value(constant).filter(|count| *count > 0) {
            Some(count) => question.or(label(constant), answer(count)),
            None => question,
        }
    })
}

fn returns_integer(site: &Site<'_, '_>) -> bool {
    matches!(site.context.types.resolve(site.entry.signature.returns), Type::Integer(_))
}

//! `char*` and `unsigned char*`: strings, and bytes with a length.

use serde_json::json;

use super::function::{Described, constant};
use super::lengths::{self, Counter, Length};
use super::names::{fold, words};
use super::parameter::{Site, array_of, counted, product, with_c_type};
use super::question::Question;
use super::scalar::{Object, Scalar};
use super::schemas::object;
use crate::{Constant, Direction, Type};

/// The schema of bytes: `char` is text, unless the name says that it is data.
fn byte_schema(scalar: Scalar, name: &str) -> Object {
    const DATA: [&str; 15] = [
        "src",
        "source",
        "dst",
        "dest",
        "data",
        "buf",
        "buffer",
        "in",
        "input",
        "out",
        "output",
        "blob",
        "bytes",
        "dict",
        "dictionary",
    ];
    let is_data = words(name).iter().any(|word| DATA.contains(&word.as_str()));
    if scalar.is_char() && !is_data {
        return object(json!({ "type": "string" }));
    }
    object(json!({ "type": "string", "x-encoding": "base64" }))
}

/// Describes a pointer to bytes.
pub(super) fn describe(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Described {
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
    // A string ends at its NUL, unless something else may be its length.
    let unclaimed = lengths::unclaimed(site.candidates, site.index).filter(|_| scalar.is_char());
    let length = match (site.length(), unclaimed) {
        (Length::Unknown, Some(count)) if is_in => Length::Likely(count),
        (length, _) => length,
    };
    match (is_in, length) {
        (true, Length::Certain(count)) if site.candidates[count].counter == Counter::Value => {
            Described::input(whole(&shown)).key("x-length", site.name_of(count))
        }
        (true, Length::Unknown) if scalar.is_char() => {
            Described::input(with_c_type(object(json!({ "type": "string" })), scalar))
        }
        (true, Length::Certain(count) | Length::Likely(count)) => {
            let answer = json!({ "x-length": site.name_of(count), "schema": shown });
            let question = if scalar.is_char() {
                let text = format!(
                    "Is `{}` the length of `{name}`? (If `{name}` ends at a NUL, only write \"type\": \"string\" in \
                     `schema`.) Then",
                    site.name_of(count)
                );
                Question::new(text, object(answer))
            } else {
                counted(site, count, true, answer)
            };
            Described::input(array_of(scalar)).ask(question)
        }
        (true, Length::Product) => Described::input(array_of(scalar)).ask(product(site)),
        (true, Length::Unknown) => {
            let (count, text) = size(site, format!("How many bytes does `{name}` have?"));
            let answer = json!({ "x-length": constant(count), "schema": shown });
            Described::input(array_of(scalar)).ask(Question::new(text, object(answer)))
        }
        (false, length) => byte_buffer(whole(&shown), length, site),
    }
}

/// An array parameter has a known length; if C can write to it, its direction is unknown.
fn byte_array(scalar: Scalar, shown: Object, count: u64, is_in: bool, site: &Site<'_, '_>) -> Described {
    if is_in {
        return Described::input(with_c_type(shown, scalar)).key("x-length", constant(count));
    }
    if site.direction() == Some(Direction::Out) || site.direction().is_none() && site.only_makes() {
        return Described::output(with_c_type(shown, scalar)).key("x-length", constant(count));
    }
    // Only bytes can be in and out, which is correct for either direction.
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

/// A buffer that C may write: an output without a capacity, which only unsafe code can pass.
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
                    " If `{bound}` returns how many are needed, write \"x-length\": {{ \"call\": \"{bound}\", \"args\": \
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

/// A fixed size that the constants of the header suggest; and the question about it.
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

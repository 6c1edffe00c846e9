//! Pointers to scalars other than bytes: one value or an array, in or out.

use serde_json::json;

use super::function::{Described, constant};
use super::lengths::{Counter, Length};
use super::parameter::{Site, array_of, product};
use super::question::Question;
use super::scalar::Scalar;
use super::schemas::object;
use crate::Direction;

/// Describes a pointer to scalars.
pub(super) fn describe(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let one = || object(json!({ "type": scalar.json, "cType": scalar.c_type(true) }));
    let is_in = is_constant || site.direction() == Some(Direction::In);
    if site.candidates[site.index].counter == Counter::Pointer {
        // A length is one number, and in-out is correct for either direction.
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
                format!("Does `{name}` have `{}` elements (not bytes)? Then", site.name_of(count))
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

//! Pointers to scalars other than bytes: one value or an array, in or out.

use serde_json::{Value, json};

use super::bytes;
use super::described::Described;
use super::evidence::Evidence;
use super::function::constant;
use super::lengths::{Counter, Length};
use super::parameter::{array_of, directions, product};
use super::question::Question;
use super::said::Unit;
use super::scalar::Scalar;
use super::schemas::object;
use super::site::Site;
use crate::Direction;

/// Describes a pointer to scalars.
pub(super) fn describe(scalar: Scalar, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let name = site.name();
    let direction = site.direction(is_constant);
    if let Some((direction, evidence)) = direction.clone() {
        // Of what C frees, an array of its own is passed.
        if let (Some(owner), Some((count, Unit::Elements, says)), Direction::In) =
            (site.entry.states_given(site.position()), site.proven_length(), direction)
        {
            let described = Described::input(array_of(scalar), "an array", site.type_says());
            return bytes::taken(described.key("x-length", count, says), owner);
        }
        let array = |length: Value, says: Evidence| {
            Described::input(array_of(scalar), "an array", site.type_says())
                .key("x-length", length, says)
                .directed(direction, evidence.clone())
        };
        if let Some(count) = site.array() {
            return array(constant(count), site.array_says(count));
        }
        if let Some((count, Unit::Elements, says)) = site.proven_length() {
            return array(count, says);
        }
        if let Some((count, says)) = site.proven_extent() {
            return array(count, says);
        }
        // `const int *` is as often an array as one value.
        let seen = || site.is_one().filter(|_| !site.parameter().is_array).map(|(_, says)| says);
        let stated = site.entry.states_one(site.position()).or_else(seen);
        if stated.is_some() || !is_constant && !site.may_be_several() && !site.is_certainly_several() {
            let one = object(json!({ "type": scalar.json, "cType": scalar.c_type(true) }));
            let says = stated.unwrap_or_else(|| site.type_says());
            return Described::input(one, "one value", says).directed(direction, evidence);
        }
    }
    if direction.is_none()
        && !site.parameter().is_array
        && let Some((direction, says)) = site.is_one()
    {
        let one = object(json!({ "type": scalar.json, "cType": scalar.c_type(true) }));
        return Described::input(one, "one value", says.clone()).directed(direction, says);
    }
    if site.only_frees() {
        return Described::bare(array_of(scalar));
    }
    let is_in = direction.is_some_and(|(direction, _)| direction == Direction::In);
    Described::undescribed(array_of(scalar), question(scalar, is_in, name, site))
}

fn question(scalar: Scalar, is_in: bool, name: &str, site: &Site<'_, '_>) -> Question {
    let directed = |mut answer: Value| {
        if let (false, Value::Object(answer)) = (is_in, &mut answer) {
            answer.insert("isIn".to_owned(), false.into());
        }
        object(answer)
    };
    if let Some(count) = site.array() {
        let text = format!(
            "Does C only write the {count} elements of `{name}`? (If it reads them too, write \"isIn\": true, \"x-inout\": true.) Then"
        );
        let question = Question::new(text, directed(json!({ "x-length": constant(count) })));
        return match is_in {
            true => question.likely("it only reads them"),
            false => question
                .likely("yes, it only writes them")
                .or("no, it reads and writes them", json!({ "x-inout": true, "x-length": constant(count) }))
                .or("no, it only reads them", json!({ "x-length": constant(count) })),
        };
    }
    match site.length() {
        // A pointer to a length is one number.
        _ if site.candidates[site.index].counter == Counter::Pointer => {
            let text = format!(
                "Does C read one number from `{name}`, and leave another there? (If it only leaves one, write \"isIn\": false \
                 instead of \"x-inout\"; an array needs \"x-length\".) Then"
            );
            let one = json!({ "type": scalar.json });
            let answer = json!({ "x-inout": true, "schema": one });
            Question::new(text, object(answer))
                .likely("yes, it reads one and leaves another")
                .or("no, it only leaves one", json!({ "isIn": false, "schema": one }))
                .or("no, it only reads one", json!({ "schema": one }))
        }
        Length::Certain(count) | Length::Likely(count) => {
            let index = count;
            let count = site.name_of(count);
            let text = if is_in {
                format!("Does `{name}` have `{count}` elements (not bytes)? Then")
            } else {
                format!("Does C fill `{name}`, which has room for `{count}` elements (not bytes)? Then")
            };
            let answer = directed(json!({ "x-length": count }));
            let question = Question::new(text, answer.clone());
            directions(question, site, index, &Value::Object(answer), is_in)
        }
        Length::Product(first, second) => product(site, [first, second], None),
        Length::Unknown => {
            let text = if is_in {
                format!("Does `{name}` point to one value? (An array needs \"x-length\".) Then")
            } else {
                format!(
                    "Does C leave one value in `{name}`? (If it also reads it, write \"isIn\": true, \"x-inout\": true; an \
                     array needs \"x-length\".) Then"
                )
            };
            let one = json!({ "type": scalar.json });
            let question = Question::new(text, directed(json!({ "schema": one })));
            match is_in {
                true => question.likely("yes, one value"),
                false => question
                    .likely("yes, it leaves one value")
                    .or("it reads one and leaves another", json!({ "x-inout": true, "schema": one }))
                    .or("it only reads one value", json!({ "schema": one })),
            }
        }
    }
}

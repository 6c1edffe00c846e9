//! Pointers to structs and states.

use serde_json::{Value, json};

use super::described::Described;
use super::evidence::{Evidence, EvidenceKind};
use super::function::constant;
use super::kept;
use super::lengths::Length;
use super::lent;
use super::names::words;
use super::ownership;
use super::question::Question;
use super::said::Unit;
use super::scalar::{Object, peel};
use super::schemas::{object, raw, reference};
use super::site::Site;
use crate::{Direction, Type, TypeId};

/// A pointer to a struct: one, or an array; in, out or both.
pub(super) fn describe(name: &str, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let Type::Pointer { to, .. } = peel(site.context.types, site.parameter().of).of else {
        return Described::bare(raw());
    };
    site.context.write_schema(name, *to);
    let items = reference(name, Some(json!({ "type": "void", "isPointer": false })));
    let array =
        || object(json!({ "type": "array", "items": items, "cType": { "type": "void", "isPointer": true } }));
    let mut direction = direction_of(is_constant, site);
    let shown = site.name();
    if let (Some(owner), Some(_)) =
        (site.entry.states_given(site.position()), site.entry.states_not_out(site.position()))
    {
        return Described::bare(raw()).fact("C owns it after the call, for unsafe code", owner);
    }
    if let Some(question) = ends(name, is_constant, site) {
        return Described::undescribed(array(), question);
    }
    if let (None, Some(says)) = (&direction, lent_instance(site)) {
        direction = Some((Direction::InOut, says));
    }
    if let Some((direction, evidence)) = direction.clone() {
        let several = |key: Value, says: Evidence| {
            Described::input(array(), &format!("an array of `{name}`"), site.type_says())
                .key("x-length", key, says)
                .directed(direction, evidence.clone())
        };
        if let Some(count) = site.array() {
            return several(constant(count), site.array_says(count));
        }
        if let Some((count, Unit::Elements, says)) = site.proven_length() {
            return several(count, says);
        }
        // A parser that is pushed: a GIR file lends it, and says nothing about how long it is used.
        let is_given = site.entry.states_lent(site.position()).is_some()
            && ownership::may_give(&site.entry.name)
            && ownership::has_others(site);
        let is_kept = || kept::may_keep(site) || is_given || site.may_be_kept().is_some();
        if direction == Direction::In && site.holds_pointers() && site.is_lent().is_none() && is_kept() {
            // `x-keeps` is for structs without pointers.
            let text = format!(
                "Does C use the `{name}` in `{shown}` after the call? (If it does, only remove the question: then only unsafe \
                 code can pass it.) If it does not,"
            );
            let one =
                json!({ "$ref": format!("#/schemas/{name}"), "type": null, "items": null, "cType": null });
            let question =
                Question::new(text, object(json!({ "schema": one }))).likely("no, only during the call");
            return Described::undescribed(array(), question);
        }
        // Of what a struct points to, the code tells neither the owner nor the number.
        let seen = site.is_one().filter(|_| !site.parameter().is_array && !site.holds_pointers());
        let is_one = || {
            !site.may_be_several_structs()
                && !precedes_data(*to, site)
                && !is_of_table(*to, site)
                && !site.is_certainly_several()
                && !site.is_place()
                && !site.is_returned()
        };
        if seen.is_some() || is_one() {
            let says = seen.map_or_else(|| site.type_says(), |(_, says)| says);
            let one = Described::input(reference(name, None), &format!("one `{name}`"), says);
            return one.directed(direction, evidence);
        }
    }
    if direction.is_none()
        && !site.parameter().is_array
        && !site.holds_pointers()
        && let Some((direction, says)) = site.is_one()
    {
        let one = Described::input(reference(name, None), &format!("one `{name}`"), says.clone());
        return one.directed(direction, says);
    }
    let count = match site.length() {
        Length::Certain(count) | Length::Likely(count) => Some(count),
        _ => None,
    };
    // From the array that it is written as to one struct.
    let one = json!({ "$ref": format!("#/schemas/{name}"), "type": null, "items": null, "cType": null });
    let direction = direction.map(|(direction, _)| direction);
    let how = match direction {
        Some(_) => "",
        None => " (If C only writes it, write \"isIn\": false instead of \"x-inout\".)",
    };
    let mut answer = match direction {
        Some(Direction::In) => Object::new(),
        Some(Direction::Out) => object(json!({ "isIn": false })),
        Some(Direction::InOut) | None => object(json!({ "x-inout": true })),
    };
    let question = match count.filter(|_| site.may_be_several_structs()) {
        Some(count) => {
            answer.insert("x-length".to_owned(), site.name_of(count).into());
            let question = Question::new(
                format!(
                    "Is `{shown}` an array of `{}` structs? (For one struct write \"$ref\": \"#/schemas/{name}\" as \
                     the only key of `schema`.) Then",
                    site.name_of(count)
                ),
                answer,
            );
            let count = site.name_of(count);
            let several = (format!("an array of `{count}`"), json!({ "x-length": count }));
            let one = (format!("one `{name}`"), json!({ "schema": one }));
            ways(question, &[several, one], direction)
        }
        None => {
            answer.insert("schema".to_owned(), one.clone());
            let text = format!(
                "Does `{shown}` point to one `{name}`{}?{how} (For an array write \"x-length\"; for a pointer that only C \
                 may make, in `cType` \"x-handle\".) Then",
                if direction.is_none() { ", which C reads and writes" } else { "" }
            );
            let question = Question::new(text, answer);
            ways(question, &[(format!("one `{name}`"), json!({ "schema": one }))], direction)
        }
    };
    Described::undescribed(array(), question)
}

/// What states that a struct is lent to its method, which reads it and may change it. One that holds pointers, or that
/// is given to something else, may be kept or ended.
fn lent_instance(site: &Site<'_, '_>) -> Option<Evidence> {
    let says = site.entry.states_instance(site.position())?;
    site.entry.states_lent(site.position())?;
    let name = &site.entry.name;
    let may_keep = ownership::may_give(name) || kept::may_keep(site) || ownership::may_release(name);
    let is_doubtful = may_keep && (ownership::has_others(site) || site.holds_pointers()) || begins(name);
    (!is_doubtful && site.entry.function.comment.is_some()).then_some(says)
}

/// Words the answers of a question about structs: each of the `forms`, the likely one first, in every direction that is
/// open.
fn ways(question: Question, forms: &[(String, Value)], direction: Option<Direction>) -> Question {
    let open = [Direction::InOut, Direction::Out, Direction::In];
    let directions: Vec<Direction> = direction.map_or_else(|| open.to_vec(), |known| vec![known]);
    let ways = forms.iter().flat_map(|form| directions.iter().map(move |direction| (form, *direction)));
    ways.enumerate().fold(question, |question, (index, ((form, answer), direction))| {
        let mut answer = answer.clone();
        let label = match direction {
            Direction::In => format!("{form}, which C only reads"),
            Direction::Out => {
                answer["isIn"] = false.into();
                format!("{form}, which C only writes")
            }
            Direction::InOut => {
                answer["x-inout"] = true.into();
                format!("{form}, which C reads and writes")
            }
        };
        if index == 0 { question.likely(label) } else { question.or(label, answer) }
    })
}

/// A state is memory of the caller's that one function begins and others use.
pub(super) fn state(name: &str, is_constant: bool, site: &Site<'_, '_>) -> Described {
    let Type::Pointer { to, .. } = peel(site.context.types, site.parameter().of).of else {
        return Described::bare(raw());
    };
    site.context.write_schema(name, *to);
    if let Some(question) = ends(name, is_constant, site) {
        return Described::undescribed(raw(), question);
    }
    // What C accesses beyond it is part of something larger, which only C makes.
    let is_one = !site.may_be_several() && !site.is_certainly_several() && !site.is_place();
    if let Some((direction, evidence)) = direction_of(is_constant, site).filter(|_| is_one) {
        return Described::input(reference(name, None), &format!("one `{name}`"), site.type_says())
            .directed(direction, evidence);
    }
    let seen = site.is_changed_in_place().filter(|_| !begins(&site.entry.name) && is_one);
    if let (Some(says), None) = (seen, site.direction(is_constant)) {
        let one = Described::input(reference(name, None), &format!("one `{name}`"), site.type_says());
        return one.directed(Direction::InOut, says);
    }
    let of = json!({ "$ref": format!("#/schemas/{name}") });
    let shown = site.name();
    let question = if begins(&site.entry.name) {
        Question::new(
            format!(
                "Does the function begin the `{name}` in `{shown}`? (If it needs one that another function began, write \
                 \"x-inout\": true instead of \"isIn\".) Then"
            ),
            object(json!({ "isIn": false, "schema": of })),
        )
        .likely("yes, it begins it")
        .or("no, another function began it", json!({ "x-inout": true, "schema": of }))
    } else {
        Question::new(
            format!(
                "Does `{shown}` have to be a `{name}` that another function began? (If this function begins it, write \
                 \"isIn\": false instead of \"x-inout\".) Then"
            ),
            object(json!({ "x-inout": true, "schema": of })),
        )
        .likely("yes, another function began it")
        .or("no, this function begins it", json!({ "isIn": false, "schema": of }))
        .grouped(format!("functions need a `{name}` that another function began"))
    };
    Described::undescribed(raw(), question)
}

/// The question whether the function frees a struct or ends a state, if its name or documentation suggests it.
fn ends(name: &str, is_constant: bool, site: &Site<'_, '_>) -> Option<Question> {
    let function = site.entry.name.as_str();
    let told =
        ownership::told_freed(site, &ownership::objects(site.raw_name(), name)).filter(|_| !is_constant);
    let is_lent = site.entry.states_lent(site.position()).is_some() && site.entry.function.comment.is_some();
    // A file says that C does not own it: words about freeing may be about something else.
    let may_end = match is_lent && told.is_none() {
        true => lent::may_end(function),
        false => ownership::may_release(function),
    };
    if told.is_none() && !may_end {
        return None;
    }
    let because = told.as_ref().map(|told| format!(" ({told})")).unwrap_or_default();
    let text = if site.direction(is_constant).is_some_and(|(direction, _)| direction == Direction::Out) {
        format!(
            "Which function frees or ends the `{name}` that C leaves in `{}`?{because} Write \"isIn\": false, \"x-free\" \
             with its name, and as `schema` {{ \"$ref\": \"#/schemas/{name}\" }}; without \"x-free\" if it needs no end.",
            site.name()
        )
    } else {
        format!(
            "Does `{function}` free the `{name}` in `{}`, or what it holds?{because} If it does neither, replace `schema` \
         with {{ \"$ref\": \"#/schemas/{name}\" }}, and write \"x-inout\": true if C also writes it. If only C makes \
         such a pointer, write in `cType` \"x-handle\": \"{name}\", and here \"x-free\": \"{function}\". If a state \
         ends here, the function that begins it names this one in \"x-free\".",
            site.name()
        )
    };
    Some(Question::open(text).because(told))
}

/// The proven direction. `@param[in]` of a struct that C can change says that the pointer is an argument, as often as
/// that C does not write through it.
fn direction_of(is_constant: bool, site: &Site<'_, '_>) -> Option<(Direction, Evidence)> {
    site.direction(is_constant).filter(|(direction, says)| {
        *direction != Direction::In || is_constant || says.kind() != EvidenceKind::Documentation
    })
}

/// Whether more data may follow the struct in memory: it has a length, and nothing that it could be the length of.
fn precedes_data(to: TypeId, site: &Site<'_, '_>) -> bool {
    let types = site.context.types;
    let Type::Record(record) = types.resolve(to) else { return false };
    let is_length = |name: &str| {
        let words = words(name);
        words.last().is_some_and(|word| word == "len" || word == "length") || words == ["size"]
    };
    let is_content = |of| matches!(types.resolve(of), Type::Pointer { .. } | Type::Array { .. });
    record.members.iter().any(|member| member.name.as_deref().is_some_and(is_length))
        && !record.members.iter().any(|member| is_content(member.of))
}

/// Whether it may be the first entry of a table that ends with a special one, of which no documentation says anything: it holds
/// a function that does something with other members, or begins with a name.
fn is_of_table(to: TypeId, site: &Site<'_, '_>) -> bool {
    let types = site.context.types;
    let Type::Record(record) = types.resolve(to) else { return false };
    let behind = |of: TypeId| match types.resolve(of) {
        Type::Pointer { to, .. } => Some(types.resolve(*to)),
        _ => None,
    };
    let is_code = |of| matches!(behind(of), Some(Type::Function(_)));
    let codes = record.members.iter().filter(|member| is_code(member.of)).count();
    let is_named = record.members.first().is_some_and(|first| {
        let is_name = first.name.as_deref().is_some_and(|name| words(name).iter().any(|word| word == "name"));
        is_name && behind(first.of).is_some()
    });
    !site.entry.said.is_documented() && record.members.len() > 1 && (codes == 1 || is_named)
}

/// Whether the name of a function suggests that it begins a state: only for the order of answers.
fn begins(name: &str) -> bool {
    words(name).iter().any(|word| word == "init" || word == "start" || word == "begin")
}

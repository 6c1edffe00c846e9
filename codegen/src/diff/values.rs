//! Values of JSON calls. An argument may accept more and a result may hold less; the opposite breaks callers.

use serde_json::Value;

use super::change::{Audience, Of, quoted};
use crate::description::Exchanged;

const JSON: &[Audience] = &[Audience::Json];

pub(super) fn arguments(old: &[Exchanged], new: &[Exchanged], changes: &mut Of<'_>) {
    for argument in new {
        let name = quoted(&argument.name);
        let Some(known) = old.iter().find(|known| known.name == argument.name) else {
            let (text, breaks) = if argument.required {
                ("a new argument", JSON)
            } else {
                ("a new optional argument", &[][..])
            };
            changes.push(format!("JSON takes {text} {name}"), breaks);
            continue;
        };
        match (known.required, argument.required) {
            (false, true) => changes.push(format!("JSON must give {name}"), JSON),
            (true, false) => changes.push(format!("{name} is optional in JSON"), &[]),
            (false, false) if known.default != argument.default => {
                let show = |value: &Option<Value>| value.as_ref().map_or("none".to_owned(), Value::to_string);
                let (now, was) = (show(&argument.default), show(&known.default));
                // No call is refused, but one without it behaves differently.
                changes.push(
                    format!("the default of {name} is {now}, was {was}"),
                    &[Audience::Rust, Audience::Json],
                );
            }
            _ => {}
        }
        schema(&format!("argument {name}"), &known.schema, &argument.schema, true, changes);
    }
    for argument in old {
        if !new.iter().any(|known| known.name == argument.name) {
            changes.push(format!("JSON can no longer give {}", quoted(&argument.name)), JSON);
        }
    }
}

pub(super) fn results(old: &[Exchanged], new: &[Exchanged], changes: &mut Of<'_>) {
    for result in new {
        let name = quoted(&result.name);
        match old.iter().find(|known| known.name == result.name) {
            None => changes.push(format!("JSON gets a new result {name}"), &[]),
            Some(known) => schema(&format!("result {name}"), &known.schema, &result.schema, false, changes),
        }
    }
    for result in old {
        if !new.iter().any(|known| known.name == result.name) {
            changes.push(format!("JSON no longer gets {}", quoted(&result.name)), JSON);
        }
    }
}

/// `is_given` tells whether callers give the value; otherwise they get it.
fn schema(what: &str, old: &Value, new: &Value, is_given: bool, changes: &mut Of<'_>) {
    let kind = |schema: &Value| schema["type"].as_str().unwrap_or("any").to_owned();
    if kind(old) != kind(new) {
        changes.push(format!("{what}: {} in JSON, was {}", kind(new), kind(old)), JSON);
        return;
    }
    range(what, old, new, is_given, changes);
    choices(what, old, new, is_given, changes);
    for (key, name) in [
        ("contentEncoding", "the encoding"),
        ("x-length", "the number of bytes"),
        ("minItems", "the number of elements"),
    ] {
        if old[key] != new[key] {
            let show = |value: &Value| if value.is_null() { "any".to_owned() } else { value.to_string() };
            changes.push(format!("{what}: {name} is {}, was {}", show(&new[key]), show(&old[key])), JSON);
        }
    }
    if old["format"] == "token" && old["title"] != new["title"] {
        changes.push(format!("{what}: a token of a {}, was of a {}", new["title"], old["title"]), JSON);
    }
    match (old["x-nullable"] == true, new["x-nullable"] == true) {
        (false, true) => changes.push(format!("{what}: may be null"), if is_given { &[] } else { JSON }),
        (true, false) if is_given => changes.push(format!("{what}: may not be null"), JSON),
        _ => {}
    }
    if old["items"].is_object() && new["items"].is_object() {
        schema(&format!("{what}, each element"), &old["items"], &new["items"], is_given, changes);
    }
    members(what, old, new, is_given, changes);
}

fn range(what: &str, old: &Value, new: &Value, is_given: bool, changes: &mut Of<'_>) {
    let ends = |schema: &Value| {
        let end = |key: &str| schema[key].as_i64().map(i128::from).or(schema[key].as_u64().map(i128::from));
        Some((end("minimum")?, end("maximum")?))
    };
    let (Some(before), Some(after)) = (ends(old), ends(new)) else {
        if old["format"] != new["format"] && old["type"] == "number" {
            let breaks: &[Audience] = if (new["format"] == "float") == is_given { JSON } else { &[] };
            changes.push(format!("{what}: the precision changed"), breaks);
        }
        return;
    };
    if before == after {
        return;
    }
    let holds = |outer: (i128, i128), inner: (i128, i128)| outer.0 <= inner.0 && inner.1 <= outer.1;
    let is_fine = if is_given { holds(after, before) } else { holds(before, after) };
    let message = format!("{what}: from {} to {}, was from {} to {}", after.0, after.1, before.0, before.1);
    changes.push(message, if is_fine { &[] } else { JSON });
}

fn choices(what: &str, old: &Value, new: &Value, is_given: bool, changes: &mut Of<'_>) {
    let (before, after) = (old["enum"].as_array(), new["enum"].as_array());
    let list =
        |values: &[&Value]| values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
    match (before, after) {
        (Some(before), Some(after)) => {
            let gone: Vec<&Value> = before.iter().filter(|value| !after.contains(value)).collect();
            let added: Vec<&Value> = after.iter().filter(|value| !before.contains(value)).collect();
            if !gone.is_empty() {
                let breaks = if is_given { JSON } else { &[] };
                changes.push(format!("{what}: {} is refused", list(&gone)), breaks);
            }
            if !added.is_empty() {
                changes.push(
                    format!("{what}: {} is a new value", list(&added)),
                    if is_given { &[] } else { JSON },
                );
            }
        }
        (None, Some(after)) => {
            let after: Vec<&Value> = after.iter().collect();
            changes.push(format!("{what}: only {}", list(&after)), if is_given { JSON } else { &[] });
        }
        (Some(_), None) => changes.push(format!("{what}: any value"), if is_given { &[] } else { JSON }),
        (None, None) => {}
    }
}

/// The members of an object.
fn members(what: &str, old: &Value, new: &Value, is_given: bool, changes: &mut Of<'_>) {
    let (Some(before), Some(after)) = (old["properties"].as_object(), new["properties"].as_object()) else {
        return;
    };
    let is_required = |schema: &Value, key: &str| {
        schema["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key))
    };
    for (key, property) in after {
        let member = format!("{what}, member {}", quoted(key));
        let required = is_required(new, key);
        match before.get(key) {
            None if required && is_given => changes.push(format!("{member} is new, and required"), JSON),
            None => changes.push(format!("{member} is new"), &[]),
            Some(known) => {
                schema(&member, known, property, is_given, changes);
                match (is_required(old, key), required) {
                    (false, true) if is_given => changes.push(format!("{member} is required"), JSON),
                    (true, false) if is_given => changes.push(format!("{member} is optional"), &[]),
                    _ => {}
                }
            }
        }
    }
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        changes.push(format!("{what}, member {} was removed", quoted(key)), JSON);
    }
}

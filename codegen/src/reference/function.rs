//! The section of one function.

use opendyn_model::layout;
use serde_json::{Map, Value};

use super::{escape, schema};
use crate::description::{Description, Exchanged, Function, Parameter, Role};

pub(super) fn section(function: &Function, page: &Description) -> String {
    let mut text = escape::heading("function", &function.name);
    if !function.description.trim().is_empty() {
        text += &format!("{}\n\n", escape::prose(&function.description));
    }
    text += &escape::block("c", &function.prototype);
    text.push('\n');
    if function.is_of_init {
        text += "Callers cannot call it: the library is initialized with it when it is loaded, or ended when its last \
                 binding is dropped.\n\n";
        return text;
    }
    text += &escape::block("rust", &function.signature.text);
    text.push('\n');
    if let Some(reason) = &function.refused {
        text += &format!("JSON cannot call it: {}.\n\n", escape::prose(reason));
    } else {
        text += &table("Arguments", "Argument", &function.arguments, true);
        text += &table("Result", "Key", &function.results, false);
    }
    let notes = notes(function, page);
    if !notes.is_empty() {
        let notes: Vec<String> = notes.iter().map(|note| format!("- {note}\n")).collect();
        text += &format!("{}\n", notes.concat());
    }
    if function.refused.is_none() && !(function.arguments.is_empty() && function.results.is_empty()) {
        text += &example(function);
    }
    text
}

fn table(title: &str, heading: &str, values: &[Exchanged], is_given: bool) -> String {
    if values.is_empty() {
        return if is_given {
            "It takes no arguments.\n\n".to_owned()
        } else {
            "It returns nothing: `{}`.\n\n".to_owned()
        };
    }
    let mut text = format!("**{title}**\n\n");
    text += &if is_given {
        format!("| {heading} | Type | Required | Description |\n|---|---|---|---|\n")
    } else {
        format!("| {heading} | Type | Description |\n|---|---|---|\n")
    };
    for value in values {
        let own = value.description.as_deref().unwrap_or_default();
        let of_type = value.schema["description"].as_str().unwrap_or_default();
        let about = escape::cell(&format!("{own}\n{of_type}"));
        let required = match (&value.default, value.required) {
            (_, true) => "yes".to_owned(),
            (Some(default), false) => {
                format!("no, {}", escape::code(&default.to_string()).replace('|', "\\|"))
            }
            (None, false) => "no".to_owned(),
        };
        let required = if is_given { format!(" {required} |") } else { String::new() };
        text += &format!(
            "| {} | {} |{required} {about} |\n",
            escape::code(&value.name),
            words(&value.schema, is_given)
        );
    }
    text + "\n"
}

/// A range matters only for what callers give: results are always in the range of their type.
fn words(of: &Value, is_given: bool) -> String {
    let mut of = of.clone();
    if let (Value::Object(members), false) = (&mut of, is_given) {
        members.shift_remove("minimum");
    }
    schema::words(&of)
}

/// Facts that the tables do not show.
fn notes(function: &Function, page: &Description) -> Vec<String> {
    let mut notes = Vec::new();
    for parameter in &function.parameters {
        if let Role::Derived(what) = &parameter.role {
            notes.push(format!("{} is not an argument: it is {what}.", escape::code(&parameter.name)));
        }
        if let (Role::Ends, Some(handle)) = (&parameter.role, &parameter.handle) {
            notes.push(format!(
                "The {} in {} is not valid after the call.",
                escape::code(handle),
                escape::code(&parameter.name)
            ));
        }
        if let (Role::Taken(into), Some(handle)) = (&parameter.role, &parameter.handle) {
            let (handle, name) = (escape::code(handle), escape::code(&parameter.name));
            notes.push(match into {
                Some(into) => {
                    format!("The {handle} in {name} belongs to {} after the call.", escape::code(into))
                }
                None => format!("The {handle} in {name} belongs to the library after the call."),
            });
        }
        notes.extend(held(parameter, page));
    }
    if let Some(returned) = &function.returns {
        notes.extend(held(returned, page));
    }
    if let (Some(success), Some(returned)) = (&function.success, &function.returns) {
        let good: Vec<String> = success.iter().map(|code| code_text(*code, page)).collect();
        notes.push(format!(
            "C returns a code in {}. {} success; any other code is an error{}.",
            escape::code(&returned.name),
            if good.len() == 1 { format!("{} means", good[0]) } else { format!("{} mean", good.join(", ")) },
            if page.codes.is_empty() { "" } else { ", with its [text](#codes)" }
        ));
    }
    if function.optional {
        notes.push("Some builds of the library lack it; there a call is an error.".to_owned());
    }
    if let Some(fixed) = function.variadic {
        let behind = function.parameters.iter().skip(fixed).map(|parameter| escape::code(&parameter.name));
        let behind: Vec<String> = behind.collect();
        if !behind.is_empty() {
            notes.push(format!("Passed through `...`: {}.", behind.join(", ")));
        }
    }
    if function.name != function.symbol {
        notes.push(format!("Its symbol in the library is {}.", escape::code(&function.symbol)));
    }
    if let Some(cancel) = &function.cancel {
        notes.push(format!("A server ends a running call with {}.", escape::link("function", cancel)));
    }
    if function.reports {
        notes.push("A server tells how far a running call is.".to_owned());
    }
    let hints = function.annotations;
    for (hint, text) in [
        (hints.read_only, "It changes nothing."),
        (hints.destructive, "Its changes cannot be undone."),
        (hints.idempotent, "Repeating it with the same arguments has no further effect."),
    ] {
        if hint == Some(true) {
            notes.push(text.to_owned());
        }
    }
    notes
}

/// Who owns a result.
fn held(value: &Parameter, page: &Description) -> Vec<String> {
    let name = escape::code(&value.name);
    let mut notes = Vec::new();
    if let Some(parent) = &value.parent {
        let parents: Vec<String> = parent.split(", ").map(escape::code).collect();
        notes.push(format!("{name} lives in {}, which cannot be freed before it.", parents.join(" and ")));
    }
    if let Some(until) = &value.until {
        let until: Vec<String> = until.split(", ").map(escape::code).collect();
        notes.push(format!("{name} is valid until the next call of {}.", until.join(" or ")));
    }
    if let Some(free) = &value.free {
        let is_here = page.functions.iter().any(|function| function.name == *free);
        let freed = if is_here { escape::link("function", free) } else { escape::code(free) };
        notes.push(match value.handle {
            Some(_) => format!("{name} is freed by {freed}."),
            None => format!("{name} is copied, and freed by {freed}."),
        });
    }
    notes
}

fn code_text(code: i64, page: &Description) -> String {
    match page.codes.iter().find(|known| known.value == code) {
        Some(known) if known.text.is_empty() => {
            format!("`{code}` ({})", escape::cell(known.name.as_deref().unwrap_or_default()))
        }
        Some(known) => format!("`{code}` ({})", escape::cell(&known.text)),
        None => format!("`{code}`"),
    }
}

fn example(function: &Function) -> String {
    let object = |values: &[Exchanged], all: bool| {
        let mut number = 0;
        let values = values.iter().filter(|value| all || value.required);
        let members: Map<String, Value> =
            values.map(|value| (value.name.clone(), schema::example(&value.schema, &mut number))).collect();
        escape::block("json", &layout::of_json(&Value::Object(members)))
    };
    let (arguments, result) = (object(&function.arguments, false), object(&function.results, true));
    format!("**Example**: with the arguments\n\n{arguments}\nthe result has the form\n\n{result}")
}

//! The doc comment of a method.

use opendyn_model::plan::{Access, Argument, Callback, Function, Obligation, Param, Place, Role, Shape};

use super::docs;

pub(super) fn text(function: &Function) -> Vec<String> {
    let mut text = docs::lines(&function.description);
    if text.iter().all(String::is_empty) {
        text = vec![format!("Calls `{}`.", function.name)];
    }
    let receiver = function.receiver.param().map(|index| &function.params[index].key);
    let listed = function.arguments().filter(|(param, _)| Some(&param.key) != receiver);
    let list = listed.filter_map(|(param, argument)| item(param, argument)).collect();
    section(&mut text, None, list);
    if let [result] = function.results().as_slice()
        && let Some(description) = &result.description
    {
        section(&mut text, None, vec![format!("Returns `{}`: {}", result.key, docs::line(description))]);
    }
    if function.is_fallible() {
        let mut errors = function.errors();
        if errors.len() > 1 {
            errors.iter_mut().for_each(|error| error.insert_str(0, "- "));
        }
        section(&mut text, Some("# Errors"), errors);
    }
    if function.is_unsafe() {
        let owed = function.arguments().filter_map(|(param, argument)| obligation(param, argument));
        section(&mut text, Some("# Safety"), owed.collect());
    }
    text
}

/// A parameter in the list of them.
fn item(param: &Param, argument: &Argument) -> Option<String> {
    let note = match &argument.shape {
        Shape::Handles { access: Access::Owned, .. } => Some(match param.role {
            Role::Taken(Some(Place::Returned)) => "They are freed with the result.".to_owned(),
            Role::Taken(Some(_)) => {
                "They are freed with the handle that they live in from now on.".to_owned()
            }
            _ => "The library owns them from now on.".to_owned(),
        }),
        Shape::Handle { access: Access::Owned, .. } => Some(match param.role {
            Role::Taken(Some(Place::Returned)) => "It is freed with the result.".to_owned(),
            Role::Taken(Some(_)) => "It is freed with the handle that it lives in from now on.".to_owned(),
            Role::Taken(None) => "The library owns it from now on.".to_owned(),
            _ => "The call frees it.".to_owned(),
        }),
        Shape::Closure(callback) => Some(callback_note(callback)),
        _ => None,
    };
    let description = param.described().map(|text| docs::line(&text));
    let line = match (description, note) {
        (Some(description), Some(note)) if description.ends_with(['.', '!', '?']) => {
            format!("{description} {note}")
        }
        (Some(description), Some(note)) => format!("{description}. {note}"),
        (Some(line), None) | (None, Some(line)) => line,
        (None, None) => return None,
    };
    Some(format!("- `{}`: {line}", param.ident))
}

/// What the closure is given, by name, and for how long C may call it.
fn callback_note(callback: &Callback) -> String {
    let names: Vec<String> = callback.seen().map(|param| format!("`{}`", param.ident)).collect();
    let given = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    let until = if callback.user_data.is_none() {
        ""
    } else if callback.until.is_some() {
        "; C may call it until the handle is freed"
    } else {
        "; C calls it only during this call"
    };
    format!("It is given {given}{until}.")
}

fn section(text: &mut Vec<String>, title: Option<&str>, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push(String::new());
    }
    if let Some(title) = title {
        text.extend([title.to_owned(), String::new()]);
    }
    text.extend(lines);
}

/// What the caller of an unsafe method owes.
fn obligation(param: &Param, argument: &Argument) -> Option<String> {
    let name = &param.ident;
    Some(match argument.obligation.as_ref()? {
        Obligation::Length { of_bools } => {
            let bool_rule = if *of_bools { " The function may write only 0 and 1 to it." } else { "" };
            format!("- `{name}` must have as many elements as the function reads and writes.{bool_rule}")
        }
        Obligation::Room => {
            format!("- `{name}` must be large enough for everything that the function writes.")
        }
        Obligation::Pointee => {
            let null = if argument.is_optional() { ", or be NULL" } else { "" };
            format!("- `{name}` must point to what the function expects, for as long as it is used{null}.")
        }
        Obligation::Outlives { keeper: Some(keeper) } => {
            format!("- `{name}` must not be freed before `{keeper}`, which uses it from now on.")
        }
        Obligation::Outlives { keeper: None } => {
            format!("- `{name}` must not be freed: the library uses it from now on.")
        }
        Obligation::Depends { into: Some(None) } => {
            format!("- What `{name}` depends on must not be freed before the result, which frees `{name}`.")
        }
        Obligation::Depends { into: Some(Some(into)) } => format!(
            "- What `{name}` depends on must not be freed before `{into}`, which frees it from now on, and `{name}` must not be what `{into}` is in."
        ),
        Obligation::Depends { into: None } => {
            format!("- What `{name}` depends on must not be freed: the library owns it from now on.")
        }
        Obligation::Members { .. } => format!(
            "- The pointers in `{name}` must point to what the function expects, for as long as it uses them."
        ),
    })
}

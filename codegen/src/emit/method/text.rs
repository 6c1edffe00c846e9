//! The doc comment of a method.

use super::super::docs;
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Callback, CallbackValue, Element, Form, Function, HandleRole, Length, Param, Passing, ReturnRole, Scalar,
};

pub(super) fn text(function: &Function) -> Vec<String> {
    let mut text = docs::lines(&function.description);
    if text.iter().all(String::is_empty) {
        text = vec![format!("Calls `{}`.", function.name)];
    }
    let list = function.params.iter().filter(|param| param.is_taken()).filter_map(item).collect();
    section(&mut text, None, list);
    if let [result] = function.results().as_slice()
        && let Some(description) = result.description
    {
        section(&mut text, None, vec![format!("Returns `{}`: {}", result.key, docs::line(description))]);
    }
    if function.is_fallible() {
        section(&mut text, Some("# Errors"), errors(function));
    }
    if function.is_unsafe() {
        section(&mut text, Some("# Safety"), function.params.iter().filter_map(obligation).collect());
    }
    text
}

/// A parameter in the list of them.
fn item(param: &Param) -> Option<String> {
    let note = match &param.passing {
        Passing::Handle { role: HandleRole::Consumed | HandleRole::ConsumedThrough, .. } => {
            Some("It is freed.".to_owned())
        }
        Passing::Callback(callback) => Some(callback_note(callback)),
        _ => None,
    };
    let description = docs::with_default(param.description.as_deref(), param).map(|text| docs::line(&text));
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
    let names: Vec<String> = callback
        .params
        .iter()
        .filter(|param| !matches!(param.value, CallbackValue::Length { .. } | CallbackValue::UserData))
        .map(|param| format!("`{}`", param.ident))
        .collect();
    let given = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    let until = if callback.user_data.is_none() {
        ""
    } else if callback.until.is_some() {
        "; C may call it until the handle is freed"
    } else {
        "; C calls it during this call alone"
    };
    format!("It is given {given}{until}.")
}

fn errors(function: &Function) -> Vec<String> {
    let mut errors = Vec::new();
    if !function.required {
        errors.push(format!("The loaded library has no `{}`.", function.symbol));
    }
    if let Some(returned) = &function.returned {
        if let ReturnRole::Code(_) = returned.role {
            errors.push("C returned a code that is no success.".to_owned());
        }
        errors.extend(pointer_error(&returned.form, &returned.key));
    }
    for (index, param) in function.params.iter().enumerate() {
        let key = &param.key;
        if function.enum_of(param).is_some() {
            errors.push(format!("The document does not list the value of `{key}`."));
        }
        match &param.passing {
            Passing::Fetched(form) => errors.extend(pointer_error(form, key)),
            Passing::Buffer { capacity: Some(_), .. } => {
                errors.push(format!("`{key}` cannot have its capacity, or C did not keep to it."))
            }
            Passing::Length { c_type, of, .. }
                if !c_type.holds_every_length() && function.known_length(*of, *c_type).is_none() =>
            {
                errors.push(format!(
                    "`{}` is longer than `{}` can count.",
                    function.params[*of].key,
                    c_type.name()
                ))
            }
            passing => {
                if let Some(other) = function.shares_length(index) {
                    errors.push(format!("`{key}` is not as long as `{}`.", function.params[other].key));
                } else if passing.array_length().is_none()
                    && matches!(passing.length(), Some(Length::Const(_) | Length::Call { .. }))
                {
                    errors.push(format!("`{key}` is not as long as it has to be."));
                }
            }
        }
    }
    errors
}

fn pointer_error(form: &Form, key: &str) -> Option<String> {
    match form {
        Form::Value(_) | Form::RecordValue(_) | Form::Opaque | Form::Array { length: None, .. } => None,
        Form::Array { .. } | Form::Strings { .. } if form.is_nullable() => {
            Some(format!("C left a number of elements for `{key}` that cannot be."))
        }
        Form::Array { .. } | Form::Strings { .. } => {
            Some(format!("C left no elements for `{key}`, or a number of them that cannot be."))
        }
        _ if form.is_nullable() => None,
        _ => Some(format!("C returned NULL for `{key}`.")),
    }
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
fn obligation(param: &Param) -> Option<String> {
    if !param.is_unsafe {
        return None;
    }
    let name = &param.ident;
    match &param.passing {
        Passing::Slice { element, length: None, .. } => {
            let of_bools = matches!(element, Element::Scalar(Scalar { c_type: CType::Bool, .. }));
            let bool_rule = if of_bools { " Only 0 and 1 may be written to it." } else { "" };
            Some(format!(
                "- `{name}` must be as long as the function takes it to be, when it reads and when it writes.{bool_rule}"
            ))
        }
        Passing::Buffer { .. } => {
            Some(format!("- `{name}` must be large enough for everything that the function writes."))
        }
        Passing::Opaque { .. } => {
            let null = if param.required { "" } else { ", or be NULL" };
            Some(format!(
                "- `{name}` must point to what the function expects, for as long as it is used{null}."
            ))
        }
        _ => Some(format!(
            "- The pointers in `{name}` must point to what the function expects, for as long as it uses them."
        )),
    }
}

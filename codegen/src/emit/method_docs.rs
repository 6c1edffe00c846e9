//! The doc comment of a method.

use opendyn_model::plan::{
    Access, Argument, Callback, Function, Got, Memory, Obligation, Outcome, Param, Shape, Step,
};

use super::docs;

pub(super) fn text(function: &Function) -> Vec<String> {
    let mut text = docs::lines(&function.description);
    if text.iter().all(String::is_empty) {
        text = vec![format!("Calls `{}`.", function.name)];
    }
    let list = function.arguments().filter_map(|(param, argument)| item(param, argument)).collect();
    section(&mut text, None, list);
    if let [result] = function.results().as_slice()
        && let Some(description) = &result.description
    {
        section(&mut text, None, vec![format!("Returns `{}`: {}", result.key, docs::line(description))]);
    }
    if function.is_fallible() {
        section(&mut text, Some("# Errors"), errors(function));
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
        Shape::Handle { access: Access::Owned, .. } => Some("It is freed.".to_owned()),
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

/// How a call can fail, in the order in which that is seen.
fn errors(function: &Function) -> Vec<String> {
    let key = |index: usize| &function.params[index].key;
    let steps = function.steps.iter().filter_map(|step| match step {
        Step::Require => Some(format!("The loaded library lacks `{}`.", function.symbol)),
        Step::Count { counted: opendyn_model::plan::Counted::Arrays(arrays), c_type, .. }
            if step.can_fail() =>
        {
            Some(format!("`{}` is longer than `{}` can count.", key(arrays[0]), c_type.name()))
        }
        Step::SameLength { array, others } => {
            Some(format!("`{}` and `{}` differ in length.", key(*array), key(others[0])))
        }
        Step::ExactLength { array, .. } => {
            Some(format!("`{}` does not have the length that the document requires.", key(*array)))
        }
        Step::Listed { param, .. } => {
            Some(format!("The document does not list the value of `{}`.", key(*param)))
        }
        Step::Allocate { into, memory: Memory::Buffer { .. } } => {
            Some(format!("The capacity of `{}` is invalid, or C exceeded it.", key(*into)))
        }
        Step::Fail { .. } => Some("C returned an error code.".to_owned()),
        Step::Count { .. }
        | Step::Allocate { .. }
        | Step::Release { .. }
        | Step::Lend { .. }
        | Step::Invoke
        | Step::Hold { .. }
        | Step::Freed { .. }
        | Step::Finish { .. }
        | Step::ResumeKept
        | Step::Collect => None,
    });
    steps.chain(function.outcomes.iter().filter_map(pointer_error)).collect()
}

fn pointer_error(outcome: &Outcome) -> Option<String> {
    let key = &outcome.key;
    match outcome.got {
        Got::Elements { .. } | Got::Strings { .. } if outcome.nullable => {
            Some(format!("C returned an invalid count for `{key}`."))
        }
        Got::Elements { .. } | Got::Strings { .. } => {
            Some(format!("C returned NULL or an invalid count for `{key}`."))
        }
        Got::Buffer { .. } => None,
        _ => outcome.can_fail().then(|| format!("C returned NULL for `{key}`.")),
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
        Obligation::Members { .. } => format!(
            "- The pointers in `{name}` must point to what the function expects, for as long as it uses them."
        ),
    })
}

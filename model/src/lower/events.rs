//! The calls of callbacks that a handle or state keeps: they are in the replies of all functions that take one of its type.

use super::collect;
use super::meaning::{Function, Param, Passing};
use super::receiver::Of;
use crate::diagnostic::Findings;
use crate::plan::{CSignature, Callback, CollectedValue, Got, Kind, Outcome, Place};
use crate::rule::Rule;
use crate::span::Spanned;

/// The name of the value of an event that names its callback.
pub(crate) const EVENT: &str = "callback";

/// The events that functions with a handle or state of one type have in their replies.
#[derive(Debug)]
pub(super) struct Events {
    handle: Of,
    into: String,
    callbacks: Vec<String>,
    values: Vec<CollectedValue>,
}

/// A callback whose calls are collected for a handle.
struct Collected<'f> {
    /// The type of the handle or state.
    handle: Of,
    /// The name of the result.
    into: &'f Spanned<String>,
    /// The name of the parameter.
    name: &'f str,
    callback: &'f Callback,
}

fn collected(function: &Function) -> impl Iterator<Item = Collected<'_>> {
    function.params.iter().filter_map(|param| {
        let Passing::Callback(callback, _) = &param.passing else { return None };
        let into = callback.collect.as_ref()?.into.as_ref()?;
        let handle = of(&function.params[callback.until?])?;
        Some(Collected { handle, into, name: &param.key, callback })
    })
}

/// The type of the handle or state that the caller passes.
fn of(param: &Param) -> Option<Of> {
    match param.passing {
        Passing::Handle { handle, .. } => Some(Of::Handle(handle)),
        Passing::State { record, .. } if param.is_input() => Some(Of::State(record)),
        _ => None,
    }
}

fn takes(param: &Param, handle: Of) -> bool {
    of(param) == Some(handle)
}

/// The events of all types of handles.
pub(super) fn all(functions: &[(Option<Function>, Option<CSignature>)]) -> Vec<Events> {
    let mut all: Vec<Events> = Vec::new();
    let functions = functions.iter().filter_map(|(function, _)| function.as_ref());
    for Collected { handle, into, name, callback } in functions.flat_map(collected) {
        let known = all.iter().position(|events| events.handle == handle && events.into == into.value);
        let index = known.unwrap_or_else(|| {
            all.push(Events { handle, into: into.value.clone(), callbacks: Vec::new(), values: Vec::new() });
            all.len() - 1
        });
        let events = &mut all[index];
        if !events.callbacks.iter().any(|known| known == name) {
            events.callbacks.push(name.to_owned());
        }
        for value in callback.collected() {
            if !events.values.iter().any(|known| known.key == value.key) {
                events.values.push(value);
            }
        }
    }
    all
}

/// The results of a function that takes such handles.
pub(super) fn outcomes(function: &Function, events: &[Events]) -> Vec<Outcome> {
    let outcome = |events: &Events| {
        let params = function.params.iter().enumerate();
        let of: Vec<usize> =
            params.filter(|(_, param)| takes(param, events.handle)).map(|(index, _)| index).collect();
        let from = Place::Param(*of.first()?);
        Some(Outcome {
            key: events.into.clone(),
            ident: events.into.clone(),
            description: Some("The calls of callbacks since the last reply that had them.".to_owned()),
            from,
            got: Got::Events { of, omitted: collect::omitted(&events.into) },
            kind: Kind::Events { callbacks: events.callbacks.clone(), values: events.values.clone() },
            nullable: false,
            whole: false,
            as_str: false,
            checked: false,
        })
    };
    events.iter().filter_map(outcome).collect()
}

/// Reports events whose names or values meet others.
pub(super) fn check(functions: &[Option<Function>], findings: &Findings) {
    let mut values: Vec<(Of, &str, CollectedValue)> = Vec::new();
    for Collected { handle, into, name, callback } in functions.iter().flatten().flat_map(collected) {
        let fault = |message: String, help: &str| findings.report(Rule::Callback, into.span, message, help);
        for value in callback.collected() {
            if value.key == EVENT {
                fault(
                    format!(
                        "`{name}` has a parameter `{EVENT}`, which is the name of the callback in a reply"
                    ),
                    "rename the parameter",
                );
            }
            let same = |known: &&(Of, &str, CollectedValue)| {
                known.0 == handle && known.1 == into.value && known.2.key == value.key
            };
            match values.iter().find(same) {
                Some(known) if known.2.kind != value.kind || known.2.nullable != value.nullable => fault(
                    format!(
                        "two callbacks have values of different types as `{}` in `{}`",
                        value.key, into.value
                    ),
                    "rename one of the parameters, or write another name in `into`",
                ),
                Some(_) => {}
                None => values.push((handle, &into.value, value)),
            }
        }
        let omitted = collect::omitted(&into.value);
        for other in
            functions.iter().flatten().filter(|other| other.params.iter().any(|param| takes(param, handle)))
        {
            let returned = other.returned.iter().map(|returned| returned.key.as_str());
            let mut keys = other.params.iter().map(|param| param.key.as_str()).chain(returned);
            if let Some(key) = keys.find(|key| *key == into.value || *key == omitted) {
                findings.report(
                    Rule::DuplicateName,
                    into.span,
                    format!(
                        "`{key}` of `{}` has the name of the calls, or of their number, in its replies",
                        other.name
                    ),
                    "write another name in `into`",
                );
            }
        }
    }
}

//! The OpenTool document of a binding, and the JSON Schemas of its calls, written from the plan.
//!
//! `schema` turns a [`Kind`] into a schema, in the form of OpenTool or as exact JSON Schema; `exchange` lists what a
//! call gives and gets with exact schemas, for the reference page and for comparisons; `prose` derives the descriptions
//! for JSON callers from those of the document, for every protocol.

mod exchange;
mod prose;
mod schema;
#[cfg(test)]
mod tests;

use opendyn_source::json::write::{Object, Value};
use opendyn_source::object;

use crate::plan::{
    Annotations, Argument, Binding, Function, Json, Kind, Outcome, Param, Refusal, Step, Types,
};
use prose::Prose;
use schema::{Direction, Form, Schemas, described};

pub use exchange::{Exchange, default_value, exchange, field_schema};

/// The whole document, as JSON text.
#[must_use]
pub fn document(binding: &Binding) -> String {
    let callable = binding.functions.iter().filter(|function| matches!(function.json, Json::Callable(_)));
    let functions: Value = callable.map(|function| function_object(function, &binding.types)).collect();
    let mut document = object! { "opentool": "1.0.0", "info": info_object(binding), "functions": functions };
    let refused: Vec<Object> = binding.functions.iter().filter_map(refused).collect();
    if !refused.is_empty() {
        document.push("x-refused", refused.into_iter().collect::<Value>());
    }
    document.to_string()
}

/// A function that cannot be called, with the reason and the open questions.
fn refused(function: &Function) -> Option<Object> {
    let Json::Refused(Refusal { reason, questions }) = &function.json else { return None };
    let mut object = object! { "name": &function.name, "reason": reason };
    if !questions.is_empty() {
        object.push("questions", questions.iter().collect::<Value>());
    }
    Some(object)
}

/// The document's `info`, as JSON text.
#[must_use]
pub fn info(binding: &Binding) -> String {
    info_object(binding).to_string()
}

/// One of the document's `functions`, as JSON text.
#[must_use]
pub fn function(function: &Function, types: &Types) -> String {
    function_object(function, types).to_string()
}

fn info_object(binding: &Binding) -> Object {
    let mut info = object! { "title": &binding.title };
    if let Some(description) = &binding.description {
        info.push("description", description);
    }
    info.push("version", &binding.version);
    if let Some(instructions) = &binding.instructions {
        info.push("x-instructions", instructions);
    }
    push_hints(&mut info, &binding.hints);
    info
}

fn function_object(function: &Function, types: &Types) -> Object {
    let schemas = Schemas::new(types, &function.params, Form::OpenTool, Direction::Given);
    let prose = Prose::of(function);
    let parameters: Value = offered(function)
        .map(|offer| {
            let description =
                offer.param.description.as_deref().and_then(|text| prose.value(text, offer.kind));
            let description = offer.param.with_default(description.as_deref());
            let mut parameter = named(&offer.param.key, description, schemas.of(offer.kind));
            parameter.push("required", !offer.argument.may_be_left_out());
            if ends(function, offer.position) {
                parameter.push("x-ends", true);
            }
            parameter
        })
        .collect();
    let mut object = object! {
        "name": &function.name,
        "description": prose.function(&function.description),
        "parameters": parameters,
        "return": returned(function, types, &prose),
    };
    let annotations = annotations(function.annotations);
    if !annotations.is_empty() {
        object.push("x-annotations", annotations);
    }
    if let Some(tool) = function.tool.or_else(|| can_do_nothing(function).then_some(false)) {
        object.push("x-tool", tool);
    }
    push_hints(&mut object, &function.hints);
    object
}

fn push_hints(object: &mut Object, hints: &[(i64, String)]) {
    if !hints.is_empty() {
        let hints: Object = hints.iter().map(|(code, hint)| (code.to_string(), hint)).collect();
        object.push("x-hints", hints);
    }
}

/// Whether JSON has no way to give what the function is for: all that it takes is pointers that are null for JSON, or it is
/// a hook, whose callback is then never called. A function that ends something, or has a result, does that without too.
fn can_do_nothing(function: &Function) -> bool {
    let kinds = || function.arguments().filter_map(|(_, argument)| argument.kind.as_ref());
    let is_left_out = kinds().count() > 0 && kinds().all(Kind::accepts_only_null);
    let ends = |step: &Step| matches!(step, Step::Release { .. } | Step::Freed { .. } | Step::Taken { .. });
    let is_hook = kinds().any(|kind| matches!(kind, Kind::Callback))
        && function.outcomes.is_empty()
        && !function.steps.iter().any(ends);
    is_left_out || is_hook
}

/// Whether a handle that a caller gives for the parameter is gone after a call that succeeds.
fn ends(function: &Function, position: usize) -> bool {
    function.steps.iter().any(|step| match step {
        Step::Release { param } | Step::Freed { param, .. } | Step::Taken { param, .. } => *param == position,
        _ => false,
    })
}

/// A parameter that a JSON caller can give.
struct Offer<'f> {
    /// Its index among the parameters of C.
    position: usize,
    param: &'f Param,
    argument: &'f Argument,
    kind: &'f Kind,
}

/// What a JSON caller can give. A parameter that only takes null is left out: null is the same as absence.
fn offered(function: &Function) -> impl Iterator<Item = Offer<'_>> {
    function.params.iter().enumerate().filter_map(|(position, param)| {
        let argument = param.argument.as_ref()?;
        let kind = argument.kind.as_ref().filter(|kind| !kind.accepts_only_null())?;
        Some(Offer { position, param, argument, kind })
    })
}

/// The hints that the document gives.
fn annotations(annotations: Annotations) -> Object {
    let Annotations { read_only, destructive, idempotent, .. } = annotations;
    let hints = [("readOnly", read_only), ("destructive", destructive), ("idempotent", idempotent)];
    hints.into_iter().filter_map(|(key, hint)| Some((key, hint?))).collect()
}

/// What a call returns: nothing, one value, or several as the properties of one object.
fn returned(function: &Function, types: &Types, prose: &Prose<'_>) -> Option<Object> {
    let schemas = Schemas::new(types, &function.params, Form::OpenTool, Direction::Returned);
    let schema = |outcome: &Outcome| outcome_schema(outcome, function, schemas);
    let description =
        |outcome: &Outcome| outcome.description.as_deref().and_then(|text| prose.value(text, &outcome.kind));
    match function.outcomes.as_slice() {
        [] => None,
        [outcome] if outcome.omitted().is_none() => {
            Some(named(&outcome.key, description(outcome), schema(outcome)))
        }
        outcomes => {
            let mut properties = Object::new();
            for outcome in outcomes {
                let schema = described(schema(outcome), description(outcome).as_deref());
                properties.set(outcome.key.clone(), schema);
                if let Some(key) = outcome.omitted() {
                    properties.set(key.to_owned(), omitted());
                }
            }
            let required: Value = outcomes.iter().map(|outcome| &outcome.key).collect();
            let schema = object! { "type": "object", "properties": properties, "required": required };
            Some(object! { "name": "results", "schema": schema, "x-spread": true })
        }
    }
}

fn outcome_schema(outcome: &Outcome, function: &Function, schemas: Schemas<'_>) -> Object {
    let mut schema = schemas.of(&outcome.kind);
    let may_be_null = function.facts_at(outcome.from).is_some_and(|facts| facts.nullable);
    if may_be_null || matches!(outcome.kind, Kind::Calls(_)) {
        schema.set("x-nullable", true);
    }
    schema
}

fn omitted() -> Object {
    object! { "type": "integer", "description": "How many more calls there were; absent if the reply has all." }
}

fn named(name: &str, description: Option<String>, schema: Object) -> Object {
    let mut object = object! { "name": name.to_owned() };
    if let Some(description) = description {
        object.push("description", description);
    }
    object.push("schema", schema);
    object
}

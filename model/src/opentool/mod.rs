//! The OpenTool document of a binding, and the JSON Schemas of its calls, written from the plan.
//!
//! `schema` turns a [`Kind`](crate::plan::Kind) into a schema, in the form of OpenTool or as exact JSON Schema;
//! `exchange` lists what a call gives and gets with exact schemas, for the reference page and for comparisons.

mod exchange;
mod json;
mod schema;
#[cfg(test)]
mod tests;

use crate::plan::{Annotations, Argument, Binding, Function, Json, Outcome, Param, Types};
use json::{Map, json};
use schema::{Direction, Form, Schemas, described};

pub use exchange::{Exchange, default_value, exchange, field_schema};
pub use json::Value;

/// The whole document, as JSON text.
#[must_use]
pub fn document(binding: &Binding) -> String {
    let callable = binding.functions.iter().filter(|function| matches!(function.json, Json::Callable(_)));
    let functions: Vec<Value> = callable.map(|function| function_value(function, &binding.types)).collect();
    json!({"opentool": "1.0.0", "info": info_value(binding), "functions": functions}).to_string()
}

/// The document's `info`, as JSON text.
#[must_use]
pub fn info(binding: &Binding) -> String {
    info_value(binding).to_string()
}

/// One of the document's `functions`, as JSON text.
#[must_use]
pub fn function(function: &Function, types: &Types) -> String {
    function_value(function, types).to_string()
}

fn info_value(binding: &Binding) -> Value {
    let mut info = Map::new();
    info.insert("title".to_owned(), json!(binding.title));
    if let Some(description) = &binding.description {
        info.insert("description".to_owned(), json!(description));
    }
    info.insert("version".to_owned(), json!(binding.version));
    Value::Object(info)
}

fn function_value(function: &Function, types: &Types) -> Value {
    let schemas = Schemas::new(types, &function.params, Form::OpenTool, Direction::Given);
    let parameters: Vec<Value> = offered(function)
        .map(|offer| {
            let description = offer.param.described();
            let required = Some(!offer.argument.is_optional());
            named(&offer.param.key, description.as_deref(), schemas.of(offer.kind), required)
        })
        .collect();
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(function.name));
    object.insert("description".to_owned(), json!(function.description));
    object.insert("parameters".to_owned(), Value::Array(parameters));
    object.insert("return".to_owned(), returned(function, types));
    if let Some(annotations) = annotations(function.annotations) {
        object.insert("x-annotations".to_owned(), annotations);
    }
    Value::Object(object)
}

/// A parameter that a JSON caller can give.
struct Offer<'f> {
    param: &'f Param,
    argument: &'f Argument,
    kind: &'f crate::plan::Kind,
}

/// What a JSON caller can give. A parameter that only takes null is left out: null is the same as absence.
fn offered(function: &Function) -> impl Iterator<Item = Offer<'_>> {
    function.arguments().filter_map(|(param, argument)| {
        let kind = argument.kind.as_ref().filter(|kind| !kind.accepts_only_null())?;
        Some(Offer { param, argument, kind })
    })
}

/// The hints that the document gives, if any.
fn annotations(annotations: Annotations) -> Option<Value> {
    let Annotations { read_only, destructive, idempotent, .. } = annotations;
    let hints = [("readOnly", read_only), ("destructive", destructive), ("idempotent", idempotent)];
    let hints: Map<String, Value> =
        hints.into_iter().filter_map(|(key, hint)| Some((key.to_owned(), json!(hint?)))).collect();
    (!hints.is_empty()).then_some(Value::Object(hints))
}

/// What a call returns: null, one value, or several as the properties of one object.
fn returned(function: &Function, types: &Types) -> Value {
    let schemas = Schemas::new(types, &function.params, Form::OpenTool, Direction::Returned);
    let schema = |outcome: &Outcome| outcome_schema(outcome, function, schemas);
    match function.outcomes.as_slice() {
        [] => Value::Null,
        [outcome] => named(&outcome.key, outcome.description.as_deref(), schema(outcome), None),
        outcomes => {
            let properties: Map<String, Value> = outcomes
                .iter()
                .map(|outcome| {
                    (outcome.key.clone(), described(schema(outcome), outcome.description.as_deref()))
                })
                .collect();
            let required: Vec<&str> = outcomes.iter().map(|outcome| outcome.key.as_str()).collect();
            let schema = json!({"type": "object", "properties": properties, "required": required});
            let mut returned = named("results", None, schema, None);
            returned["x-spread"] = json!(true);
            returned
        }
    }
}

fn outcome_schema(outcome: &Outcome, function: &Function, schemas: Schemas<'_>) -> Value {
    let mut schema = schemas.of(&outcome.kind);
    if function.facts_at(outcome.from).is_some_and(|facts| facts.nullable) {
        schema["x-nullable"] = json!(true);
    }
    schema
}

fn named(name: &str, description: Option<&str>, schema: Value, required: Option<bool>) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(name));
    if let Some(description) = description {
        object.insert("description".to_owned(), json!(description));
    }
    object.insert("schema".to_owned(), schema);
    if let Some(required) = required {
        object.insert("required".to_owned(), json!(required));
    }
    Value::Object(object)
}

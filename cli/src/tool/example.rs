//! Calls that are suggested: a function that is easy to call, and values for its arguments.

use opentool::{Function, OpenTool, Parameter, SchemaType};
use serde_json::{Map, Value, json};

/// A function with arguments.
pub(super) type Example<'d> = (&'d Function, Map<String, Value>);

/// The read-only function with the fewest required arguments, and values for them. The document says which functions are
/// read-only.
pub(super) fn read_only(document: &OpenTool) -> Option<Example<'_>> {
    possible(document)
        .filter(|(function, _)| is_read_only(function))
        .min_by_key(|(function, _)| needed(&function.parameters))
}

/// The functions for which values can be made up, those that are likely to change nothing first: what the document says is
/// read-only, then the fewest required arguments, then what returns a text. Only a person can say whether one may be called.
pub(super) fn likely(document: &OpenTool) -> Vec<Example<'_>> {
    let returns_text = |function: &Function| {
        function.returns.as_ref().is_some_and(|returned| returned.schema.kind == SchemaType::String)
    };
    let mut examples: Vec<Example<'_>> = possible(document)
        .filter(|(function, _)| {
            let said = function.annotations.unwrap_or_default();
            // Of what returns nothing, nobody would see what it did.
            function.returns.is_some() && said.destructive != Some(true) && said.read_only != Some(false)
        })
        .collect();
    examples.sort_by_key(|(function, _)| {
        (!is_read_only(function), needed(&function.parameters), !returns_text(function))
    });
    examples
}

/// Whether the document says that a call changes nothing.
pub(super) fn is_read_only(function: &Function) -> bool {
    let said = function.annotations.unwrap_or_default();
    said.read_only == Some(true) && said.destructive != Some(true)
}

fn possible(document: &OpenTool) -> impl Iterator<Item = Example<'_>> {
    document.functions.iter().filter_map(|function| {
        let required = function.parameters.iter().filter(|parameter| parameter.required);
        let arguments = required.map(|parameter| Some((parameter.name.clone(), value(parameter)?)));
        Some((function, arguments.collect::<Option<Map<_, _>>>()?))
    })
}

fn needed(parameters: &[Parameter]) -> usize {
    parameters.iter().filter(|parameter| parameter.required).count()
}

/// A value that the function is likely to accept; `None` where only other functions provide one.
fn value(parameter: &Parameter) -> Option<Value> {
    let schema = &parameter.schema;
    if let Some(value) = schema.values.as_ref().and_then(|values| values.first()) {
        return Some(value.clone());
    }
    match schema.kind {
        SchemaType::Boolean => Some(json!(true)),
        SchemaType::Integer => Some(json!(2)),
        SchemaType::Number => Some(json!(0.5)),
        SchemaType::String if schema.handle.is_none() && schema.description.is_none() => Some(json!("text")),
        SchemaType::String | SchemaType::Array | SchemaType::Object => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A read-only function.
    fn function(name: &str, parameters: Value) -> Value {
        let annotations = json!({"readOnly": true});
        json!({"name": name, "description": "d", "parameters": parameters, "x-annotations": annotations})
    }

    fn document(functions: Value) -> OpenTool {
        serde_json::from_value(json!({
            "opentool": "1.0.0", "info": {"title": "calc", "version": "1.0.0"}, "functions": functions,
        }))
        .expect("a document")
    }

    #[test]
    fn the_example_is_the_easiest_call() {
        let token = json!({"name": "db", "schema": {"type": "string", "x-handle": "db"}});
        let integer = json!({"name": "a", "schema": {"type": "integer"}});
        let level = json!({"name": "level", "schema": {"type": "integer"}, "required": false});
        let document = document(json!([
            function("close", json!([token])),
            function("add", json!([integer, {"name": "b", "schema": {"type": "number"}}])),
            function("negate", json!([integer, level])),
        ]));
        let (function, arguments) = read_only(&document).expect("two can be called");
        assert_eq!((function.name.as_str(), Value::Object(arguments)), ("negate", json!({"a": 2})));
        let without = OpenTool { functions: document.functions[..1].to_vec(), ..document };
        assert!(read_only(&without).is_none());
    }

    #[test]
    fn what_may_change_something_is_not_likely_to_be_the_first_call() {
        let returned = |kind: &str| json!({"name": "result", "schema": {"type": kind}});
        let of = |name: &str, parameters: Value, kind: Option<&str>, said: Value| {
            let mut function =
                json!({"name": name, "description": "d", "parameters": parameters, "x-annotations": said});
            if let Some(kind) = kind {
                function["return"] = returned(kind);
            }
            function
        };
        let integer = json!([{"name": "a", "schema": {"type": "integer"}}]);
        let document = document(json!([
            of("reset", json!([]), None, json!({})),
            of("wipe", json!([]), Some("integer"), json!({"destructive": true})),
            of("set", json!([]), Some("integer"), json!({"readOnly": false})),
            of("count", json!([]), Some("integer"), json!({})),
            of("version", json!([]), Some("string"), json!({})),
            of("negate", integer, Some("integer"), json!({"readOnly": true})),
        ]));
        let names: Vec<&str> = likely(&document).iter().map(|(function, _)| function.name.as_str()).collect();
        assert_eq!(names, ["negate", "version", "count"]);
    }
}

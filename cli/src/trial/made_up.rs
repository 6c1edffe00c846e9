//! Calls for `--try-all`: the functions that the document says change nothing, with the smallest arguments that their
//! schemas allow.

use opendyn_interpreter::Document;
use opentool::{Function, OpenTool, Schema, SchemaType};
use serde_json::{Map, Value};

use super::protocol::Call;

/// The calls, and what is not tried, with the reason.
pub(crate) fn calls(document: &Document) -> (Vec<Call>, Vec<String>) {
    let (mut calls, mut others): (Vec<Call>, Vec<(String, Vec<String>)>) = (Vec::new(), Vec::new());
    let tool = document.load().unwrap_or_default();
    for function in &tool.functions {
        match call(&tool, function, document) {
            Ok(call) => calls.push(call),
            Err(reason) => {
                let name = format!("`{}`", function.name);
                match others.iter_mut().find(|(other, _)| *other == reason) {
                    Some((_, names)) => names.push(name),
                    None => others.push((reason, vec![name])),
                }
            }
        }
    }
    let others = others.into_iter().map(|(reason, names)| format!("{}: {reason}", names.join(", ")));
    (calls, others.collect())
}

fn call(tool: &OpenTool, function: &Function, document: &Document) -> Result<Call, String> {
    if function.annotations.and_then(|annotations| annotations.read_only) != Some(true) {
        return Err("`x-annotations` does not say `readOnly`".to_owned());
    }
    let mut arguments = Map::new();
    for parameter in function.parameters.iter().filter(|parameter| parameter.required) {
        let value = value(tool, &parameter.schema, 8)
            .ok_or_else(|| format!("no value for `{}` can be made up", parameter.name))?;
        arguments.insert(parameter.name.clone(), value);
    }
    let arguments = Value::Object(arguments);
    match document.check_call(&function.name, arguments.to_string().as_bytes()) {
        Ok(()) => Ok(Call { function: function.name.clone(), arguments }),
        Err(error) => Err(format!("no arguments can be made up: {error}")),
    }
}

/// The smallest value; `None` for handles.
fn value(tool: &OpenTool, schema: &Schema, depth: usize) -> Option<Value> {
    if let Some(reference) = &schema.reference {
        let name = Schema::referred(reference)?;
        return value(tool, tool.schemas.get(&name)?, depth.checked_sub(1)?);
    }
    if schema.handle.is_some() {
        return None;
    }
    if let Some(first) = schema.values.as_ref().and_then(|values| values.first()) {
        return Some(first.clone());
    }
    Some(match schema.kind {
        SchemaType::Boolean => Value::Bool(false),
        SchemaType::Integer | SchemaType::Number => number(schema),
        SchemaType::String => Value::String(String::new()),
        SchemaType::Array => Value::Array(Vec::new()),
        SchemaType::Object => {
            let mut members = Map::new();
            for name in schema.required.iter().flatten() {
                let member = schema.properties.as_ref()?.get(name)?;
                members.insert(name.clone(), value(tool, member, depth.checked_sub(1)?)?);
            }
            Value::Object(members)
        }
    })
}

/// 0, or else the limit that is nearest to it.
fn number(schema: &Schema) -> Value {
    let limit = |limit: &Option<serde_json::Number>| limit.as_ref().and_then(serde_json::Number::as_f64);
    match (limit(&schema.minimum), limit(&schema.maximum)) {
        (Some(minimum), _) if minimum > 0.0 => schema.minimum.clone().map_or(Value::Null, Value::Number),
        (_, Some(maximum)) if maximum < 0.0 => schema.maximum.clone().map_or(Value::Null, Value::Number),
        _ => Value::from(0),
    }
}

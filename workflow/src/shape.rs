//! The schemas of a document, and which values fit them.
//!
//! Schemas are handled as JSON. Everything that they do not restrict is allowed.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::inputs::DraftInput;
use crate::reference::index;
use opendyn_source::json::{Node, Value as Written};
use opentool::values::{is_large_integer, list, same, with_article};
use opentool::{Function, OpenTool, Schema};

/// The maximum length of a chain of references and the maximum depth of a schema. Anything beyond is assumed to fit.
const MAX_DEPTH: usize = 64;

/// The functions of a document, as JSON.
pub(super) struct Shapes {
    functions: Map<String, Value>,
    schemas: Map<String, Value>,
    /// The schema of all inputs together.
    inputs: Value,
}

/// The schema of a value; `None` if it has none.
pub(super) type Shape<'s> = Option<&'s Map<String, Value>>;

impl Shapes {
    pub(super) fn of(document: &OpenTool, inputs: &[DraftInput<'_>]) -> Self {
        let plain = |function: &Function| {
            let mut function = serde_json::to_value(function).unwrap_or_default();
            function["reply"] = reply(&function["return"]);
            function
        };
        let mut functions: Map<String, Value> =
            document.functions.iter().map(|function| (function.name.clone(), plain(function))).collect();
        functions.insert(
            crate::SLEEP.to_owned(),
            json!({
                "parameters": [{"name": "milliseconds", "schema": {"type": "integer"}, "required": true}],
                "reply": {"type": "object", "closed": true},
            }),
        );
        let schemas = document.schemas.iter();
        let plain = |schema| serde_json::to_value(schema).unwrap_or_default();
        let schemas = schemas.map(|(name, schema)| (name.clone(), plain(schema))).collect();
        let inputs = inputs.iter().filter_map(|input| Some((input.name, input.schema.as_ref()?)));
        let inputs: Map<String, Value> =
            inputs.map(|(name, schema)| (name.to_owned(), plain(schema))).collect();
        Self { functions, schemas, inputs: json!({"type": "object", "properties": inputs}) }
    }

    pub(super) fn inputs(&self) -> &Value {
        &self.inputs
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }

    pub(super) fn function(&self, name: &str) -> Option<&Value> {
        self.functions.get(name)
    }

    /// A schema with its reference resolved.
    pub(super) fn resolve<'s>(&'s self, schema: &'s Value) -> Shape<'s> {
        let mut schema = schema;
        for _ in 0..MAX_DEPTH {
            let object = schema.as_object()?;
            let Some(reference) = object.get("$ref").and_then(Value::as_str) else { return Some(object) };
            schema = self.schemas.get(&Schema::referred(reference)?)?;
        }
        None
    }

    /// The schema at `path` in a value with `schema`. `Err` says why there is no such path.
    pub(super) fn at<'s>(&'s self, schema: &'s Value, path: &[String]) -> Result<Option<&'s Value>, String> {
        let mut schema = schema;
        for part in path {
            let Some(shape) = self.resolve(schema) else { return Ok(None) };
            let next = match kind(shape) {
                None => None,
                Some("object") => match properties(shape) {
                    None if shape.contains_key("closed") => return Err(format!("there is no `{part}`")),
                    None => None,
                    Some(properties) => Some(properties.get(part).ok_or_else(|| missing(part, properties))?),
                },
                Some("array") => {
                    index(part).ok_or_else(|| format!("`{part}` is not the index of an element"))?;
                    shape.get("items")
                }
                Some(kind) => return Err(format!("{} has no `{part}`", with_article(kind))),
            };
            let Some(next) = next else { return Ok(None) };
            schema = next;
        }
        Ok(Some(schema))
    }

    /// Whether values of the schema `from` can be values of the schema `to`. `Err` says why not.
    pub(super) fn fits(&self, from: &Value, to: &Value) -> Result<(), String> {
        self.fits_within(from, to, MAX_DEPTH, &mut HashSet::new())
    }

    /// `seen` has the pairs that have been compared. Without it, a few schemas that refer to each other several times
    /// would take billions of comparisons.
    fn fits_within<'s>(
        &'s self,
        from: &'s Value,
        to: &'s Value,
        depth: usize,
        seen: &mut HashSet<(Place<'s>, Place<'s>)>,
    ) -> Result<(), String> {
        let (Some(depth), Some(from), Some(to)) =
            (depth.checked_sub(1), self.resolve(from), self.resolve(to))
        else {
            return Ok(());
        };
        if !seen.insert((Place(from), Place(to))) {
            return Ok(());
        }
        let (Some(given), Some(wanted)) = (kind(from), kind(to)) else { return Ok(()) };
        if given != wanted && (given, wanted) != ("integer", "number") {
            return Err(format!("{}, not {}", with_article(given), with_article(wanted)));
        }
        if let (Some(given), Some(allowed)) = (choices(from), choices(to))
            && !given.iter().any(|value| allowed.iter().any(|allowed| same(allowed, value)))
        {
            return Err(format!("one of {}, not one of {}", list(given), list(allowed)));
        }
        match (wanted, from.get("items"), to.get("items")) {
            ("array", Some(from), Some(to)) => {
                return self.fits_within(from, to, depth, seen).map_err(|why| format!("an array of {why}"));
            }
            ("object", ..) => {}
            _ => return Ok(()),
        }
        let (Some(given), Some(wanted)) = (properties(from), properties(to)) else { return Ok(()) };
        for key in required(to) {
            if !given.contains_key(key) {
                return Err(format!("an object without `{key}`"));
            }
        }
        for (key, schema) in given {
            let Some(wanted) = wanted.get(key) else { return Err(format!("an object with `{key}`")) };
            self.fits_within(schema, wanted, depth, seen)
                .map_err(|why| format!("an object whose `{key}` is {why}"))?;
        }
        Ok(())
    }
}

/// A schema, compared by its address.
#[derive(Clone, Copy)]
struct Place<'s>(&'s Map<String, Value>);

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Place<'_> {}

impl std::hash::Hash for Place<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

/// The schema of the reply for the `return` of a function. The reply is always an object, with one result by name or
/// several that are spread.
fn reply(returned: &Value) -> Value {
    let (name, schema) = (returned["name"].as_str(), &returned["schema"]);
    match name {
        None => json!({"type": "object", "closed": true}),
        Some(_) if returned["x-spread"] == true => schema.clone(),
        Some(name) => json!({"type": "object", "properties": {name: schema}, "required": [name]}),
    }
}

pub(super) fn kind(shape: &Map<String, Value>) -> Option<&str> {
    shape.get("type").and_then(Value::as_str)
}

/// The properties, if there are any.
pub(super) fn properties(shape: &Map<String, Value>) -> Option<&Map<String, Value>> {
    shape.get("properties").and_then(Value::as_object).filter(|properties| !properties.is_empty())
}

pub(super) fn required(shape: &Map<String, Value>) -> impl Iterator<Item = &str> {
    shape.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The values of an `enum`.
pub(super) fn choices(shape: &Map<String, Value>) -> Option<&[Value]> {
    shape.get("enum").and_then(Value::as_array).map(Vec::as_slice).filter(|values| !values.is_empty())
}

/// Whether null is allowed too.
pub(super) fn takes_null(shape: &Map<String, Value>) -> bool {
    shape.get("x-nullable") == Some(&Value::Bool(true))
        || choices(shape).is_some_and(|all| all.contains(&Value::Null))
}

fn missing(part: &str, properties: &Map<String, Value>) -> String {
    let names: Vec<String> = properties.keys().map(|name| format!("`{name}`")).collect();
    format!("there is no `{part}`, only {}", names.join(", "))
}

/// Whether a value has a type. Its members and elements are not checked.
pub(super) fn is(node: &Node, kind: &str) -> bool {
    match (&node.value, kind) {
        (Written::Bool(_), "boolean")
        | (Written::Number(_), "number")
        | (Written::String(_), "string")
        | (Written::Array(_), "array")
        | (Written::Object(_), "object") => true,
        (Written::Number(text), "integer") => {
            text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
                // A number that is too large is reported as such.
                || text.parse::<f64>().is_ok_and(|number| number.is_infinite() || number.fract() == 0.0)
        }
        (Written::String(text), "integer") => is_large_integer(text),
        (_, "boolean" | "number" | "string" | "array" | "object" | "integer") => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_fits_if_all_its_values_do() {
        let document = json!({"opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": []});
        let mut shapes = Shapes::of(&serde_json::from_value(document).expect("a document"), &[]);
        let tree = json!({"type": "object", "properties": {"child": {"$ref": "#/schemas/Tree"}}});
        shapes.schemas.insert("Tree".to_owned(), tree);
        let point =
            json!({"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}});
        let wide = json!({
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "z": {"type": "number"}},
            "required": ["x"],
        });
        let integers = json!({"type": "array", "items": {"type": "integer"}});
        for (from, to, expected) in [
            (json!({"type": "integer"}), json!({"type": "number"}), Ok(())),
            (json!({"type": "number"}), json!({"type": "integer"}), Err("a number, not an integer")),
            (json!({"type": "string"}), json!({"type": "string", "enum": ["a"]}), Ok(())),
            (
                json!({"type": "integer", "enum": [1, 2]}),
                json!({"type": "number", "enum": [3.0, 4]}),
                Err("one of 1, 2, not one of 3.0, 4"),
            ),
            (json!({"type": "integer", "enum": [1, 2]}), json!({"type": "number", "enum": [2.0]}), Ok(())),
            (integers.clone(), json!({"type": "array", "items": {"type": "number"}}), Ok(())),
            (
                integers.clone(),
                json!({"type": "array", "items": {"type": "string"}}),
                Err("an array of an integer, not a string"),
            ),
            (integers, json!({"type": "array"}), Ok(())),
            (point.clone(), wide.clone(), Ok(())),
            (wide.clone(), point.clone(), Err("an object whose `x` is a number, not an integer")),
            (
                json!({"type": "object", "properties": {"y": {"type": "number"}}}),
                wide.clone(),
                Err("an object without `x`"),
            ),
            (
                json!({"type": "object", "properties": {"x": {"type": "number"}, "w": {"type": "number"}}}),
                wide,
                Err("an object with `w`"),
            ),
            (json!({"type": "object"}), point, Ok(())),
            (json!({"$ref": "#/schemas/Tree"}), json!({"$ref": "#/schemas/Tree"}), Ok(())),
            (json!({"$ref": "#/schemas/Nowhere"}), json!({"type": "string"}), Ok(())),
        ] {
            assert_eq!(shapes.fits(&from, &to), expected.map_err(str::to_owned), "{from} to {to}");
        }
    }

    #[test]
    fn repeated_schemas_are_compared_once() {
        let schema = |level: usize| {
            let next = json!({"$ref": format!("#/schemas/L{}", level + 1)});
            json!({"type": "object", "properties": {"a": next, "b": next}})
        };
        let schemas: Map<String, Value> = (0..60).map(|level| (format!("L{level}"), schema(level))).collect();
        let shapes = Shapes { functions: Map::new(), schemas, inputs: Value::Null };
        let root = json!({"$ref": "#/schemas/L0"});
        assert_eq!(shapes.fits(&root, &root), Ok(()));
    }
}

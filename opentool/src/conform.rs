//! Checks values against the schemas of a document: arguments before a call, results after it. Shared by the tools that
//! have no types of their own: Python scripts and workflows.

use serde_json::Value;

use crate::values::{is_large_integer, list, same, with_article};
use crate::{Function, IndexMap, Map, OpenTool, Schema, SchemaType, ToolError};

/// The maximum length of a chain of references. Anything beyond is assumed to fit.
const MAX_REFERENCES: usize = 64;
/// The number of characters of a value that messages quote.
const QUOTED: usize = 40;
/// The format of an object that describes a chart.
const CHART: &str = "chart";

/// Checks the arguments of a call of `function`, which `document` has.
///
/// # Errors
///
/// [`ToolError::InvalidArguments`] with the first argument that is unknown, missing or of another shape.
pub fn arguments(
    given: &Map<String, Value>,
    function: &Function,
    document: &OpenTool,
) -> Result<(), ToolError> {
    let check = Check { schemas: &document.schemas, is_closed: true };
    let refused = |fault: Fault| ToolError::invalid_arguments(fault.pointer, fault.message);
    for key in given.keys() {
        if !function.parameters.iter().any(|parameter| parameter.name == *key) {
            let known: Vec<&str> = function.parameters.iter().map(|known| known.name.as_str()).collect();
            let message = match known.is_empty() {
                true => "unknown argument; this function takes none".to_owned(),
                false => format!("unknown argument; this function takes {}", known.join(", ")),
            };
            return Err(refused(Fault::new(message).inside(key)));
        }
    }
    for parameter in &function.parameters {
        match given.get(&parameter.name) {
            Some(value) => check.value(value, &parameter.schema),
            None if parameter.required => {
                Err(Fault::new(format!("missing; expected {}", check.expected(&parameter.schema))))
            }
            None => Ok(()),
        }
        .map_err(|fault| refused(fault.inside(&parameter.name)))?;
    }
    Ok(())
}

/// Checks the value of `key`, whose objects may have members that the schema lacks.
///
/// # Errors
///
/// A JSON pointer that begins with the key, and what is wrong there.
pub fn member(key: &str, value: &Value, schema: &Schema, document: &OpenTool) -> Result<(), String> {
    let check = Check { schemas: &document.schemas, is_closed: false };
    check.value(value, schema).map_err(|fault| {
        let fault = fault.inside(key);
        format!("{}: {}", fault.pointer, fault.message)
    })
}

struct Fault {
    pointer: String,
    message: String,
}

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Self { pointer: String::new(), message: message.into() }
    }

    fn inside(self, key: &str) -> Self {
        let key = key.replace('~', "~0").replace('/', "~1");
        Self { pointer: format!("/{key}{}", self.pointer), ..self }
    }
}

struct Check<'d> {
    schemas: &'d IndexMap<String, Schema>,
    /// Whether objects may have only the members of their schema. Results may have more.
    is_closed: bool,
}

impl<'d> Check<'d> {
    /// A schema with its reference resolved; `None` if it cannot be resolved.
    fn resolve(&self, schema: &'d Schema) -> Option<&'d Schema> {
        let mut schema = schema;
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = &schema.reference else { return Some(schema) };
            schema = self.schemas.get(&Schema::referred(reference)?)?;
        }
        None
    }

    fn expected(&self, schema: &'d Schema) -> String {
        match self.resolve(schema) {
            None => "a value".to_owned(),
            Some(schema) if schema.format.as_deref() == Some(CHART) => {
                "a chart, an object with `type` and `series`".to_owned()
            }
            Some(schema) => match &schema.values {
                Some(values) if !values.is_empty() => format!("one of {}", list(values)),
                _ => with_article(schema.kind.name()),
            },
        }
    }

    fn value(&self, value: &Value, schema: &'d Schema) -> Result<(), Fault> {
        let Some(shape) = self.resolve(schema) else { return Ok(()) };
        let choices = shape.values.as_deref().filter(|values| !values.is_empty());
        if value.is_null() && (shape.nullable || choices.is_some_and(|all| all.contains(&Value::Null))) {
            return Ok(());
        }
        let wrong = || {
            let given = quoted(value);
            Fault::new(format!("{given} is {}; expected {}", kind(value), self.expected(shape)))
        };
        let is_right = match shape.kind {
            SchemaType::Boolean => value.is_boolean(),
            SchemaType::Integer => is_integer(value, shape.format.as_deref()),
            SchemaType::Number => value.is_number(),
            SchemaType::String => value.is_string(),
            SchemaType::Array => value.is_array(),
            SchemaType::Object => value.is_object(),
        };
        if !is_right {
            return Err(wrong());
        }
        if let Some(choices) = choices
            && !choices.iter().any(|choice| same(choice, value))
        {
            return Err(Fault::new(format!("{} is not one of {}", quoted(value), list(choices))));
        }
        within(value, shape)?;
        match value {
            Value::Array(elements) => {
                let Some(items) = &shape.items else { return Ok(()) };
                for (index, element) in elements.iter().enumerate() {
                    self.value(element, items).map_err(|fault| fault.inside(&index.to_string()))?;
                }
                Ok(())
            }
            Value::Object(members) => self.object(members, shape),
            _ => Ok(()),
        }
    }

    fn object(&self, members: &Map<String, Value>, shape: &'d Schema) -> Result<(), Fault> {
        if shape.format.as_deref() == Some(CHART) {
            let parts = [
                ("type", Value::is_string as fn(&Value) -> bool, "a string"),
                ("series", Value::is_array, "an array"),
            ];
            for (key, is_right, expected) in parts {
                let fault = match members.get(key) {
                    None => format!("missing; a chart requires {expected} here"),
                    Some(value) if !is_right(value) => {
                        format!("{} is {}; a chart requires {expected} here", quoted(value), kind(value))
                    }
                    Some(_) => continue,
                };
                return Err(Fault::new(fault).inside(key));
            }
        }
        for key in shape.required.iter().flatten() {
            if !members.contains_key(key) {
                let expected = shape.properties.as_ref().and_then(|properties| properties.get(key));
                let expected = expected.map_or_else(|| "a value".to_owned(), |schema| self.expected(schema));
                return Err(Fault::new(format!("missing; expected {expected}")).inside(key));
            }
        }
        let Some(properties) = shape.properties.as_ref().filter(|all| !all.is_empty()) else { return Ok(()) };
        for (key, member) in members {
            match properties.get(key) {
                Some(schema) => self.value(member, schema).map_err(|fault| fault.inside(key))?,
                None if self.is_closed => {
                    let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                    let message = format!("unknown member; expected {}", known.join(", "));
                    return Err(Fault::new(message).inside(key));
                }
                None => {}
            }
        }
        Ok(())
    }
}

/// 64-bit integers that some readers would round travel as strings.
fn is_integer(value: &Value, format: Option<&str>) -> bool {
    match value {
        Value::Number(number) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        Value::String(text) => matches!(format, Some("int64" | "uint64")) && is_large_integer(text),
        _ => false,
    }
}

/// Checks the limits of a number, of the length of a text, and of an array.
fn within(value: &Value, shape: &Schema) -> Result<(), Fault> {
    let limited = |what: &str, limit: &dyn std::fmt::Display| {
        Err(Fault::new(format!("{} is {what} {limit}", quoted(value))))
    };
    // A large integer is text. Their limits are doubles here, too: exact ones are those of the function.
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok()).filter(|_| is_numeric(shape.kind));
    if let (Some(number), Some(limit)) = (number, &shape.minimum)
        && limit.as_f64().is_some_and(|limit| number < limit)
    {
        return limited("less than", limit);
    }
    if let (Some(number), Some(limit)) = (number, &shape.maximum)
        && limit.as_f64().is_some_and(|limit| number > limit)
    {
        return limited("more than", limit);
    }
    let is_longer = |limit: &u64| value.as_str().is_some_and(|text| text.chars().count() as u64 > *limit);
    if let Some(limit) = shape.max_length.filter(is_longer) {
        return limited("longer than the maximum length,", &limit);
    }
    let has_more = |limit: &u64| value.as_array().is_some_and(|elements| elements.len() as u64 > *limit);
    if let Some(limit) = shape.max_items.filter(has_more) {
        return limited("longer than the maximum length,", &limit);
    }
    Ok(())
}

fn is_numeric(kind: SchemaType) -> bool {
    matches!(kind, SchemaType::Integer | SchemaType::Number)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn quoted(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document() -> OpenTool {
        serde_json::from_value(json!({
            "opentool": "1.0.0",
            "info": {"title": "t", "version": "1"},
            "functions": [{
                "name": "f",
                "description": "d",
                "parameters": [
                    {"name": "n", "schema": {"type": "integer", "format": "int64"}, "required": true},
                    {"name": "p", "schema": {"$ref": "#/schemas/P"}, "required": false},
                    {"name": "c", "schema": {"type": "string", "enum": ["a", "b"], "x-nullable": true}, "required": false},
                ],
                "return": {"name": "data", "schema": {"type": "array", "items": {"$ref": "#/schemas/P"}}},
            }],
            "schemas": {"P": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
        }))
        .expect("a document")
    }

    #[test]
    fn arguments_match_the_document() {
        let document = document();
        let refused = |given: Value| {
            let Value::Object(given) = given else { panic!("an object") };
            arguments(&given, &document.functions[0], &document).err().map(|error| error.to_string())
        };
        for (given, expected) in [
            (json!({"n": 1}), None),
            (json!({"n": 2.0, "p": {"x": 1}, "c": null}), None),
            (json!({"n": "9007199254740993", "c": "a"}), None),
            (json!({}), Some("/n: missing; expected an integer")),
            (json!({"n": 1.5}), Some("/n: 1.5 is a number; expected an integer")),
            (json!({"n": "1"}), Some("/n: \"1\" is a string; expected an integer")),
            (json!({"n": 1, "m": 1}), Some("/m: unknown argument; this function takes n, p, c")),
            (json!({"n": 1, "p": {}}), Some("/p/x: missing; expected a number")),
            (json!({"n": 1, "p": {"x": null}}), Some("/p/x: null is null; expected a number")),
            (json!({"n": 1, "p": {"x": 1, "a/b": 1}}), Some("/p/a~1b: unknown member; expected x")),
            (json!({"n": 1, "c": "z"}), Some("/c: \"z\" is not one of \"a\", \"b\"")),
        ] {
            let expected = expected.map(|text| format!("invalid arguments: {text}"));
            assert_eq!(refused(given.clone()), expected, "{given}");
        }
    }

    #[test]
    fn data_matches_the_document_and_may_have_more_members() {
        let document = document();
        let schema = &document.functions[0].returns.as_ref().expect("it returns").schema;
        let refused = |value: Value| member("data", &value, schema, &document).err();
        assert_eq!(refused(json!([{"x": 1, "y": 2}])), None);
        let expected = "/data/1/x: \"1\" is a string; expected a number";
        assert_eq!(refused(json!([{"x": 1}, {"x": "1"}])).as_deref(), Some(expected));
        assert_eq!(refused(json!({})).as_deref(), Some("/data: {} is an object; expected an array"));
    }

    #[test]
    fn values_are_within_the_limits_of_their_schema() {
        let refused = |schema: Value, value: Value| {
            let schema: Schema = serde_json::from_value(schema).expect("a schema");
            member("v", &value, &schema, &OpenTool::default()).err()
        };
        let level = json!({"type": "integer", "minimum": 1, "maximum": 9});
        let large = json!({"type": "integer", "format": "int64", "maximum": 9});
        let text = json!({"type": "string", "maxLength": 2});
        let list = json!({"type": "array", "items": {"type": "integer"}, "maxItems": 1});
        for (schema, good, bad, expected) in [
            (&level, json!(1), json!(0), "/v: 0 is less than 1"),
            (&level, json!(9), json!(10), "/v: 10 is more than 9"),
            (&large, json!(9), json!("9007199254740993"), "/v: \"9007199254740993\" is more than 9"),
            (&text, json!("éé"), json!("abc"), "/v: \"abc\" is longer than the maximum length, 2"),
            (&list, json!([1]), json!([1, 2]), "/v: [1,2] is longer than the maximum length, 1"),
        ] {
            assert_eq!(refused(schema.clone(), good), None);
            assert_eq!(refused(schema.clone(), bad).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_chart_has_a_type_and_series() {
        let schema = Schema { format: Some("chart".to_owned()), ..Schema::of(SchemaType::Object) };
        let refused = |value: Value| member("data", &value, &schema, &OpenTool::default()).err();
        assert_eq!(refused(json!({"type": "bar", "series": [], "title": "t"})), None);
        for (value, expected) in [
            (json!({"series": []}), "/data/type: missing; a chart requires a string here"),
            (
                json!({"type": "bar", "series": {}}),
                "/data/series: {} is an object; a chart requires an array here",
            ),
            (
                json!("bar"),
                "/data: \"bar\" is a string; expected a chart, an object with `type` and `series`",
            ),
        ] {
            assert_eq!(refused(value).as_deref(), Some(expected));
        }
    }
}

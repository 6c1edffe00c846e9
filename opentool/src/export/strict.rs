//! The rules of OpenAI's strict mode, checked on any list of tools, exported here or elsewhere.

use std::collections::HashSet;
use std::fmt;

use serde_json::{Map, Value};

use super::escaped;
use super::refusal::Rule;

/// The maximum number of levels of objects and arrays; the arguments themselves are the first.
const MAX_DEPTH: usize = 10;
const MAX_PROPERTIES: usize = 5_000;
const MAX_ENUM_VALUES: usize = 1_000;
/// The maximum total length of property names and of `enum` and `const` values, in characters.
const MAX_TEXT: usize = 120_000;
/// An `enum` with more strings than the first number may have at most the second number of characters.
const LONG_ENUM: (usize, usize) = (250, 15_000);

/// The supported keywords. `default`, `oneOf`, `allOf`, `minLength` and many more are not.
const KEYWORDS: &[&str] = &[
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "definitions",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
];

/// A violation of a rule of strict mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictViolation {
    /// The rule.
    pub rule: Rule,
    /// A JSON pointer to the place.
    pub pointer: String,
    /// What is wrong there, and what is required.
    pub message: String,
}

impl fmt::Display for StrictViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.pointer, self.message, self.rule)
    }
}

/// All violations of strict mode in an array of tools, in the Responses or the Chat format.
///
/// ```
/// let tools = serde_json::json!([{
///     "type": "function", "name": "find", "strict": true,
///     "parameters": {"type": "object", "properties": {"filter": {"type": "object"}},
///                    "required": ["filter"], "additionalProperties": false},
/// }]);
/// let found = opentool::export::lint_strict(&tools);
/// assert_eq!(found[0].rule.name(), "free-form-object");
/// assert_eq!(found[0].pointer, "/0/parameters/properties/filter");
/// ```
#[must_use]
pub fn lint_strict(tools: &Value) -> Vec<StrictViolation> {
    let mut linter = Linter::default();
    let Some(tools) = tools.as_array() else {
        linter.report(Rule::ToolShape, "", "this is not an array of tools");
        return linter.found;
    };
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let nested = tool.get("function").is_some();
        let pointer = format!("/{index}{}", if nested { "/function" } else { "" });
        if tool.get("type").is_none_or(|kind| kind != "function") {
            linter.report(Rule::ToolShape, &format!("/{index}"), "a tool must have \"type\": \"function\"");
        }
        let function = if nested { &tool["function"] } else { tool };
        match function.get("name").and_then(Value::as_str) {
            None => linter.report(Rule::ToolShape, &pointer, "a tool must have a `name`, a string"),
            Some(name) => {
                let place = format!("{pointer}/name");
                if !super::names::OPENAI.allows(name) {
                    linter.report(Rule::Name, &place, "a name must be 1 to 64 letters, digits, _ and -");
                }
                if !names.insert(name) {
                    linter.report(Rule::DuplicateName, &place, "two tools have this name");
                }
            }
        }
        if function.get("strict").is_none_or(|strict| *strict != true) {
            linter.report(Rule::StrictFlag, &pointer, "strict mode must be requested with \"strict\": true");
        }
        match function.get("parameters") {
            None => linter.report(Rule::ToolShape, &pointer, "a tool must have `parameters`, a schema"),
            Some(parameters) => linter.root(parameters, &format!("{pointer}/parameters")),
        }
    }
    linter.found
}

/// All violations of strict mode in the schema of a tool's arguments.
pub(super) fn lint_schema(schema: &Value) -> Vec<StrictViolation> {
    let mut linter = Linter::default();
    linter.root(schema, "");
    linter.found
}

#[derive(Default)]
struct Linter {
    found: Vec<StrictViolation>,
    properties: usize,
    values: usize,
    text: usize,
}

impl Linter {
    fn report(&mut self, rule: Rule, pointer: &str, message: impl Into<String>) {
        self.found.push(StrictViolation { rule, pointer: pointer.to_owned(), message: message.into() });
    }

    fn root(&mut self, schema: &Value, pointer: &str) {
        (self.properties, self.values, self.text) = (0, 0, 0);
        if schema.get("type").is_none_or(|kind| kind != "object") || schema.get("anyOf").is_some() {
            self.report(Rule::RootObject, pointer, "the root must be an object without `anyOf`");
        }
        self.schema(schema, pointer, 0);
        if self.properties > MAX_PROPERTIES {
            let message = format!("{} properties; {MAX_PROPERTIES} are allowed", self.properties);
            self.report(Rule::PropertyCount, pointer, message);
        }
        if self.values > MAX_ENUM_VALUES {
            let message = format!("{} enum values; {MAX_ENUM_VALUES} are allowed", self.values);
            self.report(Rule::EnumCount, pointer, message);
        }
        if self.text > MAX_TEXT {
            let message = format!("names and values of {} characters; {MAX_TEXT} are allowed", self.text);
            self.report(Rule::TextLength, pointer, message);
        }
    }

    /// Checks a schema inside `outer` levels of objects and arrays.
    fn schema(&mut self, schema: &Value, pointer: &str, outer: usize) {
        let Some(schema) = schema.as_object() else {
            return self.report(Rule::MissingType, pointer, "a schema must be an object with a `type`");
        };
        for keyword in schema.keys().filter(|keyword| !KEYWORDS.contains(&keyword.as_str())) {
            let message = format!(
                "strict mode does not support `{keyword}`: remove it, or put it into the description"
            );
            self.report(Rule::UnsupportedKeyword, pointer, message);
        }
        let is = |name: &str| match schema.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
            Some(kind) => kind == name,
            None => false,
        };
        if !["type", "anyOf", "$ref", "const", "enum"].iter().any(|keyword| schema.contains_key(*keyword)) {
            self.report(Rule::MissingType, pointer, "the schema has no `type`");
        }
        let depth = outer + usize::from(is("object") || is("array"));
        if depth > MAX_DEPTH {
            // Everything inside is deeper still; one report is enough.
            let message = format!("objects and arrays may nest at most {MAX_DEPTH} levels");
            return self.report(Rule::Depth, pointer, message);
        }
        if is("object") {
            self.object(schema, pointer);
        }
        self.values(schema, pointer);
        for keyword in ["properties", "$defs", "definitions"] {
            for (key, property) in schema.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                self.text += key.chars().count();
                self.properties += usize::from(keyword == "properties");
                self.schema(property, &format!("{pointer}/{keyword}/{}", escaped(key)), depth);
            }
        }
        match schema.get("items") {
            Some(items) => self.schema(items, &format!("{pointer}/items"), depth),
            None if is("array") => self.report(Rule::ArrayItems, pointer, "an array must have `items`"),
            None => {}
        }
        for (index, variant) in
            schema.get("anyOf").and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            self.schema(variant, &format!("{pointer}/anyOf/{index}"), depth);
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, pointer: &str) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            let message = "an object must have `properties`; strict mode has no free-form objects";
            return self.report(Rule::FreeFormObject, pointer, message);
        };
        if schema.get("additionalProperties").is_none_or(|additional| *additional != false) {
            let message = "an object must have \"additionalProperties\": false";
            self.report(Rule::AdditionalProperties, pointer, message);
        }
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
        let listed: HashSet<&str> = required.iter().copied().collect();
        for key in properties.keys().filter(|key| !listed.contains(key.as_str())) {
            let message = format!("`{key}` is not in `required`: add it, and make it nullable");
            self.report(Rule::RequiredProperties, pointer, message);
        }
        for key in required.iter().filter(|key| !properties.contains_key(**key)) {
            let message = format!("`required` lists `{key}`, which is not a property");
            self.report(Rule::RequiredProperties, pointer, message);
        }
    }

    fn values(&mut self, schema: &Map<String, Value>, pointer: &str) {
        if let Some(Value::String(text)) = schema.get("const") {
            self.text += text.chars().count();
        }
        let Some(values) = schema.get("enum").and_then(Value::as_array) else { return };
        self.values += values.len();
        let strings = values.iter().filter_map(Value::as_str);
        let (count, length) =
            strings.fold((0, 0), |(count, length), text| (count + 1, length + text.chars().count()));
        self.text += length;
        if count > LONG_ENUM.0 && length > LONG_ENUM.1 {
            let message = format!(
                "an enum of {count} strings with {length} characters; with more than {} strings, {} characters are allowed",
                LONG_ENUM.0, LONG_ENUM.1
            );
            self.report(Rule::TextLength, pointer, message);
        }
        if values.iter().any(Value::is_null) && schema.contains_key("type") {
            let message = "a nullable enum must be `anyOf` of the enum and {\"type\": \"null\"}";
            self.report(Rule::NullableEnum, pointer, message);
        }
    }
}

//! The canonical form of a function: two JSON Schemas, from which every format is made.
//!
//! References are resolved, so each schema is self-contained. The input is closed (`additionalProperties: false`);
//! the output may have more members than are described.

use serde_json::{Map, Value, json};

use super::escaped;
use super::refusal::{ExportError, Refusal, Rule};
use crate::document::referred;
use crate::{Annotations, Function, OpenTool, Return, Schema, SchemaType};

/// The maximum number of parts of a schema with its references resolved. A few small schemas that refer to each
/// other several times would otherwise expand to billions.
const MAX_PARTS: usize = 50_000;
/// The maximum nesting of a schema.
const MAX_DEPTH: usize = 128;

/// A format of ours of which clients warn: the SDK for TypeScript at every result that has it. `int64` they know.
const UNKNOWN_TO_CLIENTS: &str = "uint64";

/// A function described by JSON Schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The name that calls use.
    pub name: String,
    /// The name to show to people.
    pub title: String,
    /// What it does.
    pub description: String,
    /// The schema of the arguments, an object.
    pub input: Map<String, Value>,
    /// The schema of the reply, an object.
    pub output: Map<String, Value>,
    /// The effects of a call.
    pub annotations: Annotations,
}

impl Signature {
    /// The signature of one function of `document`.
    ///
    /// # Errors
    ///
    /// A `$ref` is unresolved or cyclic, or the resolved schemas are too large.
    pub fn of(document: &OpenTool, function: &Function) -> Result<Self, ExportError> {
        let (input, output) = input(document, function)
            .and_then(|input| Ok((input, output(document, function)?)))
            .map_err(|failure| ExportError { refusals: vec![failure.of(&function.name)] })?;
        Ok(Self {
            name: function.name.clone(),
            title: title(&function.name),
            description: function.description.clone(),
            input,
            output,
            annotations: function.annotations.unwrap_or_default(),
        })
    }

    /// The signatures of all functions of `document`, in order.
    ///
    /// # Errors
    ///
    /// The refusals of [`Signature::of`] for all functions.
    pub fn all(document: &OpenTool) -> Result<Vec<Self>, ExportError> {
        Self::each(document, |_| true)
    }

    /// The signatures of the functions that models are [offered](Function::is_offered), in order.
    ///
    /// # Errors
    ///
    /// The refusals of [`Signature::of`] for these functions.
    pub fn offered(document: &OpenTool) -> Result<Vec<Self>, ExportError> {
        Self::each(document, Function::is_offered)
    }

    fn each(document: &OpenTool, is_wanted: impl Fn(&Function) -> bool) -> Result<Vec<Self>, ExportError> {
        let mut signatures = Vec::with_capacity(document.functions.len());
        let mut refusals = Vec::new();
        for function in document.functions.iter().filter(|function| is_wanted(function)) {
            match Self::of(document, function) {
                Ok(signature) => signatures.push(signature),
                Err(error) => refusals.extend(error.refusals),
            }
        }
        if refusals.is_empty() { Ok(signatures) } else { Err(ExportError { refusals }) }
    }
}

/// The title of a function: `get_weather-now` becomes `Get weather now`.
fn title(name: &str) -> String {
    let words = name.split(['_', '-']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => name.to_owned(),
    }
}

fn input(document: &OpenTool, function: &Function) -> Result<Map<String, Value>, SchemaRefusal> {
    let mut resolver = Resolver::new(document, Direction::Input);
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in &function.parameters {
        let schema = resolver
            .schema(&parameter.schema)
            .map_err(|failure| failure.inside(&parameter.name).inside("properties"))?;
        let schema = described(schema, parameter.description.as_deref());
        properties.insert(parameter.name.clone(), Value::Object(schema));
        if parameter.required {
            required.push(parameter.name.clone());
        }
    }
    Ok(object(properties, required, Direction::Input))
}

fn output(document: &OpenTool, function: &Function) -> Result<Map<String, Value>, SchemaRefusal> {
    let mut resolver = Resolver::new(document, Direction::Output);
    let Some(Return { name, description, schema, spread }) = &function.returns else {
        return Ok(object(Map::new(), Vec::new(), Direction::Output));
    };
    let schema = resolver.schema(schema)?;
    // Only an object has keys to spread; `OpenTool::parse` refuses other types.
    if *spread && schema.get("type").is_some_and(|kind| kind == "object") {
        return Ok(described(schema, description.as_deref()));
    }
    let value = Value::Object(described(schema, description.as_deref()));
    let properties = Map::from_iter([(name.clone(), value)]);
    Ok(object(properties, vec![name.clone()], Direction::Output))
}

fn object(properties: Map<String, Value>, required: Vec<String>, direction: Direction) -> Map<String, Value> {
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    if direction == Direction::Input {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    schema
}

/// A schema with the description of the value in front of that of its type: "The connection." before "A token that
/// stands for a `sqlite3`."
fn described(mut schema: Map<String, Value>, description: Option<&str>) -> Map<String, Value> {
    let Some(description) = description.filter(|text| !text.trim().is_empty()) else { return schema };
    let joined = match schema.get("description").and_then(Value::as_str) {
        Some(of_type) if of_type != description => {
            let description = description.trim_end();
            let stop = if description.ends_with(['.', '!', '?', ':', '。']) { "" } else { "." };
            format!("{description}{stop} {of_type}")
        }
        _ => description.to_owned(),
    };
    insert_description(&mut schema, joined);
    schema
}

/// Puts the description after the type and replaces an existing one.
fn insert_description(schema: &mut Map<String, Value>, description: String) {
    schema.shift_remove("description");
    schema.shift_insert(1.min(schema.len()), "description".to_owned(), Value::String(description));
}

/// Whether a schema describes the arguments or the reply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Input,
    Output,
}

/// Why a schema cannot be exported. The function is added by [`SchemaRefusal::of`].
struct SchemaRefusal {
    rule: Rule,
    pointer: String,
    message: String,
}

impl SchemaRefusal {
    fn inside(mut self, key: &str) -> Self {
        self.pointer = format!("/{}{}", escaped(key), self.pointer);
        self
    }

    fn of(self, function: &str) -> Refusal {
        let Self { rule, pointer, message } = self;
        Refusal { function: function.to_owned(), rule, pointer, message }
    }
}

struct Resolver<'d> {
    document: &'d OpenTool,
    direction: Direction,
    parts: usize,
    depth: usize,
    /// The names of the schemas being resolved, outermost first.
    open: Vec<String>,
}

impl<'d> Resolver<'d> {
    fn new(document: &'d OpenTool, direction: Direction) -> Self {
        Self { document, direction, parts: 0, depth: 0, open: Vec::new() }
    }

    fn schema(&mut self, schema: &Schema) -> Result<Map<String, Value>, SchemaRefusal> {
        self.parts += 1;
        self.depth += 1;
        if self.parts > MAX_PARTS || self.depth > MAX_DEPTH {
            let message = format!(
                "with its references resolved, the schema has more than {MAX_PARTS} parts or {MAX_DEPTH} levels"
            );
            return Err(SchemaRefusal { rule: Rule::TooLarge, pointer: String::new(), message });
        }
        let resolved = self.resolved(schema);
        self.depth -= 1;
        resolved
    }

    fn resolved(&mut self, schema: &Schema) -> Result<Map<String, Value>, SchemaRefusal> {
        let failure = |rule, message| SchemaRefusal { rule, pointer: String::new(), message };
        let Some(reference) = &schema.reference else { return self.inline(schema) };
        let name = referred(reference).unwrap_or_default();
        let Some(target) = self.document.schemas.get(&name) else {
            let message = format!("the document has no schema {reference:?}");
            return Err(failure(Rule::UnresolvedReference, message));
        };
        if self.open.contains(&name) {
            return Err(failure(Rule::CyclicReference, format!("schema `{name}` contains itself")));
        }
        self.open.push(name);
        let mut resolved = self.schema(target)?;
        self.open.pop();
        if let Some(description) = &schema.description {
            insert_description(&mut resolved, description.clone());
        }
        Ok(resolved)
    }

    fn inline(&mut self, schema: &Schema) -> Result<Map<String, Value>, SchemaRefusal> {
        if let Some(shapes) = schema.any_of.as_ref().filter(|_| schema.kind == SchemaType::Object) {
            return self.any_of(shapes, schema);
        }
        let mut written = Map::new();
        let kinds = self.kinds(schema);
        written.insert("type".to_owned(), if kinds.len() == 1 { json!(kinds[0]) } else { json!(kinds) });
        if let Some(description) = &schema.description {
            written.insert("description".to_owned(), json!(description));
        }
        // In its place is what every client knows.
        let is_unsigned = schema.format.as_deref() == Some(UNKNOWN_TO_CLIENTS);
        if let Some(format) = schema.format.as_ref().filter(|_| !is_unsigned) {
            written.insert("format".to_owned(), json!(format));
        }
        if let Some(values) = &schema.values {
            let null = schema.nullable.then_some(&Value::Null);
            written.insert("enum".to_owned(), values.iter().chain(null).cloned().collect());
        }
        let limits = [
            ("minimum", schema.minimum.as_ref().map(|it| json!(it)).or(is_unsigned.then(|| json!(0)))),
            ("maximum", schema.maximum.as_ref().map(|it| json!(it))),
            ("maxLength", schema.max_length.map(|it| json!(it))),
            ("maxItems", schema.max_items.map(|it| json!(it))),
        ];
        for (key, limit) in limits {
            written.extend(limit.map(|limit| (key.to_owned(), limit)));
        }
        if let Some(items) = schema.items.as_deref().filter(|_| schema.kind == SchemaType::Array) {
            let items = self.schema(items).map_err(|failure| failure.inside("items"))?;
            written.insert("items".to_owned(), Value::Object(items));
        }
        if let Some(properties) = schema.properties.as_ref().filter(|_| schema.kind == SchemaType::Object) {
            let mut members = Map::new();
            for (key, property) in properties {
                let property =
                    self.schema(property).map_err(|failure| failure.inside(key).inside("properties"))?;
                members.insert(key.clone(), Value::Object(property));
            }
            let required = schema.required.iter().flatten().filter(|key| properties.contains_key(*key));
            let object = object(members, required.cloned().collect(), self.direction);
            written.extend(object.into_iter().filter(|(key, _)| key != "type"));
        }
        Ok(written)
    }

    /// An object of one of several shapes, or null.
    fn any_of(&mut self, shapes: &[Schema], schema: &Schema) -> Result<Map<String, Value>, SchemaRefusal> {
        let mut written = Map::new();
        written.extend(schema.description.as_ref().map(|text| ("description".to_owned(), json!(text))));
        let mut any_of = Vec::with_capacity(shapes.len() + 1);
        for (index, shape) in shapes.iter().enumerate() {
            let shape =
                self.schema(shape).map_err(|failure| failure.inside(&index.to_string()).inside("anyOf"))?;
            any_of.push(Value::Object(shape));
        }
        if schema.nullable {
            any_of.push(json!({"type": "null"}));
        }
        written.insert("anyOf".to_owned(), Value::Array(any_of));
        Ok(written)
    }

    fn kinds(&self, schema: &Schema) -> Vec<&'static str> {
        let mut kinds = vec![schema.kind.name()];
        let wide = matches!(schema.format.as_deref(), Some("int64" | "uint64"));
        if wide && schema.kind == SchemaType::Integer && self.direction == Direction::Output {
            kinds.push("string");
        }
        if schema.nullable {
            kinds.push("null");
        }
        kinds
    }
}

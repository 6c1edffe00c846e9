//! The functions as an OpenTool document has them: what a caller gives and gets.

mod schema;

use proc_macro2::Literal;
use serde_json::{Map, Value, json};

use super::docs;
use opendyn_model::ir::{
    Annotations, Binding, Function, Json, Length, Member, Outcome, Param, Passing, Source, Types,
};

use schema::{Direction, Schemas, described};

/// The whole document, as text.
pub(crate) fn document(binding: &Binding) -> String {
    let callable = binding.functions.iter().filter(|function| matches!(function.json, Json::Callable));
    let functions: Vec<Value> = callable.map(|function| function_value(function, &binding.types)).collect();
    json!({"opentool": "1.0.0", "info": info_value(binding), "functions": functions}).to_string()
}

/// The document's `info`.
pub(super) fn info(binding: &Binding) -> Literal {
    literal(&info_value(binding))
}

/// One of its `functions`.
pub(super) fn function(function: &Function, types: &Types) -> Literal {
    literal(&function_value(function, types))
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

/// One value of a JSON call.
pub(crate) struct Exchange<'f> {
    pub(crate) key: &'f str,
    pub(crate) description: Option<&'f str>,
    pub(crate) schema: Value,
    pub(crate) required: bool,
    pub(crate) default: Option<&'f opendyn_model::ir::Default>,
}

/// What a call gives, and what it gets.
pub(crate) fn exchange<'f>(function: &'f Function, types: &Types) -> (Vec<Exchange<'f>>, Vec<Exchange<'f>>) {
    let given = offered(function).map(|param| Exchange {
        key: &param.key,
        description: param.description.as_deref(),
        schema: parameter_schema(param, function, Schemas::exact(types, Direction::Given)),
        required: param.required,
        default: param.default.as_ref(),
    });
    let got = function.json_results().into_iter().map(|result| Exchange {
        key: result.key,
        description: result.description,
        schema: result_schema(&result, Schemas::exact(types, Direction::Returned)),
        required: true,
        default: None,
    });
    (given.collect(), got.collect())
}

/// The schema of a member of a struct.
pub(crate) fn member(member: &Member, types: &Types) -> Option<Value> {
    Schemas::exact(types, Direction::Given).member(member)
}

/// What a call can give. Of some only NULL can be given, which is the same as nothing.
fn offered(function: &Function) -> impl Iterator<Item = &Param> {
    function.inputs().filter(|param| !matches!(param.passing, Passing::Callback(_) | Passing::Opaque { .. }))
}

fn function_value(function: &Function, types: &Types) -> Value {
    let parameters: Vec<Value> = offered(function).map(|param| parameter(param, function, types)).collect();
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

/// The hints that the document gives, if any.
fn annotations(annotations: Annotations) -> Option<Value> {
    let Annotations { read_only, destructive, idempotent, .. } = annotations;
    let hints = [("readOnly", read_only), ("destructive", destructive), ("idempotent", idempotent)];
    let hints: Map<String, Value> =
        hints.into_iter().filter_map(|(key, hint)| Some((key.to_owned(), json!(hint?)))).collect();
    (!hints.is_empty()).then_some(Value::Object(hints))
}

/// JSON as a raw string, which reads like JSON.
fn literal(value: &Value) -> Literal {
    // Characters that turn the direction of the text are refused by the compiler, but not as
    // JSON escapes.
    let json = value.to_string().chars().fold(String::new(), |mut json, character| {
        match character {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                json += &format!("\\u{:04x}", u32::from(character))
            }
            _ => json.push(character),
        }
        json
    });
    let mut fence = "#".to_owned();
    while json.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    format!("r{fence}\"{json}\"{fence}").parse().unwrap_or_else(|_| Literal::string(&json))
}

fn parameter(param: &Param, function: &Function, types: &Types) -> Value {
    let schema = parameter_schema(param, function, Schemas::new(types, Direction::Given));
    let description = docs::with_default(param.description.as_deref(), param);
    named(&param.key, description.as_deref(), schema, Some(param.required))
}

fn parameter_schema(param: &Param, function: &Function, schemas: Schemas<'_>) -> Value {
    let types = schemas.types;
    match &param.passing {
        Passing::Value(scalar)
        | Passing::Pointer(scalar)
        | Passing::InOut(scalar)
        | Passing::Output(scalar) => schemas.scalar(*scalar),
        Passing::Str(text) => schemas.text(text),
        Passing::Slice { element, .. } => exactly(schemas.array(*element), param, "elements", schemas),
        Passing::Counted { encoding, .. } => {
            let unit = if encoding.is_binary() { "bytes" } else { "units" };
            exactly(schemas.string(*encoding), param, unit, schemas)
        }
        Passing::Strings { .. } => json!({"type": "array", "items": {"type": "string"}}),
        Passing::Record { record, .. } => schemas.record(*record),
        Passing::State { record, .. } => schemas.token(&types.records[*record].name),
        Passing::Handle { handle, .. } => schemas.token(&types.handles[*handle].name),
        Passing::Capacity { of, c_type, .. } => {
            let buffer = &function.params[*of].key;
            let mut schema = schemas.count(*c_type);
            schema["description"] = json!(format!("How many elements `{buffer}` has room for."));
            schema
        }
        Passing::Buffer { content, .. } => schemas.content(*content),
        _ => json!({"type": "object"}),
    }
}

/// The same, with how long it has to be.
fn exactly(mut schema: Value, param: &Param, what: &str, schemas: Schemas<'_>) -> Value {
    let Some(Length::Const(count)) = param.passing.length() else { return schema };
    if schemas.is_exact {
        if matches!(param.passing, Passing::Slice { .. }) {
            schema["minItems"] = json!(count);
            schema["maxItems"] = json!(count);
        } else {
            schema["x-length"] = json!(count);
        }
        return schema;
    }
    let before = schema["description"].as_str().map_or_else(String::new, |text| format!("{text} "));
    schema["description"] = json!(format!("{before}Exactly {count} {what}."));
    schema
}

/// What comes back: nothing, one value, or several as the properties of one object.
fn returned(function: &Function, types: &Types) -> Value {
    let results = function.json_results();
    let schemas = Schemas::new(types, Direction::Returned);
    match results.as_slice() {
        [] => Value::Null,
        [result] => named(result.key, result.description, result_schema(result, schemas), None),
        _ => {
            let properties: Map<String, Value> = results
                .iter()
                .map(|result| {
                    let schema = described(result_schema(result, schemas), result.description);
                    (result.key.to_owned(), schema)
                })
                .collect();
            let required: Vec<&str> = results.iter().map(|result| result.key).collect();
            let schema = json!({"type": "object", "properties": properties, "required": required});
            let mut returned = named("results", None, schema, None);
            returned["x-spread"] = json!(true);
            returned
        }
    }
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

fn result_schema(result: &Outcome<'_>, schemas: Schemas<'_>) -> Value {
    let types = schemas.types;
    match result.source {
        Source::Returned(returned) => schemas.form(&returned.form),
        Source::Param(param) => match &param.passing {
            Passing::Output(scalar) | Passing::InOut(scalar) => schemas.scalar(*scalar),
            Passing::Buffer { content, .. } => schemas.content(*content),
            Passing::Slice { element, .. } => schemas.array(*element),
            Passing::Counted { encoding, .. } => schemas.string(*encoding),
            Passing::Record { record, .. } => schemas.record(*record),
            Passing::State { record, .. } => schemas.token(&types.records[*record].name),
            Passing::Fetched(form) => schemas.form(form),
            _ => json!({"type": "integer"}),
        },
    }
}

//! The functions as an OpenTool document has them: what a caller gives and gets.

use proc_macro2::Literal;
use serde_json::{Map, Value, json};

use super::docs;
use crate::c_type::Class;
use crate::ir::{
    Binding, Body, Content, Element, Encoding, Form, Function, Length, Member, Outcome, Param, Passing,
    Scalar, Source, Text, Types, Values, View,
};

/// The document's `info`.
pub(super) fn info(binding: &Binding) -> Literal {
    let mut info = Map::new();
    info.insert("title".to_owned(), json!(binding.title));
    if let Some(description) = &binding.description {
        info.insert("description".to_owned(), json!(description));
    }
    info.insert("version".to_owned(), json!(binding.version));
    literal(&Value::Object(info))
}

/// One of its `functions`.
pub(super) fn function(function: &Function, types: &Types) -> Literal {
    let inputs = function.inputs().filter(|param| !matches!(param.passing, Passing::Callback(_)));
    let parameters: Vec<Value> = inputs.map(|param| parameter(param, function, types)).collect();
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(function.name));
    object.insert("description".to_owned(), json!(function.description));
    object.insert("parameters".to_owned(), Value::Array(parameters));
    object.insert("return".to_owned(), returned(function, types));
    literal(&Value::Object(object))
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
    let schema = match &param.passing {
        Passing::Value(scalar)
        | Passing::Pointer(scalar)
        | Passing::InOut(scalar)
        | Passing::Output(scalar) => scalar_schema(*scalar, types),
        Passing::Str(text) => text_schema(text, types),
        Passing::Slice { element, .. } => exactly(array_schema(*element, types), param, "elements"),
        Passing::Counted { encoding, .. } => {
            exactly(string_schema(*encoding), param, if encoding.is_binary() { "bytes" } else { "units" })
        }
        Passing::Strings { .. } => json!({"type": "array", "items": {"type": "string"}}),
        Passing::Record { record, .. } => record_schema(*record, types),
        Passing::State { record, .. } => token_schema(&types.records[*record].name),
        Passing::Handle { handle, .. } => token_schema(&types.handles[*handle].name),
        Passing::Capacity { of, .. } => {
            let buffer = &function.params[*of].key;
            json!({"type": "integer", "description": format!("How many elements `{buffer}` has room for.")})
        }
        Passing::Buffer { content, .. } => content_schema(*content, types),
        _ => json!({"type": "object"}),
    };
    let description = docs::with_default(param.description.as_deref(), param);
    named(&param.key, description.as_deref(), schema, Some(param.required))
}

/// The same, with how long it has to be.
fn exactly(mut schema: Value, param: &Param, what: &str) -> Value {
    if let Some(Length::Const(count)) = param.passing.length() {
        let before = schema["description"].as_str().map_or_else(String::new, |text| format!("{text} "));
        schema["description"] = json!(format!("{before}Exactly {count} {what}."));
    }
    schema
}

/// What comes back: nothing, one value, or several as the properties of one object.
fn returned(function: &Function, types: &Types) -> Value {
    let results = function.json_results();
    match results.as_slice() {
        [] => Value::Null,
        [result] => named(result.key, result.description, result_schema(result, types), None),
        _ => {
            let properties: Map<String, Value> = results
                .iter()
                .map(|result| {
                    let mut schema = result_schema(result, types);
                    if let Some(description) = result.description {
                        schema["description"] = json!(description);
                    }
                    (result.key.to_owned(), schema)
                })
                .collect();
            let required: Vec<&str> = results.iter().map(|result| result.key).collect();
            named(
                "results",
                None,
                json!({"type": "object", "properties": properties, "required": required}),
                None,
            )
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

fn result_schema(result: &Outcome<'_>, types: &Types) -> Value {
    match result.source {
        Source::Returned(returned) => form_schema(&returned.form, types),
        Source::Param(param) => match &param.passing {
            Passing::Output(scalar) | Passing::InOut(scalar) => scalar_schema(*scalar, types),
            Passing::Buffer { content, .. } => content_schema(*content, types),
            Passing::Slice { element, .. } => array_schema(*element, types),
            Passing::Counted { encoding, .. } => string_schema(*encoding),
            Passing::Record { record, .. } => record_schema(*record, types),
            Passing::State { record, .. } => token_schema(&types.records[*record].name),
            Passing::Fetched(form) => form_schema(form, types),
            _ => json!({"type": "integer"}),
        },
    }
}

fn form_schema(form: &Form, types: &Types) -> Value {
    match form {
        Form::Value(scalar) | Form::Pointed { scalar, .. } => scalar_schema(*scalar, types),
        Form::Str { text, .. } => string_schema(text.encoding),
        Form::Array { content, .. } => content_schema(*content, types),
        Form::Strings { .. } => json!({"type": "array", "items": {"type": "string"}}),
        Form::Record { record, .. } | Form::RecordValue(record) => record_schema(*record, types),
        Form::Handle { handle, .. } => token_schema(&types.handles[*handle].name),
        Form::Opaque => json!({"type": "object"}),
    }
}

fn content_schema(content: Content, types: &Types) -> Value {
    match content {
        Content::Elements(element) => array_schema(element, types),
        Content::Text { encoding, .. } => string_schema(encoding),
    }
}

fn string_schema(encoding: Encoding) -> Value {
    match encoding {
        Encoding::Base64 => json!({"type": "string", "description": "Bytes, in base64."}),
        Encoding::Hex => json!({"type": "string", "description": "Bytes, in hex digits."}),
        Encoding::Utf8 | Encoding::Utf8Lossy | Encoding::Latin1 | Encoding::Utf16 => {
            json!({"type": "string"})
        }
    }
}

fn text_schema(text: &Text, types: &Types) -> Value {
    let mut schema = string_schema(text.encoding);
    if let Some(Values::Strings(variants)) = text.one_of.map(|index| &types.enums[index].of) {
        let values: Vec<&str> = variants.iter().map(|variant| variant.value.as_str()).collect();
        schema["enum"] = json!(values);
    }
    schema
}

/// A handle or a state: a string that some function returned.
fn token_schema(name: &str) -> Value {
    json!({"type": "string", "description": format!("A token that stands for a `{name}`.")})
}

fn record_schema(record: usize, types: &Types) -> Value {
    let Body::Fields(fields) = &types.records[record].body else { return json!({"type": "object"}) };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        let view = match field.member {
            Member::Scalar(scalar) => scalar.view,
            _ => View::Plain,
        };
        let mut schema = match &field.member {
            Member::Scalar(scalar) => scalar_schema(*scalar, types),
            Member::Record(record) => record_schema(*record, types),
            Member::Array { element, .. } => array_schema(*element, types),
            Member::Text { encoding, .. } => string_schema(*encoding),
            Member::Str(_) => json!({"type": "string"}),
            Member::Pointer(_) => continue,
        };
        let own = schema["description"].as_str().map(str::to_owned);
        let said = docs::with_default_of(field.description.as_deref(), field.default.as_ref(), view);
        if let Some(description) = said {
            // What the values of an enum are called stays.
            schema["description"] =
                json!(own.map_or(description.clone(), |own| format!("{description} {own}")));
        }
        if field.required {
            required.push(field.key.as_str());
        }
        properties.insert(field.key.clone(), schema);
    }
    json!({"type": "object", "properties": properties, "required": required})
}

fn array_schema(element: Element, types: &Types) -> Value {
    let items = match element {
        Element::Scalar(scalar) => scalar_schema(scalar, types),
        Element::Record(record) => record_schema(record, types),
    };
    json!({"type": "array", "items": items})
}

fn scalar_schema(scalar: Scalar, types: &Types) -> Value {
    let kind = match (scalar.view, scalar.c_type.class()) {
        (View::Enum(index), _) => return enum_schema(&types.enums[index].of),
        (View::Truth, _) | (_, Class::Boolean) => "boolean",
        (View::Character, _) => "string",
        (View::Plain, Class::Floating) => "number",
        (View::Plain, Class::Integer | Class::Character | Class::Void) => "integer",
    };
    json!({"type": kind})
}

fn enum_schema(values: &Values) -> Value {
    let Values::Integers { variants, .. } = values else { return json!({"type": "integer"}) };
    let numbers: Vec<i64> = variants.iter().map(|variant| variant.value).collect();
    let mut schema = json!({"type": "integer", "enum": numbers});
    if variants.iter().all(|variant| !variant.name.is_empty()) {
        let names: Vec<String> =
            variants.iter().map(|variant| format!("{} is {}", variant.value, variant.name)).collect();
        schema["description"] = json!(format!("{}.", names.join(", ")));
    }
    schema
}

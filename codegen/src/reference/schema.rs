//! A JSON value: its schema in words, and an example of it.

use serde_json::{Map, Value, json};

use super::escape;

/// What a value may be, for a cell of a table.
pub(super) fn words(schema: &Value) -> String {
    let kind = schema["type"].as_str().unwrap_or("any");
    let title = schema["title"].as_str();
    let mut words = match (kind, title) {
        ("string", Some(handle)) if schema["format"] == "token" => {
            format!("token of a {}", escape::link("handle", handle))
        }
        ("object", Some(name)) => format!("object {}", escape::link("struct", name)),
        ("integer" | "string", Some(name)) => format!("{kind} of {}", escape::link("enum", name)),
        ("object", None) if schema["anyOf"].is_array() => {
            let shapes = schema["anyOf"].as_array().into_iter().flatten();
            let keys = shapes.flat_map(|shape| shape["required"].as_array().into_iter().flatten());
            let keys: Vec<String> = keys.filter_map(Value::as_str).map(escape::code).collect();
            format!("object with one of {}", keys.join(", "))
        }
        ("array", _) => format!("array of {}", words(&schema["items"])),
        _ => kind.to_owned(),
    };
    words += &bounds(schema);
    if schema["x-nullable"] == true {
        words += ", or null";
    }
    words
}

/// Ranges, lengths and values.
fn bounds(schema: &Value) -> String {
    if let (Some(values), None) = (schema["enum"].as_array(), schema["title"].as_str()) {
        let values: Vec<String> = values.iter().map(|value| escape::code(&value.to_string())).collect();
        return format!(": {}", values.join(", ").replace('|', "\\|"));
    }
    let mut text = String::new();
    if let (Some(low), Some(high)) = (schema.get("minimum"), schema.get("maximum")) {
        text += &match schema["format"].as_str() {
            // A range of twenty digits is harder to read than its name.
            Some("int64") => ", 64 bits".to_owned(),
            Some("uint64") => ", 64 bits, unsigned".to_owned(),
            _ => format!(", {low} to {high}"),
        };
    }
    match schema["contentEncoding"].as_str() {
        Some("base64") => text += ", bytes in base64",
        Some(_) => text += ", bytes in hex digits",
        None if schema["maxLength"] == 1 => text += ", one byte",
        None => {}
    }
    if schema["format"] == "float" {
        text += ", single precision";
    }
    if let Some(count) = schema["minItems"].as_u64() {
        text += &format!(", exactly {count}");
    }
    if let Some(count) = schema["x-length"].as_u64() {
        text += &format!(", exactly {count} bytes");
    }
    text
}

/// A value that fits the schema. `number` is the last integer shown, so that they differ.
pub(super) fn example(schema: &Value, number: &mut u64) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    if let Some(first) = schema["anyOf"].as_array().and_then(|shapes| shapes.first()) {
        return example(first, number);
    }
    match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("integer") => {
            *number = *number % 100 + 1;
            json!(number)
        }
        Some("number") => json!(1.5),
        Some("string") => json!(text(schema)),
        Some("array") => {
            let count = schema["minItems"].as_u64().unwrap_or(2);
            Value::Array((0..count).map(|_| example(&schema["items"], number)).collect())
        }
        Some("object") => {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let properties = schema["properties"].as_object().into_iter().flatten();
            let members = properties.filter(|(key, _)| required.contains(&key.as_str()));
            Value::Object(
                members.map(|(key, schema)| (key.clone(), example(schema, number))).collect::<Map<_, _>>(),
            )
        }
        _ => Value::Null,
    }
}

fn text(schema: &Value) -> String {
    let length = schema["x-length"].as_u64().and_then(|length| usize::try_from(length).ok());
    match (schema["contentEncoding"].as_str(), length) {
        (Some("base64"), None) => "aGVsbG8=".to_owned(),
        (Some("base64"), Some(length)) => {
            let padding = ["", "==", "="][length % 3];
            "A".repeat((length * 4).div_ceil(3)) + padding
        }
        (Some(_), length) => "00".repeat(length.unwrap_or(4)),
        (None, _) if schema["format"] == "token" => {
            format!("{}:…", schema["title"].as_str().unwrap_or("token"))
        }
        (None, _) if schema["maxLength"] == 1 => "a".to_owned(),
        (None, Some(length)) => "a".repeat(length),
        (None, None) => "text".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_length_have_that_length() {
        for (length, expected) in
            [(0, ""), (1, "AA=="), (2, "AAA="), (3, "AAAA"), (32, &("A".repeat(43) + "="))]
        {
            let schema = json!({"type": "string", "contentEncoding": "base64", "x-length": length});
            assert_eq!(example(&schema, &mut 0), json!(expected));
        }
    }
}

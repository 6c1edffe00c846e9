//! A function as a Python dynamic tool: one public function, one `dict` in, `dict(success, message, data)`
//! out, whole modules imported, everything else private. It checks the arguments and calls an OpenTool
//! server, or the library itself.

use serde_json::{Map, Value, json};

use crate::PythonCode;
use crate::description::{Description, Function};

/// The end of every script that calls a server; `name` and `schema` are set before it.
const SERVED: &str = include_str!("served.py");

/// The script of one function that calls an OpenTool server.
#[must_use]
pub fn served(description: &Description, function: &Function) -> String {
    let schema = arguments(function);
    let name = identifier(&function.name);
    let lines: Vec<String> = [
        docstring(&function.description, ""),
        String::new(),
        docstring(&format!("`{}` of {} {}.", function.name, description.title, description.version), ""),
        "Calls the OpenTool server at OPENTOOL_URL (default: http://127.0.0.1:17001), with the API"
            .to_owned(),
        "key OPENTOOL_API_KEY if it is set.".to_owned(),
    ]
    .into();
    let mut text = format!("\"\"\"{}\n\"\"\"\n", lines.join("\n"));
    text += "import base64\nimport json\nimport math\nimport os\nimport urllib.error\nimport urllib.request\n\n\n";
    text += &format!("def {name}(tool_input: dict) -> dict:\n");
    text +=
        &format!("    \"\"\"{}{}\n    \"\"\"\n", docstring(&function.description, "    "), fields(function));
    text += &format!("    name = {}\n", literal(&json!(function.name), 4));
    text += &format!("    schema = {}\n", literal(&schema, 4));
    text + SERVED
}

/// The script of one function that calls the library itself.
#[must_use]
pub fn direct(description: &Description, function: &Function, code: &PythonCode) -> String {
    let name = identifier(&function.name);
    let origin = format!("`{}` of {} {}.", function.name, description.title, description.version);
    let library =
        format!("Calls the library through ctypes. {} overrides its file, if it is set.", code.variable);
    let lines = [docstring(&function.description, ""), String::new(), docstring(&origin, ""), library];
    let mut text = format!("\"\"\"{}\n\"\"\"\n", lines.join("\n"));
    text.extend(code.imports.iter().map(|module| format!("import {module}\n")));
    text += &format!("\n\ndef {name}(tool_input: dict) -> dict:\n");
    text +=
        &format!("    \"\"\"{}{}\n    \"\"\"\n", docstring(&function.description, "    "), fields(function));
    text += "    try:\n        return dict(success=True, message='ok', data=_call(tool_input))\n";
    text += &format!("    except ({}) as error:\n", code.raises.join(", "));
    text += "        return dict(success=False, message=str(error), data=None)\n\n\n";
    text + &code.text
}

/// The schema of all arguments, without descriptions, which are in the docstring.
fn arguments(function: &Function) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for argument in &function.arguments {
        properties.insert(argument.name.clone(), without_texts(&argument.schema));
        if argument.required {
            required.push(argument.name.as_str());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

fn without_texts(schema: &Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let members = members.iter().filter(|(key, _)| !matches!(key.as_str(), "description" | "title"));
    let inner = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties
                .iter()
                .map(|(key, property)| (key.clone(), without_texts(property)))
                .collect::<Map<_, _>>()
                .into(),
            ("items", items) => without_texts(items),
            _ => value.clone(),
        };
        (key.clone(), value)
    };
    Value::Object(members.map(inner).collect())
}

/// Arguments and results for the docstring, from which scripts are described.
fn fields(function: &Function) -> String {
    let mut text = String::new();
    let headings = ["Args:", "Returns:\n        dict: `success`, `message`, and `data`, which has"];
    for (heading, values) in headings.into_iter().zip([&function.arguments, &function.results]) {
        if values.is_empty() {
            continue;
        }
        text += &format!("\n\n    {heading}");
        let indent = if heading.starts_with('A') { "        " } else { "            " };
        for value in values {
            let kind = type_of(&value.schema);
            // Results are always present.
            let presence = match (indent.len(), value.required) {
                (8, true) => ", required",
                (8, false) => ", optional",
                _ => "",
            };
            let about = value.description.as_deref().unwrap_or_default();
            let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
            let line = format!("{} ({kind}{presence}): {about}", value.name);
            text += &format!("\n{indent}{}", docstring(line.trim_end_matches([' ', ':']), indent));
        }
    }
    text
}

/// The Python type of a value.
fn type_of(schema: &Value) -> String {
    match schema["type"].as_str() {
        Some("boolean") => "bool".to_owned(),
        Some("integer") => "int".to_owned(),
        Some("number") => "float".to_owned(),
        Some("string") => "str".to_owned(),
        Some("array") => format!("list[{}]", type_of(&schema["items"])),
        _ => "dict".to_owned(),
    }
}

/// A text within `"""`, with indented lines.
fn docstring(text: &str, indent: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\0', "\\0");
    escaped.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join(&format!("\n{indent}"))
}

/// A JSON value as a Python literal.
fn literal(value: &Value, indent: usize) -> String {
    let inner = " ".repeat(indent + 4);
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| literal(element, indent)).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: String = members
                .iter()
                .map(|(key, value)| format!("{inner}{}: {},\n", json!(key), literal(value, indent + 4)))
                .collect();
            format!("{{\n{members}{}}}", " ".repeat(indent))
        }
        // The escapes of JSON are valid in Python too.
        number_or_text => number_or_text.to_string(),
    }
}

/// A public name that is legal in Python.
fn identifier(name: &str) -> String {
    let name = name.replace('-', "_");
    let public = name.trim_start_matches('_');
    if public.is_empty() || public.starts_with(|first: char| first.is_ascii_digit()) || public != name {
        return format!("tool_{public}");
    }
    if TAKEN.contains(&public) { format!("{public}_") } else { name }
}

/// Names that a function cannot have: keywords, and names that the script uses.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    "AttributeError", "Exception", "MemoryError", "OSError", "OverflowError", "ValueError", "abs", "any",
    "base64", "bool", "bytes", "ctypes", "dict", "enumerate", "float", "getattr", "int", "isinstance", "json",
    "len", "list", "map", "math", "max", "min", "next", "os", "platform", "range", "repr", "setattr", "str",
    "super", "sys", "tuple", "urllib",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_one_that_is_public() {
        for (name, expected) in [
            ("add", "add"),
            ("get-x", "get_x"),
            ("_exit", "tool_exit"),
            ("7zip", "tool_7zip"),
            ("lambda", "lambda_"),
            ("json", "json_"),
            ("abs", "abs_"),
            ("--", "tool_"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn a_text_cannot_end_the_docstring() {
        assert_eq!(docstring("a\"\"\"b\\", ""), "a\\\"\\\"\\\"b\\\\");
        assert_eq!(docstring("one  \ntwo\n", "  "), "one\n  two");
    }
}

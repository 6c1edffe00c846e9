//! Every export is valid against the schema of its format, `exports/FORMAT.schema.json`, and every JSON
//! Schema in it against the meta-schema of draft 2020-12.

use std::path::Path;

use opentool::OpenTool;
use opentool::export::{
    ExportError, anthropic, gemini, json_schema, mcp_tools, openai_chat, openai_responses,
};
use serde_json::Value;

use super::documents;
use super::strict::expressible;

type Export = fn(&OpenTool) -> Result<Value, ExportError>;

/// The format, the function that exports it, and the places of JSON Schemas in a tool.
pub(super) const FORMATS: [(&str, Export, &[&str]); 8] = [
    ("openai-responses-strict", |document| openai_responses(document, true), &["/parameters"]),
    ("openai-responses", |document| openai_responses(document, false), &["/parameters"]),
    ("openai-chat-strict", |document| openai_chat(document, true), &["/function/parameters"]),
    ("openai-chat", |document| openai_chat(document, false), &["/function/parameters"]),
    ("anthropic", anthropic, &["/input_schema"]),
    ("gemini", gemini, &[]),
    ("mcp", mcp_tools, &["/inputSchema", "/outputSchema"]),
    ("json-schema", json_schema, &["/input", "/output"]),
];

fn meta_schema(format: &str) -> Value {
    let name = format!("exports/{}.schema.json", format.trim_end_matches("-strict"));
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn every_export_is_valid_by_its_meta_schema() {
    let documents: Vec<_> =
        documents().into_iter().map(|(name, document)| (name, expressible(&document).0)).collect();
    let mut refused = Vec::new();
    for (format, export, places) in FORMATS {
        let schema = meta_schema(format);
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        for (name, document) in &documents {
            let exported = match export(document) {
                Ok(exported) => exported,
                Err(error) => {
                    refused.extend(error.refusals.iter().map(|it| format!("{name} as {format}: {it}")));
                    continue;
                }
            };
            if let Some(error) = validator.iter_errors(&exported).next() {
                panic!("{name} as {format}: {}: {error}", error.instance_path());
            }
            for tool in exported.as_array().expect("an array of tools") {
                for place in places {
                    let schema = tool.pointer(place).expect("a schema");
                    if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
                        panic!("{name} as {format}, {}: {error}", tool["name"]);
                    }
                }
            }
        }
    }
    let names = [
        "tests/fixtures/docs/tool.json as anthropic: function `chinese`, /properties/甲: Anthropic allows argument names of 1 to 64 letters, digits and _.-, not \"甲\" [property-name]",
        "tests/fixtures/names/tool.json as anthropic: function `GetHTTPStatus`, /properties/宽度: Anthropic allows argument names of 1 to 64 letters, digits and _.-, not \"宽度\" [property-name]",
        "tests/fixtures/names/tool.json as anthropic: function `GetHTTPStatus`, /properties/a.b$c: Anthropic allows argument names of 1 to 64 letters, digits and _.-, not \"a.b$c\" [property-name]",
        "tests/fixtures/names/tool.json as gemini: function `2d`: Gemini allows names of 1 to 64 letters, digits and _-.:, beginning with a letter or _ [name]",
    ];
    assert_eq!(refused, names);
}

#[test]
fn meta_schemas_refuse_what_is_not_of_their_format() {
    for (format, _, _) in FORMATS {
        let schema = meta_schema(format);
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        for other in ["{}", "[{}]", r#"[{"name":"f","description":"d"}]"#] {
            let other: Value = serde_json::from_str(other).expect("JSON");
            assert!(!validator.is_valid(&other), "{format} takes {other}");
        }
    }
}

//! What `serve` says when it listens: what is served, where, and a request to try.

use std::net::SocketAddr;

use opentool::{Function, OpenTool, Parameter, SchemaType};
use serde_json::{Map, Value, json};

/// Says what is served, where, and how to try it.
pub(super) fn announcement(
    document: &OpenTool,
    scheme: &str,
    address: SocketAddr,
    keys: bool,
    has_page: bool,
) -> String {
    // Clients cannot connect to the unspecified address.
    let reached = if address.ip().is_unspecified() {
        SocketAddr::new(std::net::Ipv4Addr::LOCALHOST.into(), address.port())
    } else {
        address
    };
    let base = format!("{scheme}://{reached}");
    let count = document.functions.len();
    let noun = if count == 1 { "function" } else { "functions" };
    let mut text = format!(
        "{}: {count} {noun} at {scheme}://{address}
  OpenTool  POST {base}/opentool/call   GET {base}/opentool/load
  MCP       {base}/mcp
",
        document.info.title
    );
    if has_page {
        text += &format!("  page      {base}/\n");
    }
    if !keys && !address.ip().to_canonical().is_loopback() {
        text += &format!("  without --api-key, anyone who can reach {address} can call\n");
    }
    // Without a key, a call must say that it is JSON.
    let (key, kind) = match keys {
        true => (" -H 'Authorization: Bearer KEY'", ""),
        false => ("", " -H 'Content-Type: application/json'"),
    };
    if let Some((function, arguments)) = example(document) {
        let body = json!({"jsonrpc": "2.0", "id": "1", "method": function, "params": arguments}).to_string();
        let body = body.replace('\'', r"'\''");
        text += &format!("  try       curl -s {base}/opentool/call{key}{kind} -d '{body}'\n");
    } else {
        text += &format!("  try       curl -s {base}/opentool/load{key}\n");
    }
    text + "  Ctrl-C ends it\n"
}

/// The read-only function with the fewest required arguments, and values for them. The document says which
/// functions are read-only.
fn example(document: &OpenTool) -> Option<(&str, Map<String, Value>)> {
    let needed = |parameters: &[Parameter]| parameters.iter().filter(|parameter| parameter.required).count();
    let changes_nothing = |function: &&Function| {
        let said = function.annotations.unwrap_or_default();
        said.read_only == Some(true) && said.destructive != Some(true)
    };
    let functions = document.functions.iter().filter(changes_nothing).filter_map(|function| {
        let required = function.parameters.iter().filter(|parameter| parameter.required);
        let arguments = required.map(|parameter| Some((parameter.name.clone(), value(parameter)?)));
        Some((function, arguments.collect::<Option<Map<_, _>>>()?))
    });
    functions
        .min_by_key(|(function, _)| needed(&function.parameters))
        .map(|(function, arguments)| (function.name.as_str(), arguments))
}

/// A value that the function is likely to accept; `None` where only other functions provide one.
fn value(parameter: &Parameter) -> Option<Value> {
    let schema = &parameter.schema;
    if let Some(value) = schema.values.as_ref().and_then(|values| values.first()) {
        return Some(value.clone());
    }
    match schema.kind {
        SchemaType::Boolean => Some(json!(true)),
        SchemaType::Integer => Some(json!(2)),
        SchemaType::Number => Some(json!(0.5)),
        SchemaType::String if schema.handle.is_none() && schema.description.is_none() => Some(json!("text")),
        SchemaType::String | SchemaType::Array | SchemaType::Object => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(functions: Value) -> OpenTool {
        serde_json::from_value(json!({
            "opentool": "1.0.0", "info": {"title": "calc", "version": "1.0.0"}, "functions": functions,
        }))
        .expect("a document")
    }

    /// A read-only function.
    fn function(name: &str, parameters: Value) -> Value {
        let annotations = json!({"readOnly": true});
        json!({"name": name, "description": "d", "parameters": parameters, "x-annotations": annotations})
    }

    #[test]
    fn only_a_read_only_call_is_suggested() {
        let said = |annotations: Value| {
            let mut function = function("f", json!([]));
            function["x-annotations"] = annotations;
            document(json!([function, {"name": "wipe", "description": "d", "parameters": []}]))
        };
        let address = SocketAddr::from(([127, 0, 0, 1], 1));
        for annotations in [
            Value::Null,
            json!({}),
            json!({"readOnly": false}),
            json!({"destructive": false}),
            json!({"readOnly": true, "destructive": true}),
        ] {
            let text = announcement(&said(annotations.clone()), "http", address, true, true);
            let expected =
                "try       curl -s http://127.0.0.1:1/opentool/load -H 'Authorization: Bearer KEY'\n";
            assert!(text.contains(expected), "{annotations}: {text}");
        }
        let text = announcement(&said(json!({"readOnly": true})), "http", address, false, true);
        assert!(text.contains(r#""method":"f""#), "{text}");
    }

    #[test]
    fn the_example_is_the_easiest_call() {
        let token = json!({"name": "db", "schema": {"type": "string", "x-handle": "db"}});
        let integer = json!({"name": "a", "schema": {"type": "integer"}});
        let level = json!({"name": "level", "schema": {"type": "integer"}, "required": false});
        let document = document(json!([
            function("close", json!([token])),
            function("add", json!([integer, {"name": "b", "schema": {"type": "number"}}])),
            function("negate", json!([integer, level])),
        ]));
        let (name, arguments) = example(&document).expect("two can be called");
        assert_eq!((name, Value::Object(arguments)), ("negate", json!({"a": 2})));
        let without = OpenTool { functions: document.functions[..1].to_vec(), ..document };
        assert!(example(&without).is_none());
    }

    #[test]
    fn the_announcement_can_be_called_and_warns_where_anyone_can() {
        let document = document(json!([function("it", json!([]))]));
        let all = announcement(&document, "http", "0.0.0.0:80".parse().expect("an address"), false, true);
        assert!(
            all.contains(
                "curl -s http://127.0.0.1:80/opentool/call -H 'Content-Type: application/json' -d '{"
            ),
            "{all}"
        );
        assert!(all.contains("anyone"), "{all}");
        assert!(all.contains("  page      http://127.0.0.1:80/\n"), "{all}");
        let own = announcement(&document, "https", "127.0.0.1:80".parse().expect("an address"), true, false);
        assert!(!own.contains("anyone") && own.contains("Bearer KEY"), "{own}");
        assert!(!own.contains("page"), "{own}");
        assert!(own.contains("1 function at https://127.0.0.1:80\n"), "{own}");
    }
}

//! What `serve` says when it listens: what is served, where, and a request to try.

use std::net::SocketAddr;

use opentool::OpenTool;
use serde_json::json;

use super::example;

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
    if let Some((function, arguments)) = example::read_only(document) {
        let body =
            json!({"jsonrpc": "2.0", "id": "1", "method": function.name, "params": arguments}).to_string();
        let body = body.replace('\'', r"'\''");
        text += &format!("  try       curl -s {base}/opentool/call{key}{kind} -d '{body}'\n");
    } else {
        text += &format!("  try       curl -s {base}/opentool/load{key}\n");
    }
    text + "  Ctrl-C ends it\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

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

//! Servers, for many clients over HTTP or for the client that started the process.

use std::net::SocketAddr;
use std::process::ExitCode;

use opentool::{Function, OpenTool, Parameter, SchemaType, Tool};
use opentool_server::Executor;
use opentool_server::serve::{log_to_stderr, server};
use serde_json::{Map, Value, json};

use super::HostError;
use super::documents::{self, HostedDocument};
use super::request::Request;

/// The API keys, one per line. In the environment, because process lists show arguments.
const KEYS: &str = "OPENDYN_HOST_KEYS";

/// Serves OpenTool and MCP until it is stopped.
pub(super) fn http(
    hosted: &[HostedDocument],
    request: &Request,
    host: &str,
    port: u16,
    tag: Option<&str>,
) -> Result<ExitCode, HostError> {
    log_to_stderr().map_err(HostError::new)?;
    // Standard input is not read, and output that a library prints is not a result.
    #[cfg(unix)]
    drop(opentool_server::stdio::take().map_err(HostError::new)?);
    let executor = executor(hosted, request, documents::open(hosted, request)?);
    let document = executor.load().cloned().unwrap_or_default();
    let keys = std::env::var(KEYS).unwrap_or_default();
    let keys: Vec<&str> = keys.lines().filter(|key| !key.is_empty()).collect();
    let version = tag.unwrap_or(&document.info.version);
    let server = server(executor, host).map_err(HostError::new)?.port(port).version(version);
    let server = keys.iter().fold(server, |server, key| server.key(key));
    server
        .run(|address| eprint!("{}", announcement(&document, address, !keys.is_empty())))
        .map_err(HostError::new)?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the MCP client that started the process, until it closes our standard input.
pub(super) fn mcp(hosted: &[HostedDocument], request: &Request) -> Result<ExitCode, HostError> {
    log_to_stderr().map_err(HostError::new)?;
    // Before the libraries are opened: they may print when they are loaded.
    #[cfg(unix)]
    let (input, output) = opentool_server::stdio::take().map_err(HostError::new)?;
    let executor = executor(hosted, request, documents::open(hosted, request)?);
    #[cfg(unix)]
    opentool_server::mcp::run_taken(executor, input, output).map_err(HostError::new)?;
    #[cfg(not(unix))]
    opentool_server::mcp::run_stdio(executor).map_err(HostError::new)?;
    Ok(ExitCode::SUCCESS)
}

/// One thread per core, or a single one if there is only one library and its calls must not run in parallel.
fn executor(
    hosted: &[HostedDocument],
    request: &Request,
    tool: impl Tool + Send + Sync + 'static,
) -> Executor {
    if hosted.len() == 1 && !hosted[0].at_once && request.scripts.is_empty() {
        return Executor::serial(tool);
    }
    Executor::parallel(tool, super::threads())
}

/// Says what is served, where, and how to try it.
fn announcement(document: &OpenTool, address: SocketAddr, keys: bool) -> String {
    // Clients cannot connect to the unspecified address.
    let reached = if address.ip().is_unspecified() {
        SocketAddr::new(std::net::Ipv4Addr::LOCALHOST.into(), address.port())
    } else {
        address
    };
    let base = format!("http://{reached}");
    let count = document.functions.len();
    let noun = if count == 1 { "function" } else { "functions" };
    let mut text = format!(
        "{}: {count} {noun} at http://{address}
  OpenTool  POST {base}/opentool/call   GET {base}/opentool/load
  MCP       {base}/mcp
",
        document.info.title
    );
    if !keys && !address.ip().to_canonical().is_loopback() {
        text += &format!("  without --api-key, anyone who can reach {address} can call\n");
    }
    let key = if keys { " -H 'Authorization: Bearer KEY'" } else { "" };
    if let Some((function, arguments)) = example(document) {
        let body = json!({"jsonrpc": "2.0", "id": "1", "method": function, "params": arguments}).to_string();
        let body = body.replace('\'', r"'\''");
        text += &format!("  try       curl -s {base}/opentool/call{key} -d '{body}'\n");
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
            let text = announcement(&said(annotations.clone()), address, true);
            let expected =
                "try       curl -s http://127.0.0.1:1/opentool/load -H 'Authorization: Bearer KEY'\n";
            assert!(text.contains(expected), "{annotations}: {text}");
        }
        let text = announcement(&said(json!({"readOnly": true})), address, false);
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
        let all = announcement(&document, "0.0.0.0:80".parse().expect("an address"), false);
        assert!(all.contains("curl -s http://127.0.0.1:80/opentool/call -d '{"), "{all}");
        assert!(all.contains("anyone"), "{all}");
        let own = announcement(&document, "127.0.0.1:80".parse().expect("an address"), true);
        assert!(!own.contains("anyone") && own.contains("Bearer KEY"), "{own}");
    }
}
